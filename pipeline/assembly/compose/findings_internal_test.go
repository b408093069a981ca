package compose

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestFindingsThatAreNotKeptAreCounted composes so many variants over budget that
// not all are named: those of the first are, and of each prompt the number of the
// others.
func TestFindingsThatAreNotKeptAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
	count, err := token.New("chars/4")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := ground.LookupDialect(ground.TextDialect)
	const sections, variants = 40, 600
	plan := &assembly.Plan{Spec: &language.Spec{}}
	tight := &language.Limits{Tokens: 0, Chars: -1, ToolTokens: -1}
	for _, id := range []string{"a", "b"} {
		p := &language.Prompt{ID: ground.Word{Str: id}}
		b := &assembly.Build{Prompt: p}
		for i := range sections {
			p.Sections = append(p.Sections, &language.Section{ID: ground.Word{Str: fmt.Sprintf("s%d", i)}})
		}
		for i := range variants {
			v := &assembly.Variant{Name: fmt.Sprintf("%s/n=%d", id, i), Index: i, Dialect: text, Budget: language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1}}
			for s := range sections {
				v.Uses, v.Order = append(v.Uses, assembly.Use{Budget: tight}), append(v.Order, s)
			}
			b.Variants = append(b.Variants, v)
		}
		plan.Builds = append(plan.Builds, b)
	}
	artifacts, found := Run(plan, []*assembly.Rendering{{Unit: &assembly.Unit{}, Text: ground.Literal("some text")}}, func(string) *token.Counter { return count })
	if len(artifacts) != 2*variants {
		t.Fatalf("%d artifacts", len(artifacts))
	}
	named := map[string]int{}
	var rest []string
	for _, d := range found {
		if d.Code != diag.OverSection || d.Level != diag.Error || len(d.Prompts) != 1 {
			t.Fatalf("%+v", d)
		}
		if d.What.Key == "over-its-budget" {
			named[d.Prompts[0]]++
		} else {
			rest = append(rest, fmt.Sprint(d.What.Args...))
		}
	}
	if diff := cmp.Diff(map[string]int{"a": maxFindings}, named); diff != "" {
		t.Errorf("named (-want +got):\n%s", diff)
	}
	want := []string{
		fmt.Sprint("a", diag.Count(variants*sections-maxFindings)),
		fmt.Sprint("b", diag.Count(variants*sections)),
	}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
}
