package load_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

func TestPatternsMatchNothingBelowTheOutputFolders(t *testing.T) {
	tests := []struct{ name, manifest, want string }{
		{
			"by default",
			`sources: {a: {path: "**/*.md"}, b: {path: "*/*.md"}, c: {path: snapshots/one.md}, d: {path: "{a,snapshots/one}.md"}}`,
			"**/*.md text = a.md dist/two.md out/three.md out/x/four.md\n*/*.md text = dist/two.md out/three.md\n" +
				"snapshots/one.md text = snapshots/one.md\n{a,snapshots/one}.md text = a.md\n",
		},
		{
			"as declared",
			"snapshots: {path: ./Out/x}\nartifacts: dist/\nsources: {a: {path: '**/*.md'}, b: {path: 'out/x/*.md'}, c: {path: 'dist/*'}}",
			"**/*.md text = a.md out/three.md snapshots/one.md\ndist/* text =\nout/x/*.md text =\n",
		},
		{
			"that are refused later",
			"snapshots: {path: .}\nartifacts: [dist]\nsources: {a: {path: '**/t*.md'}}",
			"**/t*.md text = dist/two.md out/three.md\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, found := runOn(t, testproject.From(map[string]string{
				"prompts.yaml": test.manifest, "a.md": "a",
				"snapshots/one.md": "1", "dist/two.md": "2", "out/three.md": "3", "out/x/four.md": "4",
			}))
			if d := cmp.Diff(test.want, matched(tree)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if len(found) > 0 {
				t.Error(lines(found))
			}
		})
	}
}
