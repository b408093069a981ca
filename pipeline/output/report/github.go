package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxAnnotations is how many annotations of each level GitHub shows for one
// step; it drops the others without a word.
const maxAnnotations = 10

// Annotation is one `::error …::message` line.
type Annotation struct {
	Level   diag.Level
	At      *JsonPlace
	Title   string
	Message string
}

// GitHub writes a run of build or check for the log of a GitHub workflow:
// findings and drift as annotations, at most ten of each level, a line that
// counts the rest; then the report for people, in which no line can be taken
// for a command to the runner.
func GitHub(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	opt.Color = false // a style in front of a line would hide it from the guard below
	opt = opt.Masking(r)
	p, f := NewPrinter(opt), FactsOf(r, did, opt)
	shown := *f
	shown.findings = Folded(f.findings, opt)
	var all []Annotation
	for _, x := range shown.Problems() {
		all = append(all, x.Annotation())
	}
	PrintAnnotations(p, all)
	text := NewPrinter(opt)
	PrintTo(text, f.findings)
	switch {
	case r.Stopped:
	case did.Command == "build":
		printBuild(text, r, did)
		if f.drifted() || len(f.stale) > 0 {
			printCheck(text, f)
		}
	default:
		printCheck(text, f)
	}
	printSummary(text, r, did)
	p.WriteString(Harmless(text.String()))
	return p.Send(w, p.String())
}

// annotated writes at most ten annotations of each level, and counts the rest.
func PrintAnnotations(p *Printer, all []Annotation) {
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
			left = append(left, Count(n-maxAnnotations, level.String()))
		}
	}
	if len(left) > 0 {
		p.Line("and ", strings.Join(left, ", "), " more: GitHub shows ", Number(maxAnnotations),
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
		properties = append(properties, "file="+Property(Clean(at.File)), fmt.Sprintf("line=%d,endLine=%d", at.Line, at.EndLine))
		if at.Line == at.EndLine {
			properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", at.Column, at.EndColumn))
		}
	}
	properties = append(properties, "title="+Property(a.Title))
	return "::" + command + " " + strings.Join(properties, ",") + "::" + Message(a.Message) + "\n"
}

// Message escapes what would end the message of a workflow command.
func Message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", `##\[`).Replace(s)
}

// Property escapes what would end a property of a workflow command.
func Property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", `##\[`).Replace(s)
}

// Harmless puts a backslash into every line that the runner of a workflow would
// take for a command: one that begins with `::`, blanks aside, or has `##[` anywhere.
func Harmless(text string) string {
	text = strings.ReplaceAll(text, "##[", `##\[`)
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || chars.Hidden(r) })
		if strings.HasPrefix(bare, "::") {
			b.WriteString(line[:len(line)-len(bare)] + `\`)
			line = bare
		}
		b.WriteString(line)
	}
	return b.String()
}
