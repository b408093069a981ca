package code

import (
	"slices"
	"strings"
)

// JavaScript by ECMA-262, with the types of TypeScript and the elements of JSX.

var jsOperators = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", "&&=", "||=", "??=", "=>", "==", "!=", "<=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<"}

// jsBefore are words behind which an expression begins: a `/` is a regular expression
// there, a `<` an element and a `{` an object.
var jsBefore = []string{"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "yield", "await", "default", "extends", "as", "satisfies"}

// jsStatements are words behind which a statement begins, and jsConditions those whose
// parentheses hold what a statement asks.
var (
	jsStatements = []string{"else", "do", "try", "finally"}
	jsConditions = []string{"if", "while", "for", "with", "switch", "catch"}
)

func lexJS(text, ending string) []token {
	s := newScanner(text)
	s.ending, s.tags = ending, map[string]bool{}
	if s.has("#!") {
		s.pos = s.line()
	}
	for s.pos < len(text) {
		switch l := s.top(); {
		case l == nil:
			s.js()
		case l.kind == 's':
			s.jsChunk(l)
		case l.kind == '<':
			s.tag(l)
		case l.kind == '>':
			s.children(l)
		default:
			s.js()
		}
	}
	return s.finish()
}

// js reads a token of code.
func (s *scanner) js() {
	switch b := s.text[s.pos]; {
	case s.blank(b):
	case b == '"' || b == '\'':
		s.begin(s.pos+1, b, stringFlags{escapes: jsEscapes})
	case b == '`':
		s.begin(s.pos+1, '`', stringFlags{escapes: jsEscapes, filled: true, lines: true, raw: true})
	case isDigit(b) || b == '.' && s.pos+1 < len(s.text) && isDigit(s.text[s.pos+1]):
		s.number()
	case isWord(b) || b == '$' || b == '#' || b == '@':
		s.emit(kindName, max(s.pos+1, s.jsName(b)))
	case b == '/' && s.wantsOperand() && s.regexp():
	case b == '<' && s.wantsOperand() && s.isElement():
		s.push(level{kind: '<'})
		s.emit(kindOpen, s.pos+1)
	case strings.IndexByte("()[]{}", b) >= 0:
		if b == '}' && s.in('h') {
			s.pop()
			s.emit(kindHoleEnd, s.pos+1)
			return
		}
		s.bracket(b, b == '{' && s.isBlock(), b == '(' && slices.Contains(jsConditions, s.word(s.last())))
	case b == '?' && s.has("?.") && !(s.pos+2 < len(s.text) && isDigit(s.text[s.pos+2])):
		s.emit(kindPunct, s.pos+2)
	default:
		s.punct(jsOperators)
	}
}

// jsName gives where a name ends; one that begins with @ is a decorator's.
func (s *scanner) jsName(first byte) int {
	if first == '#' || first == '@' {
		s.pos++
		end := s.name("$")
		s.pos--
		return end
	}
	return s.name("$")
}

// blank passes over blanks and comments.
func (s *scanner) blank(b byte) bool {
	switch {
	case b == '\n':
		s.pos, s.newline = s.pos+1, true
	case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v':
		s.pos++
	case s.has("//"):
		s.pos = s.line()
	case s.has("/*"):
		end := len(s.text)
		if n := strings.Index(s.text[s.pos+2:], "*/"); n >= 0 {
			end = s.pos + 2 + n + 2
		}
		s.newline = s.newline || strings.Contains(s.text[s.pos:end], "\n")
		s.pos = end
	case s.has("\u00a0"), s.has("\ufeff"), s.has("\u2028"), s.has("\u2029"):
		s.pos += len("\u2028")
		if b == "\u00a0"[0] {
			s.pos--
		}
	default:
		return false
	}
	return true
}

// wantsOperand reports whether an expression may begin here.
func (s *scanner) wantsOperand() bool {
	switch t := s.last(); t.kind {
	case kindName:
		return slices.Contains(jsBefore, s.word(t)) || slices.Contains(jsStatements, s.word(t))
	case kindOperand, kindTextEnd:
		return false
	case kindClose:
		return s.text[t.start] == ')' && s.closed.control || s.text[t.start] == '}' && s.closed.block
	case kindPunct:
		op := s.text[t.start:t.end]
		return op != "++" && op != "--"
	default:
		return true
	}
}

// regexp emits the regular expression that begins here, and reports whether there is one:
// it has one line.
func (s *scanner) regexp() bool {
	if s.pos < s.noRegexp {
		return false
	}
	class, i := false, s.pos+1
	for ; i < len(s.text) && s.text[i] != '\n'; i++ {
		switch b := s.text[i]; {
		case b == '\\':
			i++
		case b == '[':
			class = true
		case b == ']':
			class = false
		case b == '/' && !class:
			for i++; i < len(s.text) && isWord(s.text[i]); i++ {
			}
			s.emit(kindOperand, i)
			return true
		}
	}
	s.noRegexp = i
	return false
}

// isBlock reports whether a brace opens statements, not an object.
func (s *scanner) isBlock() bool {
	switch t := s.last(); t.kind {
	case kindEnd:
		return true
	case kindOpen:
		return t.block
	case kindClose:
		return true
	case kindName:
		return !slices.Contains(jsBefore, s.word(t))
	case kindPunct:
		op := s.text[t.start:t.end]
		return op == "=>" || op == ";" || op == ">"
	default:
		return false
	}
}

// isElement reports whether a `<` begins an element of JSX, not the parameters of a type.
func (s *scanner) isElement() bool {
	if s.ending == ".ts" || s.ending == ".mts" || s.ending == ".cts" {
		return false
	}
	rest := s.text[s.pos+1:]
	if rest == "" || rest[0] != '>' && !isWord(rest[0]) && rest[0] != '$' || isDigit(rest[0]) {
		return false
	}
	s.pos++
	name := s.text[s.pos:s.name("$")]
	s.pos--
	rest = strings.TrimLeft(rest[len(name):], " \t\n")
	if name != "" && (strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "extends ")) {
		return false
	}
	if strings.HasPrefix(rest, ">(") && name != "" {
		known, ok := s.tags[name]
		if !ok {
			known = strings.Contains(s.text, "</"+name)
			s.tags[name] = known
		}
		return known
	}
	return true
}

// jsChunk reads a string up to its end or an expression in it.
func (s *scanner) jsChunk(l *level) {
	text := s.text
	for i := s.pos; i < len(text); i++ {
		switch b := text[i]; {
		case b == l.quote:
			s.chunk(i)
			s.end(i + 1)
			return
		case b == '\\' && l.flags.escapes == jsEscapes:
			i++
		case b == '\n' && !l.flags.lines: // it is not terminated
			s.chunk(i)
			s.end(i)
			return
		case b == '$' && l.flags.filled && i+1 < len(text) && text[i+1] == '{':
			s.chunk(i)
			s.push(level{kind: 'h'})
			s.emit(kindHole, i+2)
			return
		}
	}
	s.chunk(len(text))
	s.pos = len(text)
}

// tag reads what is between the `<` and the `>` of an element.
func (s *scanner) tag(l *level) {
	switch b := s.text[s.pos]; {
	case s.blank(b):
	case s.has("/>") && l.depth == 0:
		s.closed = s.pop()
		s.emit(kindClose, s.pos+2)
	case b == '>' && l.depth == 0:
		l.kind = '>'
		s.emit(kindPunct, s.pos+1)
	case b == '<':
		l.depth++
		s.pos++
	case b == '>':
		l.depth--
		s.pos++
	case b == '"' || b == '\'':
		s.begin(s.pos+1, b, stringFlags{escapes: jsxEntities, lines: true})
	case b == '{':
		s.bracket(b, false, false)
	case isWord(b) || b == '$':
		s.emit(kindName, s.name("$-:."))
	default:
		s.pos++
	}
}

// children reads what is between the tags of an element: text, expressions and elements.
func (s *scanner) children(l *level) {
	switch {
	case s.has("<"):
		if l.text {
			l.text = false
			s.emit(kindTextEnd, s.pos)
		}
		if s.has("</") {
			s.closed = s.pop()
			close := s.emit(kindClose, s.pos+2)
			s.pos = s.name("$-:. \t\n")
			if s.has(">") {
				s.pos++
			}
			close.end = s.pos
			return
		}
		s.push(level{kind: '<'})
		s.emit(kindOpen, s.pos+1)
	case !l.text:
		l.text = true
		s.emit(kindText, s.pos).escapes = jsxText
	case s.has("{"):
		s.push(level{kind: 'h'})
		s.emit(kindHole, s.pos+1)
	default:
		end := len(s.text)
		if n := strings.IndexAny(s.text[s.pos:], "<{"); n >= 0 {
			end = s.pos + n
		}
		s.emit(kindChunk, end).escapes = jsxText
	}
}
