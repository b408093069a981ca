package load

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func emptyPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quotedStyles == 0
}

// scalar finds the source bytes of a scalar's text. The library has decoded
// the text; reading the source again beside it tells which byte became which.
// Should the two ever disagree, the library's text stands, with one place for
// all of it.
func (c *converter) scalar(n *yaml.Node, out *converted) {
	out.node = &prompt.Node{Kind: prompt.String}
	out.end = out.start
	// The library takes a number that no float holds for a text.
	asText := n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!str" || n.Tag == "!"
	if n.Style&quotedStyles == 0 && !asText || emptyPlain(n) {
		out.node.Kind = plainKind(n.Value)
	}
	if emptyPlain(n) {
		return
	}
	s := &scalarReader{text: c.text, at: out.start, want: n.Value}
	var ok bool
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		ok = s.quoted('"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		ok = s.quoted('\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		ok = s.block(n.Style&yaml.FoldedStyle != 0)
	default:
		ok = s.plain()
	}
	if ok && s.out.Len() == len(n.Value) {
		out.node.Text, out.end = s.out.Text(), s.at
		return
	}
	line := c.text.lineFrom(out.start)
	out.end = max(line.End-c.text.base, out.start)
	var whole textMap
	whole.put(n.Value, line)
	out.node.Text = whole.Text()
}

// textMap puts decoded text together, piece by piece with its source.
type textMap struct {
	b prompt.Builder
	// run is the verbatim text not yet handed to b.
	run diag.Span
}

// Len gives the bytes of the text so far.
func (m *textMap) Len() int { return m.b.Len() + m.run.End - m.run.Start }

// verbatim appends a span byte for byte. Neighbours become one segment.
func (m *textMap) verbatim(at diag.Span) {
	if m.run.Known() && m.run.End == at.Start {
		m.run.End = at.End
		return
	}
	m.flush()
	m.run = at
}

// put appends text that was made from a span. A segment of equal lengths
// claims equal bytes, so where lengths agree and bytes do not, the text goes
// without a place.
func (m *textMap) put(text string, at diag.Span) {
	source := at.File.Text[at.Start:at.End]
	if source == text {
		m.verbatim(at)
		return
	}
	m.flush()
	if len(source) == len(text) {
		m.b.WriteString(text)
		return
	}
	m.b.WriteText(prompt.Derived(text, at))
}

func (m *textMap) flush() {
	if m.run.Known() {
		m.b.WriteText(prompt.Verbatim(m.run))
		m.run = diag.Span{}
	}
}

// Text gives what was put.
func (m *textMap) Text() prompt.Text {
	m.flush()
	return m.b.Text()
}

// scalarReader walks over the source of one scalar and its decoded text at
// the same time.
type scalarReader struct {
	text *yamlText
	at   int    // in text.src
	want string // the decoded text that is still to be found
	out  textMap
}

// take appends n verbatim source bytes, if the decoded text goes on with them.
func (s *scalarReader) take(n int) bool {
	source := s.text.src[s.at : s.at+n]
	if !strings.HasPrefix(s.want, source) {
		return false
	}
	s.out.verbatim(s.text.span(s.at, s.at+n))
	s.at, s.want = s.at+n, s.want[n:]
	return true
}

// turn appends text that was made from the next n source bytes.
func (s *scalarReader) turn(n int, text string) bool {
	if !strings.HasPrefix(s.want, text) {
		return false
	}
	if text != "" {
		s.out.put(text, s.text.span(s.at, s.at+n))
	}
	s.at, s.want = s.at+n, s.want[len(text):]
	return true
}

func (s *scalarReader) plain() bool {
	for s.want != "" {
		if s.at >= len(s.text.src) {
			return false
		}
		if n, text := s.fold(false); n > 0 {
			if !s.turn(n, text) {
				return false
			}
			continue
		}
		if !s.take(s.runeLen()) {
			return false
		}
	}
	return true
}

func (s *scalarReader) runeLen() int {
	_, size := utf8.DecodeRuneInString(s.text.src[s.at:])
	return size
}

// fold reads a line break inside a scalar with the blanks and empty lines
// around it, or blanks that no break follows, all of them at once. It gives the
// bytes that it takes and what they become. After an escaped line break the first
// break counts for nothing.
func (s *scalarReader) fold(escaped bool) (n int, text string) {
	src := s.text.src
	at := s.at
	var breaks []string
	for at < len(src) {
		if src[at] == ' ' || src[at] == '\t' {
			at++
			continue
		}
		size := breakAt(src, at)
		if size == 0 {
			break
		}
		breaks = append(breaks, decodedBreak(src[at:at+size]))
		at += size
	}
	switch {
	case escaped:
		return at - s.at, strings.Join(breaks, "")
	case len(breaks) == 0:
		return at - s.at, src[s.at:at]
	case breaks[0] != "\n":
		return at - s.at, strings.Join(breaks, "")
	case len(breaks) == 1:
		return at - s.at, " "
	default:
		return at - s.at, strings.Join(breaks[1:], "")
	}
}

// decodedBreak gives what the library makes of a line break: LF, except of
// the two separators of Unicode.
func decodedBreak(s string) string {
	if s == "\u2028" || s == "\u2029" {
		return s
	}
	return "\n"
}

func (s *scalarReader) quoted(quote byte) bool {
	src := s.text.src
	if s.at >= len(src) || src[s.at] != quote {
		return false
	}
	s.at++
	for s.at < len(src) {
		switch {
		case src[s.at] == quote && (quote == '"' || !strings.HasPrefix(src[s.at:], "''")):
			s.at++
			return s.want == ""
		case src[s.at] == quote:
			if !s.turn(2, "'") {
				return false
			}
		case quote == '"' && src[s.at] == '\\':
			if !s.escape() {
				return false
			}
		default:
			n, text := s.fold(false)
			if n > 0 && !s.turn(n, text) || n == 0 && !s.take(s.runeLen()) {
				return false
			}
		}
	}
	return false
}

// yamlEscapes are the escapes of one letter in double quotes.
var yamlEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f",
	'r': "\r", 'e': "\x1b", ' ': " ", '"': "\"", '/': "/", '\\': "\\",
	'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// hexEscapes are the numbers of digits after the letters of a code point.
var hexEscapes = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (s *scalarReader) escape() bool {
	src := s.text.src
	if s.at+1 >= len(src) {
		return false
	}
	if size := breakAt(src, s.at+1); size > 0 {
		skip := 1 + size
		s.at += skip
		n, text := s.fold(true)
		s.at -= skip
		return s.turn(skip+n, text)
	}
	letter := src[s.at+1]
	if text, ok := yamlEscapes[letter]; ok {
		return s.turn(2, text)
	}
	digits, ok := hexEscapes[letter]
	if !ok || s.at+2+digits > len(src) {
		return false
	}
	code, err := strconv.ParseUint(src[s.at+2:s.at+2+digits], 16, 32)
	return err == nil && s.turn(2+digits, string(rune(code)))
}
