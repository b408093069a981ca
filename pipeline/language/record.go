package language

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Record says how a program is run so that what it sends can be recorded.
type Record struct {
	// Run is the program and its arguments, with {axis} for each axis that they tell.
	Run []ground.Word
	// Env are variables that the program gets besides those of its caller, in order.
	Env []NamedValue
	// Pick chooses among the requests that the program sends.
	Pick Pick
	// Filters replace what differs between two runs, in order.
	Filters []Filter
	// Fixtures is the file with the answers, from the manifest's folder on; "" for none.
	Fixtures ground.Word
	At       diag.Span
}

// Pick holds for requests that have all of what it names.
type Pick struct {
	// Tool is the name of a tool that they offer, Model that of their model, and
	// Contains a text in what they say. "" for any.
	Tool, Model, Contains ground.Word
}

// Filter replaces texts.
type Filter struct {
	Match *regexp.Regexp
	With  string
}

// Answer is what a model is made to say in one turn.
type Answer struct {
	Text  string
	Calls []AnswerCall
}

// AnswerCall is a call of a tool.
type AnswerCall struct {
	Tool      string
	Arguments json.RawMessage // an object
}

// Fits reports whether a request that offers some tools may get an answer: the answer
// calls no other.
func (a Answer) Fits(tools []string) bool {
	return !slices.ContainsFunc(a.Calls, func(c AnswerCall) bool { return !slices.Contains(tools, c.Tool) })
}
