package resolve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestGrowthLimitsAreDecidedForEveryVariant: no growth at all is a limit, and
// no limit is none; each has the place of the case that counts.
func TestGrowthLimitsAreDecidedForEveryVariant(t *testing.T) {
	p, found := plan(t, `version: 1
prompts:
  agent:
    axes: {mode: [a, b, c]}
    budget:
      - {when: {mode: a}, value: {growth: [{when: {mode: a}, value: 5%}]}}
      - {when: {mode: b}, value: {growth_tokens: 0}}
      - {value: {tokens: 100}}
    sections:
      - {id: x, text: X., budget: {growth: 0%, growth_tokens: 7}}
`)
	if len(found) > 0 {
		t.Fatal(told(found))
	}
	said := func(at diag.Span) string {
		if !at.Known() {
			return ""
		}
		return at.File.Text[at.Start:at.End]
	}
	type limits struct {
		Growth          float64
		Tokens          int
		At, TokensPlace string
	}
	row := func(l language.Limits) limits {
		return limits{l.Growth, l.GrowthTokens, said(l.GrowthAt), said(l.GrowthTokensAt)}
	}
	var got []limits
	for _, v := range p.Builds[0].Variants {
		got = append(got, row(v.Budget))
	}
	got = append(got, row(*p.Builds[0].Variants[2].Uses[0].Budget))
	want := []limits{{0.05, -1, "5%", ""}, {-1, 0, "", "0"}, {-1, -1, "", ""}, {0, 7, "0%", "7"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}
