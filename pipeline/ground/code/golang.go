package code

import (
	goscanner "go/scanner"
	gotoken "go/token"
	"strings"
)

// lexGo cuts Go into tokens, as go/scanner reads it.
func lexGo(text, _ string) []token {
	s := newScanner(text)
	var in goscanner.Scanner
	file := gotoken.NewFileSet().AddFile("", -1, len(text))
	in.Init(file, []byte(text), nil, 0)
	for {
		pos, tok, lit := in.Scan()
		s.pos = min(file.Offset(pos), len(text))
		switch {
		case tok == gotoken.EOF:
			return s.finish()
		case tok == gotoken.SEMICOLON:
			s.emit(kindEnd, min(s.pos+1, len(text)))
		case tok == gotoken.STRING:
			s.goString(text[s.pos:])
		case tok.IsLiteral() && tok != gotoken.IDENT:
			s.emit(kindOperand, min(s.pos+len(lit), len(text)))
		case tok == gotoken.IDENT, tok.IsKeyword():
			s.emit(kindName, s.pos+len(lit))
		case strings.Contains("()[]{}", tok.String()):
			s.bracket(tok.String()[0], false, false)
		case tok == gotoken.ILLEGAL:
		default:
			s.emit(kindPunct, s.pos+len(tok.String()))
		}
	}
}

// goString emits a string that go/scanner found.
func (s *scanner) goString(rest string) {
	end, flags := 1, stringFlags{escapes: goEscapes}
	if rest[0] == '`' {
		flags.escapes = verbatim
		if n := strings.IndexByte(rest[1:], '`'); n >= 0 {
			end = n + 1
		} else {
			end = len(rest)
		}
	} else {
		for end < len(rest) && rest[end] != '"' && rest[end] != '\n' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(rest))
	}
	at := s.pos
	s.begin(at+1, rest[0], flags)
	s.chunk(at + end)
	s.pos = at + end
	s.end(min(at+end+1, len(s.text)))
}
