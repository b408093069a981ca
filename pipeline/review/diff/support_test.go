package diff_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// skipIfShort leaves a test out that takes long under the race detector and
// runs nothing in parallel that others do not.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
}

// ourselves reads this repository's own prompts and sources into memory.
func ourselves(t *testing.T) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	root := os.DirFS("../../..")
	for _, top := range []string{"prompts.yaml", "sources"} {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(root, name)
			out[name] = &fstest.MapFile{Data: text}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// renderedProject is a manifest with one prompt that another program renders,
// and its files.
func renderedProject(keys string, files map[string]string) fstest.MapFS {
	fsys := treeOf(files)
	keys = strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    ")
	fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte("version: 1\nprompts:\n  legacy:\n    " + keys + "\n")}
	return fsys
}
