package report

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Listing says what List shows beside the names.
type Listing struct {
	// Tokens adds the sizes and budgets.
	Tokens bool
	// Context is the size in tokens of a context window to show shares of; 0
	// shows none.
	Context int
}

// List writes the names of variants, one a line and nothing else; with sizes
// where they are asked for.
func List(w io.Writer, r *prompt.Result, artifacts []*prompt.Artifact, with Listing, opt Options) error {
	p := newPage(opt.of(r))
	if !with.Tokens && with.Context <= 0 {
		for _, a := range artifacts {
			p.line(clean(a.Variant.Name))
		}
		return p.print(w)
	}
	t := table{align: []side{toLeft, amount, amount, amount, toRight, toRight, toLeft, toLeft}}
	named := estimated(r.Spec, artifacts)
	for _, a := range artifacts {
		limit, share := ceiling(a)
		tools, context, counter := "", "", ""
		if a.ToolTokens > 0 {
			tools = count(a.ToolTokens, "tool token")
		}
		if with.Context > 0 {
			context = fraction(a.Use+a.ToolTokens, with.Context) + " of " + number(with.Context)
		}
		if named {
			counter = clean(tokenizer(r.Spec, a.Variant.Tokenizer))
		}
		t.row(clean(a.Variant.Name), count(a.Use, "token"), count(a.Chars, "character"), tools, limit, share, context, counter)
	}
	t.print(p, 3)
	return p.print(w)
}

// ceiling gives the budget that limits a variant most, and how much of it is
// used.
func ceiling(a *prompt.Artifact) (limit, share string) {
	b := a.Variant.Budget
	switch {
	case b.Tokens >= 0 && (b.Chars < 0 || int64(a.Use)*int64(b.Chars) >= int64(a.Chars)*int64(b.Tokens)):
		return number(b.Tokens), percent(a.Use, b.Tokens)
	case b.Chars >= 0:
		return number(b.Chars) + " characters", percent(a.Chars, b.Chars)
	default:
		return "", ""
	}
}

// estimated reports whether the tokenizers need naming: they differ, or one
// is an estimate.
func estimated(spec *prompt.Spec, artifacts []*prompt.Artifact) bool {
	for _, a := range artifacts {
		name := a.Variant.Tokenizer
		if name != artifacts[0].Variant.Tokenizer || tokenizer(spec, name) != name {
			return true
		}
	}
	return false
}
