package git_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/world/git"
)

func TestIndexIsWhatWouldBeCommitted(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"changed": "old", "half": "1\n2\n", "gone": "g", "kept": "k", "void": "", "only/here": "x"})
	r.write(map[string]string{"changed": "staged", "half": "staged\n2\n", "new": "n", "later/announced": "not yet", "later/empty": ""})
	r.git("add", "changed", "half", "new", "later/empty")
	r.git("add", "--intent-to-add", "later/announced")
	r.git("rm", "-q", "--cached", "gone", "only/here")
	r.write(map[string]string{"changed": "not staged", "half": "staged\nnot\n", "untracked": "u"})
	if err := os.Remove(filepath.Join(r.dir, "kept")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"changed": "staged", "half": "staged\n2\n", "new": "n", "kept": "k", "void": "", "later/empty": ""}
	same(t, index(t, r.open("")), want)
	same(t, index(t, r.open("later")), map[string]string{"empty": ""})
	r.git("commit", "-q", "-m", "two")
	same(t, tree(t, r.open(""), "HEAD"), want)
}

func TestIndexWithConflictsIsRefused(t *testing.T) {
	r := newRepo(t)
	texts := map[string]string{}
	for i := range 7 {
		texts[fmt.Sprintf("d/%d.md", i)] = "base\n"
	}
	r.commit("base", texts)
	r.git("switch", "-q", "-c", "topic")
	side := func(text string) {
		for name := range texts {
			texts[name] = text
		}
		texts["new "+text[:1]] = text
		r.commit(text, texts)
	}
	side("theirs\n")
	r.git("switch", "-q", "main")
	delete(texts, "new t")
	side("ours\n")
	if out, err := r.try("merge", "topic"); err == nil {
		t.Fatalf("the merge went well: %s", out)
	}
	_, err := r.open("").Index()
	refused(t, err, git.Unmerged, `the index holds conflicts: "d/0.md" and 6 more`, "git add")
	same(t, tree(t, r.open("d"), "HEAD~1"), map[string]string{
		"0.md": "base\n", "1.md": "base\n", "2.md": "base\n", "3.md": "base\n", "4.md": "base\n", "5.md": "base\n", "6.md": "base\n",
	})
	for name := range texts {
		texts[name] = "resolved\n"
	}
	r.write(texts)
	r.git("add", "--all")
	if got := contents(t, index(t, r.open("d")))["3.md"]; got != "resolved\n" {
		t.Errorf("after the merge: %q", got)
	}
}

func TestHooksSayWhereTheIndexIs(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"sub/a": "one"})
	other := newRepo(t)
	other.commit("other", map[string]string{"sub/a": "other"})
	r.write(map[string]string{"sub/a": "next"})
	r.git("add", "sub/a")
	r.git("worktree", "add", "-q", "--detach", filepath.Join(filepath.Dir(r.dir), "linked"))
	linked := repo{t, filepath.Join(filepath.Dir(r.dir), "linked")}

	copyFile(t, filepath.Join(r.dir, ".git", "index"), filepath.Join(r.dir, ".git", "next-index.lock"))
	r.git("reset", "-q", "--hard")
	next, absolute := filepath.Join(".git", "next-index.lock"), filepath.Join(r.dir, ".git", "next-index.lock")
	tests := []struct {
		name      string
		start     string // the folder in which the process runs
		env       map[string]string
		dir, want string
	}{
		{"no variables", r.dir, nil, "sub", "one"},
		{"an index relative to the top", r.dir, map[string]string{"GIT_INDEX_FILE": next}, "sub", "next"},
		{"an absolute index", r.dir, map[string]string{"GIT_INDEX_FILE": absolute}, "sub", "next"},
		{"a relative index, from a subfolder", filepath.Join(r.dir, "sub"), map[string]string{"GIT_INDEX_FILE": next}, ".", "next"},
		{"the index of another repository", r.dir, map[string]string{"GIT_INDEX_FILE": absolute}, filepath.Join(other.dir, "sub"), "other"},
		{"a relative repository", r.dir, map[string]string{"GIT_DIR": ".git", "GIT_INDEX_FILE": next}, "sub", "next"},
		{"a repository and another folder", r.dir, map[string]string{"GIT_DIR": ".git", "GIT_INDEX_FILE": next}, filepath.Join(other.dir, "sub"), "other"},
		{
			"a repository and a work tree", r.dir,
			map[string]string{"GIT_DIR": filepath.Join(r.dir, ".git"), "GIT_WORK_TREE": ".", "GIT_INDEX_FILE": next},
			"sub", "next",
		},
		{"a linked work tree", linked.dir, map[string]string{"GIT_DIR": filepath.Join(r.dir, ".git", "worktrees", "linked"), "GIT_PREFIX": "sub/"}, "sub", "one"},
		{"magic of pathspecs", r.dir, map[string]string{"GIT_ICASE_PATHSPECS": "1", "GIT_GLOB_PATHSPECS": "1"}, "sub", "one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(test.start)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			repository := opened(t, test.dir)
			same(t, index(t, repository), map[string]string{"a": test.want})
			committed := "one"
			if test.want == "other" {
				committed = "other"
			}
			same(t, tree(t, repository, "HEAD"), map[string]string{"a": committed})
		})
	}
	// A repository in the folder of another one is one of its own.
	other.git("clone", "-q", other.dir, filepath.Join(linked.dir, "inner"))
	t.Run("a repository in a linked work tree", func(t *testing.T) {
		t.Chdir(linked.dir)
		t.Setenv("GIT_DIR", filepath.Join(r.dir, ".git", "worktrees", "linked"))
		same(t, index(t, opened(t, filepath.Join("inner", "sub"))), map[string]string{"a": "other"})
	})
	t.Chdir(filepath.Join(r.dir, "sub"))
	t.Setenv("GIT_DIR", ".git")
	_, err := git.Open(t.Context(), ".")
	refused(t, err, git.NotRepository, `GIT_DIR is ".git"`, "unset GIT_DIR")
}

func TestRepositoriesThatAreKeptElsewhere(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"sub/a": "one"})
	bare := filepath.Join(t.TempDir(), "bare.git")
	r.git("clone", "-q", "--bare", r.dir, bare)
	files := filepath.Join(t.TempDir(), "files")
	if err := os.MkdirAll(filepath.Join(files, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Run("a work tree that a variable names", func(t *testing.T) {
		t.Setenv("GIT_DIR", bare)
		t.Setenv("GIT_WORK_TREE", files)
		t.Chdir(files)
		same(t, tree(t, opened(t, "sub"), "HEAD"), map[string]string{"a": "one"})
		same(t, index(t, opened(t, "sub")), map[string]string{})
	})
	t.Run("a hook of a bare repository", func(t *testing.T) {
		t.Setenv("GIT_DIR", ".")
		t.Chdir(bare)
		same(t, tree(t, opened(t, files), "main"), map[string]string{"sub/a": "one"})
	})
}

// A hook is the real thing: git's own variables, in the folder where git starts
// it, for a commit of everything and for one of a single file.
func TestHookSeesTheCommit(t *testing.T) {
	if os.Getenv("PROMPTC_TEST_HOOK") != "" {
		t.Skip("this is the hook")
	}
	r := newRepo(t)
	r.commit("one", map[string]string{"a": "1", "sub/b": "1"})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hook := fmt.Sprintf("#!/bin/sh\nPROMPTC_TEST_HOOK=1 exec %q -test.run '^TestInAHook$' -test.count=1\n", program)
	r.write(map[string]string{".git/hooks/pre-commit": hook})
	if err := os.Chmod(filepath.Join(r.dir, ".git", "hooks", "pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, args := range [][]string{{"commit", "-a"}, {"commit", "sub/b"}, {"-C", "sub", "commit", "-a"}} {
		r.write(map[string]string{"a": fmt.Sprint("a", i), "sub/b": fmt.Sprint("b", i)})
		cmd := exec.Command("git", append(args, "-q", "-m", "next")...)
		cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "PROMPTC_TEST_WANT="+fmt.Sprint("b", i))
		if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("FAIL")) {
			t.Errorf("git %q: %v\n%s", args, err, out)
		}
	}
}

func TestInAHook(t *testing.T) {
	if os.Getenv("PROMPTC_TEST_HOOK") == "" {
		t.Skip("for TestHookSeesTheCommit")
	}
	got := contents(t, index(t, opened(t, "sub")))
	if d := cmp.Diff(map[string]string{"b": os.Getenv("PROMPTC_TEST_WANT")}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
