package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// changes gives what stands between the header and what follows the changes.
func (r *reviewed) changes(t *testing.T, opt words.Options) string {
	t.Helper()
	_, got, _ := strings.Cut(r.text(t, opt), "\n\n")
	got, _, _ = strings.Cut(got, "\n\nbudgets:")
	return got
}

// rewritten is a hunk of many lines that became others.
func rewritten(gone, come int) review.Hunk {
	h := review.Hunk{Line: 1}
	for i := range gone {
		h.Lines = append(h.Lines, review.HunkLine{Sign: '-', Text: fmt.Sprint("old", i)})
	}
	for i := range come {
		h.Lines = append(h.Lines, review.HunkLine{Sign: '+', Text: fmt.Sprint("new", i)})
	}
	return h
}

func TestEachSideOfALongReplacementIsCutByItself(t *testing.T) {
	for _, c := range []struct {
		name  string
		hunks []review.Hunk
		want  []string
	}{
		{
			"both are long",
			[]review.Hunk{rewritten(3000, 3000)},
			[]string{"-old99\n  … 2,900 more lines\n  +new0\n", "+new99\n  … 2,900 more lines\n"},
		},
		{
			"one is short",
			[]review.Hunk{rewritten(20, 3000)},
			[]string{"-old19\n  +new0\n", "+new179\n  … 2,820 more lines\n"},
		},
		{
			"both fit",
			[]review.Hunk{rewritten(150, 50)},
			[]string{"-old149\n  +new0\n", "+new49\n"},
		},
		{
			"the next has no room",
			[]review.Hunk{rewritten(300, 300), rewritten(7, 7), rewritten(1, 1)},
			[]string{"-old99\n  … 200 more lines\n  +new0\n", "+new99\n  … 200 more lines\n  and 416 more lines: promptc diff --only 1\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReview()
			r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: c.hunks}, r.reach(0))
			got := r.changes(t, words.Options{})
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
		})
	}
	r := newReview()
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: []review.Hunk{rewritten(3000, 3000)}}, r.reach(0))
	got := r.markdown(t, words.Options{})
	if strings.Count(got, "\n-old") < 300 || strings.Count(got, "\n+new") < 300 || strings.Count(got, " more lines\n") != 2 {
		t.Errorf("not both sides are in\n%s", got)
	}
	inert(t, got)
}

func TestTitlesOfHunksNameTheSourceLine(t *testing.T) {
	r := newReview()
	at1, at2 := inFiles(2)[0], inFiles(2)[1]
	second := diag.Span{File: at1.File, Start: 0, End: 1}
	titled := func(h review.Hunk, at diag.Span, inBase bool) review.Hunk {
		h.At, h.InBase = at, inBase
		return h
	}
	line := []string{"-old", "+new"}
	e := review.Edit{Kind: review.TextChanged, Section: "soul", At: at1, Hunks: []review.Hunk{
		titled(hunkOf("# Heading", 40, line...), at1, false),
		titled(hunkOf("", 40, line...), at1, false),
		titled(hunkOf("# Heading", 41, line...), second, false),
		titled(hunkOf("", 42, line...), second, true),
		titled(hunkOf("# Other", 43, line...), at2, false),
		titled(hunkOf("# Other", 43, line...), at2, true),
		hunkOf("", 44, line...),
	}}
	r.add(e, r.reach(0))
	var got []string
	for l := range strings.Lines(r.changes(t, words.Options{Base: "kit"})) {
		if strings.Contains(l, "@@") {
			got = append(got, strings.TrimSpace(l))
		}
	}
	equal(t, strings.Join(got, "\n"), `@@ # Heading @@
@@ line 2 @@
@@ line 1: # Heading @@
@@ line 1 in HEAD @@
@@ kit/templates/m1.md:2: # Other @@
@@ kit/templates/m1.md:2 in HEAD: # Other @@
@@ line 44 of the text @@`)
}

func TestHeadlinesThatAreTooLongGoOn(t *testing.T) {
	r := newReview()
	far := diag.Span{File: &diag.File{Path: "sources/" + strings.Repeat("deep/", 9) + "file.md", Text: "x\n"}, End: 1}
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", At: far}, r.sized(map[int]int{0: 3}))
	from, to := "sources/persona/templates/family/tier3.md (fallback)", "sources/persona/templates/family/tier2.md"
	r.add(review.Edit{Kind: review.FileChanged, Section: "template", Was: review.Files{{Path: from}}, Is: review.Files{{Path: to}}}, r.sized(map[int]int{0: 3}))
	equal(t, r.changes(t, words.Options{}), `1  persona  soul  text changed   sources/deep/deep/deep/deep/deep/deep/deep/deep/deep/file.md:1   +3 tokens
  affects 1 of 5: entry=full,tools=native
2  persona  template  file sources/persona/templates/family/tier3.md (fallback) → sources/persona/templates/family/tier2.md   +3 tokens
  affects 1 of 5: entry=full,tools=native
`)
}

func TestWhatIsOnlyDeclaredHoldsForVariants(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.BudgetChanged, Name: "tokens", Was: review.Amount(90), Is: review.Amount(80)}, r.reach(0, 1), r.other())
	equal(t, r.changes(t, words.Options{}), "1  persona  budget changed: tokens 90 → 80\n  applies to 2 of 5: entry=full; core: all\n")
}

func TestNewVariantsAreNamedBesideThoseThatAnEditDoesNotReach(t *testing.T) {
	r := newReview()
	r.pair.Was = []int{0, 1, 2, 3, -1}
	reach := r.reach(0, 1)
	reach.Missed = []review.Missed{{Cause: review.CauseWhen, Set: five(2, 3)}}
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul"}, reach)
	r.add(review.Edit{Kind: review.ValueAdded, Name: "entry", To: "minimal"}, r.reach(4))
	equal(t, r.changes(t, words.Options{}), `1  persona  soul  text changed
  affects 2 of 5: entry=full; 2 others do not have it
2  persona  value entry=minimal added
  affects 1 of 5: entry=minimal
`)
}

// A run that passes has no errors: growth is one where it fails the run.
func TestGrowthIsAnErrorWhereItFails(t *testing.T) {
	r := newReview()
	r.soul()
	for _, failOn := range [][]string{nil, {"budget"}, {"growth"}} {
		findings := diag.List{r.grown()}
		judged := change.Judge(r.d, findings, failOn)
		got := written(t, func(w *strings.Builder) error { return change.Text(w, r.d, findings, judged, words.Options{}) })
		got += written(t, func(w *strings.Builder) error { return change.GitHub(w, r.d, findings, judged, words.Options{}) })
		if failed := strings.Contains(got, "error[PC8001]") && strings.Contains(got, "::error "); failed != judged.Fails() {
			t.Errorf("%q: fails %v, and is printed as\n%s", failOn, judged.Fails(), got)
		}
		if strings.Contains(got, "it fails with --fail-on growth") == judged.Fails() {
			t.Errorf("%q: says it in vain\n%s", failOn, got)
		}
		if findings[0].Level != diag.Error || len(findings[0].Detail) != 1 {
			t.Errorf("the finding itself is another: %+v", findings[0])
		}
	}
}

// GitHub shows ten annotations of a level: those that matter come first.
func TestAnnotationsComeInTheOrderOfTheirWeight(t *testing.T) {
	r := newReview()
	place := at(r.head.manifest, "Hello")
	r.add(review.Edit{Kind: review.BudgetChanged, Name: "tokens", Was: review.Amount(9), Is: review.Amount(8)}, r.reach(0))
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul"}, r.reach(0))
	r.add(review.Edit{Kind: review.CacheChanged, Shorter: true}, r.reach(0))
	r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec"}, r.was(0))
	r.add(review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Over: true, Used: [2]review.Amounts{{}, amountsOf(9, 9)}, Limit: [2]review.Amounts{{}, amountsOf(8, 8)}, Excess: amountsOf(1, 1), At: place}, r.reach(0))
	r.d.Over = []review.Overrun{{Variant: r.head.build.Variants[0], At: place}}
	head, _, _ := strings.Cut(r.github(t, words.Options{}), "5 changes")
	var got []string
	for l := range strings.Lines(head) {
		command, rest, _ := strings.Cut(strings.TrimPrefix(l, "::"), " ")
		placed := strings.HasPrefix(rest, "file=prompts.yaml,line=5,")
		_, words, _ := strings.Cut(rest, "::")
		words, _, _ = strings.Cut(strings.TrimSpace(words), "%0A")
		got = append(got, fmt.Sprint(command, " ", placed, " ", words))
	}
	equal(t, strings.Join(got, "\n"), `error true persona/entry=full,tools=native is over
error false exec of persona
error false the stable prefix of persona shrinks
warning true persona  over its budget in tokens now: 9 of 8, over by 1
notice false persona  tool exec removed
notice false persona  cache  the stable prefix shrinks
notice false persona  soul  text changed
notice false persona  budget changed: tokens 9 → 8`)
}

func TestCheckCountsWhatHasSnapshots(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = nil
	text := func() string {
		return written(t, func(w *strings.Builder) error { return run.Check(w, p.result, words.Options{}) })
	}
	equal(t, text(), "snapshots are up to date: 1 prompt, 5 variants, 2 renderings\n")
	p.build.Prompt.Rendered = &language.Rendered{}
	equal(t, text(), "checked 1 prompt, 5 variants, rendered elsewhere (no snapshots needed)\n")
	other := &assembly.Build{Prompt: &language.Prompt{ID: word("core")}, Variants: []*assembly.Variant{{Name: "core"}}}
	p.result.Plan.Builds = append(p.result.Plan.Builds, other)
	equal(t, text(), "snapshots are up to date: 1 prompt, 1 variant, 0 renderings; 1 prompt, 5 variants, rendered elsewhere\n")
}

// A heading that reads like the number of a line is a heading.
func TestDiffShowsAHeadingThatReadsLikeALine(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.TextChanged, Hunks: []review.Hunk{hunkOf("line items", 3, "+One.")}}, r.reach(0))
	r.add(review.Edit{Kind: review.TextChanged, Hunks: []review.Hunk{hunkOf("", 3, "+Two.")}}, r.reach(1))
	got := r.text(t, words.Options{})
	if !strings.Contains(got, "  @@ line items @@\n  +One.") || strings.Contains(got, "@@ line 3") {
		t.Error(got)
	}
}
