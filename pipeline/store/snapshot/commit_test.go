package snapshot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// commit runs and commits in a folder, as a build does.
func commit(t *testing.T, dir string, in snapshot.Input) *store.Delta {
	t.Helper()
	delta, found := compare(t, os.DirFS(dir), in)
	if delta == nil {
		t.Fatalf("refused: %v", found)
	}
	if err := snapshot.Commit(dir, delta, snapshot.Snapshots|snapshot.Artifacts); err != nil {
		t.Fatal(err)
	}
	return delta
}

// listing gives all paths below a folder, folders with a slash.
func onDisk(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, p); err == nil && rel != "." {
			if e.IsDir() {
				rel += "/"
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBuildThenCheckIsClean(t *testing.T) {
	dir := t.TempDir()
	in := withDist(world(persona()))
	first := commit(t, dir, in)
	for _, o := range first.Wanted {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(o.Path)))
		if err != nil || string(got) != o.Content() {
			t.Errorf("%s: %v, or other bytes", o.Path, err)
		}
	}
	delta, found := compare(t, os.DirFS(dir), in)
	if len(found) > 0 || len(delta.Snapshots)+len(delta.Artifacts.Changes) > 0 {
		t.Errorf("after a build: %v %v %v", found, statuses(delta.Snapshots), statuses(delta.Artifacts.Changes))
	}
}

func TestUnchangedFilesAreNotTouched(t *testing.T) {
	dir := t.TempDir()
	in := world(persona())
	commit(t, dir, in)
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range onDisk(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, p), old, old); err != nil {
			t.Fatal(err)
		}
	}
	soul := filepath.Join(dir, "snapshots/persona/sections/soul.txt")
	write(t, soul, "changed")
	commit(t, dir, in)
	for _, p := range onDisk(t, dir) {
		stat, err := os.Stat(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		if touched := !stat.ModTime().Equal(old); !stat.IsDir() && touched != strings.HasSuffix(p, "/soul.txt") {
			t.Errorf("%s: touched is %v", p, touched)
		}
	}
}

func TestOrphansAndTheirFoldersAreRemoved(t *testing.T) {
	dir := t.TempDir()
	in := withDist(world(persona()))
	commit(t, dir, in)
	clean := onDisk(t, dir)
	for _, p := range []string{"gone/sections/a/b.txt", "gone/outline.txt", "persona/tools/old.json", "persona/sections/.soul.txt99"} {
		write(t, filepath.Join(dir, "snapshots", p), "old")
	}
	write(t, filepath.Join(dir, "snapshots/persona/full/note"), "a foreign file")
	write(t, filepath.Join(dir, "snapshots/persona/full/entry=full.txt"), "old")
	write(t, filepath.Join(dir, "dist/persona/mine.txt"), "mine")
	commit(t, dir, in)
	want := append(clean, "snapshots/persona/full/", "snapshots/persona/full/note", "dist/persona/mine.txt")
	slices.Sort(want)
	got := onDisk(t, dir)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestArtifactsThatNoVariantHasAnyMoreAreRemoved(t *testing.T) {
	dir := t.TempDir()
	commit(t, dir, withDist(world(persona(), draft{id: "other", sections: []section{always("s", "S")}})))
	commit(t, dir, withDist(world(persona())))
	for _, p := range onDisk(t, dir) {
		if strings.Contains(p, "other") {
			t.Errorf("%s is still there", p)
		}
	}
}

func TestPartsAreWrittenApart(t *testing.T) {
	for part, want := range map[snapshot.Parts]string{snapshot.Snapshots: "snapshots/", snapshot.Artifacts: "dist/"} {
		dir := t.TempDir()
		delta, _ := compare(t, os.DirFS(dir), withDist(world(persona())))
		if err := snapshot.Commit(dir, delta, part); err != nil {
			t.Fatal(err)
		}
		for _, p := range onDisk(t, dir) {
			if !strings.HasPrefix(p, want) {
				t.Errorf("part %d wrote %s", part, p)
			}
		}
	}
}

// change is a delta that adds one file.
func change(path string) *store.Delta {
	return &store.Delta{SnapshotFolder: "snapshots", Snapshots: []store.Change{
		{Output: assembly.Output{Path: "snapshots/a/first.txt", Parts: []string{"first"}}, Status: store.Added},
		{Output: assembly.Output{Path: path, Parts: []string{"new"}}, Status: store.Changed},
	}}
}

func TestCommitRefusesWhatIsInTheWay(t *testing.T) {
	outside := t.TempDir()
	tests := []struct {
		name, path, want string
		prepare          func(t *testing.T, dir string)
	}{
		{"a folder", "snapshots/x.txt", "write snapshots/x.txt: a folder, a link or a special file is in its place", func(t *testing.T, dir string) {
			t.Helper()
			write(t, filepath.Join(dir, "snapshots/x.txt/y"), "y")
		}},
		{"a file where a folder must be", "snapshots/x/y.txt", "write snapshots/x/y.txt: a file or a link is in the place of a folder", func(t *testing.T, dir string) {
			t.Helper()
			write(t, filepath.Join(dir, "snapshots/x"), "x")
		}},
		{"a link to outside", "snapshots/x/y.txt", "write snapshots/x/y.txt: a file or a link is in the place of a folder", func(t *testing.T, dir string) {
			t.Helper()
			link(t, outside, filepath.Join(dir, "snapshots/x"))
		}},
		{"a link to a folder of the project", "snapshots/x/y.txt", "write snapshots/x/y.txt: a file or a link is in the place of a folder", func(t *testing.T, dir string) {
			t.Helper()
			link(t, filepath.Join("..", "snapshots", "a"), filepath.Join(dir, "snapshots/x"))
		}},
		{"a link in place of the file", "snapshots/x.txt", "write snapshots/x.txt: a folder, a link or a special file is in its place", func(t *testing.T, dir string) {
			t.Helper()
			link(t, filepath.Join(dir, "precious"), filepath.Join(dir, "snapshots/x.txt"))
		}},
		{"a path out of the project", "../x.txt", "write ../x.txt: outside the folder of the build", nil},
		{"a path beside the folder", "precious", "write precious: outside the folder of the build", nil},
		{"a path through the folder", "snapshots/../precious", "write snapshots/../precious: outside the folder of the build", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "precious"), "precious")
			write(t, filepath.Join(dir, "snapshots/a/first.txt"), "old")
			if tt.prepare != nil {
				tt.prepare(t, dir)
			}
			before := onDisk(t, dir)
			err := snapshot.Commit(dir, change(tt.path), snapshot.Snapshots)
			if err == nil || wording.Error(err) != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if diff := cmp.Diff(before, onDisk(t, dir)); diff != "" {
				t.Errorf("files came or went: %s", diff)
			}
			for p, want := range map[string]string{"precious": "precious", "snapshots/a/first.txt": "old"} {
				if got, _ := os.ReadFile(filepath.Join(dir, p)); string(got) != want {
					t.Errorf("%s holds %q", p, got)
				}
			}
			if left := onDisk(t, outside); len(left) > 0 {
				t.Errorf("written outside: %v", left)
			}
		})
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func TestReadOnlyFolderLeavesOldFilesWhole(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write anywhere")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "snapshots/a/first.txt"), "old")
	folder := filepath.Join(dir, "snapshots/a")
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	err := snapshot.Commit(dir, change("snapshots/a/second.txt"), snapshot.Snapshots)
	if err == nil || err.Error() != "write snapshots/a/first.txt: permission denied" {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "first.txt")); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
}

func TestAFileThatCannotBeWrittenTearsNoSet(t *testing.T) {
	dir := t.TempDir()
	// The name is as long as one may be: that of the temporary file is too long.
	broken := "snapshots/b/" + strings.Repeat("x", 250) + ".txt"
	delta := &store.Delta{SnapshotFolder: "snapshots"}
	for _, folder := range []string{"a", "b", "c"} {
		for n := range 50 {
			p := fmt.Sprintf("snapshots/%s/%02d.txt", folder, n)
			write(t, filepath.Join(dir, p), "old")
			delta.Snapshots = append(delta.Snapshots, store.Change{
				Output: assembly.Output{Path: p, Parts: []string{"new", p}}, Status: store.Changed,
			})
		}
	}
	delta.Snapshots = slices.Insert(delta.Snapshots, 75, store.Change{Output: assembly.Output{Path: broken}, Status: store.Added})
	delta.Snapshots = append(delta.Snapshots, store.Change{Output: assembly.Output{Path: "snapshots/orphan.txt"}, Status: store.Orphaned})
	write(t, filepath.Join(dir, "snapshots/orphan.txt"), "orphan")
	before := onDisk(t, dir)
	err := snapshot.Commit(dir, delta, snapshot.Snapshots)
	if f, ok := errors.AsType[*diag.Failure](err); !ok || f.Fact.Key != "write-file" || f.Fact.Args[0] != broken {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, onDisk(t, dir)); diff != "" {
		t.Errorf("files came or went: %s", diff)
	}
	for _, c := range delta.Snapshots {
		p := c.Output.Path
		if p == broken || c.Status == store.Orphaned {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, p)); err != nil || string(text) != "old" {
			t.Errorf("%s holds %q: %v", p, text, err)
		}
	}
}

func TestOrphansOutsideAreNotRemoved(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "precious/x.txt"), "precious")
	for _, p := range []string{"precious/x.txt", "snapshots/../precious/x.txt", "snapshots/link/x.txt"} {
		if strings.Contains(p, "link") {
			link(t, filepath.Join("..", "precious"), filepath.Join(dir, "snapshots/link"))
		}
		delta := &store.Delta{SnapshotFolder: "snapshots", Snapshots: []store.Change{
			{Output: assembly.Output{Path: p}, Status: store.Orphaned},
		}}
		if err := snapshot.Commit(dir, delta, snapshot.Snapshots); err == nil {
			t.Errorf("%s: no error", p)
		}
		if _, err := os.Stat(filepath.Join(dir, "precious/x.txt")); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
	}
}

func TestARefusedBuildIsNotCommitted(t *testing.T) {
	if err := snapshot.Commit(t.TempDir(), nil, snapshot.Snapshots); err == nil {
		t.Error("no error")
	}
}

func TestAProjectsFirstFilesAreMade(t *testing.T) {
	dir := t.TempDir()
	delta := &store.Delta{SnapshotFolder: ".", Snapshots: []store.Change{
		{Output: assembly.Output{Path: "prompts.yaml", Parts: []string{"version: 1\n"}}, Status: store.Added},
		{Output: assembly.Output{Path: "sources/a/SOUL.md", Parts: []string{"x\n"}}, Status: store.Added},
	}}
	if err := snapshot.Commit(dir, delta, snapshot.Snapshots); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"prompts.yaml", "sources/", "sources/a/", "sources/a/SOUL.md"}, onDisk(t, dir)); diff != "" {
		t.Error(diff)
	}
}
