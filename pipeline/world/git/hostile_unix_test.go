//go:build unix

package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/promptc-build/promptc/pipeline/world/git"
)

// What git waits for may never come.
func TestGitIsNotWaitedForWithoutEnd(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, r repo) string{
		"a setting that includes a pipe": func(t *testing.T, r repo) string {
			t.Helper()
			at := filepath.Join(t.TempDir(), "pipe")
			pipe(t, at)
			r.git("config", "include.path", at)
			return ""
		},
		"a list of refs that is a pipe": func(t *testing.T, r repo) string {
			t.Helper()
			pipe(t, filepath.Join(r.dir, ".git", "packed-refs"))
			return ""
		},
		"an object that is a pipe": func(t *testing.T, r repo) string {
			t.Helper()
			id := r.git("rev-parse", "HEAD:s/a.md")
			at := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
			pipe(t, at)
			return "s/a.md"
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.commit("one", map[string]string{"s/a.md": "one", "b": "b"})
			file := prepare(t, r)
			refused(t, read(r, file), git.Failed, "git did not answer within 1 s", "include.path")
		})
	}
}

// read reads a file of HEAD; without one, what a ref names.
func read(r repo, file string) error {
	repository, err := git.OpenWithin(r.dir, time.Second)
	if err != nil {
		return err
	}
	if file == "" {
		_, err = repository.Tree("refs/heads/none")
		return err
	}
	fsys, err := repository.Tree("HEAD")
	if err != nil {
		return err
	}
	_, err = fs.ReadFile(fsys, file)
	return errors.Join(err, fsys.Close())
}

func pipe(t *testing.T, at string) {
	t.Helper()
	if err := syscall.Mkfifo(at, 0o644); err != nil {
		t.Fatal(err)
	}
}
