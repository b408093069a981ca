package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/world/git"
)

// What is recognised by git's words is what git says, here of itself.
func TestGitStillSaysSo(t *testing.T) {
	r := newRepo(t)
	first := r.commit("one", map[string]string{"d/a.md": "a"})
	r.git("branch", "two")
	r.git("tag", "two")
	if err := os.Symlink("d", filepath.Join(r.dir, "link")); err != nil {
		t.Skip(err)
	}
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	r.git("init", "-q", "--bare", filepath.Join(outside, "bare"))
	r.git("config", "uploadpack.allowFilter", "true")
	partial := filepath.Join(outside, "partial")
	r.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.dir, partial)
	detached := filepath.Join(outside, "detached")
	r.git("worktree", "add", "-q", "--detach", detached, first)

	got := map[string][]string{}
	for name, call := range map[string][]string{
		"well":        {r.dir, "rev-parse", "--verify", "HEAD"},
		"outside":     {outside, "rev-parse", "--git-dir"},
		"bare":        {filepath.Join(outside, "bare"), "rev-parse", "--git-dir"},
		"two things":  {r.dir, "rev-parse", "--verify", "two"},
		"old":         {r.dir, "rev-parse", "--verify", "main@{2001-01-01}"},
		"upstream":    {r.dir, "rev-parse", "--verify", "@{upstream}"},
		"detached":    {detached, "rev-parse", "--verify", "@{upstream}"},
		"not fetched": {partial, "cat-file", "blob", "HEAD:d/a.md"},
		"through":     {r.dir, "check-ignore", "link/a.md"},
	} {
		got[name] = git.TopicsOf(call[0], call[1:]...)
	}
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own tests do it so
	got["of others"] = git.TopicsOf(r.dir, "rev-parse", "--git-dir")
	want := map[string][]string{
		"well": nil, "outside": {"no-repository"}, "bare": {"no-repository"}, "two things": {"ambiguous"}, "old": {"short-log"},
		"upstream": {"no-upstream"}, "detached": {"no-branch"}, "not fetched": {"not-fetched"}, "through": {"beyond-link"},
		"of others": {"untrusted"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
