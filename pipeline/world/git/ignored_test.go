package git_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIgnoredIsWhatGitWouldNotKeep(t *testing.T) {
	r := newRepo(t)
	r.commit("first", map[string]string{".gitignore": "*.local.md\nbuild/\nkept.md\n", "a/b/c": "x"})
	r.write(map[string]string{"CLAUDE.local.md": "x", "a/x.local.md": "x", "a/build/y": "x", "a/new.md": "x", "kept.md": "x", "a/ü ö.local.md": "x"})
	r.git("add", "-f", "kept.md")
	for sub, want := range map[string][]string{
		".": {"CLAUDE.local.md", "a/build/", "a/x.local.md", "a/ü ö.local.md"},
		"a": {"build/", "x.local.md", "ü ö.local.md"},
	} {
		got, err := r.open(sub).Ignored()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", sub, diff)
		}
	}
}
