package main

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/language"
)

// TestOnlyWhatSourcesTouchIsNamed holds that a submodule is named where a
// pattern of the manifest may lead into it, and nowhere else.
func TestOnlyWhatSourcesTouchIsNamed(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"rules/*.md", "rules/shared.md", true}, // a folder in place of a file
		{"rules/*/x.md", "rules/shared", true},
		{"rules/**/*.md", "rules/a/b/shared", true},
		{"rules/shared/x.md", "rules/shared", true},
		{"./rules/shared/x.md", "rules/shared", true},
		{"{a,rules}/x.md", "rules/shared", true},
		{"rules/[sx]*/x.md", "rules/shared", true},
		{"rules/s?ared/x.md", "rules/shared", true},
		{"rules/x.md", "rules/shared", false},
		{"rules", "rules/shared", false},
		{"rules/*.md", "rules/shared", false},
		{"*.md", "rules/shared", false},
		{"docs/**/*.md", "rules/shared", false},
		{"rules/*x/y.md", "rules/shared", false},
		{"rules/*.md", "rules/a\xffb.md", true},
		{"rules/*.txt", "rules/a\xffb.md", false},
	} {
		tree := &language.Tree{Matches: map[language.MatchKey][]*language.Doc{{Path: c.pattern, Kind: "text"}: nil}}
		if got := touched(tree, c.name); got != c.want {
			t.Errorf("%q touches %q: %t, want %t", c.pattern, c.name, got, c.want)
		}
	}
	tree := &language.Tree{
		Walks:      map[language.WalkKey][]*language.Doc{{Path: "app/web", Root: "."}: nil},
		Workspaces: map[string]*language.Workspace{"work": nil},
	}
	for name, want := range map[string]bool{
		"app": true, "app/web": true, "app/web/lib": false, "lib": false, "work/lib": true, "work": true, "works": false,
	} {
		if got := touched(tree, name); got != want {
			t.Errorf("a walk and a workspace touch %q: %t, want %t", name, got, want)
		}
	}
}
