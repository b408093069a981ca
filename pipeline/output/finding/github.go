package finding

import (
	"fmt"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// maxAnnotations is how many annotations of each level GitHub shows for one
// step; it drops the others without a word.
const maxAnnotations = 10

// Annotation is one `::error …::message` line.
type Annotation struct {
	Level   diag.Level
	At      *words.Place
	Title   string
	Message string
}

// Annotate writes at most ten annotations of each level, and counts the rest.
func Annotate(p *words.Printer, all []Annotation) {
	var left []string
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		n := 0
		for _, a := range all {
			if a.Level != level {
				continue
			}
			if n++; n <= maxAnnotations {
				p.WriteString(a.String())
			}
		}
		if n > maxAnnotations {
			left = append(left, words.Count(n-maxAnnotations, level.String()))
		}
	}
	if len(left) > 0 {
		p.Line("and ", strings.Join(left, ", "), " more: GitHub shows ", words.Number(maxAnnotations),
			" annotations of each level for a step; the text below has all")
	}
}

// Annotation puts a problem on the source line that caused it, so that a reviewer
// sees the effect beside the edit; without one on the file on disk.
func (x Problem) Annotation() Annotation {
	return Annotation{x.Level, x.Place, x.Title, strings.Join(x.Lines(), "\n")}
}

// String gives the command with its line break. GitHub takes columns only for
// a place within one line.
func (a Annotation) String() string {
	command := [...]string{"error", "warning", "notice"}[a.Level]
	var properties []string
	if at := a.At; at != nil {
		properties = append(properties, "file="+words.Property(words.Clean(at.File)), fmt.Sprintf("line=%d,endLine=%d", at.Line, at.EndLine))
		if at.Line == at.EndLine {
			properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", at.Column, at.EndColumn))
		}
	}
	properties = append(properties, "title="+words.Property(a.Title))
	return "::" + command + " " + strings.Join(properties, ",") + "::" + words.Message(a.Message) + "\n"
}
