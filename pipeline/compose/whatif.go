package compose

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// WithBudget composes an artifact's variant again, with another limit in
// tokens; everything else stays.
func WithBudget(renderings []*prompt.Rendering, counters Counters, a *prompt.Artifact, tokens int) *prompt.Artifact {
	c := newComposer(renderings)
	v := *a.Variant
	v.Budget.Tokens = tokens
	return c.variant(a.Build, &v, counters(v.Tokenizer))
}

// WithDialect composes an artifact's variant again for another dialect, with
// what there is to say about it; everything else stays. There is no artifact,
// and an error, where the dialect has no way to say it: a conversation is no
// text.
func WithDialect(renderings []*prompt.Rendering, counters Counters, a *prompt.Artifact, dialect *prompt.Dialect) (*prompt.Artifact, diag.List) {
	c := newComposer(renderings)
	v := *a.Variant
	v.Dialect = dialect
	if v.Messages != nil && !dialect.JSON {
		c.diags = append(c.diags, diag.New(diag.TextOfMessages, v.Messages.At,
			"messages-are-no-text", v.Name, dialect.Name).
			WithHint("use-one-of", strings.Join(prompt.RequestDialects(), ", ")))
		return nil, c.diags
	}
	count := counters(v.Tokenizer)
	out := c.variant(a.Build, &v, count)
	c.judge(out, count)
	about(c.diags, a.Build)
	return out, c.diags.Sorted()
}

// Windows names, for every section that the layout `phases` dropped for its
// tokens, a budget in tokens with which it is in, and with one token less is
// not.
func Windows(renderings []*prompt.Rendering, counters Counters, a *prompt.Artifact) map[int]int {
	out := map[int]int{}
	if a.Variant.Budget.Tokens < 0 {
		return out
	}
	kept := map[int]map[int]bool{} // by budget, the sections that are in
	try := func(tokens int) map[int]bool {
		if kept[tokens] == nil {
			kept[tokens] = keptSections(WithBudget(renderings, counters, a, tokens))
		}
		return kept[tokens]
	}
	for _, ch := range a.Choices {
		if ch.Kept {
			continue
		}
		low := a.Variant.Budget.Tokens // not in
		high := max(2*low, 1)
		for !try(high)[ch.Section] && high < maxWindow {
			low, high = high, 2*high
		}
		if !try(high)[ch.Section] {
			continue // another limit keeps it out
		}
		for high-low > 1 {
			if middle := low + (high-low)/2; try(middle)[ch.Section] {
				high = middle
			} else {
				low = middle
			}
		}
		out[ch.Section] = high
	}
	return out
}

// maxWindow bounds the search for a budget, in tokens.
const maxWindow = 1 << 30

func keptSections(a *prompt.Artifact) map[int]bool {
	out := map[int]bool{}
	for _, ch := range a.Choices {
		out[ch.Section] = ch.Kept
	}
	return out
}
