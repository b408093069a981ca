// Package prompt holds what one run gave, with the nouns of all wings: what review
// compares and output prints.
package prompt

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Result is everything that one run of the pipeline made. What a stage did
// not reach is nil.
type Result struct {
	Tree       *language.Tree
	Spec       *language.Spec
	Plan       *assembly.Plan
	Renderings []*assembly.Rendering
	Artifacts  []*assembly.Artifact // prompts in declared order, variants in theirs
	Delta      *store.Delta
	Findings   diag.List
	// Off are the findings that `checks` leaves out, in the order of Findings.
	Off []language.Silenced
	// Lacks says what a borrowed manifest names and this state does not have: its
	// sections, values and prompts are not there. Unrendered says the same of
	// rendered texts, which a comparison shows as changes.
	Lacks, Unrendered diag.List
	// Stopped says that errors ended the run before anything was composed.
	Stopped bool
}

// Conversation gives the rendering of the conversation of an artifact, which may be
// nil; nil where it has none.
func (r *Result) Conversation(a *assembly.Artifact) *assembly.Rendering {
	if a == nil || a.Variant.Messages == nil {
		return nil
	}
	if n := a.Variant.Messages.Unit; n >= 0 && n < len(r.Renderings) {
		return r.Renderings[n]
	}
	return nil
}
