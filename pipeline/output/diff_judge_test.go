package output_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/store"
)

func TestDiffFailsOnWhatItIsAskedToFailOn(t *testing.T) {
	over := func(warn bool, at ...diag.Span) func(r *reviewed) {
		return func(r *reviewed) {
			for _, place := range at {
				r.d.Over = append(r.d.Over, review.Overrun{Variant: r.head.build.Variants[0], At: place, Warn: warn})
			}
		}
	}
	weaker := func(judged bool, edits ...review.Edit) func(r *reviewed) {
		return func(r *reviewed) {
			if judged {
				r.d.Policy = r.d.Base
			}
			for _, e := range edits {
				r.add(e, r.was(0))
			}
		}
	}
	for _, c := range []judged{
		{name: "nothing changed", change: func(*reviewed) {}},
		{name: "growth", word: "growth", why: "1 growth limit exceeded", change: func(*reviewed) {}},
		{
			name: "a variant over its budget", word: "budget", why: "persona/entry=full,tools=native is over",
			change: over(false, diag.Span{}),
		},
		{
			name: "two over their budgets", word: "budget", why: "persona/entry=full,tools=native is over, and 1 more",
			change: over(false, diag.Span{Start: 1}, diag.Span{}),
		},
		{
			name: "one over its budget and that of the policy", word: "budget", why: "persona/entry=full,tools=native is over",
			change: over(false, diag.Span{}, diag.Span{}),
		},
		{name: "what only warns does not fail", change: over(true, diag.Span{})},
		{name: "what was over its budget before does not fail", change: func(r *reviewed) {
			r.d.Over = append(r.d.Over, review.Overrun{Variant: r.head.build.Variants[0], Before: true})
		}},
		{
			name: "a weaker policy", word: "policy-weakened", why: "growth of persona, and 1 more",
			change: weaker(true, review.Edit{Kind: review.PolicyWeakened, Name: "growth"}, review.Edit{Kind: review.PromptRemoved}),
		},
		{
			name: "variants that are gone", word: "policy-weakened", why: "removed variants of persona, and 2 more",
			change: weaker(true, review.Edit{Kind: review.VariantsRemoved}, review.Edit{Kind: review.ValueRemoved}, review.Edit{Kind: review.AxisRemoved}),
		},
		{name: "nothing is weaker than the head's own policy", change: weaker(false, review.Edit{Kind: review.PromptRemoved})},
		{
			name: "drift", word: "drift", why: "snapshots are out of date (run: promptc build)",
			change: func(r *reviewed) { r.head.result.Delta.Snapshots = []store.Change{readmeChanged()} },
		},
		{name: "nothing was compared with the snapshots", change: func(r *reviewed) { r.head.result.Delta = nil }},
		{
			name: "tools removed", word: "tool-removed", why: "exec of persona, and 1 more",
			change: func(r *reviewed) {
				r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec"}, r.was(0))
				r.add(review.Edit{Kind: review.ToolRemoved, Tool: "read"}, r.was(0))
			},
		},
		{name: "a tool changed", change: func(r *reviewed) { r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec"}, r.reach(0)) }},
		{
			name: "a tool added", word: "tool-added", why: "exec of persona",
			change: func(r *reviewed) { r.add(review.Edit{Kind: review.ToolAdded, Tool: "exec"}, r.reach(0)) },
		},
		changedTool("a description", "tool-text", review.Leaf{Steps: stepsTo("parameters.properties.path.description"), From: `"a"`, To: `"b"`}),
		changedTool("a parameter that is called so", "", review.Leaf{Steps: stepsTo("parameters.properties.description"), To: `{"type": "string"}`}),
		changedTool("a description of a parameter called properties", "tool-text",
			review.Leaf{Steps: stepsTo("parameters.properties.properties.description"), From: `"a"`, To: `"b"`}),
		changedTool("a description in a list", "tool-text", review.Leaf{Steps: stepsTo("output.anyOf[1].items.description"), From: `"a"`}),
		changedTool("a title among the hints", "tool-text", review.Leaf{Steps: stepsTo("annotations.title"), From: `"a"`, To: `"b"`}),
		changedTool("a definition that is called so", "", review.Leaf{Steps: stepsTo("parameters.$defs.title"), To: "{}"}),
		changedTool("data that is called so", "", review.Leaf{Steps: stepsTo("parameters.default.description"), From: `"a"`, To: `"b"`}),
		changedTool("a hint that is gone", "hint-weakened", review.Leaf{Steps: stepsTo("annotations.readOnlyHint"), From: "true"}),
		changedTool("a hint that says otherwise", "hint-weakened", review.Leaf{Steps: stepsTo("annotations.destructiveHint"), From: "false", To: "true"}),
		changedTool("hints that are gone", "hint-weakened", review.Leaf{Steps: stepsTo("annotations"), From: `{"openWorldHint": false}`}),
		changedTool("a hint that was not safe", "", review.Leaf{Steps: stepsTo("annotations.readOnlyHint"), From: "false"}),
		changedTool("a safer hint", "", review.Leaf{Steps: stepsTo("annotations.destructiveHint"), From: "true", To: "false"}),
		changedTool("a parameter with the name of a hint", "", review.Leaf{Steps: stepsTo("parameters.readOnlyHint"), From: "true"}),
		{
			name: "a shorter prefix", word: "cache-prefix", why: "the stable prefix of persona shrinks",
			change: func(r *reviewed) { r.add(review.Edit{Kind: review.CacheChanged, Shorter: true}, r.reach(0)) },
		},
		{name: "a longer prefix", change: func(r *reviewed) { r.add(review.Edit{Kind: review.CacheChanged}, r.reach(0)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReview()
			c.change(r)
			var findings diag.List
			if c.word == "growth" {
				findings = diag.List{r.grown()}
			}
			calm := change.Same
			if len(r.d.Edits) > 0 {
				calm = change.Differs
			}
			want := change.Verdict{Status: calm}
			if c.word != "" {
				want = change.Verdict{Status: change.Failed, Failures: []change.Failure{{Word: c.word, Why: c.why}}}
				if c.word == "growth" {
					want.Failures[0].At = r.grown().Span
				}
			}
			sameText := cmp.Comparer(func(a, b *diag.File) bool { return a == b || a != nil && b != nil && a.Text == b.Text })
			if d := cmp.Diff(want, change.Judge(r.d, findings, change.FailOns()), sameText); d != "" {
				t.Error(d)
			}
			others := slices.DeleteFunc(change.FailOns(), func(w string) bool { return w == c.word })
			if got := change.Judge(r.d, findings, others); got.Status != calm || got.Fails() {
				t.Errorf("without being asked: %+v", got)
			}
		})
	}
}

// judged is a row of the table above.
type judged = struct {
	name, word, why string
	change          func(r *reviewed)
}

func changedTool(name, word string, leaf review.Leaf) judged {
	row := judged{name: name, word: word, change: func(r *reviewed) {
		r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec", Leaves: []review.Leaf{leaf}}, r.reach(0))
	}}
	if word != "" {
		row.why = "exec of persona"
	}
	return row
}

func TestDiffOfASideThatDoesNotCompileFails(t *testing.T) {
	if got := change.Judge(stopped().d, nil, nil); got.Status != finding.Invalid || !got.Fails() {
		t.Errorf("%+v", got)
	}
}

// A variant that is no more, or says something else, is a change also where
// no edit says so.
func TestDiffIsChangedWhereAVariantIs(t *testing.T) {
	r := newReview()
	r.pair.Affected.Add(1)
	if got := change.Judge(r.d, nil, nil); got.Status != change.Differs {
		t.Errorf("%+v", got)
	}
}

func TestEveryWordOfFailOnIsExplained(t *testing.T) {
	if len(change.FailOns()) != 11 {
		t.Error(change.FailOns())
	}
	for _, w := range change.FailOns() {
		if change.FailOnHelp(w) == "" {
			t.Error(w)
		}
	}
	if got := change.FailOnHelp("nope"); got != "" {
		t.Error(got)
	}
}
