package finding

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
