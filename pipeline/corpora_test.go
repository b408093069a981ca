package pipeline_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// eachCorpus runs a test over the files that were written for it, and over the
// published ones where they stand beside the checkout. They are in memory, below
// "corpora".
func eachCorpus(t *testing.T, test func(t *testing.T, files fstest.MapFS, published bool)) {
	t.Helper()
	t.Run("written", func(t *testing.T) { test(t, filesBelow(t, filepath.Join("testdata", "corpora")), false) })
	t.Run("published", func(t *testing.T) { test(t, corpora(t), true) })
}

// pick gives what is expected of the published files, or of those written here.
func pick[T any](published bool, there, here T) T {
	if published {
		return there
	}
	return here
}

// rounds is how often a test goes round: as often as the variable of the
// environment says, or as is usual.
func rounds(t *testing.T, variable string, usual int) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return usual
}

// corpora reads the published files that stand beside some checkouts.
func corpora(t *testing.T) fstest.MapFS {
	t.Helper()
	root := filepath.Join("..", "..", "shared", "corpora")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpora beside this checkout: ", err)
	}
	return filesBelow(t, root)
}

func filesBelow(t *testing.T, root string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		out[path.Join("corpora", filepath.ToSlash(rel))] = &fstest.MapFile{Data: text}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const overCorpora = `version: 1
sources:
  tools: {kind: tools, path: "corpora/tools/**/*.json"}
  skills: {kind: skills, path: "corpora/skills/**/SKILL.md"}
  cursor: {kind: rules, path: "corpora/rules/**/*.mdc"}
  copilot: {kind: rules, path: "corpora/rules/**/*.instructions.md"}
  identity: {kind: identity, path: "corpora/persona/openclaw/{lang}/IDENTITY.md", absent: omit}
  soul: {kind: soul, path: "corpora/persona/openclaw/{lang}/SOUL.md", absent: omit}
  user: {kind: user, path: "corpora/persona/openclaw/{lang}/USER.md", absent: omit}
  workspace: {kind: workspace, path: "corpora/persona/openclaw/{lang}/TOOLS.md", absent: omit}
prompts:
  real:
    axes:
      lang: [en, zh-CN, ja-JP, es, de, ar]
      tools: [native, fallback]
    sections:
      - {id: identity, source: identity}
      - {id: soul, source: soul}
      - {id: user, source: user}
      - {id: workspace, source: workspace}
      - {id: skills, source: skills}
      - {id: cursor, source: cursor, form: index}
      - {id: copilot, source: copilot, form: index}
      - {id: tools, source: tools, form: "{tools}"}
`

// TestRealFilesAreAccepted holds that what people publish builds.
func TestRealFilesAreAccepted(t *testing.T) {
	eachCorpus(t, checkAccepted)
}

func checkAccepted(t *testing.T, fsys fstest.MapFS, published bool) {
	t.Helper()
	fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte(overCorpora)}
	r := testproject.Compile(t, fsys, pipeline.Built)
	for _, d := range r.Findings {
		if d.Level == diag.Error {
			line, column := d.Span.File.Position(d.Span.Start)
			t.Errorf("%s:%d:%d: %s: %s", d.Span.File.Path, line, column, d.Code, wording.Message(d))
		}
	}
	t.Logf("%d warnings, %d notes", r.Findings.Count(diag.Warning), r.Findings.Count(diag.Note))
	if len(r.Artifacts) != 12 {
		t.Fatalf("%d artifacts, want 12", len(r.Artifacts))
	}
	for _, a := range r.Artifacts {
		if want := pick(published, 117, 3); len(a.Toolset) != want {
			t.Errorf("%s has %d tools, want %d", a.Variant.Name, len(a.Toolset), want)
		}
		if n, want := strings.Count(a.Text(), "<skill name="), pick(published, 81, 3); n != want {
			t.Errorf("%s lists %d skills, want %d", a.Variant.Name, n, want)
		}
	}
}

// TestBrokenSkillsAreAllReported holds that none of the files that do not
// parse is left out quietly: each is an error with a place and a hint.
func TestBrokenSkillsAreAllReported(t *testing.T) {
	eachCorpus(t, checkBroken)
}

func checkBroken(t *testing.T, fsys fstest.MapFS, published bool) {
	t.Helper()
	fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte(`version: 1
sources:
  skills: {kind: skills, path: "corpora/skills-broken/**/SKILL.md"}
prompts:
  real: {sections: [{id: skills, source: skills}]}
`)}
	r := testproject.Compile(t, fsys, pipeline.Built)
	found := map[string]diag.Diagnostic{}
	for _, d := range r.Findings {
		if d.Level == diag.Error && d.Span.Known() {
			if _, ok := found[d.Span.File.Path]; !ok {
				found[d.Span.File.Path] = d
			}
		}
	}
	broken := 0
	for name := range fsys {
		if !strings.HasPrefix(name, "corpora/skills-broken/") || path.Base(name) != "SKILL.md" {
			continue
		}
		broken++
		d, ok := found[name]
		switch {
		case !ok:
			t.Errorf("%s: no error", name)
		case wording.Hint(d) == "":
			t.Errorf("%s: %s has no hint", name, wording.Message(d))
		}
	}
	if want := pick(published, 71, 4); broken != want {
		t.Errorf("%d broken skills in the corpora, want %d", broken, want)
	}
}
