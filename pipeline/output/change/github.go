package change

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// GitHub writes a difference for the log of a GitHub workflow: a notice on
// the source line of each change, an error for each finding and for what it
// fails on, at most ten of each level and a line that counts the rest; then the
// report for people, in which no line can be taken for a command to the runner.
func GitHub(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error {
	opt.Color = false // a style in front of a line would hide it from the guard below
	findings = weighed(findings, judged)
	p := NewPage(d, opt)
	var all []finding.Annotation
	for _, f := range findings.Sorted() {
		a := finding.Of(p.Opt, f).Annotation()
		if opt.Ref != "" || aboutBase(d) {
			// The file is not in the tree that GitHub shows.
			a.At, a.Message = nil, strings.TrimPrefix(p.LineOf(f.Span)+": ", ": ")+a.Message
		}
		all = append(all, a)
	}
	for _, f := range judged.Failures {
		all = append(all, finding.Annotation{Level: diag.Error, At: p.Opt.Place(f.At), Title: "fails on " + f.Word, Message: words.Clean(f.Why)})
	}
	for _, e := range byWeight(p.Rows) {
		all = append(all, p.annotateEdit(p.numbers[e], e))
	}
	for _, s := range d.Idle {
		a := finding.Annotation{Level: diag.Note, Title: "source without effect", Message: words.Clean(IdlePath(opt, s)) + " " + IdleWords(opt, s).Text()}
		if len(s.Reaches) > 0 && !s.Unsure {
			a.Title = "included file"
		}
		if !s.Removed {
			a.At = opt.Place(s.At)
		}
		all = append(all, a)
	}
	for _, s := range d.Stale {
		all = append(all, finding.Annotation{Level: diag.Warning, At: opt.Place(s.At), Title: again(s), Message: StaleWords(opt, s) + "\n" + staleHint(s)})
	}
	finding.Annotate(p.Printer, all)
	text := NewPage(d, opt)
	text.diff(findings, judged)
	p.WriteString(words.Harmless(text.String()))
	return p.Send(w, p.String())
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

// annotateEdit puts a change on its source line, so that a reviewer sees beside the
// edit which variants it reaches. What is in the base has no line to stand on.
func (p *Page) annotateEdit(nth int, e *review.Edit) finding.Annotation {
	said := Describe(e)
	head := strings.TrimSpace(words.Clean(PromptOf(e)) + "  " + said.What.Text() + said.Verb.Text())
	var others []string
	if !e.InBase {
		for _, other := range alsoPlaces(p.Printer, e) {
			others = append(others, Phrase{other}.Text())
		}
	}
	if len(others) > 0 {
		head += ", here and in " + strings.Join(others, " and ")
	}
	lines := []string{head + p.Size(e)}
	if len(said.More) > 0 {
		lines = append(lines, said.More.Text())
	}
	lines = append(lines, p.SomeLeaves(nth, LeavesOf(e))...)
	for _, l := range p.Reaches(nth, e) {
		lines = append(lines, l.Text())
	}
	a := finding.Annotation{Level: diag.Note, Title: "prompt change", Message: strings.Join(lines, "\n")}
	if e.Kind == review.BudgetCrossed && e.Over || e.Kind == review.PolicyWeakened {
		a.Level = diag.Warning
	}
	if !e.InBase {
		a.At = p.Opt.Place(e.At)
	}
	return a
}

// SARIF writes the findings about a difference as a SARIF 2.1.0 log: those
// about growth, or those of a side that does not compile. Changes are no
// results, and neither is the verdict: code scanning keeps a result as an alert
// until somebody gets rid of it.
func SARIF(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error {
	var manifest *diag.File
	if d.Head.Result != nil {
		manifest = words.ManifestOf(d.Head.Result)
	}
	p := NewPage(d, opt)
	opt.Ref = ""
	opt = opt.Masking(d.Base.Result, d.Head.Result)
	var all []finding.Problem
	for _, f := range weighed(findings, judged).Sorted() {
		x := finding.Of(opt, f)
		if (p.Opt.Ref != "" || aboutBase(d)) && f.Span.Known() {
			// In a tree that code scanning does not show: placed in the manifest.
			x.Message, x.At, x.Place = p.LineOf(f.Span)+": "+x.Message, diag.Span{}, nil
		}
		all = append(all, x)
	}
	return finding.WriteSARIF(w, finding.Placed(all, manifest, opt), opt)
}
