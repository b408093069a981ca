package guard

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// LostExpectation is an expectation of a policy that is missing in the head,
// bound to the prompt of the head: its On are the variants that miss it, and a
// section that the head does not have is -1.
type LostExpectation struct {
	Build *assembly.Build
	assembly.Expected
}

// Lowered is a check that counts for less in the head than in the policy.
type Lowered struct {
	Code diag.Code
	// From and To are levels as `checks` writes them.
	From, To string
	// Prompts are the ids of the prompts that it is about, nil for all.
	Prompts []string
	// At is the row that decides, in the head; in the policy where the head has
	// none (OfPolicy). Unknown where neither has one.
	At       diag.Span
	OfPolicy bool
}
