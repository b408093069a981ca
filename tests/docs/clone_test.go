package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTwoCommandsFromAClone runs the first of README's two commands in a copy of what git
// has of this repository. The second is what runs this test.
func TestTwoCommandsFromAClone(t *testing.T) {
	const commands = "```sh\ngo run ./cmd/promptc build\nmake test\n```\n"
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "## Two commands from a clone\n") || !strings.Contains(string(readme), commands) {
		t.Fatal("README.md lost the two commands with which a newcomer starts")
	}
	dir := t.TempDir()
	copyClone(t, dir)
	in := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if said := in("go", "run", "./cmd/promptc", "build"); !strings.Contains(said, " files below dist\n") {
		t.Errorf("build says\n%s", said)
	}
	for _, name := range []string{"dist/manifest.json", "snapshots/persona/outline.txt", "sources/persona/SOUL.md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if said := in("make", "-n", "test"); !strings.Contains(said, "go test ") {
		t.Errorf("make test would run\n%s", said)
	}
}

// copyClone copies the files that git has, as they are in the working tree.
func copyClone(t *testing.T, dir string) {
	t.Helper()
	listing, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("the tests do not run in a clone: ", err)
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(listing, []byte{0}), []byte{0}) {
		from, to := filepath.Join("..", string(name)), filepath.Join(dir, string(name))
		text, err := os.ReadFile(from)
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
