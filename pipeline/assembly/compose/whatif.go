package compose

import (
	"math"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// WithBudget composes an artifact's variant again, with another limit in
// tokens; everything else stays.
func WithBudget(renderings []*assembly.Rendering, counters Counters, a *assembly.Artifact, tokens int) *assembly.Artifact {
	c := newComposer(renderings)
	v := *a.Variant
	v.Budget.Tokens, v.Budget.Default = tokens, false
	return c.variant(a.Build, &v, counters(v.Tokenizer))
}

// WithDialect composes an artifact's variant again for another dialect, with
// what there is to say about it; everything else stays. There is no artifact,
// and an error, where the dialect has no way to say it: a conversation is no
// text, and a request that a program sent stays what it was.
func WithDialect(renderings []*assembly.Rendering, counters Counters, a *assembly.Artifact, dialect *ground.Dialect) (*assembly.Artifact, diag.List) {
	c := newComposer(renderings)
	v := *a.Variant
	v.Dialect = dialect
	if v.Sent != nil && dialect != a.Variant.Dialect {
		c.diags = append(c.diags, diag.New(diag.TextOfMessages, v.Sent.Entry.At.FirstLine(),
			"request-stays-as-sent", v.Name, a.Variant.Dialect.Name).WithHint("leave-out-dialect"))
		return nil, c.diags
	}
	if v.Messages != nil && !dialect.JSON {
		c.diags = append(c.diags, diag.New(diag.TextOfMessages, v.Messages.At,
			"messages-are-no-text", v.Name, dialect.Name).
			WithHint("use-one-of", strings.Join(ground.RequestDialects(), ", ")))
		return nil, c.diags
	}
	count := counters(v.Tokenizer)
	out := c.variant(a.Build, &v, count)
	c.judge(out, count)
	about(c.diags, a.Build)
	return out, c.diags.Sorted()
}

// Windows names, for every section that the layout `phases` dropped for its
// tokens, the smallest larger budget in tokens with which it is in, on any rung.
//
// A budget that is too small for the same trials composes the same, so it is
// enough to look at the budgets that trials asked for in vain.
func Windows(renderings []*assembly.Rendering, counters Counters, a *assembly.Artifact) map[int]int {
	out := map[int]int{}
	if a.Variant.Budget.Tokens < 0 {
		return out
	}
	open := map[int]bool{} // the sections still to be found
	for _, ch := range a.Choices {
		if !ch.Kept {
			open[ch.Section] = true
		}
	}
	c := newComposer(renderings)
	count := counters(a.Variant.Tokenizer)
	v := *a.Variant
	for range maxWindows {
		if len(open) == 0 {
			return out
		}
		then := c.variant(a.Build, &v, count)
		for _, ch := range then.Choices {
			if then.Used[ch.Section] != nil && open[ch.Section] {
				out[ch.Section] = v.Budget.Tokens
				delete(open, ch.Section)
			}
		}
		if c.next == math.MaxInt {
			return out // another limit keeps the others out
		}
		v.Budget.Tokens = c.next
	}
	return out
}

// maxWindows bounds the budgets that are tried: each composes the variant again.
const maxWindows = 1_000
