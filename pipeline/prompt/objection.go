package prompt

import "github.com/promptc-build/promptc/pipeline/diag"

// MCP stands for what the Model Context Protocol itself takes. It is no
// dialect: nothing is emitted in it but the definitions of tools.
const MCP = "mcp"

// ToolTakers gives whoever takes the definitions of tools: the protocol, then
// the dialects that are request bodies, in the order of the table.
func ToolTakers() []string { return append([]string{MCP}, RequestDialects()...) }

// Objection is what a provider has against a tool.
type Objection struct {
	// Taker is one of ToolTakers.
	Taker string
	// Tool is nil where it is about all tools of a request together.
	Tool *Tool
	// Reason is what is wrong in a word, "name" or "strict".
	Reason string
	// Says is a clause, where Taker and Tool are known.
	Says diag.Words
	// Finding says it in full. An error is an objection that ends in an answer
	// with an error, a warning one that may, a note advice.
	Finding diag.Diagnostic
}
