package code

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is that of a token.
type kind uint8

const (
	kindName    kind = iota
	kindOperand      // a number, a regular expression, bytes
	kindPunct
	kindOpen  // a bracket, or the `<` of an element
	kindClose // its counterpart
	kindEnd   // of a statement
	kindText  // begins a string, which ends at kindTextEnd
	kindChunk // a part of a string, as it is written
	kindHole  // begins an expression within a string, which ends at kindHoleEnd
	kindHoleEnd
	kindTextEnd
)

// escapes is how a string is decoded.
type escapes uint8

const (
	verbatim escapes = iota
	pythonEscapes
	jsEscapes
	goEscapes
	jsxEntities
	jsxText
)

// token is a part [start, end) of a file.
type token struct {
	kind       kind
	escapes    escapes // of a kindText and a kindChunk
	doubled    bool    // of a kindChunk: {{ and }} are one brace
	newline    bool    // a line break stands before it
	block      bool    // of a bracket: it holds statements
	raw        bool    // of a kindText of JavaScript: a template
	start, end int
}

// level is what is open at a place.
type level struct {
	kind    byte // ( [ { for brackets, s for a string, h for a hole, f for the format in one, < for a tag, > for what is between tags
	control bool // of a parenthesis: the condition of a statement
	block   bool
	quote   byte // of a string
	flags   stringFlags
	text    bool  // of what is between tags: a text is open
	depth   int32 // of a tag: of < in it
	at      int32 // of a format: where it begins
}

type stringFlags struct {
	escapes escapes
	filled  bool // expressions stand in it
	raw     bool
	lines   bool // it may have several lines
	triple  bool // its quote is written three times
}

// newScanner makes room for the tokens that a text of its size has.
func newScanner(text string) *scanner {
	return &scanner{text: text, out: make([]token, 0, len(text)/5+8)}
}

// scanner cuts a text into tokens.
type scanner struct {
	text    string
	pos     int
	out     []token
	open    []level
	newline bool
	ending  string
	// closed is the bracket that was closed last.
	closed level
	// tags says of names whether elements of JSX are closed by them, and noRegexp up to
	// where no regular expression ends.
	tags     map[string]bool
	noRegexp int
}

func (s *scanner) top() *level {
	if len(s.open) == 0 {
		return nil
	}
	return &s.open[len(s.open)-1]
}

func (s *scanner) in(kind byte) bool { return len(s.open) > 0 && s.open[len(s.open)-1].kind == kind }

func (s *scanner) push(l level) {
	if len(s.open) == cap(s.open) {
		s.open = slices.Grow(s.open, len(s.open)+8)
	}
	s.open = append(s.open, l)
}

func (s *scanner) pop() level {
	l := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return l
}

// emit adds a token that ends at an offset, and goes on there.
func (s *scanner) emit(k kind, end int) *token {
	if len(s.out) == cap(s.out) { // by half of it, the memory is copied five times
		s.out = slices.Grow(s.out, len(s.out)+8)
	}
	s.out = append(s.out, token{kind: k, start: s.pos, end: end, newline: s.newline})
	s.newline, s.pos = false, end
	return &s.out[len(s.out)-1]
}

// last gives the token before this place; its zero value at the beginning.
func (s *scanner) last() token {
	if len(s.out) == 0 {
		return token{kind: kindEnd}
	}
	return s.out[len(s.out)-1]
}

// word gives the text of a name; "" for any other token.
func (s *scanner) word(t token) string {
	if t.kind != kindName {
		return ""
	}
	return s.text[t.start:t.end]
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

// line gives where the line ends.
func (s *scanner) line() int {
	if n := strings.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
		return s.pos + n
	}
	return len(s.text)
}

// name gives where the name that begins here ends.
func (s *scanner) name(more string) int {
	i := s.pos
	for i < len(s.text) && (isWord(s.text[i]) || strings.IndexByte(more, s.text[i]) >= 0) {
		i++
	}
	return i
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || isDigit(b) || b >= utf8.RuneSelf
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// number emits a number.
func (s *scanner) number() { s.emit(kindOperand, s.name(".")) }

// punct emits an operator, the longest of a table that stands here.
func (s *scanner) punct(long []string) {
	if s.pos+1 < len(s.text) && strings.IndexByte("=.&|?+-*<>/", s.text[s.pos+1]) >= 0 {
		for _, op := range long {
			if s.has(op) {
				s.emit(kindPunct, s.pos+len(op))
				return
			}
		}
	}
	s.emit(kindPunct, s.pos+1)
}

// bracket opens or closes one; a closing one that closes nothing is passed over.
func (s *scanner) bracket(b byte, block, control bool) {
	switch b {
	case '(', '[', '{':
		s.push(level{kind: b, block: block, control: control})
		s.emit(kindOpen, s.pos+1).block = block
		return
	}
	if l := s.top(); l == nil || l.kind != '(' && l.kind != '[' && l.kind != '{' {
		s.pos++
		return
	}
	s.closed = s.pop()
	s.emit(kindClose, s.pos+1)
}

// finish closes what the end of the file leaves open.
func (s *scanner) finish() []token {
	s.pos = len(s.text)
	for len(s.open) > 0 {
		switch l := s.pop(); l.kind {
		case 's':
			s.emit(kindTextEnd, s.pos)
		case 'h', 'f': // a format ends where its expression does
			s.emit(kindHoleEnd, s.pos)
		case '>':
			if l.text {
				s.emit(kindTextEnd, s.pos)
			}
			s.emit(kindClose, s.pos)
		default:
			s.emit(kindClose, s.pos)
		}
	}
	s.emit(kindEnd, s.pos)
	return s.out
}

// begin emits the opening quote of a string that ends at a quote.
func (s *scanner) begin(end int, quote byte, flags stringFlags) {
	t := s.emit(kindText, end)
	t.escapes, t.raw = flags.escapes, flags.raw
	s.push(level{kind: 's', quote: quote, flags: flags})
}

// chunk emits a part of the string that is open.
func (s *scanner) chunk(end int) {
	if end > s.pos {
		flags := s.top().flags
		t := s.emit(kindChunk, end)
		t.escapes, t.doubled = flags.escapes, flags.filled && flags.escapes != jsEscapes
	}
}

func (s *scanner) end(end int) {
	s.pop()
	s.emit(kindTextEnd, end)
}

// matching gives for each bracket that opens the token that closes it.
func matching(tokens []token) []int32 {
	out := make([]int32, len(tokens))
	var open []int32
	for i, t := range tokens {
		switch t.kind {
		case kindOpen, kindText, kindHole:
			open = append(open, int32(i))
		case kindClose, kindTextEnd, kindHoleEnd:
			if n := len(open); n > 0 {
				out[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		default:
		}
	}
	for _, i := range slices.Backward(open) {
		out[i] = int32(len(tokens) - 1)
	}
	return out
}
