package render

import (
	"testing"
	"text/template/parse"
)

// The parser has its places as text alone: it still says them so.
func TestTheTemplateParserStillSaysSo(t *testing.T) {
	for text, want := range map[string]struct {
		message string
		line    int
	}{
		"a\n{{if .X}}b\n":              {"unexpected EOF", 3},
		"a\nb {{end}}":                 {"unexpected {{end}}", 2},
		"{{.X":                         {"unclosed action", 1},
		"{{/* c":                       {"unclosed comment", 1},
		"\n\n{{\"a}}":                  {"unterminated quoted string", 3},
		"{{range}}{{end}}":             {"missing value for range", 1},
		"{{define}}{{end}}":            {`unexpected "}}" in define clause`, 1},
		"{{$x}}":                       {`undefined variable "$x"`, 1},
		"{{if .A}}{{else}}{{else}}":    {"expected end; found {{else}}", 1},
		"a\n{{define `x`}}b{{end}}\n{": {"", 0},
	} {
		tree := parse.New(treeName)
		tree.Mode = parse.SkipFuncCheck
		_, err := tree.Parse(text, "", "", map[string]*parse.Tree{})
		if (err == nil) != (want.line == 0) {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			continue
		}
		if message, line := parserSays(err); message != want.message || line != want.line {
			t.Errorf("%q: %q in line %d, want %q in line %d", text, message, line, want.message, want.line)
		}
	}
}
