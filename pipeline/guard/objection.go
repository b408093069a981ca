package guard

import (
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Objection is what a provider has against a tool.
type Objection struct {
	// Taker is one of ToolTakers.
	Taker string
	// Tool is nil where it is about all tools of a request together.
	Tool *language.Tool
	// Reason is what is wrong in a word, "name" or "strict".
	Reason string
	// Says is a clause, where Taker and Tool are known.
	Says diag.Words
	// Finding says it in full. An error is an objection that ends in an answer
	// with an error, a warning one that may, a note advice.
	Finding diag.Diagnostic
}
