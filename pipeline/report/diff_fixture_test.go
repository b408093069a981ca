package report_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// review is a difference between two states of the small prompt of five
// variants, and of another of one.
type reviewed struct {
	base, head *persona
	pair, core *prompt.Pair
	d          *prompt.Difference
}

func newReview() *reviewed {
	r := &reviewed{base: newPersona(), head: newPersona()}
	for _, v := range r.head.build.Variants {
		v.Budget.Tokens = -1
	}
	of := func(b *prompt.Build) prompt.Set { return prompt.NewSet(len(b.Variants)) }
	r.pair = &prompt.Pair{
		ID: "persona", Base: r.base.build, Head: r.head.build, Was: []int{0, 1, 2, 3, 4},
		Affected: of(r.head.build), Gone: of(r.base.build),
	}
	single := &prompt.Build{
		Prompt:   &prompt.Prompt{ID: word("core")},
		Variants: []*prompt.Variant{{Name: "core", Tokenizer: "o200k_base", Budget: prompt.Limits{Tokens: -1, Chars: -1, ToolTokens: -1}}},
	}
	r.core = &prompt.Pair{ID: "core", Base: single, Head: single, Was: []int{0}, Affected: of(single), Gone: of(single)}
	r.d = &prompt.Difference{
		Base: prompt.Side{Name: "HEAD", Result: r.base.result}, Head: prompt.Side{Name: "the working tree", Result: r.head.result},
		Pairs: []*prompt.Pair{r.pair, r.core},
	}
	return r
}

func set(size int, variants ...int) prompt.Set {
	s := prompt.NewSet(size)
	for _, i := range variants {
		s.Add(i)
	}
	return s
}

// five is a set of the variants of the larger prompt.
func five(variants ...int) prompt.Set { return set(5, variants...) }

// reach says that an edit reaches some variants of the head.
func (r *reviewed) reach(variants ...int) prompt.Reach {
	return prompt.Reach{Pair: r.pair, In: five(variants...)}
}

// sized is reach with the tokens of each variant.
func (r *reviewed) sized(tokens map[int]int) prompt.Reach {
	out := prompt.Reach{Pair: r.pair, In: five(), Tokens: tokens}
	for i := range tokens {
		out.In.Add(i)
	}
	return out
}

// was says that an edit reaches some variants of the base.
func (r *reviewed) was(variants ...int) prompt.Reach {
	return prompt.Reach{Pair: r.pair, OfBase: true, In: five(variants...)}
}

func (r *reviewed) other() prompt.Reach { return prompt.Reach{Pair: r.core, In: set(1, 0)} }

// add puts an edit in; what it reaches in the head sends other bytes. What is
// no mere declaration has an event.
func (r *reviewed) add(e prompt.Edit, reach ...prompt.Reach) *prompt.Edit {
	e.Reach = reach
	switch e.Kind {
	case prompt.BudgetChanged, prompt.BudgetCrossed, prompt.SlotChanged, prompt.CacheChanged:
	default:
		if e.Event == "" {
			e.Event = prompt.PromptUpdated
		}
	}
	for _, one := range reach {
		if !one.OfBase {
			one.Pair.Affected.Union(one.In)
		}
	}
	r.d.Edits = append(r.d.Edits, &e)
	return &e
}

func hunkOf(heading string, line int, lines ...string) prompt.Hunk {
	h := prompt.Hunk{Heading: heading, Line: line}
	for _, l := range lines {
		h.Lines = append(h.Lines, prompt.HunkLine{Sign: l[0], Text: l[1:]})
	}
	return h
}

// soul is an edited sentence that two prompts have.
func (r *reviewed) soul() *prompt.Edit {
	first := r.sized(map[int]int{0: 3, 1: 3})
	first.Missed = []prompt.Missed{{Cause: prompt.CauseWhen, Set: five(2, 3, 4)}}
	other := r.other()
	other.Tokens = map[int]int{0: 3}
	return r.add(prompt.Edit{
		Kind: prompt.TextChanged, Section: "soul", At: at(r.head.soul, "Ask before"), Event: prompt.PromptUpdated,
		Hunks: []prompt.Hunk{hunkOf("### What you protect", 29,
			"-Be bold with everything else: read, draft, sort, try.", "+Be bold with everything else: read, draft, sort, try, tidy up.")},
	}, first, other)
}

func (r *reviewed) text(t *testing.T, opt report.Options, findings ...diag.Diagnostic) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return report.Diff(w, r.d, findings, report.JudgeDiff(r.d, findings, nil), opt)
	})
}

// rest is what is not in a set.
func rest(s prompt.Set) prompt.Set {
	out := prompt.NewSet(s.Size())
	for i := range s.Size() {
		if !s.Has(i) {
			out.Add(i)
		}
	}
	return out
}

// stepsTo reads the steps to a place in a tool's definition: `required[1]`.
func stepsTo(path string) []prompt.PathStep {
	var out []prompt.PathStep
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' }) {
		key, element := strings.CutSuffix(word, "]")
		out = append(out, prompt.PathStep{Key: key, Element: element})
	}
	return out
}
