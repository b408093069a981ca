package report

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Verdict sums up a run in one word. Every verdict but Clean is exit status 1.
type Verdict string

// The verdicts, by precedence: a run that has several is named after the
// first.
const (
	// Invalid: errors ended the run before anything was composed.
	Invalid Verdict = "invalid"
	// Findings: errors that are not about budgets, or, where the run is
	// strict, warnings or notes.
	Findings Verdict = "findings"
	// Budget: every error says that something is over its budget.
	Budget Verdict = "budget"
	// Drift: what is on disk is not what a build writes.
	Drift Verdict = "drift"
	// Clean: none of these.
	Clean Verdict = "clean"
)

// overBudget are the codes that say that something is over its budget.
var overBudget = []diag.Code{diag.OverTokens, diag.OverChars, diag.OverToolTokens, diag.OverSection, diag.OverSticky}

// Judge gives the verdict on a run. Files that the run wrote do not drift.
func Judge(r *prompt.Result, did Outcome, opt Options) Verdict {
	other := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool {
		return d.Level == diag.Error && !slices.Contains(overBudget, d.Code)
	})
	switch {
	case r.Stopped:
		return Invalid
	case other:
		return Findings
	case r.Findings.HasErrors():
		return Budget
	case drifts(r.Delta, did):
		return Drift
	case opt.Strict && len(r.Findings) > 0:
		return Findings
	default:
		return Clean
	}
}

func drifts(d *prompt.Delta, did Outcome) bool {
	if d == nil {
		return false
	}
	return !did.Snapshots && d.Drifted() || !did.Artifacts && staleArtifacts(d)
}

// staleArtifacts reports whether emitted files on disk differ from what a
// build writes. A tree without the folder has none to be stale: CI checks out
// no artifacts.
func staleArtifacts(d *prompt.Delta) bool { return d.HaveArtifacts && len(d.Artifacts) > 0 }
