package git_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// repo is a repository of a test.
type repo struct {
	t   *testing.T
	dir string
}

// newRepo makes a repository without a commit, or skips the test where there is
// no git. No configuration but its own counts.
func newRepo(t *testing.T, options ...string) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("no git here: %v", err)
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "") // brings it back afterwards
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
		t.Setenv("GIT_"+who+"_DATE", "2026-01-02T03:04:05Z")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repo{t, filepath.Join(dir, "repo")}
	r.git(append([]string{"-C", dir, "init", "-q", "-b", "main", "repo"}, options...)...)
	return r
}

// git runs git in the repository and gives what it prints.
func (r repo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (r repo) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	if _, err := os.Stat(r.dir); err == nil {
		cmd.Dir = r.dir
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// write writes files and adds nothing.
func (r repo) write(texts map[string]string) {
	r.t.Helper()
	for name, text := range texts {
		at := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// link makes symbolic links, or skips the test where there are none.
func (r repo) link(links map[string]string) {
	r.t.Helper()
	for name, target := range links {
		at := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.Symlink(target, at); err != nil {
			r.t.Skipf("no symbolic links here: %v", err)
		}
	}
}

// commit commits all files, and gives the id.
func (r repo) commit(message string, texts map[string]string) string {
	r.t.Helper()
	r.write(texts)
	r.git("add", "--all")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// open opens a folder of the repository, "" for its top.
func (r repo) open(sub string) *git.Repository {
	r.t.Helper()
	return opened(r.t, filepath.Join(r.dir, sub))
}

func opened(t *testing.T, dir string) *git.Repository {
	t.Helper()
	out, err := git.Open(context.WithoutCancel(t.Context()), dir) // it is closed behind the test
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return out
}

// tree gives a ref's tree, closed at the end of the test.
func tree(t *testing.T, r *git.Repository, ref string) *git.Tree {
	t.Helper()
	out, err := r.Tree(ref)
	if err != nil {
		t.Fatalf("Tree(%q): %v", ref, err)
	}
	closeLater(t, out)
	return out
}

func index(t *testing.T, r *git.Repository) *git.Tree {
	t.Helper()
	out, err := r.Index()
	if err != nil {
		t.Fatalf("Index: %v", err)
	}
	closeLater(t, out)
	return out
}

func closeLater(t *testing.T, tree *git.Tree) {
	t.Helper()
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

// contents gives everything that a file system holds: texts of files, targets
// of links, and a slash for folders that are empty.
func contents(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			entries, err := fs.ReadDir(fsys, p)
			if len(entries) == 0 && p != "." {
				out[p] = "/"
			}
			return err
		case d.Type() == fs.ModeSymlink:
			target, err := fs.ReadLink(fsys, p)
			out[p] = "-> " + target
			return err
		default:
			data, err := fs.ReadFile(fsys, p)
			out[p] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares what a file system holds.
func same(t *testing.T, fsys fs.FS, want map[string]string) {
	t.Helper()
	if d := cmp.Diff(want, contents(t, fsys)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// refused asserts the kind of an error, and words of its message and hint.
func refused(t *testing.T, err error, kind git.Kind, words ...string) {
	t.Helper()
	e, ok := errors.AsType[*git.Error](err)
	if !ok {
		t.Errorf("error %v, want an *Error", err)
		return
	}
	fact, hint := wording.Text(e.Fact), wording.Text(e.Hint)
	if e.Kind != kind {
		t.Errorf("error of kind %d, want %d: %s", e.Kind, kind, fact)
	}
	for _, w := range words {
		if !strings.Contains(fact+"\n"+hint, w) {
			t.Errorf("%q with the hint %q does not say %q", fact, hint, w)
		}
	}
	if strings.ContainsAny(fact+hint, "\n\r\x1b") {
		t.Errorf("%q is more than a line", fact+hint)
	}
}

func TestTreeIsAFileSystem(t *testing.T) {
	r := newRepo(t)
	r.link(map[string]string{"d/link.md": "../a.md", "alias": "d"})
	r.commit("one", map[string]string{"a.md": "a", "d/b.md": "b\n", "d/e/c.md": "", "run.sh": "x"})
	r.git("update-index", "--chmod=+x", "run.sh")
	repository := r.open("")
	for name, fsys := range map[string]*git.Tree{"tree": tree(t, repository, "HEAD"), "index": index(t, repository)} {
		if err := fstest.TestFS(fsys, "a.md", "d/b.md", "d/e/c.md", "d/link.md", "alias", "run.sh"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if st, err := index(t, repository).Stat("run.sh"); err != nil || st.Mode() != 0o555 {
		t.Errorf("the mode of a program: %v, %v", st, err)
	}
	if got := tree(t, repository, "HEAD").Name(); got != r.git("rev-parse", "--short", "HEAD") {
		t.Errorf("the tree is called %q", got)
	}
	if got := index(t, repository).Name(); got != "" {
		t.Errorf("the index is called %q", got)
	}
}

func TestTreesOfEveryForm(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := newRepo(t, "--object-format="+format)
			ids := []string{r.commit("first", map[string]string{"n": "1"})}
			r.git("tag", "-a", "-m", "a tag", "v1")
			ids = append(ids, r.commit("second: with {a colon}", map[string]string{"n": "2"}))
			r.git("tag", "-a", "-m", "of a tag", "v1-again", "v1")
			r.git("tag", "light")
			ids = append(ids, r.commit("third", map[string]string{"n": "3"}))
			r.git("branch", "--track", "topic/x", "main")
			r.git("switch", "-q", "topic/x")
			r.commit("fourth", map[string]string{"n": "4"})
			r.git("update-ref", "refs/heads/-n", ids[0])
			r.git("update-ref", "refs/heads/$(touch${IFS}x)", ids[0])
			repository := r.open("")
			for ref, want := range map[string]string{
				"HEAD": "4", "@": "4", "topic/x": "4", "heads/topic/x": "4", "refs/heads/main": "3", "main": "3",
				"v1": "1", "v1^{}": "1", "v1^{commit}": "1", "v1-again": "1", "light": "2", "tags/light": "2",
				"HEAD~3": "1", "HEAD^": "3", "main^^": "1", "@{u}": "3", "@{upstream}~1": "2", "main@{0}": "3", "@{-1}": "3",
				"HEAD@{2021-01-01 10:00:00}": "1",
				ids[0]:                       "1", ids[1][:9]: "2", "main^{tree}": "3", "main-0-g" + ids[2][:9]: "3",
				":/first": "1", ":/second: with": "2", "HEAD^{/second: with}": "2", "-n": "1", "refs/heads/-n": "1", "$(touch${IFS}x)": "1",
				r.git("rev-parse", "main^{tree}"): "3",
			} {
				got, err := repository.Tree(ref)
				if err != nil {
					t.Errorf("Tree(%q): %v", ref, err)
					continue
				}
				if data, err := fs.ReadFile(got, "n"); err != nil || string(data) != want {
					t.Errorf("Tree(%q) has %q, %v; want %q", ref, data, err, want)
				}
				if err := got.Close(); err != nil || got.Name() == "" || len(got.Name()) > 12 {
					t.Errorf("Tree(%q) is called %q, %v", ref, got.Name(), err)
				}
			}
		})
	}
}

func TestFoldersOfARepository(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"a/b c/x": "old", "top": "t"})
	r.commit("two", map[string]string{"a/b c/x": "new", "a/b c/d/y": "y", ":(glob)*/z": "z"})
	sub := filepath.Join("a", "b c")
	same(t, tree(t, r.open(sub), "HEAD~1"), map[string]string{"x": "old"})
	same(t, tree(t, r.open(sub), "HEAD"), map[string]string{"x": "new", "d/y": "y"})
	same(t, index(t, r.open(sub)), map[string]string{"x": "new", "d/y": "y"})
	same(t, index(t, r.open(filepath.Join(sub, "d"))), map[string]string{"y": "y"})
	same(t, tree(t, r.open(filepath.Join(sub, "d")), "HEAD~1"), map[string]string{})
	same(t, tree(t, r.open(":(glob)*"), "HEAD"), map[string]string{"z": "z"})
	same(t, index(t, r.open(":(glob)*")), map[string]string{"z": "z"})

	// A folder that is not in git at all, and a link to one that is.
	if err := os.Mkdir(filepath.Join(r.dir, "new"), 0o755); err != nil {
		t.Fatal(err)
	}
	same(t, tree(t, r.open("new"), "HEAD"), map[string]string{})
	same(t, index(t, r.open("new")), map[string]string{})
	r.link(map[string]string{"way": "a"})
	same(t, tree(t, r.open("way"), "HEAD~1"), map[string]string{"b c/x": "old"})

	// What was a file is no folder.
	r.git("rm", "-q", "--cached", "top")
	if err := os.Remove(filepath.Join(r.dir, "top")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"top/x": "x"})
	same(t, tree(t, r.open("top"), "HEAD"), map[string]string{})
}

func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	base := r.commit("base", map[string]string{"a": "a"})
	r.git("switch", "-q", "-c", "topic")
	r.commit("topic", map[string]string{"b": "b"})
	r.git("tag", "-a", "-m", "tagged", "v1")
	r.git("switch", "-q", "main")
	r.commit("main", map[string]string{"c": "c"})
	for _, ref := range []string{"topic", "v1", "HEAD~1", base[:8]} {
		if got, err := r.open("").MergeBase("HEAD", ref); err != nil || got != base {
			t.Errorf("MergeBase(%s) = %s, %v, want %s", ref, got, err, base)
		}
	}
	r.git("switch", "-q", "--orphan", "island")
	r.commit("island", map[string]string{"d": "d"})
	_, err := r.open("").MergeBase("HEAD", "main")
	refused(t, err, git.NoMergeBase, `HEAD and "main" have no commit in common`, "--base")
	_, err = r.open("").MergeBase("HEAD", "HEAD^{tree}")
	refused(t, err, git.UnknownRef, "names a tree")
	_, err = r.open("").MergeBase("HEAD", "mian")
	refused(t, err, git.UnknownRef, `did you mean "main"?`)
}

func TestLastChangeIsOfAPath(t *testing.T) {
	r := newRepo(t)
	_, err := r.open("").LastChange("out")
	refused(t, err, git.NoCommit)
	first := r.commit("one", map[string]string{"sub/out/a": "1", "sub/role.md": "1", "sub/[o]ut": "1"})
	built := r.commit("two", map[string]string{"sub/out/b": "2", "out/c": "top"})
	r.commit("three", map[string]string{"sub/role.md": "3"})
	r.git("switch", "-q", "-c", "topic", first)
	r.commit("four", map[string]string{"sub/role.md": "1", "sub/other": "4"})
	r.git("merge", "-q", "--no-edit", "main")
	r.write(map[string]string{"sub/out/a": "not committed"})
	for path, want := range map[string]string{"out": built, "out/a": first, "[o]ut": first, "none": "", ":(top)out": ""} {
		if got, err := r.open("sub").LastChange(path); got != want || err != nil {
			t.Errorf("LastChange(%s) = %q, %v, want %q", path, got, err, want)
		}
	}
}

func TestSubmodulesAreEmptyFolders(t *testing.T) {
	other := newRepo(t)
	other.commit("inner", map[string]string{"inner.md": "i"})
	r := newRepo(t)
	r.commit("one", map[string]string{"a.md": "a"})
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.dir, "vendor/sub")
	r.commit("two", nil)
	for name, fsys := range map[string]*git.Tree{"tree": tree(t, r.open(""), "HEAD"), "index": index(t, r.open(""))} {
		got := contents(t, fsys)
		delete(got, ".gitmodules")
		if d := cmp.Diff(map[string]string{"a.md": "a", "vendor/sub": "/"}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if got := fsys.Submodules(); !slices.Equal(got, []string{"vendor/sub"}) {
			t.Errorf("%s: submodules %q", name, got)
		}
	}
	// In the submodule, its own commits count.
	same(t, tree(t, r.open(filepath.Join("vendor", "sub")), "HEAD"), map[string]string{"inner.md": "i"})
	if got := tree(t, r.open("vendor"), "HEAD").Submodules(); !slices.Equal(got, []string{"sub"}) {
		t.Errorf("submodules below a folder: %q", got)
	}
}
