package load_test

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
)

func TestWalkFollowsLinksOfHiddenFoldersOnce(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.md", ".agents/skills/x/SKILL.md", ".git/config", "node_modules/p/b.md", "src/c.md"} {
		write(name)
	}
	for from, to := range map[string]string{
		"AGENTS.md": "a.md", "gone.md": "nowhere.md", "out.md": "/etc/passwd", ".agents/up": "..", ".agents/again": "skills", "more": "src", ".agents/out": "/etc",
		".agents/skills/x/loop": "..",
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	fsys, err := load.Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, others, all, err := load.Walk(fsys, func(folder string) bool { return path.Base(folder) == "node_modules" })
	if err != nil || !all {
		t.Fatal(all, err)
	}
	want := []string{".agents/again/x/SKILL.md", ".agents/skills/x/SKILL.md", "AGENTS.md", "a.md", "src/c.md"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{".agents/out", "gone.md", "out.md"}, others); diff != "" {
		t.Error(diff)
	}
}
