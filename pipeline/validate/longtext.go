package validate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// advice is how long a format's documentation wants the text of a file: fewer
// lines and tokens than these; 0 is no advice.
type advice struct {
	kind, suffix, says string
	lines, tokens      int
	hint               string
}

// advised is the table of such advice. From the Agent Skills specification and
// Cursor's page on rules, 2026-11.
var advised = []advice{
	{"skills", ".md", "the Agent Skills specification", 500, 5000, "let the skill name files of its own for what is needed now and then"},
	{"rules", ".mdc", "Cursor", 500, 0, "split it into rules for the files or tasks that need them"},
}

// long reports a text that is longer than its format advises: it is read whole
// whenever it is read.
func (d *documents) long(doc *prompt.Doc, kind *prompt.Kind) {
	for _, a := range advised {
		if a.kind != kind.Name || !strings.HasSuffix(doc.File.Path, a.suffix) {
			continue
		}
		lines := strings.Count(doc.Body.Str, "\n") + 1
		tokens := (utf8.RuneCountInString(doc.Body.Str) + 3) / 4 // as chars/4 counts them
		said, least := "", 0
		switch {
		case lines >= a.lines:
			said, least = diag.Number(lines)+" lines", a.lines
		case a.tokens > 0 && tokens >= a.tokens:
			said, least = "about "+diag.Number(tokens)+" tokens", a.tokens
		default:
			continue
		}
		at := doc.Body.Span(0, len(doc.Body.Str))
		d.outside(diag.Note, firstLine(at), fmt.Sprintf("the text has %s; %s advises fewer than %s", said, a.says, diag.Number(least)), a.hint)
	}
}
