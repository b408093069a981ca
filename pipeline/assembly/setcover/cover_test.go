package setcover_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// build makes a prompt "p" from axes such as "entry=full,simple*,minimal"
// (the star marks a default) and builds the variants that keep holds for.
func build(axes []string, keep func(point map[string]string) bool) *assembly.Build {
	p := &language.Prompt{ID: ground.Word{Str: "p"}}
	for _, a := range axes {
		name, values, _ := strings.Cut(a, "=")
		axis := &language.Axis{Name: ground.Word{Str: name}}
		for v := range strings.SplitSeq(values, ",") {
			if plain, ok := strings.CutSuffix(v, "*"); ok {
				v, axis.Default = plain, ground.Word{Str: plain}
			}
			axis.Values = append(axis.Values, ground.Word{Str: v})
		}
		p.Axes = append(p.Axes, axis)
	}
	b := &assembly.Build{Prompt: p}
	values := make([]int, len(p.Axes))
	for {
		point, terms := map[string]string{}, []string{}
		for i, a := range p.Axes {
			v := a.Values[values[i]].Str
			point[a.Name.Str] = v
			if v != a.Default.Str {
				terms = append(terms, a.Name.Str+"="+v)
			}
		}
		if keep == nil || keep(point) {
			name := "p"
			if len(terms) > 0 {
				name += "/" + strings.Join(terms, ",")
			}
			b.Variants = append(b.Variants, &assembly.Variant{
				Name: name, Index: len(b.Variants), Values: slices.Clone(values),
			})
		}
		i := len(values) - 1
		for ; i >= 0; i-- {
			if values[i]++; values[i] < len(p.Axes[i].Values) {
				break
			}
			values[i] = 0
		}
		if i < 0 {
			return b
		}
	}
}

func where(b *assembly.Build, in func(v *assembly.Variant) bool) ground.Set {
	s := ground.NewSet(len(b.Variants))
	for i, v := range b.Variants {
		if in(v) {
			s.Add(i)
		}
	}
	return s
}

func persona() *assembly.Build {
	return build([]string{"entry=full,simple,minimal", "tools=native,fallback,none"}, func(at map[string]string) bool {
		return (at["entry"] == "minimal") == (at["tools"] == "none")
	})
}

func TestDescribeReadsWell(t *testing.T) {
	grid := build([]string{"family=generic,next-gen,devstral,glm,xs", "tier=1,2,3", "goal=none*,active"}, nil)
	tests := []struct {
		build *assembly.Build
		names []string // parts of names that the variants of the set have
		not   bool
		want  string
	}{
		{persona(), []string{""}, false, "all"},
		{persona(), nil, false, "none"},
		{persona(), []string{"entry=minimal"}, false, "entry=minimal"},
		{persona(), []string{"entry=full", "entry=simple"}, false, "entry=full+simple"},
		{persona(), []string{"tools=native"}, false, "tools=native"},
		{persona(), []string{"entry=full,tools=native"}, false, "entry=full,tools=native"},
		{persona(), []string{"entry=full,tools=native", "entry=minimal"}, false, "entry=full,tools=native | entry=minimal"},
		{persona(), []string{"entry=full,tools=native"}, true, "all but entry=full,tools=native"},
		{grid, []string{"family=generic,tier=1", "family=devstral,tier=1"}, false, "family=generic+devstral,tier=1"},
		{grid, []string{"family=xs"}, true, "all but family=xs"},
		{grid, []string{"goal=active"}, true, "goal=none"},
		{grid, []string{"family=xs", "tier=2"}, false, "family=xs | tier=2"},
		{grid, []string{"family=xs", "tier=2"}, true, "family=generic+next-gen+devstral+glm,tier=1+3"},
		{build(nil, nil), []string{""}, false, "all"},
	}
	for _, tt := range tests {
		s := where(tt.build, func(v *assembly.Variant) bool {
			has := slices.ContainsFunc(tt.names, func(n string) bool { return strings.Contains(v.Name, n) })
			return has != tt.not
		})
		got := setcover.NewCover(tt.build).Describe(s)
		if got != tt.want {
			t.Errorf("set of %q (not: %v): got %q, want %q", tt.names, tt.not, got, tt.want)
		}
		back, err := setcover.NewCover(tt.build).Select(got)
		if err != nil || !back.Equal(s) {
			t.Errorf("Select(%q): %v, not the set that it describes", got, err)
		}
	}
}

func TestProductsAreNeverNegative(t *testing.T) {
	b := persona()
	s := where(b, func(v *assembly.Variant) bool { return v.Index != 0 })
	want := []string{"entry=simple", "tools=fallback+none"}
	if diff := cmp.Diff(want, setcover.NewCover(b).Products(s)); diff != "" {
		t.Error(diff)
	}
}

func TestSelectNamesVariants(t *testing.T) {
	b := persona()
	tests := []struct {
		expr string
		want int
	}{
		{"", 5},
		{"all", 5},
		{" all ", 5},
		{"none", 0},
		{"tools=native,entry=full", 1},
		{"entry=minimal,tools=native", 0},
		{"entry=full|entry=minimal", 3},
		{"entry=full + simple", -1},
		{"entry=full+simple, tools=native", 2},
		{"all but tools=native | tools=none", 2},
		{"all but all", 0},
	}
	for _, tt := range tests {
		s, err := setcover.NewCover(b).Select(tt.expr)
		switch {
		case tt.want < 0 && err == nil:
			t.Errorf("Select(%q) gave no error", tt.expr)
		case tt.want >= 0 && (err != nil || s.Len() != tt.want):
			t.Errorf("Select(%q): %v, want %d variants", tt.expr, err, tt.want)
		}
	}
}

func TestSelectNamesWhatIsWrong(t *testing.T) {
	b := persona()
	tests := []struct {
		expr string
		want setcover.SelectError
		text string
	}{
		{"entry=ful", setcover.SelectError{What: "value", Word: "ful", Axis: "entry", Candidates: []string{"full", "simple", "minimal"}}, `axis "entry" has no value "ful"`},
		{"entri=full", setcover.SelectError{What: "axis", Word: "entri", Candidates: []string{"entry", "tools"}}, `there is no axis "entri"`},
		{"full", setcover.SelectError{What: "expression", Word: "full"}, `"full" is not of the form axis=value`},
		{"entry=full,entry=simple", setcover.SelectError{What: "axis", Word: "entry", Twice: true}, `axis "entry" is named twice`},
		{"all but ", setcover.SelectError{What: "expression", Word: "all but"}, `"all but" is not of the form axis=value`},
		{"entry=full | ", setcover.SelectError{What: "expression"}, `"" is not of the form axis=value`},
	}
	for _, tt := range tests {
		_, err := setcover.NewCover(b).Select(tt.expr)
		var got *setcover.SelectError
		if !errors.As(err, &got) {
			t.Errorf("Select(%q): %v, no SelectError", tt.expr, err)
			continue
		}
		if diff := cmp.Diff(tt.want, *got); diff != "" || wording.Text(got.Fact()) != tt.text {
			t.Errorf("Select(%q): %s\n%s", tt.expr, got, diff)
		}
	}
}

func TestNamedTakesAxesInAnyOrder(t *testing.T) {
	b := build([]string{"mode=a,b", "tier=1,2", "goal=none*,active"}, nil)
	for part, want := range map[string]string{
		"mode=a,tier=1":             "p/mode=a,tier=1",
		"tier=2,mode=b":             "p/mode=b,tier=2",
		"goal=active,tier=2,mode=b": "p/mode=b,tier=2,goal=active",
		"mode=a":                    "",
		"mode=a,tier=1,goal=none":   "",
	} {
		v, ok := setcover.Named(b, part)
		if got := ""; ok {
			got = v.Name
			if got != want {
				t.Errorf("Named(%q) is %q, want %q", part, got, want)
			}
		} else if want != "" {
			t.Errorf("Named(%q) names nothing", part)
		}
	}
	if v, ok := setcover.Named(build(nil, nil), ""); !ok || v.Name != "p" {
		t.Error("the only variant of a prompt without axes has no name")
	}
}

func TestDescribeIsQuickForManyVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	var axes []string
	for a := range 4 {
		var values []string
		for v := range 10 {
			values = append(values, fmt.Sprintf("v%d", v))
		}
		axes = append(axes, fmt.Sprintf("a%d=%s", a, strings.Join(values, ",")))
	}
	b := build(axes, nil)
	random := rand.New(rand.NewPCG(1, 2))
	noise := where(b, func(*assembly.Variant) bool { return random.IntN(2) == 0 })
	checker := where(b, func(v *assembly.Variant) bool {
		return (v.Values[0]+v.Values[1]+v.Values[2]+v.Values[3])%2 == 0
	})
	for name, s := range map[string]ground.Set{"noise": noise, "checker": checker} {
		words := setcover.NewCover(b).Describe(s)
		if back, err := setcover.NewCover(b).Select(words); err != nil || !back.Equal(s) {
			t.Errorf("%s: %v, or not the set that was described", name, err)
		}
	}
}

// FuzzDescribe holds that Select undoes Describe, for random axes, exclusions
// and subsets.
func FuzzDescribe(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint8(3), uint8(128), uint8(128))
	f.Add(uint64(9), uint64(9), uint8(1), uint8(255), uint8(10))
	f.Add(uint64(7), uint64(1), uint8(0), uint8(255), uint8(255))
	f.Add(uint64(5), uint64(3), uint8(5), uint8(200), uint8(30))
	f.Fuzz(func(t *testing.T, one, two uint64, axes, built, in uint8) {
		random := rand.New(rand.NewPCG(one, two))
		var declared []string
		for a := range int(axes % 6) {
			var values []string
			for v := range 1 + random.IntN(4) {
				values = append(values, fmt.Sprintf("v%d", v))
			}
			if random.IntN(3) == 0 {
				values[0] += "*"
			}
			declared = append(declared, fmt.Sprintf("a%d=%s", a, strings.Join(values, ",")))
		}
		b := build(declared, func(map[string]string) bool { return random.IntN(256) <= int(built) })
		c := setcover.NewCover(b)
		for range 4 {
			s := where(b, func(*assembly.Variant) bool { return random.IntN(256) <= int(in) })
			words := c.Describe(s)
			back, err := c.Select(words)
			if err != nil || !back.Equal(s) {
				t.Fatalf("Select(%q): %v, or not the set that was described", words, err)
			}
			if again := setcover.NewCover(b).Describe(s); again != words {
				t.Fatalf("described as %q, then as %q", words, again)
			}
			union := ground.NewSet(len(b.Variants))
			for _, p := range c.Products(s) {
				part, err := c.Select(p)
				if err != nil || !part.SubsetOf(s) {
					t.Fatalf("product %q: %v, or more than the set", p, err)
				}
				union.Union(part)
			}
			if !union.Equal(s) {
				t.Fatalf("products %q do not cover the set", c.Products(s))
			}
		}
	})
}
