package run

import (
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Summary writes one line that counts the findings, says what became of the
// run, and counts what settings left out; nothing when there is none of it.
func Summary(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	printSummary(p, r, did)
	return p.Print(w)
}

func printSummary(p *words.Printer, r *prompt.Result, did Outcome) {
	findings := r.Findings.Sorted()
	var parts []string
	if len(findings) > 0 {
		parts = append(parts, finding.Levels(findings))
	}
	switch {
	case len(findings) == 0:
	case r.Stopped && did.Command == "check":
		parts = append(parts, "nothing was compared")
	case findings.HasErrors() && did.Command != "build":
	case findings.HasErrors() && !did.Snapshots && !did.Artifacts:
		parts = append(parts, "nothing was written")
	case findings.HasErrors():
		parts = append(parts, "the build is complete")
	case p.Opt.Strict:
		parts = append(parts, "strict: they count as errors")
	}
	if n := len(r.Off); n > 0 {
		parts = append(parts, words.Count(n, "finding")+" off (checks)")
	}
	if len(parts) > 0 {
		p.Line(strings.Join(parts, "; "))
	}
}
