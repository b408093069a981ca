package run

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// GitHub writes a run of build or check for the log of a GitHub workflow:
// findings and drift as annotations, at most ten of each level, a line that
// counts the rest; then the report for people, in which no line can be taken
// for a command to the runner.
func GitHub(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	opt.Color = false // a style in front of a line would hide it from the guard below
	opt = opt.Masking(r)
	p, f := words.NewPrinter(opt), FactsOf(r, did, opt)
	shown := *f
	shown.findings = finding.Folded(f.findings, opt)
	var all []finding.Annotation
	for _, x := range shown.Problems() {
		all = append(all, x.Annotation())
	}
	finding.Annotate(p, all)
	text := words.NewPrinter(opt)
	finding.Print(text, f.findings)
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
	p.WriteString(words.Harmless(text.String()))
	return p.Send(w, p.String())
}
