package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goldenFolder has a folder for each recorded version, with projects as that
// version wrote them: its README.md says how.
const goldenFolder = "testdata/golden"

// TestNoVersionChangesBytesUnsaid holds that this version finds every recorded
// project up to date, but for the files that the record's CHANGES lists, and that
// a build brings them up to date.
func TestNoVersionChangesBytesUnsaid(t *testing.T) {
	records, err := filepath.Glob(goldenFolder + "/*/*/prompts.yaml")
	if err != nil || len(records) == 0 {
		t.Fatalf("no records: %v", err)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, manifest := range records {
		project := filepath.ToSlash(filepath.Dir(manifest))
		record := path.Dir(project)
		for name, why := range changesSaid(t, record) {
			want[record+"/"+name] = why
		}
		t.Run(project, func(t *testing.T) {
			dir := copyOfRecord(t, project)
			for _, name := range differing(t, dir) {
				name = project + "/" + name
				got[name] = want[name]
			}
			promptc(t, dir, 0, "build")
			if left := differing(t, dir); len(left) > 0 {
				t.Errorf("a build does not bring it up to date: %q", left)
			}
		})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files that differ from what a released version wrote, as CHANGES lists them (-) and as they do (+):\n%s"+
			"if that is meant, list them with the reason in the CHANGES of the version that wrote them: see %s/README.md", diff, goldenFolder)
	}
}

// TestRecordsNoticeEveryFile holds that the test above can fail.
func TestRecordsNoticeEveryFile(t *testing.T) {
	projects, err := filepath.Glob(goldenFolder + "/*/texts")
	if err != nil || len(projects) == 0 {
		t.Fatalf("no records: %v", err)
	}
	dir := copyOfRecord(t, projects[len(projects)-1])
	var want []string
	for _, folder := range []string{"dist", "snapshots"} {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || file == filepath.Join(dir, "snapshots", "README.md") {
				return err // without its README.md the folder is nobody's
			}
			rel, err := filepath.Rel(dir, file)
			want = append(want, filepath.ToSlash(rel))
			return errors.Join(err, os.Remove(file))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	if len(want) < 20 {
		t.Fatalf("the record has only %d files", len(want))
	}
	if diff := cmp.Diff(want, differing(t, dir)); diff != "" {
		t.Errorf("files that were removed (-) and that are noticed (+):\n%s", diff)
	}
}

// changesSaid reads the CHANGES of a record: on each line a file, blanks, and why
// later versions write it otherwise.
func changesSaid(t *testing.T, record string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(record, "CHANGES"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, _ := strings.Cut(line, " ")
		if out[name] = strings.TrimSpace(why); out[name] == "" {
			t.Errorf("%s/CHANGES does not say why %s changed", record, name)
		}
	}
	return out
}

// copyOfRecord gives a project of a record in a folder of its own.
func copyOfRecord(t *testing.T, project string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// differing gives the snapshots and artifacts of a project that check finds out of
// date, sorted. A recorded project has no errors.
func differing(t *testing.T, dir string) []string {
	t.Helper()
	type file struct{ Path string }
	var said struct {
		Status             string
		Changes, Artifacts []file
	}
	out := promptc(t, dir, -1, "check", "--format", "json")
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var paths []string
	for _, f := range slices.Concat(said.Changes, said.Artifacts) {
		paths = append(paths, f.Path)
	}
	if want := map[bool]string{true: "clean", false: "drift"}[len(paths) == 0]; said.Status != want {
		t.Fatalf("the status is %q with %d files that differ:\n%s", said.Status, len(paths), out)
	}
	slices.Sort(paths)
	return paths
}

// promptc runs the program in a folder, and gives what it prints. It fails where
// the exit status is another one, unless that is -1.
func promptc(t *testing.T, dir string, status int, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(ourProgram(t), args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed {
		t.Fatal(err)
	}
	if status >= 0 && cmd.ProcessState.ExitCode() != status {
		t.Fatalf("%q: %v\n%s%s", args, err, out, exit.Stderr)
	}
	return out
}
