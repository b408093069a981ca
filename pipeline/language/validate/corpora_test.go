package validate_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// eachCorpus runs a test over the files that were written for it, and over
// published ones where they stand beside the checkout. over lays a manifest over
// them.
func eachCorpus(t *testing.T, test func(t *testing.T, over func(manifest string) fs.FS, published bool)) {
	t.Helper()
	for name, root := range map[string]string{
		"written": filepath.Join("..", "..", "testdata", "corpora"), "published": filepath.Join("..", "..", "..", "..", "shared", "corpora"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(root); err != nil && name == "published" {
				t.Skipf("the corpora are not here: %v", err)
			}
			test(t, func(manifest string) fs.FS { return overlay{FS: os.DirFS(root), manifest: manifest} }, name == "published")
		})
	}
}

// overlay is a file system with a manifest of the test's own.
type overlay struct {
	fs.FS
	manifest string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name == "prompts.yaml" {
		return testproject.Of("prompts.yaml", o.manifest).Open(name)
	}
	return o.FS.Open(name)
}

func TestPublicToolsAreAccepted(t *testing.T) { eachCorpus(t, checkTools) }

func checkTools(t *testing.T, over func(string) fs.FS, published bool) {
	t.Helper()
	tree := read(t, over(`
version: 1
sources: {tools: {kind: tools, path: "tools/**/*.json"}}
prompts: {p: {sections: [{id: s, source: tools}]}}
`))
	spec, found := validate.Run(tree)
	if found.HasErrors() || found.Count(diag.Warning) > 0 {
		t.Errorf("findings:\n%s", report(found))
	}
	docs := tree.Matches[language.MatchKey{Path: "tools/**/*.json", Kind: "tools"}]
	if len(docs) != 3 && !published || len(docs) != 117 && published {
		t.Fatalf("%d documents", len(docs))
	}
	for _, doc := range docs {
		tools := spec.Tools[doc]
		if len(tools) != 1 {
			t.Fatalf("%s has %d tools", doc.File.Path, len(tools))
		}
		var got, want any
		if err := json.Unmarshal([]byte(tools[0].Canonical), &got); err != nil {
			t.Fatalf("%s: %v", doc.File.Path, err)
		}
		if err := json.Unmarshal([]byte(doc.File.Text), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s says something else (-file +canonical):\n%s", doc.File.Path, diff)
		}
	}
}

func TestPublicSkillsHaveNoErrors(t *testing.T) { eachCorpus(t, checkSkills) }

func checkSkills(t *testing.T, over func(string) fs.FS, _ bool) {
	t.Helper()
	_, found := validate.Run(read(t, over(`
version: 1
sources: {skills: {kind: skills, path: "skills/**/SKILL.md"}}
prompts: {p: {sections: [{id: s, source: skills}]}}
`)))
	if found.HasErrors() {
		t.Errorf("findings:\n%s", report(found))
	}
	// What is left is true: names that are not their folders', one field
	// that no client knows.
	if n := found.Count(diag.Warning); n > 12 {
		t.Errorf("%d warnings:\n%s", n, report(found))
	}
}

func TestPublicRulesAndPersonasHaveNoErrors(t *testing.T) { eachCorpus(t, checkRules) }

func checkRules(t *testing.T, over func(string) fs.FS, _ bool) {
	t.Helper()
	for _, c := range []struct{ kind, path string }{
		{"rules", "rules/**/*.instructions.md"},
		{"rules", "rules/**/*.mdc"},
		{"soul", "persona/openclaw/*/SOUL.md"},
		{"user", "persona/openclaw/*/USER.md"},
		{"workspace", "persona/openclaw/*/TOOLS.md"},
		{"identity", "persona/openclaw/en/IDENTITY.md"},
	} {
		_, found := validate.Run(read(t, over(fmt.Sprintf(`
version: 1
sources: {s: {kind: %s, path: %q}}
prompts: {p: {sections: [{id: s, source: s}]}}
`, c.kind, c.path))))
		if found.HasErrors() || found.Count(diag.Warning) > 0 {
			t.Errorf("%s:\n%s", c.path, report(found))
		}
	}
}
