package glob_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/glob"
)

func TestPatternsMatchWholePaths(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"sources/legacy/**", "sources/legacy/a/b.md", true},
		{"sources/legacy/**", "sources/legacy.md", false},
		{"sources/*.md", "sources/a/b.md", false},
		{"**/*.md", "b.md", true},
		{"{a,b}/x.md", "b/x.md", true},
		{"{a,b}/x.md", "c/x.md", false},
		{"prompts.yaml", "prompts.yaml", true},
		{"prompts.yaml", "a/prompts.yaml", false},
		{"[ab].md", "b.md", true},
		{"{a,{b,c}}.md", "c.md", true},
	} {
		p, fault := glob.Parse(tc.pattern)
		if fault != "" {
			t.Errorf("%q: %s", tc.pattern, fault)
		}
		if got := p.Match(tc.path); got != tc.want {
			t.Errorf("%q matches %q: %v, want %v", tc.pattern, tc.path, got, tc.want)
		}
	}
}

func TestPatternsThatCannotBeUsedSayWhy(t *testing.T) {
	for _, tc := range []struct{ pattern, want string }{
		{"a[", "pattern-not-readable"},
		{"{a,b", "pattern-not-readable"},
		{strings.Repeat("{a,b}", 20), "too-many-alternatives"},
		{strings.Repeat("a", 5000), "longer-than-paths"},
	} {
		if _, got := glob.Parse(tc.pattern); got != tc.want {
			t.Errorf("%.20q %q, want %q", tc.pattern, got, tc.want)
		}
	}
}

func FuzzPatternsNeverPanicAndEnd(f *testing.F) {
	for _, s := range []string{"{a,b}/**/[!x]?", "{{,},{,}}", "**/**/**", "[]]{", `a\`} {
		f.Add(s, "a/b/c")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		p, fault := glob.Parse(pattern)
		if fault != "" && p.Match(path) {
			t.Errorf("%q (%s) matches %q", pattern, fault, path)
		}
	})
}
