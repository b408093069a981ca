// Package testproject makes the projects of tests: their files, in memory or on disk,
// and what they compile to.
package testproject

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Manifest is the name of the manifest in all of them.
const Manifest = "prompts.yaml"

// Of gives files in memory: a name and a text in turn.
func Of(namesAndTexts ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(namesAndTexts); i += 2 {
		out[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return out
}

// From gives files in memory of texts by name.
func From(texts map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range texts {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// Unpacked gives the files of an archive.
func Unpacked(a *txtar.Archive) fstest.MapFS {
	out := fstest.MapFS{}
	for _, f := range a.Files {
		out[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return out
}

// Rendered gives a project with one prompt, legacy, that another program renders: the
// keys of that prompt, and files.
func Rendered(keys string, texts map[string]string) fstest.MapFS {
	out := From(texts)
	keys = strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    ")
	out[Manifest] = &fstest.MapFile{Data: []byte("version: 1\nprompts:\n  legacy:\n    " + keys + "\n")}
	return out
}

// Below reads files and folders of a folder on disk into memory.
func Below(tb testing.TB, root string, names ...string) fstest.MapFS {
	tb.Helper()
	out := fstest.MapFS{}
	disk := os.DirFS(root)
	for _, top := range names {
		err := fs.WalkDir(disk, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(disk, name)
			out[name] = &fstest.MapFile{Data: text}
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// Ourselves reads this repository's own prompts, sources and snapshots into memory.
func Ourselves(tb testing.TB) fstest.MapFS {
	tb.Helper()
	root, err := filepath.Abs(".")
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		if root == filepath.Dir(root) {
			err = fs.ErrNotExist
		}
		root = filepath.Dir(root)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return Below(tb, root, Manifest, "sources", "snapshots")
}

// Write writes files below a folder on disk.
func Write(tb testing.TB, dir string, files fstest.MapFS) {
	tb.Helper()
	for name, file := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(at, file.Data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// Compile compiles a project until a stage.
func Compile(tb testing.TB, files fs.FS, until pipeline.Until) *prompt.Result {
	tb.Helper()
	r, err := pipeline.Compile(tb.Context(), pipeline.Request{Files: files, Manifest: Manifest, Until: until})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
