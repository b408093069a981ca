package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/world/git"
)

func TestUntrackedFilesAndWhatIgnoresThem(t *testing.T) {
	r := newRepo(t)
	ours := filepath.Join(t.TempDir(), "ours")
	r.write(map[string]string{
		".gitignore":          "*.log\n# no pattern\nbuilt/\n",
		"d/.gitignore":        "k[1]*.md\n!back.log\nfree.md\n!free.md\n",
		".git/info/exclude":   "own.md\n",
		"d/in/tracked.md":     "t",
		"d/in/new.md":         "n",
		"d/:colon.md":         "c",
		"d/-dash.md":          "d",
		"d/star*.md":          "s",
		"d/a.log":             "l",
		"d/back.log":          "b",
		"d/free.md":           "f",
		"d/own.md":            "o",
		"d/mine.md":           "m",
		"d/built/x/y.txt":     "y",
		"d/announced.md":      "a",
		"elsewhere/linked.md": "e",
	})
	if err := os.WriteFile(ours, []byte("\nmine.md\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.git("config", "core.excludesFile", ours)
	if err := os.Symlink(filepath.Join("..", "elsewhere"), filepath.Join(r.dir, "d", "link")); err != nil {
		t.Skip(err)
	}
	r.git("add", "d/in/tracked.md", "d/link")
	r.git("add", "--intent-to-add", "d/announced.md")
	asked := []string{
		"in/tracked.md", "in/new.md", ":colon.md", "-dash.md", "star*.md", "a.log", "back.log", "free.md",
		"own.md", "mine.md", "built/x/y.txt", "announced.md", "link/linked.md", "not/there.log",
	}
	want := []git.Untracked{
		{Path: "in/new.md"},
		{Path: ":colon.md"},
		{Path: "-dash.md"},
		{Path: "star*.md"},
		{Path: "a.log", Ignored: true, In: "../.gitignore", Line: 1},
		{Path: "back.log"},
		{Path: "free.md"},
		{Path: "own.md", Ignored: true, In: "../.git/info/exclude", Line: 1},
		{Path: "mine.md", Ignored: true, Line: 2},
		{Path: "built/x/y.txt", Ignored: true, In: "../.gitignore", Line: 3},
		{Path: "not/there.log", Ignored: true, In: "../.gitignore", Line: 1},
	}
	t.Setenv("GIT_LITERAL_PATHSPECS", "1")
	got, err := r.open("d").Untracked(asked)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}

	// Behind a link that git does not have nothing can be ignored, and all is said as it is.
	r.git("rm", "-q", "--cached", "d/link")
	got, err = r.open("d").Untracked([]string{"link/linked.md"})
	if d := cmp.Diff([]git.Untracked{{Path: "link/linked.md"}}, got); d != "" || err != nil {
		t.Error(d, err)
	}

	// More names than a command line should have.
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprintf("%d/x.md", i))
	}
	if got, err = r.open("d").Untracked(append(many, "in/tracked.md")); len(got) != len(many) || err != nil {
		t.Error(len(got), err)
	}
}

// A filter or a monitor that the configuration names is not run.
func TestUntrackedRunsNothing(t *testing.T) {
	r := newRepo(t)
	r.write(map[string]string{"a.md": "a", "b.md": "b", ".gitattributes": "*.md filter=evil\n", ".gitignore": "b.md\n"})
	r.git("add", "a.md")
	ran := filepath.Join(t.TempDir(), "ran")
	r.git("config", "filter.evil.clean", "touch "+ran)
	r.git("config", "core.fsmonitor", "touch "+ran)
	got, err := r.open("").Untracked([]string{"a.md", "b.md"})
	if d := cmp.Diff([]git.Untracked{{Path: "b.md", Ignored: true, In: ".gitignore", Line: 1}}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the configuration was run")
	}
}
