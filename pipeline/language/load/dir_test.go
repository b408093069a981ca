package load_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
)

// folder writes files below a temporary folder and opens it.
func folder(t *testing.T, texts map[string]string) (string, fs.FS) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, open(t, dir)
}

// open opens a folder for the time of a test.
func open(t *testing.T, dir string) fs.FS {
	t.Helper()
	fsys, err := load.Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := fsys.(io.Closer); ok {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return fsys
}

// link makes symbolic links, or skips the test where there are none.
func link(t *testing.T, dir string, links map[string]string) {
	t.Helper()
	for name, target := range links {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
}

func TestDirIsAFileSystem(t *testing.T) {
	_, fsys := folder(t, map[string]string{"a.md": "a", "b/c.md": "c", "b/d/e.md": "e"})
	if err := fstest.TestFS(fsys, "a.md", "b/c.md", "b/d/e.md"); err != nil {
		t.Error(err)
	}
	if _, err := load.Dir(filepath.Join(t.TempDir(), "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestDirTellsEscapesApart(t *testing.T) {
	outside := t.TempDir()
	dir, fsys := folder(t, map[string]string{"in/a.md": "a"})
	link(t, dir, map[string]string{
		"up.md": "../x.md", "abs.md": filepath.Join(outside, "x.md"), "self.md": filepath.Join(dir, "in", "a.md"),
		"dir": outside, "in/far": "../../y", "gone.md": "nothing.md", "loop": "loop2", "loop2": "loop",
		"ok.md": "in/a.md", "in/ok.md": "../in/../in/a.md", "alias": "in",
	})
	tests := map[string]error{
		"up.md": load.ErrEscapes, "abs.md": load.ErrEscapes, "self.md": load.ErrEscapes, "dir/x.md": load.ErrEscapes,
		"in/far": load.ErrEscapes, "gone.md": fs.ErrNotExist, "a/../b": fs.ErrInvalid, "/a": fs.ErrInvalid,
		"in/a.md/x": fs.ErrNotExist, "ok.md": nil, "in/ok.md": nil, "alias/a.md": nil, "alias/ok.md": nil,
	}
	for name, want := range tests {
		data, err := fs.ReadFile(fsys, name)
		if !errors.Is(err, want) || want == nil && string(data) != "a" {
			t.Errorf("%s: %q, %v, want %v", name, data, err, want)
		}
	}
	if _, err := fs.Stat(fsys, "loop"); err == nil || !strings.Contains(err.Error(), "link-to-itself") {
		t.Errorf("loop: %v", err)
	}
}

func TestLinksInsideTheFolder(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": `sources:
  a: {kind: text, path: "*.md"}
  b: {kind: skills, path: "skills/*/SKILL.md"}
  c: {kind: text, path: "docs/**/*.md"}
  d: {kind: context, path: w/x}
`,
		"AGENTS.md": "top", "store/s/SKILL.md": "---\nname: s\n---\n", "docs/a.md": "a", "docs/d/b.md": "b", "w/AGENTS.md": "w", "w/x/y": "",
	})
	link(t, dir, map[string]string{
		"CLAUDE.md": "AGENTS.md", "skills": "store", "docs/d/up": "..", "docs/d/top": "../../docs", "docs/e": "d",
		"docs/f/g": "../h", "docs/h/f": "../f", "w/x/CLAUDE.md": "../AGENTS.md", "w/x/.claude/rules/r.md": "../../../../AGENTS.md",
	})
	tree, found := runOn(t, fsys)
	if len(found) > 0 {
		t.Fatal(lines(found))
	}
	want := `*.md text = AGENTS.md CLAUDE.md
docs/**/*.md text = docs/a.md docs/d/b.md docs/e/b.md
skills/*/SKILL.md skills = skills/s/SKILL.md
w/x from . false = CLAUDE.md w/AGENTS.md
`
	if d := cmp.Diff(want, matched(tree)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	leads := map[string]string{}
	for _, docs := range tree.Matches {
		for _, doc := range docs {
			leads[doc.File.Path] = doc.Real
		}
	}
	for name, want := range map[string]string{"CLAUDE.md": "AGENTS.md", "AGENTS.md": "AGENTS.md", "skills/s/SKILL.md": "store/s/SKILL.md", "docs/e/b.md": "docs/d/b.md"} {
		if leads[name] != want {
			t.Errorf("%s leads to %q, want %q", name, leads[name], want)
		}
	}
}

func TestLinksThatLeadElsewhereAreFoundAtThePath(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.md"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": `sources:
  a: {kind: text, path: out.md}
  b: {kind: text, path: far/x.md}
  c: {kind: text, path: "g/*.md"}
  d: {kind: text, path: "h/*/x.md"}
  e: {kind: text, path: "i/**/*.md"}
  f: {kind: text, path: gone.md}
  g: {kind: text, path: loop.md}
  h: {kind: context, path: far}
  i: {kind: context, path: w}
  j: {kind: text, path: g, fallback: [far]}
`,
		"g/ok.md": "x", "h/a/x.md": "x", "i/ok.md": "x", "w/x": "",
	})
	link(t, dir, map[string]string{
		"out.md": filepath.Join(outside, "x.md"), "far": outside, "g/out.md": "../../x.md", "g/gone.md": "nothing", "g/skip.txt": "nothing",
		"h/far": outside, "i/far": outside, "gone.md": "nothing", "loop.md": "loop.md", "w/CLAUDE.md": filepath.Join(outside, "x.md"),
	})
	_, found := runOn(t, fsys)
	const leaves = "leaves the manifest's folder through a symbolic link"
	want := strings.Join([]string{
		`prompts.yaml:2:25: error[PC1017]: "out.md" ` + leaves,
		`prompts.yaml:3:25: error[PC1017]: "far/x.md" ` + leaves,
		`prompts.yaml:4:25: error[PC1017]: "g/out.md" ` + leaves,
		`prompts.yaml:4:25: error[PC1018]: "g/gone.md" is a symbolic link that leads nowhere`,
		`prompts.yaml:5:25: error[PC1017]: "h/far" ` + leaves,
		`prompts.yaml:6:25: note[PC1017]: not looked into: "i/far", which ` + leaves,
		`prompts.yaml:7:25: error[PC1018]: "gone.md" is a symbolic link that leads nowhere`,
		`prompts.yaml:8:25: error[PC1018]: "loop.md" is a symbolic link that leads back to itself`,
		`prompts.yaml:9:28: error[PC1017]: "far" ` + leaves,
		`prompts.yaml:10:28: error[PC1017]: "w/CLAUDE.md" ` + leaves,
		`prompts.yaml:11:25: error[PC1018]: "g" is a folder`,
		`prompts.yaml:11:39: error[PC1017]: "far" ` + leaves,
	}, "\n") + "\n"
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"prompts.yaml", "sub/x/y", "yml/prompts.yml", "yml/sub/z", "repo/.git/HEAD", "repo/sub/z", "both/prompts.yaml", "both/prompts.yml", "both/sub/z",
		"root/.git", "root/prompts.yaml", "root/sub/z",
	} {
		write(name)
	}
	tests := map[string]struct{ dir, name string }{
		".": {".", "prompts.yaml"}, "sub/x": {".", "prompts.yaml"}, "yml/sub": {"yml", "prompts.yml"}, "root/sub": {"root", "prompts.yaml"},
	}
	for start, want := range tests {
		got, name, err := load.Find(filepath.Join(dir, filepath.FromSlash(start)))
		if err != nil || got != filepath.Join(dir, want.dir) || name != want.name {
			t.Errorf("from %s: %s, %s, %v", start, got, name, err)
		}
	}
	if _, _, err := load.Find(filepath.Join(dir, "repo", "sub")); !errors.Is(err, load.ErrNoManifest) {
		t.Errorf("above the repository: %v", err)
	}
	if _, _, err := load.Find(filepath.Join(dir, "both", "sub")); err == nil || errors.Is(err, load.ErrNoManifest) || !strings.Contains(err.Error(), "prompts.yml") {
		t.Errorf("with both names: %v", err)
	}
	if _, _, err := load.Find(filepath.Join(dir, "gone")); err == nil {
		t.Error("from a folder that is not there: no error")
	}
}

func TestDirHidesWhatGitKeeps(t *testing.T) {
	dir, fsys := folder(t, map[string]string{".git/config": "secret", "sub/.git": "secret", "sub/a.md": "a", "sub/.gitignore": "i"})
	link(t, dir, map[string]string{"conf": ".git/config", "meta": "sub/../.git", "far": "meta/config"})
	for range 2 { // the second time, it knows the folders
		var listed []string
		for _, name := range []string{".", "sub"} {
			entries, err := fs.ReadDir(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				listed = append(listed, e.Name())
			}
		}
		if diff := cmp.Diff([]string{"conf", "far", "meta", "sub", ".gitignore", "a.md"}, listed); diff != "" {
			t.Errorf("listed (-want +got):\n%s", diff)
		}
		for _, name := range []string{".git", ".git/config", ".GIT/config", "git~1/config", ".git./config", "sub/.git", "sub/.g\u200cit", "meta", "meta/config", "conf", "far"} {
			if _, err := fs.ReadFile(fsys, name); !errors.Is(err, load.ErrGit) {
				t.Errorf("read %s: %v", name, err)
			}
			if _, err := fs.Stat(fsys, name); !errors.Is(err, load.ErrGit) {
				t.Errorf("stat %s: %v", name, err)
			}
			if _, err := fs.ReadDir(fsys, name); !errors.Is(err, load.ErrGit) {
				t.Errorf("list %s: %v", name, err)
			}
		}
		for _, name := range []string{".git", ".git/config", "sub/.git"} {
			if _, err := fs.Lstat(fsys, name); !errors.Is(err, load.ErrGit) {
				t.Errorf("lstat %s: %v", name, err)
			}
		}
	}
}
