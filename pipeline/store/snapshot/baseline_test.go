package snapshot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// lines gives findings as "path code message".
func lines(found diag.List) []string {
	var out []string
	for _, d := range found {
		out = append(out, fmt.Sprintf("%s %s %s", d.Span.File.Path, d.Code, wording.Message(d)))
	}
	return out
}

// statuses gives changes as "status path".
func statuses(changes []store.Change) []string {
	words := map[store.Status]string{store.Added: "added", store.Changed: "changed", store.Orphaned: "orphaned"}
	var out []string
	for _, c := range changes {
		out = append(out, words[c.Status]+" "+c.Output.Path)
	}
	return out
}

func compare(t *testing.T, fsys fs.FS, in snapshot.Input) (*store.Delta, diag.List) {
	t.Helper()
	delta, found, err := run(fsys, in)
	if err != nil {
		t.Fatal(err)
	}
	return delta, found
}

func withDist(in snapshot.Input) snapshot.Input {
	in.Plan.Spec.Artifacts = ground.Word{Str: "dist", At: diag.Whole(in.Plan.Spec.File)}
	return in
}

func TestWhatABuildLeavesIsClean(t *testing.T) {
	in := withDist(world(persona()))
	delta, found := compare(t, tree(t, in), in)
	if len(found) > 0 || delta.Drifted() || len(delta.Artifacts.Changes) > 0 || !delta.Artifacts.Have {
		t.Errorf("findings %v, snapshots %v, artifacts %v", found, statuses(delta.Snapshots), statuses(delta.Artifacts.Changes))
	}
}

// Of each three bytes one is changed: to another, to none, to two.
func TestEveryByteOfASnapshotCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
	in := withDist(world(slotted()))
	files := tree(t, in)
	for path, file := range files {
		whole := string(file.Data)
		for i := 0; i < len(whole); i += 3 {
			if path == "snapshots/README.md" && i < 40 {
				continue // the mark: then the folder is not ours any more
			}
			changed := [...]string{
				whole[:i] + "#" + whole[i+1:], whole[:i] + whole[i+1:], whole[:i] + "\r" + whole[i:],
			}[i/3%3]
			if changed == whole {
				continue
			}
			file.Data = []byte(changed)
			delta, found := compare(t, files, in)
			if delta == nil && strings.HasPrefix(path, "dist/") {
				if len(found) == 0 || found[0].Code != diag.ArtifactsUnowned {
					t.Fatalf("byte %d of %s: %v", i, path, found)
				}
				continue // no build wrote these bytes
			}
			if got := slices.Concat(statuses(delta.Snapshots), statuses(delta.Artifacts.Changes)); !slices.Equal(got, []string{"changed " + path}) {
				t.Fatalf("byte %d of %s: %v", i, path, got)
			}
		}
		file.Data = []byte(whole)
	}
}

func TestMissingAndOrphans(t *testing.T) {
	in := world(persona())
	files := tree(t, in)
	delete(files, "snapshots/persona/sections/soul.txt")
	delete(files, "snapshots/README.md")
	for _, p := range []string{
		"persona/sections/old.txt", "persona/sections/tools/exec@entry=full.txt", "persona/sections/a/b/c%2E.txt",
		"persona/tools/old.json", "persona/full/entry=full.txt", "gone/outline.txt", "persona/sections/.soul.txt123456",
	} {
		files["snapshots/"+p] = &fstest.MapFile{Data: []byte("old")}
	}
	delta, found := compare(t, files, in)
	if len(found) > 0 {
		t.Errorf("findings %v", found)
	}
	want := []string{
		"added snapshots/README.md", "orphaned snapshots/gone/outline.txt", "orphaned snapshots/persona/full/entry=full.txt",
		"orphaned snapshots/persona/sections/.soul.txt123456", "orphaned snapshots/persona/sections/a/b/c%2E.txt",
		"orphaned snapshots/persona/sections/old.txt", "added snapshots/persona/sections/soul.txt",
		"orphaned snapshots/persona/sections/tools/exec@entry=full.txt", "orphaned snapshots/persona/tools/old.json",
	}
	if diff := cmp.Diff(want, statuses(delta.Snapshots)); diff != "" {
		t.Error(diff)
	}
	if delta.Snapshots[1].Old != "old" {
		t.Error("an orphan's text is not there")
	}
}

func TestForeignThingsAreFindings(t *testing.T) {
	in := world(persona())
	files := tree(t, in)
	for p, mode := range map[string]fs.FileMode{
		"NOTES.md": 0o644, "persona/notes.txt": 0o644, "persona/sections/soul.txt.orig": 0o644, "persona/sections/so ul.txt": 0o644,
		"persona/tools/x.txt": 0o644, "persona/full/sub/x.txt": 0o644, ".DS_Store": 0o644, "other/readme": 0o644,
		"persona/sections/x.txt/note.txt": 0o644, "persona/tools/a.json/b.json": 0o644, "persona/sections/a/X.JSON/b.txt": 0o644,
		"other.txt/outline.txt": 0o644, "persona/sections/\xff.txt": 0o644,
		"persona/sections/link.txt": fs.ModeSymlink | 0o777, "persona/sections/pipe.txt": fs.ModeNamedPipe | 0o644,
	} {
		files["snapshots/"+p] = &fstest.MapFile{Data: []byte("x"), Mode: mode}
	}
	delta, found := compare(t, files, in)
	if delta == nil || delta.Drifted() {
		t.Fatalf("drift, or refused: %v", found)
	}
	want := []string{
		`snapshots/.DS_Store PC7003 "snapshots/.DS_Store" is a file that no build wrote`,
		`snapshots/NOTES.md PC7003 "snapshots/NOTES.md" is a file that no build wrote`,
		`snapshots/other.txt PC7003 "snapshots/other.txt" is a folder that no build wrote`,
		`snapshots/other/readme PC7003 "snapshots/other/readme" is a file that no build wrote`,
		`snapshots/persona/full/sub PC7003 "snapshots/persona/full/sub" is a folder that no build wrote`,
		`snapshots/persona/notes.txt PC7003 "snapshots/persona/notes.txt" is a file that no build wrote`,
		`snapshots/persona/sections/a/X.JSON PC7003 "snapshots/persona/sections/a/X.JSON" is a folder that no build wrote`,
		`snapshots/persona/sections/link.txt PC7003 "snapshots/persona/sections/link.txt" is a symbolic link that no build wrote`,
		`snapshots/persona/sections/pipe.txt PC7003 "snapshots/persona/sections/pipe.txt" is a special file that no build wrote`,
		`snapshots/persona/sections/so ul.txt PC7003 "snapshots/persona/sections/so ul.txt" is a file that no build wrote`,
		`snapshots/persona/sections/soul.txt.orig PC7003 "snapshots/persona/sections/soul.txt.orig" is a file that no build wrote`,
		`snapshots/persona/sections/x.txt PC7003 "snapshots/persona/sections/x.txt" is a folder that no build wrote`,
		"snapshots/persona/sections/\xff.txt PC7003 \"snapshots/persona/sections/\\xff.txt\" is a file that no build wrote",
		`snapshots/persona/tools/a.json PC7003 "snapshots/persona/tools/a.json" is a folder that no build wrote`,
		`snapshots/persona/tools/x.txt PC7003 "snapshots/persona/tools/x.txt" is a file that no build wrote`,
	}
	if diff := cmp.Diff(want, lines(found)); diff != "" {
		t.Error(diff)
	}
}

func TestFoldersThatAreNotOursAreRefused(t *testing.T) {
	clean := tree(t, world(persona()))
	edit := func(change func(fstest.MapFS)) fstest.MapFS {
		out := fstest.MapFS{}
		for p, f := range clean {
			copied := *f
			out[p] = &copied
		}
		change(out)
		return out
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }
	tests := []struct {
		name  string
		files fstest.MapFS
		want  []string // nil: not refused
	}{
		{"other people's files", fstest.MapFS{"snapshots/a.snap": file("x")}, []string{`prompts.yaml PC7002 folder "snapshots" is not empty and its README.md has no mark of promptc`}},
		{"a README of their own", fstest.MapFS{"snapshots/README.md": file("# Mine\n")}, []string{`prompts.yaml PC7002 folder "snapshots" is not empty and its README.md has no mark of promptc`}},
		{"the mark, not on the first line", edit(func(m fstest.MapFS) {
			m["snapshots/README.md"].Data = append([]byte("\n"), m["snapshots/README.md"].Data...)
		}), []string{`prompts.yaml PC7002 folder "snapshots" is not empty and its README.md has no mark of promptc`}},
		{"a conflict before the mark", edit(func(m fstest.MapFS) {
			m["snapshots/README.md"].Data = append([]byte("<<<<<<< HEAD\n"), m["snapshots/README.md"].Data...)
		}), nil},
		{"an empty folder", fstest.MapFS{"snapshots": &fstest.MapFile{Mode: fs.ModeDir | 0o755}}, nil},
		{"a file in place of the folder", fstest.MapFS{"snapshots": file("x")}, []string{`snapshots PC7004 "snapshots" is a file where the build has to write`}},
		{"a link in place of the folder", fstest.MapFS{"snapshots": {Mode: fs.ModeSymlink, Data: []byte("elsewhere")}, "elsewhere/x": file("")}, []string{`snapshots PC7004 "snapshots" is a symbolic link where the build has to write`}},
		{"a folder in place of a file", edit(func(m fstest.MapFS) {
			delete(m, "snapshots/persona/outline.txt")
			m["snapshots/persona/outline.txt/x"] = file("x")
		}), []string{`snapshots/persona/outline.txt PC7004 "snapshots/persona/outline.txt" is a folder where the build has to write`}},
		{"a folder in place of a section's file", edit(func(m fstest.MapFS) {
			delete(m, "snapshots/persona/sections/soul.txt")
			m["snapshots/persona/sections/soul.txt/note.txt"] = file("x")
		}), []string{`snapshots/persona/sections/soul.txt PC7004 "snapshots/persona/sections/soul.txt" is a folder where the build has to write`}},
		{"an empty folder in place of a tool's file", edit(func(m fstest.MapFS) {
			delete(m, "snapshots/persona/tools/exec.json")
			m["snapshots/persona/tools/EXEC.json"] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}), []string{`snapshots/persona/tools/EXEC.json PC7004 "snapshots/persona/tools/EXEC.json" differs only in case from "snapshots/persona/tools/exec.json", which the build has to write`}},
		{"a folder in place of the index", edit(func(m fstest.MapFS) {
			m["snapshots/readme.md/outline.txt"] = file("x")
		}), []string{`snapshots/readme.md PC7004 "snapshots/readme.md" differs only in case from "snapshots/README.md", which the build has to write`}},
		{"a link in place of a file", edit(func(m fstest.MapFS) {
			m["snapshots/persona/outline.txt"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../prompts.yaml")}
		}), []string{`snapshots/persona/outline.txt PC7004 "snapshots/persona/outline.txt" is a symbolic link where the build has to write`}},
		{"a file in place of a prompt's folder", edit(func(m fstest.MapFS) {
			maps.DeleteFunc(m, func(p string, _ *fstest.MapFile) bool { return strings.HasPrefix(p, "snapshots/persona/") })
			m["snapshots/persona"] = file("x")
		}), []string{`snapshots/persona PC7004 "snapshots/persona" is a file where the build has to write`}},
		{"another case", edit(func(m fstest.MapFS) {
			m["snapshots/PERSONA/outline.txt"] = file("x")
		}), []string{`snapshots/PERSONA PC7004 "snapshots/PERSONA" differs only in case from "snapshots/persona", which the build has to write`}},
	}
	for _, tt := range tests {
		delta, found := compare(t, tt.files, world(persona()))
		if refused := delta == nil; refused != (tt.want != nil) {
			t.Errorf("%s: refused is %v", tt.name, refused)
		}
		if diff := cmp.Diff(tt.want, lines(found)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestFoldersAreCheckedBeforeAnythingIsRead(t *testing.T) {
	tests := []struct{ snapshots, artifacts, want string }{
		{"snapshots", "dist", ""},
		{"./snapshots/", "", ""},
		{"", "", ""},
		{"sources", "", `folder "sources" holds the source "sources/soul/SOUL.md"`},
		{"./Sources/x/..", "", `folder "Sources" holds the source "sources/soul/SOUL.md"`},
		{"snapshots", "sources/soul", `folder "sources/soul" holds the source "sources/soul/SOUL.md"`},
	}
	for _, tt := range tests {
		in := world(draft{id: "p", sections: []section{{"s", func(at) *says {
			return &says{text: "x", sources: []string{"sources/soul/SOUL.md"}}
		}}}})
		at := diag.Whole(in.Plan.Spec.File)
		in.Plan.Spec.Snapshots.Path = ground.Word{Str: tt.snapshots, At: at}
		in.Plan.Spec.Artifacts = ground.Word{Str: tt.artifacts, At: at}
		delta, found := compare(t, unreadable{}, in)
		got := ""
		for _, d := range found {
			got += wording.Message(d)
		}
		if got != tt.want || (delta == nil) != (tt.want != "") {
			t.Errorf("%q and %q: got %q, want %q", tt.snapshots, tt.artifacts, got, tt.want)
		}
	}
}

// unreadable is a file system in which nothing is.
type unreadable struct{}

func (unreadable) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// broken cannot open one path.
type broken struct {
	fstest.MapFS
	path string
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("input/output error")}
	}
	return b.MapFS.Open(name)
}

func TestWhatCannotBeReadIsAnError(t *testing.T) {
	in := withDist(world(persona()))
	for _, p := range []string{"snapshots/persona/outline.txt", "dist/manifest.json"} {
		_, _, err := run(broken{tree(t, in), p}, in)
		if err == nil || wording.Error(err) != "read "+p+": input/output error" {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestCRLFSnapshotsAreExplained(t *testing.T) {
	in := world(persona())
	files := tree(t, in)
	for _, f := range files {
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
	}
	delta, found := compare(t, files, in)
	if len(delta.Snapshots) != len(files) {
		t.Errorf("%d of %d files count as changed", len(delta.Snapshots), len(files))
	}
	want := []string{fmt.Sprintf("snapshots/README.md PC7006 %d files are out of date only in line ends, which git or an editor changed", len(files))}
	if diff := cmp.Diff(want, lines(found)); diff != "" {
		t.Error(diff)
	}
}

func TestArtifactsInTheWayAreRefused(t *testing.T) {
	in := withDist(world(persona()))
	for path, want := range map[string]string{
		"dist":         `"dist" is a file where the build has to write`,
		"dist/persona": `"dist/persona" is a file where the build has to write`,
		"dist/persona/entry=full,tools=native.txt/x": `"dist/persona/entry=full,tools=native.txt" is a folder where the build has to write`,
	} {
		there := fstest.MapFS{path: &fstest.MapFile{Data: []byte("x"), Mode: 0o644}}
		if path != "dist" {
			there["dist/manifest.json"] = tree(t, in)["dist/manifest.json"]
		}
		delta, found := compare(t, there, in)
		if delta != nil || len(found) == 0 || wording.Message(found[0]) != want {
			t.Errorf("%s: %v", path, found)
		}
	}
}
