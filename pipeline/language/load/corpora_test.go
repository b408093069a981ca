package load_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// overlay is a folder with a manifest that is not in it.
type overlay struct {
	fs.FS
	manifest string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name == "prompts.yaml" {
		return testproject.Of(name, o.manifest).Open(name)
	}
	return o.FS.Open(name)
}

// readCorpus reads the files of a corpus that a pattern matches.
func readCorpus(t *testing.T, folder, kind, pattern string) ([]*language.Doc, diag.List) {
	t.Helper()
	fsys := overlay{os.DirFS(corpus(t, folder)), fmt.Sprintf("sources: {s: {kind: %s, path: %q}}", kind, pattern)}
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	checkSpans(t, tree, found)
	return tree.Matches[language.MatchKey{Path: pattern, Kind: kind}], found
}

func TestPublishedFilesAreRead(t *testing.T) {
	tests := []struct {
		folder, kind, pattern string
		count                 int
	}{
		{"written/skills/written", "skills", "*/SKILL.md", 3},
		{"written/rules/written", "rules", "*.mdc", 2},
		{"written/tools/written", "tools", "*.json", 3},
		{"written/persona/openclaw", "identity", "*/IDENTITY.md", 2},
		{"skills/awesome-copilot", "skills", "*/SKILL.md", 81},
		{"rules/awesome-copilot", "rules", "*.instructions.md", 20},
		{"rules/awesome-cursorrules", "rules", "*.mdc", 37},
		{"tools/github-mcp-server", "tools", "*.json", 117},
		{"persona/openclaw", "identity", "*/IDENTITY.md", 6},
		{"persona/openclaw", "soul", "*/SOUL.md", 6},
		{"persona/openclaw", "workspace", "*/TOOLS.md", 6},
	}
	for _, test := range tests {
		t.Run(test.folder+" as "+test.kind, func(t *testing.T) {
			docs, found := readCorpus(t, test.folder, test.kind, test.pattern)
			if len(docs) != test.count || len(found) > 0 {
				t.Errorf("%d files, want %d; findings:\n%s", len(docs), test.count, lines(found))
			}
			for _, doc := range docs {
				if doc.Empty() || doc.Format == language.Markdown && doc.Front == nil {
					t.Errorf("%s: front matter %v, empty %v", doc.File.Path, doc.Front != nil, doc.Empty())
				}
			}
		})
	}
}

func TestCursorRulesHaveTheirFields(t *testing.T) {
	for folder, want := range map[string]map[string]string{
		"written/rules/written": {"go.mdc": "**/*.go", "always.mdc": ""},
		"rules/awesome-cursorrules": {
			"database.mdc": "prisma/**/*, src/db/**/*, **/*.prisma, supabase/**/*", "tauri-svelte-typescript-guide-cursorrules-prompt-f.mdc": "**/*",
		},
	} {
		t.Run(folder, func(t *testing.T) { checkFields(t, folder, want) })
	}
}

func checkFields(t *testing.T, folder string, globs map[string]string) {
	t.Helper()
	docs, _ := readCorpus(t, folder, "rules", "*.mdc")
	got := map[string]string{}
	for _, doc := range docs {
		var keys []string
		for _, f := range doc.Front.Fields {
			keys = append(keys, f.Key)
		}
		if d := cmp.Diff([]string{"description", "globs", "alwaysApply"}, keys); d != "" {
			t.Errorf("%s: fields (-want +got):\n%s", doc.File.Path, d)
		}
		got[doc.File.Path] = doc.Front.Field("globs").Scalar()
	}
	for name, want := range globs {
		if got[name] != want {
			t.Errorf("%s: globs are %q, want %q", name, got[name], want)
		}
	}
}

func TestBrokenSkillsAreRefused(t *testing.T) {
	for folder, want := range map[string]map[diag.Code]int{
		"written/skills-broken": {diag.YAMLSyntax: 1, diag.FrontMissing: 1, diag.NotMapping: 1, diag.ConflictMarkers: 1},
		"skills-broken":         {diag.ConflictMarkers: 19, diag.YAMLSyntax: 25, diag.FrontMissing: 26, diag.FrontUnterminated: 1},
	} {
		t.Run(folder, func(t *testing.T) { checkRefused(t, folder, want) })
	}
}

func checkRefused(t *testing.T, folder string, want map[diag.Code]int) {
	t.Helper()
	docs, found := readCorpus(t, folder, "skills", "*/SKILL.md")
	if len(docs) != 0 {
		t.Errorf("%d of them were read", len(docs))
	}
	folders, err := filepath.Glob(filepath.Join(corpus(t, folder), "*"))
	if err != nil {
		t.Fatal(err)
	}
	codes := map[diag.Code]int{}
	for _, folder := range folders {
		name := path.Join(filepath.Base(folder), "SKILL.md")
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Span.File.Path == name && d.Level == diag.Error })
		if i < 0 {
			t.Errorf("%s: no error", name)
			continue
		}
		codes[found[i].Code]++
	}
	if d := cmp.Diff(want, codes); d != "" {
		t.Errorf("errors by code (-want +got):\n%s", d)
	}
}

func TestIrregularFilesAreNormalisedOrRefused(t *testing.T) {
	for _, folder := range []string{"written/irregular", "irregular"} {
		docs, found := readCorpus(t, folder, "text", "{bom,crlf,zw,shy,oddspace}-*")
		if found.HasErrors() || len(found) != 1 || found[0].Code != diag.TextNormalised {
			t.Errorf("findings:\n%s", lines(found))
		}
		for _, doc := range docs {
			if strings.Contains(doc.File.Text, "\r\n") || strings.HasPrefix(doc.File.Text, "\ufeff") {
				t.Errorf("%s was not normalised", doc.File.Path)
			}
		}
	}
	_, found := readCorpus(t, "irregular", "text", "bad-utf8-*")
	if want := "bad-utf8-90424ecc.md:13:29: error[PC1001]: byte 0x97 at offset 462 is not UTF-8\n"; lines(found) != want {
		t.Errorf("got %swant %s", lines(found), want)
	}
}

func TestLabelsInEveryLanguage(t *testing.T) {
	for _, folder := range []string{"written/persona/openclaw", "persona/openclaw"} {
		t.Run(folder, func(t *testing.T) { checkLabels(t, folder) })
	}
}

func checkLabels(t *testing.T, folder string) {
	t.Helper()
	docs, _ := readCorpus(t, folder, "identity", "*/IDENTITY.md")
	for _, doc := range docs {
		if len(doc.Labels) != 5 {
			t.Errorf("%s has %d labels, want 5", doc.File.Path, len(doc.Labels))
		}
		for _, l := range doc.Labels {
			if strings.Trim(l.Value.Str, "_") == l.Value.Str || strings.ContainsAny(l.Name.Str, "*:：") {
				t.Errorf("%s: label %q has the value %q", doc.File.Path, l.Name.Str, l.Value.Str)
			}
		}
	}
}
