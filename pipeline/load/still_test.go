package load_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/promptc-build/promptc/pipeline/load"
)

// A view answers every question as its folder does, the second time, too.
func TestAViewOfAFolderAnswersAsTheFolder(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"top.md": "top", "a/one.md": "one", "a/b/two.md": "two", "a/b/c/three.md": "three", "z/four.md": "four",
	})
	link(t, dir, map[string]string{
		"file.md": "a/one.md", "dir": "a/b", "a/up": "../z", "a/b/file.md": "../one.md", "out": "../..",
		"a/loop": "loop", "a/b/gone": "nowhere", "absolute": "/etc", "a/self": ".",
	})
	view, end := load.Still(fsys)
	defer end()
	names := []string{
		".", "top.md", "a", "a/one.md", "a/b", "a/b/two.md", "a/b/c", "a/b/c/three.md", "z/four.md", "file.md", "dir",
		"dir/two.md", "dir/c/three.md", "a/up/four.md", "a/b/file.md", "out", "out/x", "a/loop", "a/loop/x", "a/b/gone",
		"absolute/passwd", "a/self/self/one.md", "a/none", "none/none", "a/one.md/x", "a/b/two.md/x", "../x", "/x", "", "a//b", "a/../a",
	}
	for round := range 2 {
		for _, name := range names {
			for what, ask := range questions {
				if got, want := ask(view, name), ask(fsys, name); got != want {
					t.Errorf("round %d, %s %q: %s, of the folder %s", round, what, name, got, want)
				}
			}
		}
	}
}

// questions are what may be asked of a file system, with the answers as text.
var questions = map[string]func(fs.FS, string) string{
	"read": func(f fs.FS, name string) string {
		text, err := fs.ReadFile(f, name)
		return fmt.Sprint(string(text), err)
	},
	"list": func(f fs.FS, name string) string {
		entries, err := fs.ReadDir(f, name)
		return fmt.Sprint(entries, err)
	},
	"stat": func(f fs.FS, name string) string {
		info, err := fs.Stat(f, name)
		return described(info, err)
	},
	"lstat": func(f fs.FS, name string) string {
		info, err := fs.Lstat(f, name)
		return described(info, err)
	},
	"link": func(f fs.FS, name string) string {
		target, err := fs.ReadLink(f, name)
		return fmt.Sprint(target, err)
	},
}

func described(info fs.FileInfo, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.Name(), info.Mode(), info.Size())
}
