package output_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

func TestShapesOfChanges(t *testing.T) {
	long := hunkOf("", 1, "+# Three", "+", "+Third.", "+And", "+more.")
	for _, c := range []struct {
		edit review.Edit
		want string
	}{
		{
			review.Edit{Kind: review.SectionAdded, Section: "three", Hunks: []review.Hunk{long}},
			"1  persona  section three added\n  affects all 5\n  +# Three\n\n  +Third.\n  +And\n  +more.\n",
		},
		{
			review.Edit{Kind: review.ItemRemoved, Section: "skills", Item: "commit", Hunks: []review.Hunk{
				hunkOf("", 1, "-One.", "-Two."), hunkOf("", 2, "-Three."), hunkOf("", 9, "-Four."),
			}},
			"1  persona  skills  commit removed\n  affects all 5\n  @@ line 1 @@\n  -One.\n  -Two.\n  @@ line 2 @@\n  -Three.\n  @@ line 9 @@\n  -Four.\n",
		},
		{
			review.Edit{Kind: review.TextChanged, Section: "rules", From: "one", To: "rules", Hunks: []review.Hunk{hunkOf("", 3, "-# One", "+# Rules")}},
			"1  persona  rules  renamed, was one\n  affects all 5\n  -# One\n  +# Rules\n",
		},
		{
			review.Edit{Kind: review.SettingChanged, Name: "rendered", Was: review.RenderedAt{Path: "t/{f}.md"}},
			"1  persona  assembled here now, was rendered elsewhere: t/{f}.md\n  affects all 5\n",
		},
		{
			review.Edit{Kind: review.SettingChanged, Name: "rendered", Is: review.RenderedAt{Path: "t/{f}.md"}},
			"1  persona  rendered elsewhere now: t/{f}.md\n  affects all 5\n",
		},
		{
			review.Edit{Kind: review.SettingChanged, Name: "split", From: "headings, tags", To: "tags"},
			"1  persona  split changed: headings, tags → tags\n  affects all 5\n",
		},
		{
			review.Edit{Kind: review.BytesChanged, Name: "line breaks at the end", From: "1", To: "0"},
			"1  persona  line breaks at the end: 1 → 0\n  affects all 5\n",
		},
	} {
		r := newReview()
		r.add(c.edit, r.reach(0, 1, 2, 3, 4))
		_, got, _ := strings.Cut(r.text(t, words.Options{}), "\n\n")
		got, _, _ = strings.Cut(got, "\nbudgets:")
		equal(t, got, c.want)
	}
}

// TestADifferenceThatMayNotBeTheLeastSaysSo: every line of it is true all the
// same.
func TestADifferenceThatMayNotBeTheLeastSaysSo(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: []review.Hunk{hunkOf("", 1, "-a", "+b")}}, r.reach(0))
	r.d.Texts = []*review.TextPair{{Pair: r.pair}, {Pair: r.pair, Approximate: true}}
	want := "less may have changed in 1 text: too long and too different for the least difference"
	if got := r.text(t, words.Options{}); !strings.Contains(got, "\n"+want+"\n") {
		t.Errorf("%s\nhas no line %q", got, want)
	}
	if got := r.markdown(t, words.Options{}); !strings.Contains(got, want) {
		t.Errorf("%s\nhas no line %q", got, want)
	}
}
