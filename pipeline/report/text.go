package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// maxFindings is how many findings, and how many changes, are printed before
// the rest is counted.
const maxFindings = 100

// Diagnostics writes findings for people: `file:line:col: level[CODE]:
// message`, the source line with a caret, further facts, the hint. Of more
// than 100 the most serious are shown, in the order of their places, and the
// others counted.
func Diagnostics(w io.Writer, findings diag.List, opt Options) error {
	p := newPage(opt.ofFiles(findings))
	p.diagnostics(findings)
	return p.print(w)
}

// Summary writes one line that counts the findings, says what became of the
// run, and counts what settings left out; nothing when there is none of it.
func Summary(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	p := newPage(opt.of(r))
	p.summary(r, did)
	return p.print(w)
}

func (p *page) diagnostics(findings diag.List) {
	shown, rest := serious(findings.Sorted(), maxFindings)
	var last diag.Span
	for _, d := range shown {
		p.finding(d)
		// Several findings about the same words need them only once.
		if d.Span != last {
			p.excerpt(d.Span)
		}
		last = d.Span
		for _, line := range wording.Detail(d) {
			p.line("  ", clean(line))
		}
		if hint := wording.Hint(d); hint != "" {
			p.line("  ", p.paint(cyan, "hint:"), " ", clean(hint))
		}
	}
	if len(rest) > 0 {
		p.line("and ", levels(rest), " more")
	}
}

// finding writes the line that editors and problem matchers read.
func (p *page) finding(d diag.Diagnostic) {
	where := "promptc:"
	if d.Span.Known() {
		line, column := d.Span.File.Position(d.Span.Start)
		where = fmt.Sprintf("%s:%d:%d:", p.path(d.Span.File.Path), line, column)
	}
	level := fmt.Sprintf("%s[%s]:", d.Level, d.Code)
	p.line(p.paint(bold, where), " ", p.paint(levelStyle(d.Level), level), " ", clean(wording.Message(d)))
}

func levelStyle(l diag.Level) style {
	switch l {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	default:
		return cyan
	}
}

// serious gives at most n findings, errors before warnings before notes, but
// in their order; and those that are left.
func serious(findings diag.List, n int) (shown, rest diag.List) {
	if len(findings) <= n {
		return findings, nil
	}
	room := map[diag.Level]int{}
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		room[level] = min(n, findings.Count(level))
		n -= room[level]
	}
	for _, d := range findings {
		if room[d.Level] > 0 {
			room[d.Level]--
			shown = append(shown, d)
		} else {
			rest = append(rest, d)
		}
	}
	return shown, rest
}

// levels counts findings: "1 error, 2 warnings".
func levels(findings diag.List) string {
	var parts []string
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		if n := findings.Count(level); n > 0 {
			parts = append(parts, count(n, level.String()))
		}
	}
	return strings.Join(parts, ", ")
}

func (p *page) summary(r *prompt.Result, did Outcome) {
	findings := r.Findings.Sorted()
	var words []string
	if len(findings) > 0 {
		words = append(words, levels(findings))
	}
	switch {
	case len(findings) == 0:
	case r.Stopped && did.Command == "check":
		words = append(words, "nothing was compared")
	case findings.HasErrors() && did.Command != "build":
	case findings.HasErrors() && !did.Snapshots && !did.Artifacts:
		words = append(words, "nothing was written")
	case findings.HasErrors():
		words = append(words, "written all the same")
	case p.opt.Strict:
		words = append(words, "strict: they count as errors")
	}
	if n := len(r.Off); n > 0 {
		words = append(words, count(n, "finding")+" off (checks)")
	}
	if len(words) > 0 {
		p.line(strings.Join(words, "; "))
	}
}
