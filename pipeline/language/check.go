package language

import (
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Setting is a row of `checks`: what findings of some codes count as.
type Setting struct {
	// Codes are permanent codes; at least one.
	Codes []ground.Word
	// Level is what they count as. Off leaves them out, and needs a reason.
	Level Strictness
	// Paths are patterns of the files that a finding is in, and Prompts the ids
	// of prompts: a finding about any other prompt is left alone. Nil is all.
	Paths, Prompts []ground.Word
	Reason         ground.Word
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
	Contains, Lacks *ground.Text
	// Section is present, and not empty.
	Section ground.Word
	// Order are sections that stand in this order; those that are out are
	// passed over.
	Order []ground.Word
	// Tool is in the toolset.
	Tool ground.Word
	At   diag.Span
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
