package compose_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// section is what a test says of one section: its texts, the longest first,
// as rungs of its ladder; no text is a section that is out.
type section struct {
	id    string
	texts []string
	join  *string
	out   assembly.Reason
	tools []*language.Tool
	// breakpoint and volatile are declared of the section.
	breakpoint, volatile bool
}

// plan lays sections out as one variant of one prompt.
func plan(budget language.Limits, sections ...section) (*assembly.Plan, []*assembly.Rendering) {
	p := &language.Prompt{ID: ground.Word{Str: "p"}}
	text, _ := ground.LookupDialect(ground.TextDialect)
	v := &assembly.Variant{Name: "p", Tokenizer: "chars/4", Budget: budget, Join: ground.Literal("\n\n"), Dialect: text}
	out := &assembly.Plan{Spec: &language.Spec{}, Builds: []*assembly.Build{{Prompt: p, Variants: []*assembly.Variant{v}}}}
	var renderings []*assembly.Rendering
	for i, s := range sections {
		decl := &language.Section{ID: ground.Word{Str: s.id}}
		p.Sections = append(p.Sections, decl)
		use := assembly.Use{Unit: -1, Out: s.out, Breakpoint: s.breakpoint, Volatile: s.volatile}
		if s.join != nil {
			t := ground.Literal(*s.join)
			use.Join = &t
		}
		for rung, text := range s.texts {
			label := ""
			if rung > 0 {
				label = "short"
				use.Steps = append(use.Steps, assembly.StepUse{Label: label, Unit: len(renderings)})
			} else {
				use.Unit = len(renderings)
			}
			renderings = append(renderings, &assembly.Rendering{
				Unit: &assembly.Unit{Index: len(renderings), Section: decl, Step: label},
				Text: ground.Literal(text), Tools: s.tools, Beside: s.tools != nil,
			})
		}
		v.Order = append(v.Order, i)
		v.Uses = append(v.Uses, use)
	}
	return out, renderings
}

func counters(t *testing.T) compose.Counters {
	t.Helper()
	c, err := token.New("chars/4")
	if err != nil {
		t.Fatal(err)
	}
	return func(string) *token.Counter { return c }
}

func limit(tokens int) language.Limits {
	return language.Limits{Tokens: tokens, Chars: -1, ToolTokens: -1}
}

func text(n int) string { return strings.Repeat("x", n) }

func TestSequenceJoinsWhatIsIn(t *testing.T) {
	line := "\n"
	for _, tc := range []struct {
		name     string
		sections []section
		want     string
	}{
		{"two", []section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{"B"}}}, "A\n\nB\n"},
		{"own join", []section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{"B"}, join: &line}}, "A\nB\n"},
		{"first takes its join with it", []section{{id: "a", out: assembly.OutWhen}, {id: "b", texts: []string{"B"}, join: &line}}, "B\n"},
		{"out in the middle", []section{{id: "a", texts: []string{"A"}}, {id: "b", out: assembly.OutAbsent, join: &line}, {id: "c", texts: []string{"C"}}}, "A\n\nC\n"},
		{"empty in the middle", []section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{""}}, {id: "c", texts: []string{"C"}}}, "A\n\nC\n"},
		{"tools beside say nothing", []section{{id: "t", texts: []string{""}, tools: []*language.Tool{{Name: "t", Canonical: "{}\n"}}}, {id: "c", texts: []string{"C"}}}, "C\n"},
	} {
		p, renderings := plan(limit(-1), tc.sections...)
		artifacts, found := compose.Run(p, renderings, counters(t))
		if len(found) > 0 {
			t.Errorf("%s: %v", tc.name, found)
		}
		if diff := cmp.Diff(tc.want, artifacts[0].Text()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestOmissionsKeepTheirReasons(t *testing.T) {
	p, renderings := plan(limit(-1), section{id: "a", texts: []string{"A"}}, section{id: "b", out: assembly.OutNeeds}, section{id: "c", texts: []string{""}})
	artifacts, _ := compose.Run(p, renderings, counters(t))
	want := []assembly.Omission{{Section: 1, Reason: assembly.OutNeeds}, {Section: 2, Reason: assembly.OutEmpty}}
	if diff := cmp.Diff(want, artifacts[0].Out); diff != "" {
		t.Error(diff)
	}
}

// TestSequenceStepsDown: the texts are 80, 40 and 8 characters; with the
// joins and the final line break a quarter of that are the tokens.
func TestSequenceStepsDown(t *testing.T) {
	a := section{id: "a", texts: []string{text(79), text(39)}}
	b := section{id: "b", texts: []string{text(79), text(39), text(7)}}
	for _, tc := range []struct {
		budget int
		want   []int // characters of a and b
		codes  []diag.Code
	}{
		{-1, []int{79, 79}, nil},
		{41, []int{79, 79}, nil}, // 79+2+79+1 = 161 characters are 41 tokens: an exact fit is a fit
		{40, []int{79, 39}, nil},
		{31, []int{79, 39}, nil},
		{30, []int{79, 7}, nil},
		{22, []int{39, 7}, nil},
		{5, []int{39, 7}, []diag.Code{diag.OverTokens}},
	} {
		p, renderings := plan(limit(tc.budget), a, b)
		artifacts, found := compose.Run(p, renderings, counters(t))
		var got []int
		for _, part := range artifacts[0].Parts {
			if part.Rendering != nil {
				got = append(got, len(part.Text))
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("budget %d: %s", tc.budget, diff)
		}
		var codes []diag.Code
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		if diff := cmp.Diff(tc.codes, codes); diff != "" {
			t.Errorf("budget %d: %s", tc.budget, diff)
		}
	}
}

func TestLedgerAddsUp(t *testing.T) {
	slot := &language.Slot{Name: ground.Word{Str: "s"}, MaxTokens: 7}
	p, renderings := plan(limit(-1), section{id: "a", texts: []string{"{{s}} and {{s}}"}}, section{id: "b", texts: []string{"日本語"}})
	renderings[0].Slots = []assembly.SlotAt{{Slot: slot, Start: 0, End: 5}, {Slot: slot, Start: 10, End: 15}}
	artifacts, _ := compose.Run(p, renderings, counters(t))
	a := artifacts[0]
	if a.Chars != 15+2+3+1 || a.Tokens != 6 || a.Use != 6+14 || a.Bytes() != len(a.Text()) {
		t.Errorf("characters %d, tokens %d, use %d, bytes %d", a.Chars, a.Tokens, a.Use, a.Bytes())
	}
	if last := a.Parts[len(a.Parts)-1]; last.Total != a.Tokens {
		t.Errorf("the parts add up to %d tokens, the text has %d", last.Total, a.Tokens)
	}
}

func TestBudgetsOfEveryKindAreJudged(t *testing.T) {
	tool := &language.Tool{Name: "t", Canonical: "{\n  \"name\": \"t\"\n}\n"} // [{"name":"t"}] is 14 characters
	p, renderings := plan(language.Limits{Tokens: 30, Chars: 90, ToolTokens: 3, WarnAt: 0.5},
		section{id: "a", texts: []string{text(99)}, tools: []*language.Tool{tool}})
	p.Builds[0].Variants[0].Uses[0].Budget = &language.Limits{Tokens: 24, Chars: -1, ToolTokens: -1}
	_, found := compose.Run(p, renderings, counters(t))
	got := map[diag.Code]string{}
	for _, d := range found {
		got[d.Code] = wording.Message(d)
	}
	want := map[diag.Code]string{
		diag.NearBudget:     `"p" is 25 tokens, 83 % of its budget of 30`,
		diag.OverChars:      `"p" is 100 characters, over its budget of 90 by 10`,
		diag.OverToolTokens: `the native schemas of "p" (tools: 1) are 4 tokens, over their budget of 3 by 1`,
		diag.OverSection:    `section "a" of "p" is 25 tokens, over its budget of 24 by 1`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
