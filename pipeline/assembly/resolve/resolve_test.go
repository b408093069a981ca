package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// plan reads a manifest and binds it; what stands before resolve must be
// clean.
func plan(t *testing.T, manifest string, files ...string) (*assembly.Plan, diag.List) {
	t.Helper()
	fsys := testproject.Of("prompts.yaml", manifest)
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return planOf(t, fsys)
}

func planOf(t *testing.T, fsys fstest.MapFS) (*assembly.Plan, diag.List) {
	t.Helper()
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	spec, found := validate.Run(tree)
	if found.HasErrors() {
		t.Fatalf("%v\n%s", found, fsys["prompts.yaml"].Data)
	}
	return resolve.Run(spec, resolve.Limits{})
}

func names(b *assembly.Build) []string {
	var out []string
	for _, v := range b.Variants {
		out = append(out, v.Name)
	}
	return out
}

func TestVariantsAreTheProductWithoutTheExcluded(t *testing.T) {
	p, found := plan(t, `version: 1
prompts:
  agent:
    axes:
      mode: {values: [chat, code], default: chat}
      tier: [1, 2]
      size: {values: [S, L], default: L}
    exclude: [{mode: code, tier: 1}, {size: {not: L}, tier: 2}]
    sections: [{id: a, text: A.}]
`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	want := []string{"agent/tier=1,size=S", "agent/tier=1", "agent/tier=2", "agent/mode=code,tier=2"}
	if diff := cmp.Diff(want, names(p.Builds[0])); diff != "" {
		t.Error(diff)
	}
}

func TestContextIsTheSmallestThatTheAxesDeclare(t *testing.T) {
	p, _ := plan(t, `version: 1
prompts:
  agent:
    axes:
      tier: {values: [1, 2, 3], context: [4096, 8192]}
      window: {values: [small, large], context: [6000, 100000]}
    sections: [{id: a, text: A.}]
`)
	var got []int
	for _, v := range p.Builds[0].Variants {
		got = append(got, v.Context)
	}
	if diff := cmp.Diff([]int{4096, 4096, 6000, 8192, 6000, 100000}, got); diff != "" {
		t.Error(diff)
	}
}

// TestUnitsAreSharedByVariantsThatReadTheSame holds that a section is
// rendered once for all variants in which nothing about it differs.
func TestUnitsAreSharedByVariantsThatReadTheSame(t *testing.T) {
	p, found := plan(t, `version: 1
fragments:
  shell: [{when: {os: windows}, value: PowerShell}, {value: bash}]
sources:
  tpl: {path: "{mode}.md"}
prompts:
  agent:
    axes: {mode: [a, b, c], os: [linux, windows, macos]}
    sections:
      - {id: same, text: Same.}
      - {id: file, source: tpl}
      - {id: shell, text: "Use {{shell}}.", expand: true}
      - {id: plain, text: "Nothing to expand.", expand: true}
`, "a.md", "A", "b.md", "B", "c.md", "C")
	if len(found) > 0 {
		t.Fatal(found)
	}
	units := map[string]int{}
	for _, u := range p.Units {
		units[u.Section.ID.Str]++
	}
	if diff := cmp.Diff(map[string]int{"same": 1, "file": 3, "shell": 2, "plain": 1}, units); diff != "" {
		t.Error(diff)
	}
}

// TestNeedsAreSettledTogether: the second tools section falls with its need,
// and what needs its tools falls with it.
func TestNeedsAreSettledTogether(t *testing.T) {
	p, found := plan(t, `version: 1
sources:
  one: {kind: tools, path: one.json}
  two: {kind: tools, path: two.json}
prompts:
  agent:
    axes: {tools: [some, none]}
    sections:
      - {id: hint, text: Two., needs: {tools: [two]}}
      - {id: both, text: Both., needs: {tools: [one, two]}}
      - {id: first, source: one, when: {tools: some}}
      - {id: second, source: two, needs: {tools: [one]}}
`, "one.json", `{"name": "one", "inputSchema": {"type": "object"}}`, "two.json", `{"name": "two", "inputSchema": {"type": "object"}}`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, v := range p.Builds[0].Variants {
		for i, u := range v.Uses {
			got = append(got, fmt.Sprintf("%s %s: %s %s", v.Name, p.Builds[0].Prompt.Sections[i].ID.Str, u.Out, u.Why))
		}
	}
	want := []string{
		"agent/tools=some hint: in ", "agent/tools=some both: in ", "agent/tools=some first: in ", "agent/tools=some second: in ",
		"agent/tools=none hint: needs two", "agent/tools=none both: needs one, two", "agent/tools=none first: when ", "agent/tools=none second: needs one",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlySelectsInItsOrder(t *testing.T) {
	tools := []string{}
	for _, name := range []string{"delta", "alpha", "charlie", "bravo"} {
		tools = append(tools, name+".json", fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, name))
	}
	for only, want := range map[string]string{
		"":                         "alpha bravo charlie delta",
		`, only: [delta, alpha]`:   "delta alpha",
		`, only: [charlie, "*"]`:   "charlie alpha bravo delta",
		`, only: ["*", alpha]`:     "bravo charlie delta alpha",
		`, only: [{value: ["*"]}]`: "alpha bravo charlie delta",
	} {
		p, found := plan(t, `version: 1
sources: {tools: {kind: tools, path: "*.json"}}
prompts: {agent: {sections: [{id: tools, source: tools`+only+`}]}}
`, tools...)
		if len(found) > 0 {
			t.Fatal(found)
		}
		var got []string
		for _, tool := range p.Units[0].Inputs[0].Tools {
			got = append(got, tool.Name)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", only, diff)
		}
	}
}

// world is a random set of axes with an independent, slow idea of what
// conditions mean.
type world struct {
	random *rand.Rand
	axes   [][]string // axis i is called by its letter, its values by numbers
}

func (w world) axis(i int) string { return string(rune('a' + i)) }

// condition gives a random mapping as YAML, and the test that it stands for.
func (w world) condition() (string, func(point []string) bool) {
	var parts []string
	var tests []func([]string) bool
	for i := range w.axes {
		if w.random.IntN(2) == 0 {
			continue
		}
		some := slices.Clone(w.axes[i])
		w.random.Shuffle(len(some), func(a, b int) { some[a], some[b] = some[b], some[a] })
		some = some[:1+w.random.IntN(len(some))]
		not := w.random.IntN(3) == 0
		value := "[" + strings.Join(some, ", ") + "]"
		if len(some) == 1 && w.random.IntN(2) == 0 {
			value = some[0]
		}
		if not {
			value = "{not: " + value + "}"
		}
		parts = append(parts, w.axis(i)+": "+value)
		tests = append(tests, func(point []string) bool { return slices.Contains(some, point[i]) != not })
	}
	if len(parts) == 0 {
		value := w.axes[0][0]
		return "{a: " + value + "}", func(point []string) bool { return point[0] == value }
	}
	return "{" + strings.Join(parts, ", ") + "}", func(point []string) bool {
		for _, test := range tests {
			if !test(point) {
				return false
			}
		}
		return true
	}
}

// TestConditionsAndCasesMeanWhatTheySay compares random manifests with the
// slow reading of their conditions.
func TestConditionsAndCasesMeanWhatTheySay(t *testing.T) {
	for seed := range uint64(60) {
		w := world{random: rand.New(rand.NewPCG(seed, 7))}
		for range 1 + w.random.IntN(3) {
			var values []string
			for v := range 1 + w.random.IntN(3) {
				values = append(values, fmt.Sprintf("v%d", v))
			}
			w.axes = append(w.axes, values)
		}
		when, holds := w.condition()
		second, holdsToo := w.condition()
		first, isFirst := w.condition()
		var axes []string
		for i, values := range w.axes {
			axes = append(axes, w.axis(i)+": ["+strings.Join(values, ", ")+"]")
		}
		manifest := "version: 1\nprompts:\n  p:\n    axes: {" + strings.Join(axes, ", ") + "}\n    sections:\n" +
			"      - {id: always, text: [{when: " + first + ", value: First.}, {value: Rest.}]}\n" +
			"      - {id: some, text: Some., when: [" + when + ", " + second + "]}\n"
		p, found := plan(t, manifest)
		if found.HasErrors() {
			t.Fatalf("%v\n%s", found, manifest)
		}
		for _, v := range p.Builds[0].Variants {
			var point []string
			for i, value := range v.Values {
				point = append(point, w.axes[i][value])
			}
			want := "Rest."
			if isFirst(point) {
				want = "First."
			}
			if got := p.Units[v.Uses[0].Unit].Inputs[0].Text.Str; got != want {
				t.Errorf("%s: the case is %q, want %q\n%s", v.Name, got, want, manifest)
			}
			if got, want := v.Uses[1].Unit >= 0, holds(point) || holdsToo(point); got != want {
				t.Errorf("%s: the section is in: %v, want %v\n%s", v.Name, got, want, manifest)
			}
		}
	}
}
