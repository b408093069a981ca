//go:build unix

package load_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
)

func TestPipesAreRefusedAtOnce(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": "sources:\n  a: {kind: text, path: pipe}\n  b: {kind: text, path: \"d/*.md\"}\n  c: {kind: text, path: \"d/**/*.txt\"}\n  d: {kind: context, path: d}\n",
		"d/a.md":       "a",
	})
	for _, name := range []string{"pipe", "d/pipe.md", "d/AGENTS.md"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skipf("no pipes here: %v", err)
		}
	}
	link(t, dir, map[string]string{"d/link.md": "../pipe"})
	if _, err := fs.ReadFile(fsys, "pipe"); !errors.Is(err, load.ErrNotRegular) {
		t.Errorf("reading a pipe: %v", err)
	}
	if _, err := fsys.Open("d/link.md"); !errors.Is(err, load.ErrNotRegular) {
		t.Errorf("opening a link to a pipe: %v", err)
	}
	_, found := runOn(t, fsys)
	want := `prompts.yaml:2:25: error[PC1018]: "pipe" is a pipe, socket or device
prompts.yaml:3:25: error[PC1018]: "d/AGENTS.md" is a pipe, socket or device
prompts.yaml:3:25: error[PC1018]: "d/link.md" is a pipe, socket or device
prompts.yaml:3:25: error[PC1018]: "d/pipe.md" is a pipe, socket or device
prompts.yaml:5:28: error[PC1018]: "d/AGENTS.md" is a pipe, socket or device
`
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestManifestThatIsAPipe(t *testing.T) {
	dir, fsys := folder(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "prompts.yaml"), 0o644); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if _, _, err := load.Run(fsys, "prompts.yaml", validate.Language{}); err == nil {
		t.Error("no error")
	}
}

func TestWhatMayNotBeReadIsAnError(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir, fsys := folder(t, map[string]string{"prompts.yaml": "sources: {a: {kind: text, path: \"d/*.md\"}}\n", "d/a.md": "a"})
	if err := os.Chmod(filepath.Join(dir, "d", "a.md"), 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := load.Run(fsys, "prompts.yaml", validate.Language{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

func TestPipesInWorkspacesAreNotWaitedFor(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": conversations, "f/a.yaml": "workspace: ws\nselected: [a.md, pipe]\n", "f/b.yaml": "workspace: tube\n", "ws/a.md": "a",
	})
	for _, name := range []string{"ws/pipe", "tube"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skipf("no pipes here: %v", err)
		}
	}
	tree, found := runOn(t, fsys)
	want := `ws: a.md
  docs: a.md
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/pipe", which is a pipe, socket or device
f/a.yaml:2:18: error[PC1018]: "ws/pipe" is a pipe, socket or device
f/b.yaml:1:12: error[PC1018]: workspace "tube" is a pipe, socket or device
`
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestPlainNeverWaitsForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, os.DevNull} {
		if _, err := load.Plain(name); !errors.Is(err, load.ErrNotRegular) {
			t.Errorf("Plain(%q): %v; want ErrNotRegular", name, err)
		}
	}
}
