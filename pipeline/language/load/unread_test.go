package load_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// unreadOf gives the unread files of a tree as pattern and paths.
func unreadOf(tree *language.Tree) []string {
	var out []string
	for _, u := range tree.Unread {
		var paths []string
		for _, f := range u.Files {
			paths = append(paths, f.Path)
		}
		said := strings.Join(paths, " ")
		if u.Partial {
			said += "partial"
		}
		if said != "" {
			out = append(out, u.Path.Str+": "+said)
		}
	}
	return out
}

func TestFilesBesideAPatternAreNoted(t *testing.T) {
	for _, tc := range []struct {
		paths string // of sources
		files []string
		want  []string
	}{
		{`"r/*.md"`, []string{"r/a.md", "r/b/c.md", "r/b.txt", "s/a.md", "a.md"}, []string{"r/*.md: r/b/c.md"}},
		{`"r/a.md"`, []string{"r/a.md", "r/b.md"}, nil},
		{`"r/{a,b}.md"`, []string{"r/a.md", "r/b.md", "r/c.md"}, nil},
		{`"{r,s}/*.md"`, []string{"r/a.md", "s/x/b.md", "t/c.md"}, []string{"{r,s}/*.md: s/x/b.md"}},
		{`"r/[ab].md"`, []string{"r/a.md", "r/c.md", "r/D.MD"}, []string{"r/[ab].md: r/D.MD r/c.md"}},
		{`"*.md"`, []string{"a.md", "docs/b.md"}, nil},
		{`"?.md"`, []string{"a.md", "README.md", "docs/b.md"}, []string{"?.md: README.md"}},
		{`"*/p.md"`, []string{"a/p.md", "a/q.md", "b/q.md", "a/c/q.md"}, []string{"*/p.md: a/q.md"}},
		{`"**/p.md"`, []string{"a/p.md", "a/q.md", "b/q.md"}, []string{"**/p.md: a/q.md"}},
		// Without an extension it is that of what is matched.
		{`"r/a*"`, []string{"r/a1", "r/a2.md", "r/LICENSE", "r/b.md", "r/b.json"}, []string{"r/a*: r/LICENSE r/b.md"}},
		// Of two patterns the one with the longer folder has the file.
		{`["r/*.md", "r/s/*.md"]`, []string{"r/a.md", "r/s/a.md", "r/s/t/b.md", "r/u/c.md"}, []string{"r/*.md: r/u/c.md", "r/s/*.md: r/s/t/b.md"}},
		{`"r/*.md"`, []string{"r/a.md", "r/node_modules/b.md", "r/.x/c.md", "r/dist/d.md"}, nil},
	} {
		fsys := testproject.Of("prompts.yaml", "artifacts: r/dist\nsources:\n  s: {path: "+tc.paths+"}\n")
		for _, name := range tc.files {
			fsys[name] = &fstest.MapFile{Data: []byte(name)}
		}
		tree, _ := runOn(t, fsys)
		if diff := cmp.Diff(tc.want, unreadOf(tree)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.paths, diff)
		}
	}
}

// TestRulesBesideThoseNamedOneByOneAreNoted holds that a folder of rules is one
// whose rules are named in any source, and that other kinds say nothing.
func TestRulesBesideThoseNamedOneByOneAreNoted(t *testing.T) {
	for _, tc := range []struct{ sources, want string }{
		{`{a: {kind: rules, path: r/a.mdc}, b: {kind: rules, path: r/b.mdc}}`, "r/a.mdc: r/c.mdc"},
		{`{a: {kind: rules, path: r/a.mdc}}`, ""},
		{`{a: {kind: rules, path: [r/a.mdc, r/a.mdc]}}`, ""},
		{`{a: {path: [r/a.mdc, r/b.mdc]}}`, ""},
		{`{a: {kind: rules, path: [a.mdc, b.mdc]}}`, ""},
		{`{a: {kind: rules, path: [r/a.mdc, r/b.mdc]}, c: {path: "r/**/*.mdc"}}`, ""},
	} {
		fsys := testproject.Of("prompts.yaml", "sources: "+tc.sources+"\n")
		for _, name := range []string{"a.mdc", "b.mdc", "c.mdc", "r/a.mdc", "r/b.mdc", "r/c.mdc", "r/d.txt", "r/s/e.mdc"} {
			fsys[name] = &fstest.MapFile{Data: []byte(name)}
		}
		tree, _ := runOn(t, fsys)
		if got := strings.Join(unreadOf(tree), "; "); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.sources, got, tc.want)
		}
	}
}

func TestLinksBesideAPatternAreFilesOnce(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	fsys := testproject.From(map[string]string{
		"prompts.yaml": `sources: {s: {path: "r/*.md"}}`, "r/a.md": "A", "docs/b.md": "B", "docs/c/d.md": "D",
	})
	fsys["r/in/same.md"] = link("../a.md")
	fsys["r/in/other.md"] = link("../../docs/b.md")
	fsys["r/in/nothing.md"] = link("gone.md")
	fsys["r/in/out.md"] = link("../../../x.md")
	fsys["r/in/folder"] = link("../../docs/c")
	fsys["r/in/loop"] = link("..")
	tree, found := runOn(t, fsys)
	if diff := cmp.Diff([]string{"r/*.md: r/in/other.md"}, unreadOf(tree)); diff != "" || len(found) > 0 {
		t.Error(diff, found)
	}
}

// shut is a file system with a folder that cannot be read.
type shut struct {
	fstest.MapFS
	folder string
}

func (s shut) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == s.folder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	return s.MapFS.ReadDir(name)
}

// TestWhatCannotBeLookedAtEndsNoRun holds that files which no prompt needs are
// no reason to fail, and that nothing is claimed of them.
func TestWhatCannotBeLookedAtEndsNoRun(t *testing.T) {
	fsys := testproject.From(map[string]string{"prompts.yaml": `sources: {s: {path: "r/*.md"}}`, "r/a.md": "A", "r/b/c.md": "C", "r/d/e.md": "E"})
	tree, found := runOn(t, shut{fsys, "r/d"})
	if diff := cmp.Diff([]string{"r/*.md: partial"}, unreadOf(tree)); diff != "" || len(found) > 0 {
		t.Error(diff, found)
	}
	for i := range 10_002 {
		fsys[fmt.Sprintf("r/b/%d.md", i)] = &fstest.MapFile{}
	}
	tree, found = runOn(t, fsys)
	if diff := cmp.Diff([]string{"r/*.md: partial"}, unreadOf(tree)); diff != "" || len(found) > 0 {
		t.Error(diff, found)
	}
}

func TestInputsAreSummedUpAndNeverRead(t *testing.T) {
	sums := func(text string) []language.FileSum {
		tree, found := runOn(t, testproject.From(map[string]string{
			"prompts.yaml": `prompts: {p: {rendered: {path: "t/*.md", from: ["app/**", x.bin]}}}`,
			"t/a.md":       "A", "app/b/c.j2": text, "x.bin": "\xff\x00",
		}))
		if len(found) > 0 {
			t.Fatal(found)
		}
		spec, _ := validate.Run(tree)
		return tree.InputsOf(spec.Prompts[0].Rendered)
	}
	lf, crlf, other := sums("a\nb\n"), sums("a\r\nb\r\n"), sums("a\nc\n")
	if len(lf) != 2 || lf[0].Path != "app/b/c.j2" || lf[1].Path != "x.bin" {
		t.Fatal(lf)
	}
	if diff := cmp.Diff(lf, crlf); diff != "" {
		t.Errorf("line ends count: %s", diff)
	}
	if lf[0].SHA256 == other[0].SHA256 || lf[1].SHA256 != other[1].SHA256 {
		t.Errorf("%v, %v", lf, other)
	}
}

func TestAnInputThatIsNotThereIsAnError(t *testing.T) {
	for from, want := range map[string]string{
		"app/*.j3": `"app/*.j3" matches no file`, "ap/a.j2": `"ap/a.j2" matches no file`,
		"../a": "leaves its folder", "app/A.j2": "differs", "app/[": "is not a pattern", "": "empty",
	} {
		fsys := testproject.From(map[string]string{
			"prompts.yaml": fmt.Sprintf("prompts: {p: {rendered: {path: \"t/*.md\", from: [%q]}}}", from),
			"t/a.md":       "A", "app/a.j2": "x",
		})
		_, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
		if err != nil || len(found) != 1 || found[0].Level != diag.Error || found[0].Hint.Key == "" || !strings.Contains(wording.Message(found[0]), want) {
			t.Errorf("%q: want %q, got %v %v", from, want, wording.Message(found[0]), err)
		}
	}
}
