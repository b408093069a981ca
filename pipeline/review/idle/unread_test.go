package idle_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// unreadManifest has patterns with a folder: a glob, an axis, any depth, and one
// folder inside another's; and one without.
const unreadManifest = `version: 1
tokenizer: chars/4
sources:
  rules: {kind: rules, path: "rules/*.md", absent: omit}
  mode: {path: "modes/{mode}.txt", fallback: modes/other.txt}
  deep: {kind: rules, path: "rules/deep/**/x*.md", absent: omit}
  root: {path: "{mode}.md", fallback: modes/other.txt}
prompts:
  agent:
    axes: {mode: [ask, edit]}
    sections:
      - {id: first, text: Hello.}
      - {id: rules, source: rules}
      - {id: mode, source: mode}
      - {id: deep, source: deep}
      - {id: root, source: root}
`

// read says which files of unreadManifest something reads, in words of this test.
func readByManifest(name string) bool {
	dir, base := path.Dir(name), path.Base(name)
	mode := strings.TrimSuffix(strings.TrimSuffix(base, ".md"), ".txt")
	isMode := mode == "ask" || mode == "edit"
	switch {
	case dir == "rules", name == "modes/other.txt":
		return dir == "modes" || path.Ext(base) == ".md"
	case dir == "modes":
		return isMode && path.Ext(base) == ".txt"
	case dir == "rules/deep" || strings.HasPrefix(dir, "rules/deep/"):
		return strings.HasPrefix(base, "x") && path.Ext(base) == ".md"
	case dir == ".":
		return isMode && path.Ext(base) == ".md"
	default:
		return false
	}
}

// besidePattern says which unread files lie in the folder of a pattern.
func besidePattern(name string) bool {
	hidden := strings.Contains(name, "/node_modules/") || strings.Contains(name, "/.")
	switch ext := path.Ext(name); {
	case strings.HasPrefix(name, "rules/"):
		return ext == ".md" && !hidden
	case strings.HasPrefix(name, "modes/"):
		return ext == ".txt" && !hidden
	default:
		return !strings.Contains(name, "/") && ext == ".md"
	}
}

// TestWhatNoVariantReadsIsNamed is the unread law: over random projects, those
// and only those files are named that changed, came or went beside what a
// pattern matches, and that nothing reads.
func TestWhatNoVariantReadsIsNamed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 4))
	folders := []string{".", "rules", "rules/deep", "rules/deep/er", "rules/node_modules/x", "rules/.old", "modes", "modes/new", "docs", "docs/rules"}
	names := []string{"ask.md", "edit.md", "ask.txt", "edit.txt", "plan.txt", "x1.md", "y.md", "z.json", "README.md"}
	project := func() fstest.MapFS {
		out := testproject.Of("prompts.yaml", unreadManifest)
		out["modes/other.txt"], out["ask.md"] = &fstest.MapFile{Data: []byte("Other.\n")}, &fstest.MapFile{Data: []byte("Ask.\n")}
		for range rnd.IntN(12) {
			name := path.Join(folders[rnd.IntN(len(folders))], names[rnd.IntN(len(names))])
			out[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "Text %d.\n", rnd.IntN(3))}
		}
		return out
	}
	named := 0
	for round := range 300 {
		base := project()
		head := maps.Clone(base)
		for range rnd.IntN(4) {
			maps.Copy(head, project())
			for _, name := range slices.Sorted(maps.Keys(head)) {
				if name != "prompts.yaml" && name != "modes/other.txt" && name != "ask.md" && rnd.IntN(3) == 0 {
					delete(head, name)
				}
			}
		}
		var want []string
		all := maps.Clone(base)
		maps.Copy(all, head)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			was, is := base[name], head[name]
			same := was != nil && is != nil && string(was.Data) == string(is.Data)
			if !same && name != "prompts.yaml" && !readByManifest(name) && besidePattern(name) {
				want = append(want, fmt.Sprint(name, " ", was == nil, " ", is == nil))
			}
		}
		var got []string
		for _, i := range compared(t, base, head).Idle {
			if i.Unread {
				got = append(got, fmt.Sprint(i.Path, " ", i.Added, " ", i.Removed))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
		named += len(got)
	}
	if named < 100 {
		t.Errorf("only %d files were named: the projects test nothing", named)
	}
}

// compared gives the difference of two projects that compile.
func compared(t *testing.T, base, head fstest.MapFS) *review.Difference {
	t.Helper()
	side := func(name string, fsys fstest.MapFS) review.Side {
		r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml", Until: pipeline.Composed})
		if err != nil || r.Stopped {
			t.Fatalf("%s: %v %v", name, err, r.Findings)
		}
		return review.Side{Name: name, Result: r}
	}
	d, _ := pipeline.Compare(side("base", base), side("head", head), review.Side{})
	return d
}

// TestNothingIsSaidOfWhatNobodyLookedAt holds that a file which only one of the
// manifests looks at neither came nor went.
func TestNothingIsSaidOfWhatNobodyLookedAt(t *testing.T) {
	project := func(rules string) fstest.MapFS {
		return testproject.Of(
			"prompts.yaml", "version: 1\nprompts:\n  agent:\n    sections:\n      - {id: a, text: Hello.}\n      - {id: b, path: "+rules+"}\n",
			"rules/a.md", "A.\n",
			"rules/b.md", "B.\n",
			"rules/c/d.md", "D.\n",
			"rules/note.txt", "N.\n",
		)
	}
	one, wide, deep, text := project("rules/a.md"), project(`"rules/*.md"`), project(`"rules/**/*.md"`), project(`"rules/a.*"`)
	for _, tc := range []struct{ base, head fstest.MapFS }{
		{one, wide}, {wide, one}, {wide, deep}, {deep, wide}, {one, text}, {text, one}, {deep, one}, {one, deep}, {text, wide},
	} {
		for _, i := range compared(t, tc.base, tc.head).Idle {
			if i.Added || i.Removed || i.Unread {
				t.Errorf("%s → %s: %+v", tc.base["prompts.yaml"].Data, tc.head["prompts.yaml"].Data, i)
			}
		}
	}
}
