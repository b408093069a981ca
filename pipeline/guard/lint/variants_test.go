package lint_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// says gives what a section has in a variant: its text, or the reason why it
// is out. Values are those of the axes, by name.
type says func(values map[string]string) (string, assembly.Reason)

// grid is a prompt with the given axes ("tier=1,2,3", a star behind an ordered
// one), and with sections s0, s1 and so on.
type grid struct {
	axes     []string
	excluded func(map[string]string) bool
	sections []says
	lenient  bool // the sections' sources may be empty
}

func (g grid) build() (*assembly.Plan, []*assembly.Artifact) {
	def := &language.Prompt{ID: ground.Word{Str: "p"}}
	f := &diag.File{Path: "prompts.yaml", Text: strings.Repeat("x", 100)}
	place := 0
	word := func(s string) ground.Word {
		place++
		return ground.Word{Str: s, At: diag.Span{File: f, Start: place, End: place + 1}}
	}
	for _, text := range g.axes {
		text, ordered := strings.CutSuffix(text, "*")
		name, values, _ := strings.Cut(text, "=")
		axis := &language.Axis{Name: word(name), Ordered: ordered}
		for v := range strings.SplitSeq(values, ",") {
			axis.Values = append(axis.Values, ground.Word{Str: v})
		}
		def.Axes = append(def.Axes, axis)
	}
	plan := &assembly.Plan{Spec: &language.Spec{}}
	for i := range g.sections {
		def.Sections = append(def.Sections, &language.Section{ID: word("s" + strconv.Itoa(i))})
		plan.Units = append(plan.Units, &assembly.Unit{Section: def.Sections[i], Inputs: []*assembly.Input{{Lenient: g.lenient}}})
	}
	b := &assembly.Build{Prompt: def}
	plan.Builds = []*assembly.Build{b}
	var artifacts []*assembly.Artifact
	for _, point := range points(def.Axes) {
		values := map[string]string{}
		for i, v := range point {
			values[def.Axes[i].Name.Str] = def.Axes[i].Values[v].Str
		}
		if g.excluded != nil && g.excluded(values) {
			continue
		}
		v := &assembly.Variant{Name: b.Prompt.ID.Str, Index: len(b.Variants), Values: point, Uses: make([]assembly.Use, len(g.sections))}
		for _, axis := range def.Axes {
			v.Name += "/" + values[axis.Name.Str]
		}
		b.Variants = append(b.Variants, v)
		artifacts = append(artifacts, g.artifact(b, v, plan, values))
	}
	return plan, artifacts
}

func points(axes []*language.Axis) [][]int {
	out := [][]int{nil}
	for _, axis := range axes {
		var next [][]int
		for _, p := range out {
			for v := range axis.Values {
				next = append(next, append(slices.Clone(p), v))
			}
		}
		out = next
	}
	return out
}

// artifact counts words as tokens.
func (g grid) artifact(b *assembly.Build, v *assembly.Variant, plan *assembly.Plan, values map[string]string) *assembly.Artifact {
	a := &assembly.Artifact{Build: b, Variant: v}
	for i, s := range g.sections {
		v.Uses[i].Unit = i
		text, reason := s(values)
		if reason != assembly.In {
			if reason != assembly.OutEmpty {
				v.Uses[i].Unit = -1
			}
			a.Out = append(a.Out, assembly.Omission{Section: i, Reason: reason})
			continue
		}
		if text != "" {
			r := &assembly.Rendering{Unit: plan.Units[i], Text: ground.Literal(text)}
			a.Parts = append(a.Parts, assembly.Part{Section: i, Text: text, Rendering: r, Start: a.Bytes()})
		}
	}
	a.Tokens = len(strings.Fields(a.Text()))
	return a
}

// findings gives what lint says, a line each, without what is only advice.
func findings(plan *assembly.Plan, artifacts []*assembly.Artifact) []string {
	var out []string
	for _, d := range lint.Run(plan, artifacts) {
		out = append(out, string(d.Code)+" "+wording.Message(d))
		for _, line := range wording.Detail(d) {
			out = append(out, "  "+line)
		}
	}
	return out
}

// sized has so many words for each value of an axis, other ones for each.
func sized(axis string, sizes map[string]int) says {
	return func(v map[string]string) (string, assembly.Reason) {
		return strings.Repeat("w"+v[axis]+" ", sizes[v[axis]]), assembly.In
	}
}

func constant(_ map[string]string) (string, assembly.Reason) { return "same. ", assembly.In }

func TestSizesThatShrinkAlongAnOrderedAxis(t *testing.T) {
	sizes := sized("tier", map[string]int{"1": 1, "2": 5, "3": 3, "4": 3})
	kind := func(v map[string]string) (string, assembly.Reason) { return v["kind"] + " ", assembly.In }
	for _, tc := range []struct {
		name string
		grid grid
		want []string
	}{
		{"one step down", grid{axes: []string{"tier=1,2,3,4*"}, sections: []says{sizes}}, []string{
			`PC6002 "tier" is ordered, but "p" gets shorter in 1 of its 3 steps`,
			"  p/2 has 5 tokens, p/3 has 3",
		}},
		{"at each value of the other axis", grid{axes: []string{"kind=a,b", "tier=1,2,3,4*"}, sections: []says{kind, sizes}}, []string{
			`PC6002 "tier" is ordered, but "p" gets shorter in 2 of its 6 steps`,
			"  p/a/2 has 6 tokens, p/a/3 has 4",
			"  p/b/2 has 6 tokens, p/b/3 has 4",
		}},
		{"many are counted", grid{axes: []string{"kind=a,b,c,d,e,f,g", "tier=2,3*"}, sections: []says{kind, sizes}}, []string{
			`PC6002 "tier" is ordered, but "p" gets shorter in 7 of its 7 steps`,
			"  p/a/2 has 6 tokens, p/a/3 has 4", "  p/b/2 has 6 tokens, p/b/3 has 4", "  p/c/2 has 6 tokens, p/c/3 has 4",
			"  p/d/2 has 6 tokens, p/d/3 has 4", "  p/e/2 has 6 tokens, p/e/3 has 4", "  and 2 more",
		}},
		{"no order", grid{axes: []string{"tier=1,2,3,4"}, sections: []says{sizes}}, nil},
		{"over a value that is not built", grid{
			axes: []string{"tier=2,1,3*"}, sections: []says{sizes},
			excluded: func(v map[string]string) bool { return v["tier"] == "1" },
		}, []string{
			`PC6002 "tier" is ordered, but "p" gets shorter in 1 of its 1 step`,
			"  p/2 has 5 tokens, p/3 has 3",
		}},
	} {
		if diff := cmp.Diff(tc.want, findings(tc.grid.build())); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestSizesAreComparedOnlyWhereTheyMeanTheSame(t *testing.T) {
	shrinks := grid{axes: []string{"tier=2,1*"}, sections: []says{sized("tier", map[string]int{"1": 1, "2": 2})}}
	for name, change := range map[string]func(*assembly.Variant){
		"another tokenizer": func(v *assembly.Variant) { v.Tokenizer = "chars/4" },
		"layout phases":     func(v *assembly.Variant) { v.Layout.On = true },
	} {
		plan, artifacts := shrinks.build()
		change(artifacts[1].Variant)
		if got := findings(plan, artifacts); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDeadAxes(t *testing.T) {
	byTier := sized("tier", map[string]int{"1": 1, "2": 2})
	dead := []string{`PC6003 axis "mode" changes nothing in any variant of "p"`}
	for _, tc := range []struct {
		name string
		grid grid
		want []string
	}{
		{"beside a live one", grid{axes: []string{"mode=a,b", "tier=1,2"}, sections: []says{byTier, constant}}, dead},
		{"alive in one variant", grid{axes: []string{"mode=a,b", "tier=1,2"}, sections: []says{byTier, func(v map[string]string) (string, assembly.Reason) {
			if v["mode"]+v["tier"] == "b2" {
				return "other. ", assembly.In
			}
			return "same. ", assembly.In
		}}}, []string{`PC6029 2 of the 4 variants of "p" send the same as another variant`, "  tier=1"}},
		{"no two differ in it alone", grid{
			axes: []string{"mode=a,b", "tier=1,2"}, sections: []says{byTier},
			excluded: func(v map[string]string) bool { return (v["mode"] == "a") != (v["tier"] == "1") },
		}, nil},
		{"one value", grid{axes: []string{"mode=a"}, sections: []says{constant}}, nil},
		{"another section with the same text", grid{axes: []string{"mode=a,b"}, sections: []says{
			func(v map[string]string) (string, assembly.Reason) {
				return "same. ", map[string]assembly.Reason{"b": assembly.OutWhen}[v["mode"]]
			},
			func(v map[string]string) (string, assembly.Reason) {
				return "same. ", map[string]assembly.Reason{"a": assembly.OutWhen}[v["mode"]]
			},
		}}, dead},
	} {
		if diff := cmp.Diff(tc.want, findings(tc.grid.build())); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestAnAxisIsAliveWhateverItChanges(t *testing.T) {
	for name, change := range map[string]func(*assembly.Artifact){
		"tool":           func(a *assembly.Artifact) { a.Toolset = []*language.Tool{{Name: "exec"}} },
		"order of tools": func(a *assembly.Artifact) { a.Beside = []*language.Tool{{Name: "exec", Description: "Runs it."}} },
		"tokenizer":      func(a *assembly.Artifact) { a.Variant.Tokenizer = "chars/4" },
		"budget":         func(a *assembly.Artifact) { a.Variant.Budget.Tokens = 7 },
		"section budget": func(a *assembly.Artifact) { a.Variant.Uses[0].Budget = &language.Limits{Tokens: 7} },
	} {
		plan, artifacts := grid{axes: []string{"mode=a,b"}, sections: []says{constant}}.build()
		change(artifacts[1])
		if got := findings(plan, artifacts); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	plan, artifacts := grid{axes: []string{"mode=a,b"}, sections: []says{constant}}.build()
	artifacts[0].Variant.Budget.At = diag.Span{Start: 1}
	for _, a := range artifacts {
		a.Toolset = []*language.Tool{{Name: "exec", Canonical: "{}"}}
	}
	if got := findings(plan, artifacts); len(got) != 1 {
		t.Errorf("where a budget is declared, and equal tools, are no difference: %q", got)
	}
}

func TestSectionsThatNoVariantKeeps(t *testing.T) {
	out := func(reasons map[string]assembly.Reason) says {
		return func(v map[string]string) (string, assembly.Reason) { return "", reasons[v["mode"]] }
	}
	is := func(a, b, c assembly.Reason) says {
		return out(map[string]assembly.Reason{"a": a, "b": b, "c": c})
	}
	for _, tc := range []struct {
		name    string
		section says
		lenient bool
		want    []string
	}{
		{"three reasons", is(assembly.OutWhen, assembly.OutBudget, assembly.OutWhen), false, []string{
			`PC6004 no variant of "p" has the section "s1"`, "  when in 2 of 3 variants: mode=a+c", "  budget in 1 of 3 variants: mode=b",
		}},
		{"kept once", is(assembly.OutWhen, assembly.In, assembly.OutBudget), false, nil},
		{"a file may be missing", is(assembly.OutWhen, assembly.OutAbsent, assembly.OutWhen), false, nil},
		{"says nothing", is(assembly.OutEmpty, assembly.OutEmpty, assembly.OutEmpty), false, []string{
			`PC6004 no variant of "p" has the section "s1"`, "  empty in 3 of 3 variants: all",
		}},
		{"may say nothing", is(assembly.OutEmpty, assembly.OutEmpty, assembly.OutEmpty), true, nil},
	} {
		g := grid{axes: []string{"mode=a,b,c"}, lenient: tc.lenient, sections: []says{
			func(v map[string]string) (string, assembly.Reason) { return v["mode"], assembly.In }, tc.section,
		}}
		if diff := cmp.Diff(tc.want, findings(g.build())); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestAnEmptyFileMayBeFilled(t *testing.T) {
	for inline, want := range map[bool]int{false: 0, true: 2} {
		plan, artifacts := grid{axes: []string{"mode=a"}, sections: []says{constant, func(map[string]string) (string, assembly.Reason) { return "", assembly.OutWhen }}}.build()
		artifacts[0].Out[0].Reason = assembly.OutEmpty // with no unit: there is nothing to render
		if inline {
			plan.Builds[0].Prompt.Sections[1].Text = language.Cases[ground.Text]{{}}
		}
		if got := findings(plan, artifacts); len(got) != want {
			t.Errorf("inline %v: %q", inline, got)
		}
	}
}
