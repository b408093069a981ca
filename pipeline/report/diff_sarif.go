package report

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// DiffSARIF writes the findings about a difference as a SARIF 2.1.0 log: those
// about growth, or those of a side that does not compile. Changes are no
// results: code scanning keeps results as alerts until they are gone, and a
// change is nothing to get rid of. Nor is a verdict.
func DiffSARIF(w io.Writer, d *prompt.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	var manifest *diag.File
	if d.Head.Result != nil {
		manifest = manifestOf(d.Head.Result)
	}
	p := newDiffPage(d, opt)
	opt.Ref = ""
	s := newSarif(manifest, opt.of(d.Base.Result, d.Head.Result))
	for _, f := range weighed(findings, judged).Sorted() {
		if (p.opt.Ref != "" || aboutBase(d)) && f.Span.Known() {
			// In a tree that code scanning does not show: placed in the manifest.
			f.What = diag.Say("in-a-place", p.lineOf(f.Span), f.What)
			f.Span = diag.Span{}
		}
		s.add(problemOf(f, opt))
	}
	return s.print(w)
}
