package report

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review"
)

// DiffGitHub writes a difference for the log of a GitHub workflow: a notice on
// the source line of each change, an error for each finding and for what it
// fails on, at most ten of each level and a line that counts the rest; then the
// report for people, in which no line can be taken for a command to the runner.
func DiffGitHub(w io.Writer, d *review.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	opt.Color = false // a style in front of a line would hide it from the guard below
	findings = weighed(findings, judged)
	p := newDiffPage(d, opt)
	var all []annotation
	for _, f := range findings.Sorted() {
		a := problemOf(p.opt, f).annotation()
		if opt.Ref != "" || aboutBase(d) {
			// The file is not in the tree that GitHub shows.
			a.at, a.message = nil, strings.TrimPrefix(p.lineOf(f.Span)+": ", ": ")+a.message
		}
		all = append(all, a)
	}
	for _, f := range judged.Failures {
		all = append(all, annotation{level: diag.Error, at: p.opt.place(f.At), title: "fails on " + f.Word, message: clean(f.Why)})
	}
	for _, e := range byWeight(p.rows) {
		all = append(all, p.annotateEdit(p.numbers[e], e))
	}
	for _, s := range d.Idle {
		a := annotation{level: diag.Note, title: "source without effect", message: clean(idlePath(opt, s)) + " " + idleWords(opt, s).text()}
		if len(s.Reaches) > 0 && !s.Unsure {
			a.title = "included file"
		}
		if !s.Removed {
			a.at = opt.place(s.At)
		}
		all = append(all, a)
	}
	for _, s := range d.Stale {
		all = append(all, annotation{level: diag.Warning, at: opt.place(s.At), title: "render again", message: staleWords(opt, s) + "\n" + staleHint})
	}
	printAnnotations(p.printer, all)
	text := newDiffPage(d, opt)
	text.diff(findings, judged)
	p.WriteString(harmless(text.String()))
	return p.send(w, p.String())
}

// byWeight gives edits with those first that a reviewer must not miss, since
// GitHub shows only some; else in their order.
func byWeight(edits []*review.Edit) []*review.Edit {
	out := slices.Clone(edits)
	slices.SortStableFunc(out, func(a, b *review.Edit) int { return weight(a) - weight(b) })
	return out
}

// weight says how far down the list of annotations an edit belongs.
func weight(e *review.Edit) int {
	switch {
	case e.Kind == review.BudgetCrossed && e.Over, e.Kind == review.PolicyWeakened:
		return 0
	case e.Kind == review.PromptRemoved, e.Kind == review.ToolRemoved, e.Kind == review.VariantsRemoved, e.Kind == review.ValueRemoved:
		return 1
	case e.Kind == review.CacheChanged && e.Shorter:
		return 2
	case e.Event == "":
		return 4
	default:
		return 3
	}
}

// annotateEdit puts a change on its source line, so that a reviewer sees whom
// it reaches beside the edit. What is in the base has no line to stand on.
func (p *diffPage) annotateEdit(nth int, e *review.Edit) annotation {
	said := describe(e)
	head := strings.TrimSpace(clean(promptOf(e)) + "  " + said.what.text() + said.verb.text())
	var others []string
	if !e.InBase {
		for _, other := range alsoPlaces(p.printer, e) {
			others = append(others, phrase{other}.text())
		}
	}
	if len(others) > 0 {
		head += ", here and in " + strings.Join(others, " and ")
	}
	lines := []string{head + p.size(e)}
	if len(said.more) > 0 {
		lines = append(lines, said.more.text())
	}
	lines = append(lines, p.someLeaves(nth, leavesOf(e))...)
	for _, l := range p.reaches(nth, e) {
		lines = append(lines, l.text())
	}
	a := annotation{level: diag.Note, title: "prompt change", message: strings.Join(lines, "\n")}
	if e.Kind == review.BudgetCrossed && e.Over || e.Kind == review.PolicyWeakened {
		a.level = diag.Warning
	}
	if !e.InBase {
		a.at = p.opt.place(e.At)
	}
	return a
}

// DiffSARIF writes the findings about a difference as a SARIF 2.1.0 log: those
// about growth, or those of a side that does not compile. Changes are no
// results: code scanning keeps results as alerts until they are gone, and a
// change is nothing to get rid of. Nor is a verdict.
func DiffSARIF(w io.Writer, d *review.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	var manifest *diag.File
	if d.Head.Result != nil {
		manifest = manifestOf(d.Head.Result)
	}
	p := newDiffPage(d, opt)
	opt.Ref = ""
	opt = opt.masking(d.Base.Result, d.Head.Result)
	var all []problem
	for _, f := range weighed(findings, judged).Sorted() {
		x := problemOf(opt, f)
		if (p.opt.Ref != "" || aboutBase(d)) && f.Span.Known() {
			// In a tree that code scanning does not show: placed in the manifest.
			x.message, x.at, x.place = p.lineOf(f.Span)+": "+x.message, diag.Span{}, nil
		}
		all = append(all, x)
	}
	return writeSARIF(w, placed(all, manifest, opt), opt)
}
