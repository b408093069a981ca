package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxAnnotations is how many annotations of each level GitHub shows for one
// step; it drops the others without a word.
const maxAnnotations = 10

// annotation is one `::error …::message` line.
type annotation struct {
	level   diag.Level
	at      *jsonPlace
	title   string
	message string
}

// GitHub writes a run of build or check for the log of a GitHub workflow:
// findings and drift as annotations, at most ten of each level, a line that
// counts the rest; then the report for people, in which no line can be taken
// for a command to the runner.
func GitHub(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	opt.Color = false // a style in front of a line would hide it from the guard below
	p := newPage(opt.of(r))
	p.annotations(r, did)
	text := newPage(opt)
	text.diagnostics(r.Findings)
	switch {
	case r.Stopped:
	case did.Command == "build":
		text.build(r, did)
		if r.Delta != nil && drifts(r.Delta, did) {
			text.check(r)
		}
	default:
		text.check(r)
	}
	text.summary(r, did)
	p.WriteString(harmless(text.String()))
	return p.send(w, p.String())
}

func (p *page) annotations(r *prompt.Result, did Outcome) {
	var all []annotation
	for _, d := range r.Findings.Sorted() {
		all = append(all, p.annotate(d))
	}
	if r.Delta != nil && !did.Snapshots {
		for _, c := range changes(r) {
			if !c.follows {
				all = append(all, p.annotateChange(r, c))
			}
		}
	}
	if r.Delta != nil && !did.Artifacts && staleArtifacts(r.Delta) {
		text := p.artifacts(r.Delta) + "\nrun: promptc build"
		all = append(all, annotation{level: diag.Error, title: "artifacts out of date", message: text})
	}
	p.annotated(all)
}

// annotated writes at most ten annotations of each level, and counts the rest.
func (p *page) annotated(all []annotation) {
	var left []string
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		n := 0
		for _, a := range all {
			if a.level != level {
				continue
			}
			if n++; n <= maxAnnotations {
				p.WriteString(a.String())
			}
		}
		if n > maxAnnotations {
			left = append(left, count(n-maxAnnotations, level.String()))
		}
	}
	if len(left) > 0 {
		p.line("and ", strings.Join(left, ", "), " more: GitHub shows ", number(maxAnnotations),
			" annotations of each level for a step; the text below has all")
	}
}

func (p *page) annotate(d diag.Diagnostic) annotation {
	message := []string{clean(d.Message)}
	for _, line := range d.Detail {
		message = append(message, clean(line))
	}
	if d.Hint != "" {
		message = append(message, "hint: "+clean(d.Hint))
	}
	return annotation{d.Level, p.opt.place(d.Span), string(d.Code), strings.Join(message, "\n")}
}

// annotateChange puts drift on the source line that caused it, so that a
// reviewer sees the effect beside the edit.
func (p *page) annotateChange(r *prompt.Result, c change) annotation {
	at := p.opt.place(c.place(r))
	if at == nil {
		at = &jsonPlace{File: p.opt.path(c.Output.Path), Line: 1, EndLine: 1, Column: 1, EndColumn: 1}
	}
	head := strings.TrimSpace(clean(c.prompt) + " " + clean(c.subject) + " " + c.verb())
	message := []string{head + p.tokens(c)}
	for _, l := range users(c.Output.Owner) {
		message = append(message, clean(l))
	}
	leaves, _ := c.leaves()
	message = append(message, (&diffPage{page: p}).someLeaves(leaves)...)
	message = append(message, "snapshot: "+p.path(c.Output.Path), "run: promptc build")
	return annotation{diag.Error, at, "snapshot out of date", strings.Join(message, "\n")}
}

// String gives the command with its line break. GitHub takes columns only for
// a place within one line.
func (a annotation) String() string {
	command := [...]string{"error", "warning", "notice"}[a.level]
	var properties []string
	if at := a.at; at != nil {
		properties = append(properties, "file="+property(clean(at.File)), fmt.Sprintf("line=%d,endLine=%d", at.Line, at.EndLine))
		if at.Line == at.EndLine {
			properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", at.Column, at.EndColumn))
		}
	}
	properties = append(properties, "title="+property(a.title))
	return "::" + command + " " + strings.Join(properties, ",") + "::" + message(a.message) + "\n"
}

// message escapes what would end the message of a workflow command.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", `##\[`).Replace(s)
}

// property escapes what would end a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", `##\[`).Replace(s)
}

// harmless puts a backslash into every line that the runner of a workflow would
// take for a command: one that begins with `::`, blanks aside, or has `##[` anywhere.
func harmless(text string) string {
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
