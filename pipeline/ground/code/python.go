package code

import "strings"

// Python, by its reference, §2 (3.14).

var pythonOperators = []string{"**=", "//=", ">>=", "<<=", "...", "!=", "%=", "&=", "**", "*=", "+=", "-=", "->", "//", "/=", ":=", "<<", "<=", "==", ">=", ">>", "@=", "^=", "|="}

func lexPython(text, _ string) []token {
	s := newScanner(text)
	for s.pos < len(text) {
		switch l := s.top(); {
		case l == nil:
			s.python()
		case l.kind == 's':
			s.pythonChunk(l)
		case l.kind == 'f':
			s.pythonFormat()
		default:
			s.python()
		}
	}
	return s.finish()
}

// python reads a token of code.
func (s *scanner) python() {
	switch b := s.text[s.pos]; {
	case b == '\n':
		if len(s.open) == 0 && s.last().kind != kindEnd {
			s.emit(kindEnd, s.pos+1)
		} else {
			s.pos++
		}
		s.newline = true
	case b == ' ' || b == '\t' || b == '\r' || b == '\f':
		s.pos++
	case b == '\\':
		s.pos++
		if s.has("\n") {
			s.pos++
		}
	case b == '#':
		s.pos = s.line()
	case b == '"' || b == '\'':
		s.pythonString(s.pos, "")
	case isDigit(b) || b == '.' && s.pos+1 < len(s.text) && isDigit(s.text[s.pos+1]):
		s.number()
	case isWord(b):
		end := s.name("")
		if end < len(s.text) && (s.text[end] == '"' || s.text[end] == '\'') && isPrefix(s.text[s.pos:end]) {
			s.pythonString(end, strings.ToLower(s.text[s.pos:end]))
			return
		}
		s.emit(kindName, end)
	case strings.IndexByte("()[]{}", b) >= 0:
		if b == '}' && s.in('h') {
			s.pop()
			s.emit(kindHoleEnd, s.pos+1)
			return
		}
		s.bracket(b, false, false)
	case s.in('h') && (b == ':' || b == '!' && !s.has("!=") || b == '=' && s.debugs()):
		s.pop()
		s.push(level{kind: 'f', at: int32(s.pos)})
		if b == ':' {
			s.pos++
		}
	default:
		s.punct(pythonOperators)
	}
}

// debugs reports the `=` that asks for the expression itself.
func (s *scanner) debugs() bool {
	rest := strings.TrimLeft(s.text[s.pos+1:min(len(s.text), s.pos+64)], " \t\n")
	return rest != "" && strings.IndexByte("}!:", rest[0]) >= 0
}

// pythonFormat reads what follows the expression in a field: a conversion, and a format,
// in which there may be fields.
func (s *scanner) pythonFormat() {
	switch s.text[s.pos] {
	case '{':
		s.push(level{kind: '{'})
		s.emit(kindOpen, s.pos+1)
	case '}':
		from := int(s.pop().at)
		s.emit(kindHoleEnd, s.pos+1).start = from // where the expression ends
	default:
		s.pos++
	}
}

// isPrefix tells what may stand before a quote.
func isPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt":
		return true
	}
	return false
}

// pythonString begins a string whose quote is at an offset.
func (s *scanner) pythonString(quote int, prefix string) {
	mark := s.text[quote : quote+1]
	if strings.HasPrefix(s.text[quote:], mark+mark+mark) {
		mark = mark + mark + mark
	}
	flags := stringFlags{escapes: pythonEscapes, lines: len(mark) == 3, triple: len(mark) == 3}
	if strings.Contains(prefix, "r") {
		flags.escapes = verbatim
	}
	flags.filled = strings.ContainsAny(prefix, "ft")
	if strings.Contains(prefix, "b") {
		s.emit(kindOperand, s.pythonEnd(quote+len(mark), mark, flags))
		return
	}
	s.begin(quote+len(mark), mark[0], flags)
}

// pythonEnd gives where a string without fields ends.
func (s *scanner) pythonEnd(at int, mark string, flags stringFlags) int {
	for i := at; i < len(s.text); i++ {
		switch {
		case s.text[i] == '\\':
			i++
		case strings.HasPrefix(s.text[i:], mark):
			return i + len(mark)
		case s.text[i] == '\n' && !flags.lines:
			return i
		}
	}
	return len(s.text)
}

// pythonChunk reads a string up to its end or a field.
func (s *scanner) pythonChunk(l *level) {
	filled, text := l.flags.filled, s.text
	quote := string(l.quote)
	if l.flags.triple {
		quote += quote + quote
	}
	for i := s.pos; i < len(text); i++ {
		switch b := text[i]; {
		case b == l.quote && strings.HasPrefix(text[i:], quote):
			s.chunk(i)
			s.end(i + len(quote))
			return
		case b == '\n' && !l.flags.lines: // it is not terminated
			s.chunk(i)
			s.end(i)
			return
		case b == '\\' && i+1 < len(text):
			switch {
			case filled && (text[i+1] == '{' || text[i+1] == '}'):
			case filled && text[i+1] == 'N' && strings.HasPrefix(text[i+2:], "{") && l.flags.escapes == pythonEscapes:
				if n := strings.IndexAny(text[i:min(len(text), i+maxCharName)], "}\n\"'"); n > 0 && text[i+n] == '}' {
					i += n
				}
			default:
				i++
			}
		case filled && (b == '{' || b == '}'):
			if i+1 < len(text) && text[i+1] == b {
				i++
			} else if b == '{' {
				s.chunk(i)
				s.push(level{kind: 'h'})
				s.emit(kindHole, i+1)
				return
			}
		}
	}
	s.chunk(len(text))
	s.pos = len(text)
}

// maxCharName is how many bytes an escape `\N{…}` may have.
const maxCharName = 128
