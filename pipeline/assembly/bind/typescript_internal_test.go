package bind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBoxesAreWhatIsBuilt holds that the boxes of random axes are, each once, all
// combinations but those excluded.
func TestBoxesAreWhatIsBuilt(t *testing.T) {
	most := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var p Prompt
		for i := range 1 + r.IntN(4) {
			a := Axis{ID: fmt.Sprint("a", i)}
			for j := range 1 + r.IntN(4) {
				a.Values = append(a.Values, Value{ID: fmt.Sprint("v", j)})
			}
			p.Axes = append(p.Axes, a)
		}
		for range r.IntN(4) {
			var clause []Term
			for _, i := range r.Perm(len(p.Axes))[:1+r.IntN(len(p.Axes))] {
				term := Term{Axis: p.Axes[i].ID, Not: r.IntN(3) == 0}
				for _, v := range p.Axes[i].Values {
					if r.IntN(2) == 0 {
						term.Values = append(term.Values, v.ID)
					}
				}
				clause = append(clause, term)
			}
			p.Exclude = append(p.Exclude, clause)
		}
		want := points(boxesOf(Prompt{Axes: p.Axes})[0])
		want = slices.DeleteFunc(want, func(point string) bool { return excluded(p, strings.Fields(point)) })
		var got []string
		boxes := boxesOf(p)
		for _, b := range boxes {
			got = append(got, points(b)...)
		}
		most = max(most, len(boxes))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: %q, not %q", seed, got, want)
		}
	}
	if most < 4 {
		t.Errorf("%d boxes at most: the prompts try too little", most)
	}
}

// points are the combinations of a box, in words.
func points(b box) []string {
	out := []string{""}
	for _, values := range b {
		var next []string
		for _, start := range out {
			for _, v := range values {
				next = append(next, start+" "+v)
			}
		}
		out = next
	}
	return out
}

func excluded(p Prompt, point []string) bool {
	return slices.ContainsFunc(p.Exclude, func(clause []Term) bool {
		return !slices.ContainsFunc(clause, func(term Term) bool {
			i := slices.IndexFunc(p.Axes, func(a Axis) bool { return a.ID == term.Axis })
			return slices.Contains(term.Values, point[i]) == term.Not
		})
	})
}

func TestNamesInTypeScript(t *testing.T) {
	for _, c := range []struct{ id, call, fit, axes, key string }{
		{"house-rules", "houseRules", "fitHouseRules", "HouseRulesAxes", "houseRules"},
		{"a.b_c", "aBC", "fitABC", "ABCAxes", "aBC"},
		{"4k", "v4k", "fit4k", "V4kAxes", "v4k"},
		{"class", "class_", "fitClass", "ClassAxes", "class_"},
		{"load", "load_", "fitLoad", "LoadAxes", "load"},
		{"read", "read_", "fitRead", "ReadAxes", "read"},
		{"options", "options_", "fitOptions", "OptionsAxes", "options"},
		{"then", "then_", "fitThen", "ThenAxes", "then"},
		{"default", "default_", "fitDefault", "DefaultAxes", "default_"},
		{"require", "require_", "fitRequire", "RequireAxes", "require"},
		{"constructor", "constructor", "fitConstructor", "ConstructorAxes", "constructor_"},
		{"to-string", "toString", "fitToString", "ToStringAxes", "toString_"},
		{"a__proto__", "aProto", "fitAProto", "AProtoAxes", "aProto"},
	} {
		p := tsNames(Prompt{ID: c.id, Name: wordsOf(c.id)})
		if p.call != c.call || p.fit != c.fit || p.axes != c.axes || tsKey(wordsOf(c.id)) != c.key {
			t.Errorf("%s is %s, %s, %s, %s", c.id, p.call, p.fit, p.axes, tsKey(wordsOf(c.id)))
		}
	}
}

// A prompt and what is composed of another have one name.
func TestClashesInTypeScript(t *testing.T) {
	m := Model{Prompts: []Prompt{
		{ID: "a", Name: Words{"a"}, Uses: Uses{Fit: true}},
		{ID: "fit-a", Name: Words{"fit", "a"}, Axes: []Axis{{ID: "x-y", Name: Words{"x", "y"}}, {ID: "x.y", Name: Words{"x", "y"}}}},
		{ID: "b", Name: Words{"b"}, Axes: []Axis{{ID: "x-y", Name: Words{"x", "y"}}, {ID: "z", Name: Words{"z"}}}, Slots: []Slot{{ID: "x-y", Name: Words{"x", "y"}}, {ID: "z", Name: Words{"z"}}}},
	}}
	want := []clash{{"fitA", "a", "fit-a"}, {"xY", "fit-a/x-y", "fit-a/x.y"}, {"xY", "b/x-y", "b/{{x-y}}"}}
	if d := cmp.Diff(want, clashes(typescriptNames(&m)), cmp.AllowUnexported(clash{})); d != "" {
		t.Error(d)
	}
}

func TestTextsInTypeScript(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext 日本 🐦":         "`plain\n\ttext 日本 🐦`",
		"`${a} $b \\":                "`\\`\\${a} $b \\\\`",
		"\r\n\x00\u2028\ufeff\u202e": "`\\u{d}\n\\u{0}\\u{2028}\\u{feff}\\u{202e}`",
	} {
		if got := tsTemplate(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"a": `"a"`, `a"b`: `'a"b'`, `'a"b"`: `'\'a"b"'`, `"'`: `"\"'"`} {
		if got := tsString(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}
