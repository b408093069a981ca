package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/validate"
)

// decode gives the Spec of a manifest in which nothing is wrong.
func decode(t *testing.T, text string) *language.Spec {
	t.Helper()
	spec, found := validate.Run(manifest(t, text))
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", report(found))
	}
	return spec
}

// bare compares without places.
var bare = cmp.Options{
	cmpopts.IgnoreTypes(diag.Span{}),
	cmpopts.IgnoreFields(ground.Text{}, "Segs"),
	cmpopts.EquateEmpty(),
}

func word(s string) ground.Word { return ground.Word{Str: s} }

func always[T any](v T) language.Cases[T] { return language.Cases[T]{{Value: v}} }

func TestTopLevelIsDecoded(t *testing.T) {
	spec := decode(t, `
version: 1
tokenizer: claude
tokenizers: {claude: {base: o200k_base, factor: 1.20, error: 0.15}}
snapshots: {path: snap, full: ["a/b=c"]}
artifacts: dist
slots: {clock: {example: 010, max_tokens: 24, volatile: true}, opt: {max_tokens: 2e1, optional: true}}
fragments: {shell: [{when: {os: windows}, value: PowerShell}, {value: on}]}
prompts: {a: {sections: [{id: s, text: x}]}}
`)
	if spec.Tokenizer.Str != "claude" || spec.Artifacts.Str != "dist" {
		t.Errorf("tokenizer %q, artifacts %q", spec.Tokenizer.Str, spec.Artifacts.Str)
	}
	want := &language.Spec{
		Tokenizers: []*language.Estimator{{Name: word("claude"), Base: word("o200k_base"), Factor: 1.2, Error: 0.15}},
		Snapshots:  language.Snapshots{Path: word("snap"), Full: []ground.Word{word("a/b=c")}},
		Slots: []*language.Slot{
			{Name: word("clock"), Example: ground.Literal("010"), MaxTokens: 24, Volatile: true},
			{Name: word("opt"), MaxTokens: 20, Optional: true},
		},
		Fragments: []*language.Fragment{{Name: word("shell"), Value: language.Cases[ground.Text]{
			{When: language.Condition{{{Axis: word("os"), Values: []ground.Word{word("windows")}}}}, Value: ground.Literal("PowerShell")},
			{Value: ground.Literal("on")},
		}}},
	}
	for _, c := range []struct {
		name      string
		want, got any
	}{
		{"tokenizers", want.Tokenizers, spec.Tokenizers},
		{"snapshots", want.Snapshots, spec.Snapshots},
		{"slots", want.Slots, spec.Slots},
		{"fragments", want.Fragments, spec.Fragments},
	} {
		if diff := cmp.Diff(c.want, c.got, bare); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestSnapshotsHaveADefault(t *testing.T) {
	spec := decode(t, "version: 1\nprompts: {a: {sections: [{id: s, text: x}]}}\n")
	if diff := cmp.Diff(language.Snapshots{Path: word("snapshots")}, spec.Snapshots, bare); diff != "" {
		t.Error(diff)
	}
}

func TestSourcesAreDecoded(t *testing.T) {
	kind := func(name string) *language.Kind {
		k, ok := language.LookupKind(name)
		if !ok {
			t.Fatal(name)
		}
		return k
	}
	spec := decode(t, `
version: 1
sources:
  soul: {kind: soul, path: [a.md, b.md], absent: default, style: {path: s.md}}
  ctx: {kind: context, path: x, root: ., local: true, style: default}
  rt: {kind: runtime, path: rt.yaml, routing: true, expand: true, limit: {chars: 5, per: source, over: cut}}
  tpl: {path: [{when: {tier: 1}, value: "a/{mode}.txt"}, {value: b.txt}], fallback: c.txt, else: d.txt, absent: omit}
  own: {text: hello, volatile: true}
  skills: {kind: skills, path: "s/*", location: "/{name}"}
  goal: {kind: goal, path: g.yaml, transcript: "t/*.txt"}
  talk: {kind: conversation, path: "t/{state}.yaml"}
prompts: {a: {sections: [{id: s, text: x}]}}
`)
	want := []*language.Source{
		{
			ID: word("soul"), Kind: kind("soul"), Path: always([]ground.Word{word("a.md"), word("b.md")}), Absent: language.AbsentDefault,
			Options: language.Options{Style: always(language.Style{Path: word("s.md")})},
		},
		{
			ID: word("ctx"), Kind: kind("context"), Path: always([]ground.Word{word("x")}), Root: word("."), Local: true,
			Options: language.Options{Style: always(language.Style{Name: word("default")})},
		},
		{
			ID: word("rt"), Kind: kind("runtime"), Path: always([]ground.Word{word("rt.yaml")}),
			Options: language.Options{
				Routing: always(true), Expand: always(true),
				Limit: always(language.Limit{Chars: 5, PerSource: true, Cut: true}),
			},
		},
		{
			ID: word("tpl"), Kind: kind("text"), Path: language.Cases[[]ground.Word]{
				{When: language.Condition{{{Axis: word("tier"), Values: []ground.Word{word("1")}}}}, Value: []ground.Word{word("a/{mode}.txt")}},
				{Value: []ground.Word{word("b.txt")}},
			},
			Fallback: always([]ground.Word{word("c.txt")}), Else: word("d.txt"), Absent: language.AbsentOmit,
		},
		{ID: word("own"), Kind: kind("text"), Text: always(ground.Literal("hello")), Volatile: true},
		{
			ID: word("skills"), Kind: kind("skills"), Path: always([]ground.Word{word("s/*")}),
			Options: language.Options{Location: always(ground.Literal("/{name}"))},
		},
		{ID: word("goal"), Kind: kind("goal"), Path: always([]ground.Word{word("g.yaml")}), Transcript: word("t/*.txt")},
		{ID: word("talk"), Kind: kind("conversation"), Path: always([]ground.Word{word("t/{state}.yaml")})},
	}
	if diff := cmp.Diff(want, spec.Sources, bare); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestPromptsAreDecoded(t *testing.T) {
	spec := decode(t, `
version: 1
prompts:
  a:
    description: What it is.
    axes:
      mode: [on, 1.0, 010]
      size: {values: [s, l], default: s, ordered: true, context: [4096]}
    exclude: [{mode: on, size: [s, l]}, {mode: {not: [on, 010]}}]
    tokenizer: r50k_base
    join: ""
    order: [t, s]
    layout: {name: phases, order: [task, user], place: sticky-first, fill: stop, notice: true}
    budget:
      tokens: [{when: {mode: on}, value: 5}, {value: 6}]
      chars: 7
      tool_tokens: 8
      plus: [{when: {size: l}, tokens: 2}]
      warn_at: 92.5%
      growth: [{when: {mode: on}, value: 7.5%}, {value: 0%}]
      growth_tokens: 0
      over: warn
    sections:
      - {id: s, text: x, when: [{mode: on}, {size: s}], heading: "", before: b, after: c, join: "\n", expand: true}
      - id: t
        source: [x, y]
        needs: {tools: [{when: {mode: on}, value: [a]}, {value: [b, c]}]}
        form: "{mode}"
        only: [a, b]
        select: {ids: [i, j], tags: t, source: mcp, server: [hub]}
        budget: {chars: 3, warn_at: 0.5}
        degrade: [{form: compact}, {source: short}]
        phase: task
        priority: 80.5
        weight: [{when: {mode: on}, value: 1.2}, {value: 1}]
        sticky: true
`)
	got := spec.Prompts[0]
	on := language.Term{Axis: word("mode"), Values: []ground.Word{word("on")}}
	want := &language.Prompt{
		ID: word("a"),
		Axes: []*language.Axis{
			{Name: word("mode"), Values: []ground.Word{word("on"), word("1.0"), word("010")}},
			{Name: word("size"), Values: []ground.Word{word("s"), word("l")}, Default: word("s"), Ordered: true, Context: []int{4096}},
		},
		Exclude: language.Condition{
			{on, {Axis: word("size"), Values: []ground.Word{word("s"), word("l")}}},
			{{Axis: word("mode"), Values: []ground.Word{word("on"), word("010")}, Not: true}},
		},
		Layout: always(language.Layout{
			Name: always(word("phases")), Order: always([]ground.Word{word("task"), word("user")}),
			Place: always(word("sticky-first")), Fill: always(word("stop")), Notice: always(true),
		}),
		Tokenizer: always(word("r50k_base")), Join: always(ground.Literal("")), Order: always([]ground.Word{word("t"), word("s")}),
		Budget: always(language.Budget{
			Tokens: language.Cases[int]{{When: language.Condition{{on}}, Value: 5}, {Value: 6}},
			Chars:  always(7), ToolTokens: always(8), WarnAt: always(0.925), Warn: always(true),
			Growth: language.Cases[float64]{{When: language.Condition{{on}}, Value: 0.075}, {Value: 0}}, GrowthTokens: always(0),
			Plus: []language.Plus{{When: language.Condition{{{Axis: word("size"), Values: []ground.Word{word("l")}}}}, Tokens: 2}},
		}),
		Sections: []*language.Section{
			{
				ID: word("s"), Text: always(ground.Literal("x")), Heading: always(ground.Literal("")),
				When:   language.Condition{{on}, {{Axis: word("size"), Values: []ground.Word{word("s")}}}},
				Before: always(ground.Literal("b")), After: always(ground.Literal("c")), Join: always(ground.Literal("\n")),
				Options: language.Options{Expand: always(true)},
			},
			{
				ID: word("t"), Source: always([]ground.Word{word("x"), word("y")}), Form: always(word("{mode}")),
				Only: always([]ground.Word{word("a"), word("b")}),
				Select: always(language.Select{
					IDs: []ground.Word{word("i"), word("j")}, Tags: []ground.Word{word("t")},
					Sources: []ground.Word{word("mcp")}, Servers: []ground.Word{word("hub")},
				}),
				Needs: language.Cases[language.Needs]{
					{When: language.Condition{{on}}, Value: language.Needs{Tools: []ground.Word{word("a")}}},
					{Value: language.Needs{Tools: []ground.Word{word("b"), word("c")}}},
				},
				Budget:  always(language.Budget{Chars: always(3), WarnAt: always(0.5)}),
				Degrade: always([]language.Step{{Form: word("compact")}, {Source: word("short")}}),
				Phase:   always(word("task")), Priority: always(80.5), Sticky: always(true),
				Weight: language.Cases[float64]{{When: language.Condition{{on}}, Value: 1.2}, {Value: 1}},
			},
		},
	}
	if diff := cmp.Diff(want, got, bare); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	if at := got.Sections[1].Only[0].Value[0].At; !at.Known() || at.File.Text[at.Start:at.End] != "a" {
		t.Errorf("the place of a word is %+v", at)
	}
}
