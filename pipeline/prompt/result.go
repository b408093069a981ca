package prompt

import "github.com/promptc-build/promptc/pipeline/diag"

// Result is everything that one run of the pipeline made. What a stage did
// not reach is nil.
type Result struct {
	Tree       *Tree
	Spec       *Spec
	Plan       *Plan
	Renderings []*Rendering
	Artifacts  []*Artifact // prompts in declared order, variants in theirs
	Delta      *Delta
	Findings   diag.List
	// Off are the findings that `checks` leaves out, in the order of Findings.
	Off []Silenced
	// Stopped says that errors ended the run before anything was composed.
	Stopped bool
}
