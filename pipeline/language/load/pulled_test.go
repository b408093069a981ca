package load_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/tests/testproject"
)

// listing gives the files of a file system with their texts.
func listing(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, p)
		out[p] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReplacedHasOtherFilesInAFolder(t *testing.T) {
	below := testproject.Of("a", "1", "mcp/x/old", "2", "mcp/xy/kept", "3")
	got := listing(t, load.Replaced(below, "mcp/x", map[string][]byte{"mcp/x/tools/n.json": []byte("4")}))
	want := map[string]string{"a": "1", "mcp/xy/kept": "3", "mcp/x/tools/n.json": "4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = listing(t, load.Replaced(testproject.Of("a", "1"), "mcp/x", map[string][]byte{"mcp/x/b": []byte("2")}))
	if diff := cmp.Diff(map[string]string{"a": "1", "mcp/x/b": "2"}, got); diff != "" {
		t.Errorf("a new folder: (-want +got):\n%s", diff)
	}
	got = listing(t, load.Replaced(below, "mcp/x", nil))
	if diff := cmp.Diff(map[string]string{"a": "1", "mcp/xy/kept": "3"}, got); diff != "" {
		t.Errorf("an empty folder: (-want +got):\n%s", diff)
	}
}

func TestServersAreFoundUpToTheRepository(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "repo", "a", "b")
	for _, folder := range []string{dir, filepath.Join(top, "repo", ".git")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(folder, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(top, folder, load.ServersFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".", "{}") // above the repository
	if _, file, _, err := load.Servers(dir); file != nil || err != nil {
		t.Error(file, err)
	}
	write("repo", `{"mcpServers": {}}`)
	folder, file, found, err := load.Servers(dir)
	if folder != "../.." || file == nil || found != nil || err != nil {
		t.Error(folder, file, found, err)
	}
	if got := file.At.File.Path; got != "../../.mcp.json" {
		t.Error(got)
	}
	write("repo/a/b", "{")
	if folder, file, found, err = load.Servers(dir); folder != "" || file != nil || !found.HasErrors() || err != nil {
		t.Error(folder, file, found, err)
	}
}
