package git_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

func TestRefsThatNameNothing(t *testing.T) {
	r := newRepo(t)
	r.commit("first", map[string]string{"a/f": "x"})
	r.git("branch", "first")
	r.commit("second", map[string]string{"a/f": "y"})
	r.git("branch", "old")
	id := r.commit("one", map[string]string{"a/f": "x"})
	r.git("branch", "feature/login")
	r.git("update-ref", "refs/remotes/origin/release", id)
	r.git("tag", "-a", "-m", "of a file", "note", "HEAD:a/f")
	tests := []struct{ ref, words string }{
		{"mian", `"mian" names no commit` + "\n" + `did you mean "main"?`},
		{"mian~2", `did you mean "main"?`},
		{"release", `did you mean "origin/release"?`},
		{"upstream/main", `did you mean "main"?`},
		{"feature/logn", `did you mean "feature/login"?`},
		{"zzz", "git branch --all"},
		{"HEDA", `did you mean "HEAD"?`},
		{"head", `did you mean "HEAD"?`},
		{"HAED~1", `did you mean "HEAD"?`},
		{"origni/release", `did you mean "origin/release"?`},
		{"origni/main", `did you mean "main"?`},
		{"origin/relase", `did you mean "origin/release"?`},
		{"HEAD~7", `"HEAD" is there, but not "~7"`},
		{"main~3", `"main" is there, but not "~3"`},
		{"main~1~1~1", `"main" is there, but not "~1~1~1"`},
		{"main^2", `"main" is there, but not "^2"`},
		{"main~99999999999", `"main" is there, but not`},
		{"old~2", `"old" is there, but not "~2"`},
		{"first^", `"first" is there, but not "^": git reflog`},
		{id + "~7", "git branch --all"},
		{"HEAD@{9}", "git branch --all"},
		{"@{9}", "git branch --all"},
		{"HEAD^{tag}", `"HEAD" is there, but not "^{tag}"`},
		{"HEAD^{/nothing like it}", `is there, but not`},
		{"@{u}", "no upstream"},
		{"", `"" names no commit`},
		{"a\nb", `"a\nb" names no commit`},
		{"a\x00b", "names no commit"},
		{"HEAD..main", "for a range"},
		{"HEAD...main", "for a range"},
		{"^HEAD", "not a range"},
		{"--all", "names no commit"},
		{"--help", "names no commit"},
		{"-", "names no commit"},
		{"-C/", "names no commit"},
		{"$(touch x)", "names no commit"},
		{":/nothing like it", "names no commit"},
		{"HEAD:a", `"HEAD:a" names a path`},
		{"HEAD:", "names a path"},
		{":a/f", "names a path"},
		{"HEAD^{/one}:a", "names a path"},
		{r.git("rev-parse", "HEAD:a/f"), "names a file"},
		{"note", "names a file"},
		{strings.Repeat("a", 40), "git fetch"},
		{strings.Repeat("long", 5000), "…"},
		{"\xff\xfe", "names no commit"},
	}
	repository := r.open("")
	for _, test := range tests {
		_, err := repository.Tree(test.ref)
		refused(t, err, git.UnknownRef, strings.Split(test.words, "\n")...)
		_, err = repository.MergeBase("HEAD", test.ref)
		refused(t, err, git.UnknownRef)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "x")); err == nil {
		t.Error("a ref was run by a shell")
	}
}

func TestRepositoriesWithoutACommit(t *testing.T) {
	r := newRepo(t)
	r.write(map[string]string{"a.md": "a"})
	r.git("add", "a.md")
	repository := r.open("")
	for _, ref := range []string{"HEAD", "@", "HEAD~1", "main", "@{u}x", "origin/main"} {
		_, err := repository.Tree(ref)
		refused(t, err, git.NoCommit, "there is none yet")
	}
	_, err := repository.MergeBase("HEAD", "main")
	refused(t, err, git.NoCommit)
	same(t, index(t, repository), map[string]string{"a.md": "a"})

	// On a new branch without commits, others can be named.
	r.commit("one", nil)
	r.git("switch", "-q", "--orphan", "next")
	_, err = r.open("").Tree("HEAD")
	refused(t, err, git.NoCommit)
	_, err = r.open("").Tree("mian")
	refused(t, err, git.UnknownRef, `did you mean "main"?`)
	same(t, tree(t, r.open(""), "main"), map[string]string{"a.md": "a"})
}

func TestFoldersThatAreInNoRepository(t *testing.T) {
	r := newRepo(t)
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	_, err := git.Open(t.Context(), outside)
	refused(t, err, git.NotRepository, "is not in a git repository", "git init")
	_, err = git.Open(t.Context(), filepath.Join(outside, "gone"))
	refused(t, err, git.NotRepository, "no folder")
	_, err = git.Open(t.Context(), filepath.Join(r.dir, ".git"))
	refused(t, err, git.NotRepository, "not in a work tree")
	r.git("init", "-q", "--bare", filepath.Join(outside, "bare.git"))
	_, err = git.Open(t.Context(), filepath.Join(outside, "bare.git", "refs"))
	refused(t, err, git.NotRepository, "is in a bare repository", "in a checkout")
	_, err = git.Open(t.Context(), "-C")
	refused(t, err, git.NotRepository, "no folder")
	t.Setenv("PATH", outside)
	_, err = git.Open(t.Context(), r.dir)
	refused(t, err, git.NoProgram, "install git")
}

func TestRepositoriesOfOthersAreNotRead(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own tests do it so
	_, err := git.Open(t.Context(), r.dir)
	refused(t, err, git.Untrusted, "git config --global --add safe.directory "+r.dir)
}

func TestBrokenConfigurationIsQuoted(t *testing.T) {
	r := newRepo(t)
	r.write(map[string]string{".git/config": "[core\n"})
	_, err := git.Open(t.Context(), r.dir)
	refused(t, err, git.Failed, `git could not read the repository: it says "bad config line`)
}

func TestShallowClonesSayHowToFetch(t *testing.T) {
	r := newRepo(t)
	for i := range 3 {
		r.commit("next", map[string]string{"n": strconv.Itoa(i)})
	}
	r.git("branch", "release")
	clone := repo{t, filepath.Join(t.TempDir(), "clone")}
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, clone.dir)
	repository := clone.open("")
	same(t, tree(t, repository, "HEAD"), map[string]string{"n": "2"})
	old := r.git("rev-parse", "HEAD~2")
	for _, ref := range []string{"HEAD~1", "main~1", "HEAD~2^2", "origin/release", "release", "mian", old, "$(touch)"} {
		_, err := repository.Tree(ref)
		refused(t, err, git.UnknownRef, "the clone is shallow: git fetch --unshallow origin ", "fetch-depth: 0")
	}
	clone.git("fetch", "-q", "--depth=1", "origin", "release:refs/remotes/origin/release")
	same(t, tree(t, repository, "origin/release"), map[string]string{"n": "2"})
	clone.git("fetch", "-q", "--depth=1", "origin", old)
	_, err := repository.MergeBase("HEAD", old)
	refused(t, err, git.NoMergeBase, "the clone is shallow", "git fetch --unshallow")
}

func TestPartialClonesFetchNothing(t *testing.T) {
	r := newRepo(t)
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	r.commit("one", map[string]string{"a.md": "a", "b.md": "b"})
	for _, filter := range []string{"blob:none", "tree:0"} {
		clone := repo{t, filepath.Join(t.TempDir(), "clone")}
		r.git("clone", "-q", "--no-checkout", "--filter="+filter, "file://"+r.dir, clone.dir)
		fsys, err := clone.open("").Tree("HEAD")
		if filter == "tree:0" {
			refused(t, err, git.MissingObject, "the clone is partial", "git fetch --refetch --no-filter")
			_, err = clone.open("").LastChange("a.md")
			refused(t, err, git.MissingObject, "the clone is partial", "git fetch --refetch --no-filter")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		closeLater(t, fsys)
		for range 2 {
			_, err = fs.ReadFile(fsys, "a.md")
			refused(t, err, git.MissingObject, "the clone is partial", "git fetch --refetch --no-filter")
		}
		if objects := clone.git("count-objects", "-v"); !strings.Contains(objects, "in-pack: 2\n") {
			t.Errorf("something was fetched: %s", objects)
		}
		clone.git("fetch", "-q", "--refetch", "--no-filter")
		same(t, tree(t, clone.open(""), "HEAD"), map[string]string{"a.md": "a", "b.md": "b"})
	}
}

func TestObjectsThatAreGoneOrDamaged(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"a.md": "gone", "b.md": "damaged", "c.md": "well"})
	object := func(spec string) string {
		id := r.git("rev-parse", spec)
		return filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
	}
	fsys := tree(t, r.open(""), "HEAD")
	if err := os.Remove(object("HEAD:a.md")); err != nil {
		t.Fatal(err)
	}
	damaged := object("HEAD:b.md")
	if err := errors.Join(os.Chmod(damaged, 0o644), os.WriteFile(damaged, []byte("rubbish"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := fs.ReadFile(fsys, "a.md")
		refused(t, err, git.MissingObject, "is missing from the repository", "git fsck")
		_, err = fs.ReadFile(fsys, "b.md")
		if _, ok := errors.AsType[*git.Error](err); !ok {
			t.Errorf("a damaged object: %v", err)
		}
		if data, err := fs.ReadFile(fsys, "c.md"); string(data) != "well" || err != nil {
			t.Errorf("what is well: %q, %v", data, err)
		}
	}
	if err := os.Remove(object("HEAD^{tree}")); err != nil {
		t.Fatal(err)
	}
	_, err := r.open("").Tree("HEAD")
	refused(t, err, git.MissingObject, `a part of "HEAD" is missing`)
}

func TestLargeFilesAreNotReadWhole(t *testing.T) {
	r := newRepo(t)
	const limit = 16 << 20
	r.commit("one", map[string]string{"big": strings.Repeat("x", limit+1), "full": strings.Repeat("y", limit), "small": "s"})
	fsys := tree(t, r.open(""), "HEAD")
	_, err := fs.ReadFile(fsys, "big")
	refused(t, err, git.TooLarge, "larger than 16 MiB")
	if data, err := fs.ReadFile(fsys, "full"); len(data) != limit || err != nil {
		t.Errorf("a file of the limit: %d bytes, %v", len(data), err)
	}
	f, err := fsys.Open("big")
	if err != nil {
		t.Fatal(err)
	}
	// Whoever stops earlier, as load does, can tell by the length.
	if data, err := io.ReadAll(io.LimitReader(f, 1<<20+1)); len(data) != 1<<20+1 || err != nil {
		t.Errorf("the start of a large file: %d bytes, %v", len(data), err)
	}
	_, err = io.ReadAll(f)
	refused(t, err, git.TooLarge)
	if data, err := fs.ReadFile(fsys, "small"); string(data) != "s" || err != nil {
		t.Errorf("after it: %q, %v", data, err)
	}
	if err := fsys.Close(); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(fsys, "small"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLinksStayInTheFolder(t *testing.T) {
	r := newRepo(t)
	r.link(map[string]string{
		"in/up.md": "../../x.md", "in/out.md": "../top.md", "in/abs": "/etc/passwd", "in/loop": "loop2", "in/loop2": "loop",
		"in/gone": "nothing", "in/ok.md": "./d/../a.md", "in/way": "d", "in/odd": "\xff", "in/self": ".",
	})
	r.commit("one", map[string]string{"in/a.md": "a", "in/d/b.md": "b", "top.md": "t"})
	fsys := tree(t, r.open("in"), "HEAD")
	for name, want := range map[string]error{
		"up.md": load.ErrEscapes, "out.md": load.ErrEscapes, "abs": load.ErrEscapes, "abs/x": load.ErrEscapes,
		"gone": fs.ErrNotExist, "odd": fs.ErrInvalid, "a.md/x": fs.ErrNotExist, "../top.md": fs.ErrInvalid, "d/c": fs.ErrNotExist,
	} {
		if _, err := fsys.Stat(name); !errors.Is(err, want) {
			t.Errorf("Stat(%s): %v, want %v", name, err, want)
		}
		if _, err := fs.ReadFile(fsys, name); !errors.Is(err, want) {
			t.Errorf("ReadFile(%s): %v, want %v", name, err, want)
		}
	}
	if _, err := fsys.Open("loop"); err == nil || !strings.Contains(err.Error(), "link-to-itself") {
		t.Errorf("a circle: %v", err)
	}
	for name, want := range map[string]string{"ok.md": "a", "way/b.md": "b", "self/self/way/b.md": "b"} {
		if data, err := fs.ReadFile(fsys, name); string(data) != want || err != nil {
			t.Errorf("ReadFile(%s): %q, %v", name, data, err)
		}
	}
	if st, err := fsys.Lstat("self/way"); err != nil || st.Mode().Type() != fs.ModeSymlink || st.Name() != "way" {
		t.Errorf("Lstat through a link: %v, %v", st, err)
	}
	if got, err := fsys.ReadLink("self/ok.md"); got != "./d/../a.md" || err != nil {
		t.Errorf("ReadLink: %q, %v", got, err)
	}
	if _, err := fsys.ReadLink("a.md"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("ReadLink of a file: %v", err)
	}
}
