package language

import (
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// DefaultTokenizer is what a manifest without `tokenizer` counts with.
const DefaultTokenizer = "o200k_base"

// Limits is a budget with its cases decided. Negative amounts are "not
// limited".
type Limits struct {
	Tokens, Chars, ToolTokens int
	WarnAt                    float64 // share of the limit; 0 for never
	// Growth is the share of the base's count, and GrowthTokens the number of
	// tokens, by which it may grow in one change; negative is "not limited".
	Growth       float64
	GrowthTokens int
	Warn         bool // over is a warning, not an error
	// Default says that nobody declared a limit, and Tokens is DefaultWindow.
	Default bool
	// Raised are the entries of `plus` that hold; Tokens and Chars have their
	// amounts already.
	Raised []Plus
	// At is where the limit in tokens stands, or the budget as a whole; the
	// others have places of their own where they are set.
	At, CharsAt, ToolTokensAt diag.Span
	GrowthAt, GrowthTokensAt  diag.Span
	WarnAtAt, OverAt          diag.Span
}
