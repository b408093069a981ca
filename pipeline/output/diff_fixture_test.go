package output_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// review is a difference between two states of the small prompt of five
// variants, and of another of one.
type reviewed struct {
	base, head *persona
	pair, core *review.Pair
	d          *review.Difference
}

func newReview() *reviewed {
	r := &reviewed{base: newPersona(), head: newPersona()}
	for _, v := range r.head.build.Variants {
		v.Budget.Tokens = -1
	}
	of := func(b *assembly.Build) ground.Set { return ground.NewSet(len(b.Variants)) }
	r.pair = &review.Pair{
		ID: "persona", Base: r.base.build, Head: r.head.build, Was: []int{0, 1, 2, 3, 4},
		Affected: of(r.head.build), Gone: of(r.base.build),
	}
	single := &assembly.Build{
		Prompt:   &language.Prompt{ID: word("core")},
		Variants: []*assembly.Variant{{Name: "core", Tokenizer: "o200k_base", Budget: language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1}}},
	}
	r.core = &review.Pair{ID: "core", Base: single, Head: single, Was: []int{0}, Affected: of(single), Gone: of(single)}
	r.d = &review.Difference{
		Base: review.Side{Name: "HEAD", Result: r.base.result}, Head: review.Side{Name: "the working tree", Result: r.head.result},
		Pairs: []*review.Pair{r.pair, r.core},
	}
	return r
}

func set(size int, variants ...int) ground.Set {
	s := ground.NewSet(size)
	for _, i := range variants {
		s.Add(i)
	}
	return s
}

// five is a set of the variants of the larger prompt.
func five(variants ...int) ground.Set { return set(5, variants...) }

// reach says that an edit reaches some variants of the head.
func (r *reviewed) reach(variants ...int) review.Reach {
	return review.Reach{Pair: r.pair, In: five(variants...)}
}

// sized is reach with the tokens of each variant.
func (r *reviewed) sized(tokens map[int]int) review.Reach {
	out := review.Reach{Pair: r.pair, In: five(), Tokens: tokens}
	for i := range tokens {
		out.In.Add(i)
	}
	return out
}

// was says that an edit reaches some variants of the base.
func (r *reviewed) was(variants ...int) review.Reach {
	return review.Reach{Pair: r.pair, OfBase: true, In: five(variants...)}
}

func (r *reviewed) other() review.Reach { return review.Reach{Pair: r.core, In: set(1, 0)} }

// add puts an edit in; what it reaches in the head sends other bytes. What is
// no mere declaration has an event.
func (r *reviewed) add(e review.Edit, reach ...review.Reach) *review.Edit {
	e.Reach = reach
	switch e.Kind {
	case review.BudgetChanged, review.BudgetCrossed, review.SlotChanged, review.CacheChanged:
	default:
		if e.Event == "" {
			e.Event = review.PromptUpdated
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

func hunkOf(heading string, line int, lines ...string) review.Hunk {
	h := review.Hunk{Heading: heading, Line: line}
	for _, l := range lines {
		h.Lines = append(h.Lines, review.HunkLine{Sign: l[0], Text: l[1:]})
	}
	return h
}

// soul is an edited sentence that two prompts have.
func (r *reviewed) soul() *review.Edit {
	first := r.sized(map[int]int{0: 3, 1: 3})
	first.Missed = []review.Missed{{Cause: review.CauseWhen, Set: five(2, 3, 4)}}
	other := r.other()
	other.Tokens = map[int]int{0: 3}
	return r.add(review.Edit{
		Kind: review.TextChanged, Section: "soul", At: at(r.head.soul, "Ask before"), Event: review.PromptUpdated,
		Hunks: []review.Hunk{hunkOf("### What you protect", 29,
			"-Be bold with everything else: read, draft, sort, try.", "+Be bold with everything else: read, draft, sort, try, tidy up.")},
	}, first, other)
}

func (r *reviewed) text(t *testing.T, opt words.Options, findings ...diag.Diagnostic) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return change.Text(w, r.d, findings, change.Judge(r.d, findings, nil), opt)
	})
}

// rest is what is not in a set.
func rest(s ground.Set) ground.Set {
	out := ground.NewSet(s.Size())
	for i := range s.Size() {
		if !s.Has(i) {
			out.Add(i)
		}
	}
	return out
}

// stepsTo reads the steps to a place in a tool's definition: `required[1]`.
func stepsTo(path string) []ground.PathStep {
	var out []ground.PathStep
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' }) {
		key, element := strings.CutSuffix(word, "]")
		out = append(out, ground.PathStep{Key: key, Element: element})
	}
	return out
}
