package prompt

import "github.com/promptc-build/promptc/pipeline/diag"

// Setting is a row of `checks`: what findings of some codes count as.
type Setting struct {
	// Codes are permanent codes; at least one.
	Codes []Word
	// Level is what they count as. Off leaves them out, and needs a reason.
	Level Strictness
	// Paths are patterns of the files that a finding is in, and Prompts the ids
	// of prompts: a finding about any other prompt is left alone. Nil is all.
	Paths, Prompts []Word
	Reason         Word
	At             diag.Span
}

// Strictness is what a setting makes of a finding.
type Strictness int

// What `level:` may say.
const (
	CountsAsError Strictness = iota
	CountsAsWarning
	Off
)

// Silenced is a finding that a setting left out.
type Silenced struct {
	Finding diag.Diagnostic
	By      *Setting
}

// Expectation is what the variants of a prompt have to hold. Exactly one of the
// five is set.
type Expectation struct {
	When Condition
	// Contains and Lacks are literal text that the emitted text has, or has
	// not.
	Contains, Lacks *Text
	// Section is present, and not empty.
	Section Word
	// Order are sections that stand in this order; those that are out are
	// passed over.
	Order []Word
	// Tool is in the toolset.
	Tool Word
	At   diag.Span
}

// Expected is an Expectation with its names bound.
type Expected struct {
	*Expectation
	// On are the variants for which its condition holds.
	On Set
	// Sections are indices into Prompt.Sections: of Section, or those of Order.
	Sections []int
}

// Overrun is a budget that a variant of the head exceeds.
type Overrun struct {
	Variant *Variant
	At      diag.Span // the limit; of a policy's that the head lacks, the prompt or section
	Warn    bool      // it only warns
	Before  bool      // the base exceeds it already, and by as much
}

// LostExpectation is an expectation of a policy that is missing in the head,
// bound to the prompt of the head: its On are the variants that miss it, and a
// section that the head does not have is -1.
type LostExpectation struct {
	Build *Build
	Expected
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

// Effective is a setting that counts, of those that policies may have.
type Effective struct {
	// Key is its path, such as budget.tokens or slots.user; those of a list have one.
	Key string
	// Value is what it says, in one line of YAML.
	Value string
	At    diag.Span
	// Locked are the places of the policies that lock it.
	Locked []diag.Span
}
