package axispattern_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

func TestPatternsGiveTheirGlobAndAxes(t *testing.T) {
	for _, c := range []struct {
		pattern, glob string
		axes          []string
	}{
		{"a/b.txt", "a/b.txt", nil},
		{"t/{family}-{context}.snap", "t/*-*.snap", []string{"family", "context"}},
		{"{a}{b}.txt", "*.txt", []string{"a", "b"}},
		{"{a}/{b}", "*/*", []string{"a", "b"}},
		{"{a}*/x", "*/x", []string{"a"}},
		{"**/{a}/*.md", "**/*/*.md", []string{"a"}},
		{"**/**/x", "**/x", nil},
		{"a/**", "a/**", nil},
		{"a**b", "a*b", nil},
		{"{a}/{a}.txt", "*/*.txt", []string{"a"}},
		{"{a,b}.txt", "{a,b}.txt", nil},
	} {
		p := axispattern.PathPattern(c.pattern)
		if got := p.Glob(); got != c.glob {
			t.Errorf("%s: glob %q, want %q", c.pattern, got, c.glob)
		}
		if d := cmp.Diff(c.axes, p.Axes); d != "" {
			t.Errorf("%s: axes (-want +got):\n%s", c.pattern, d)
		}
	}
}

func TestPatternsTellValuesFromNames(t *testing.T) {
	listed := map[string][]string{"size": {"s", "m-l"}, "tier": {"1", "2"}}
	for _, c := range []struct {
		pattern, name string
		loose, entry  bool
		want          [][]string
	}{
		{pattern: "a.txt", name: "a.txt", want: [][]string{{}}},
		{pattern: "a.txt", name: "b.txt"},
		{pattern: "t/{x}.txt", name: "t/a.b.txt", want: [][]string{{"a.b"}}},
		{pattern: "t/{x}.txt", name: "t/.txt"},
		{pattern: "t/{x}.txt", name: "t/u/a.txt"},
		{pattern: "{x}-{y}", name: "a-b", want: [][]string{{"a", "b"}}},
		{pattern: "{x}-{y}", name: "a-b-c", want: [][]string{{"a", "b-c"}, {"a-b", "c"}}},
		{pattern: "{x}-{y}", name: "a-b-c-d-e", want: [][]string{{"a", "b-c-d-e"}, {"a-b", "c-d-e"}}},
		{pattern: "{x}-{size}", name: "a-b-m-l", want: [][]string{{"a-b", "m-l"}}},
		{pattern: "{size}-{x}", name: "m-l-m-l", want: [][]string{{"m-l", "m-l"}}},
		{pattern: "{tier}{size}", name: "1s", want: [][]string{{"1", "s"}}},
		{pattern: "{tier}{size}", name: "3s"},
		{pattern: "{x}/{x}.txt", name: "a/a.txt", want: [][]string{{"a"}}},
		{pattern: "{x}/{x}.txt", name: "a/b.txt"},
		{pattern: "{x}{y}{x}", name: "abcab", want: [][]string{{"ab", "c"}}},
		{pattern: "{x}*.txt", name: "ab.txt", want: [][]string{{"a"}, {"ab"}}},
		{pattern: "{x}-*.txt", name: "a-1.txt", want: [][]string{{"a"}}},
		{pattern: "*a*a*{x}", name: "aaaa", want: [][]string{{"aa"}, {"a"}}},
		{pattern: "**/{x}.txt", name: "a.txt", want: [][]string{{"a"}}},
		{pattern: "**/{x}.txt", name: "u/v/a.txt", want: [][]string{{"a"}}},
		{pattern: "**/{x}/**/b.txt", name: "u/v/b.txt", want: [][]string{{"u"}, {"v"}}},
		{pattern: "{x}/**", name: "u/v/b.txt", want: [][]string{{"u"}}},
		{pattern: "*/{x}", name: "u/v/w"},
		{pattern: "{x}.txt", name: "-a.txt"},
		{pattern: "{x}.txt", name: "-a.txt", loose: true, want: [][]string{{"-a"}}},
		{pattern: "{x}.txt", name: "con.txt"},
		{pattern: "{x}.txt", name: "é ß.txt", loose: true, want: [][]string{{"é ß"}}},
		{pattern: "{x}", name: strings.Repeat("a", 64), want: [][]string{{strings.Repeat("a", 64)}}},
		{pattern: "{x}", name: strings.Repeat("a", 65)},
		{pattern: "suite > {x} * 1", name: "suite > a / b 1", entry: true, want: [][]string{{"a"}}},
		{pattern: "*{x} 1", name: "a/b 1", entry: true, want: [][]string{{"b"}}},
	} {
		parse := axispattern.PathPattern
		if c.entry {
			parse = axispattern.NamePattern
		}
		work := 1_000_000
		got := parse(c.pattern).Match(c.name, func(axis string) []string { return listed[axis] }, c.loose, &work)
		if d := cmp.Diff(c.want, got); d != "" || work < 0 {
			t.Errorf("%s of %q (-want +got), %d left:\n%s", c.pattern, c.name, work, d)
		}
	}
}

// TestPatternsTakeNoTimeToFail holds for patterns that are made to be tried in
// many ways.
func TestPatternsTakeNoTimeToFail(t *testing.T) {
	var axes strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		axes.WriteString("{" + string(c) + "}")
	}
	for _, pattern := range []string{axes.String() + "!", strings.Repeat("*a", 120) + "!", strings.Repeat("**/", 60) + strings.Repeat("{x}*", 30) + "!"} {
		for _, name := range []string{strings.Repeat("a", 255), strings.Repeat("a/", 2000)} {
			work := 3_000_000
			none := func(string) []string { return nil }
			if got := axispattern.PathPattern(pattern).Match(name, none, false, &work); got != nil && work >= 0 {
				t.Errorf("%.20s of %.20s: %v", pattern, name, got)
			}
			if work < 0 {
				t.Errorf("%.20s of %.20s: it was given up", pattern, name)
			}
		}
	}
}

func TestTextsOfAnAxisAreThoseThatAreTaken(t *testing.T) {
	takes := func(axis, text string) bool { return axis == "a" || strings.HasPrefix(text, "b") }
	for _, c := range []struct {
		pattern, name string
		want          [][]string
	}{
		{"{a} {b}", "one two bee", [][]string{{"one two", "bee"}}},
		{"{a} {b}", "one be two bee", [][]string{{"one", "be two bee"}, {"one be two", "bee"}}},
		{"{a} {b}", "one two", nil},
		{"{a} {b}", "日 本 b 語", [][]string{{"日 本", "b 語"}}},
		{"{b}", strings.Repeat("b", 5000), nil},
	} {
		work := 1000
		if d := cmp.Diff(c.want, axispattern.NamePattern(c.pattern).MatchBy(c.name, takes, &work)); d != "" || work < 0 {
			t.Errorf("%s of %.20s, %d left (-want +got):\n%s", c.pattern, c.name, work, d)
		}
	}
}
