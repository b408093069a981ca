package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// distManifest is what a loader reads of dist/manifest.json.
type distManifest struct {
	Prompts []struct{ Variants []distVariant }
	Tables  struct{ Sections, Slots [][]distPlace }
}

// distPlace is that of a section, which has an id, or of a slot.
type distPlace struct {
	ID, Name   string
	Start, End int
}

type distVariant struct {
	Name, File, SHA256     string
	Bytes, Sections, Slots int
	Tools                  *struct {
		File, SHA256 string
		Bytes        int
	}
}

// ourProject copies this repository's manifest, sources and snapshots to a
// folder.
func ourProject(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	for _, top := range []string{"prompts.yaml", "sources", "snapshots"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, rel)
			if d.IsDir() {
				return os.MkdirAll(to, 0o755)
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			return os.WriteFile(to, text, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runApp is the program in this process; it has to succeed.
func runApp(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	con := Console{Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	if got := Run(append([]string{"promptc"}, args...), con); got != exitClean {
		t.Fatalf("promptc %s exits %d\n%s", strings.Join(args, " "), got, stderr.String())
	}
	return stdout.String()
}

// TestArtifactsAreWhatTheirManifestSays builds this repository's own prompts
// and reads them as a loader does: by size, by hash and by offset.
func TestArtifactsAreWhatTheirManifestSays(t *testing.T) {
	dir := ourProject(t, t.TempDir())
	runApp(t, "build", "-C", dir)
	text, err := os.ReadFile(filepath.Join(dir, "dist", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m distManifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	var names []string
	files := []string{"manifest.json"}
	for n, p := range m.Prompts {
		for i, v := range p.Variants {
			names = append(names, v.Name)
			files = append(files, v.File)
			if v.Tools != nil {
				files = append(files, v.Tools.File)
			}
			// The first variant of some prompts is shown, whole and by sections: each
			// time the project is compiled.
			m.checkArtifact(t, dir, v, i == 0 && n%3 == 0)
		}
	}
	if diff := cmp.Diff(strings.Fields(runApp(t, "list", "-C", dir)), names); diff != "" {
		t.Errorf("the manifest has other variants than promptc list (-list +manifest):\n%s", diff)
	}
	slices.Sort(files)
	there := tree(t, filepath.Join(dir, "dist"))
	if diff := cmp.Diff(files, there.paths()); diff != "" {
		t.Errorf("dist/ holds other files than its manifest names (-manifest +dist):\n%s", diff)
	}
}

func (m distManifest) checkArtifact(t *testing.T, dir string, v distVariant, sections bool) {
	t.Helper()
	emitted := distFile(t, dir, v.File, v.SHA256, v.Bytes)
	if sections {
		if shown := runApp(t, "show", v.Name, "-C", dir); shown != emitted {
			t.Errorf("%s: the artifact is not what promptc show prints:\n%s", v.Name, cmp.Diff(shown, emitted))
		}
	}
	if v.Tools != nil {
		list := distFile(t, dir, v.Tools.File, v.Tools.SHA256, v.Tools.Bytes)
		if sections && runApp(t, "show", v.Name, "--tools", "-C", dir) != list {
			t.Errorf("%s: the tools are not what promptc show --tools prints", v.Name)
		}
	}
	if !strings.HasSuffix(v.File, ".txt") {
		return // in a JSON dialect the offsets are those of its strings
	}
	at := 0
	for _, s := range m.Tables.Sections[v.Sections] {
		if s.Start < at || s.End <= s.Start || s.End > len(emitted) {
			t.Fatalf("%s: section %s is at %d to %d, behind %d of %d", v.Name, s.ID, s.Start, s.End, at, len(emitted))
		}
		at = s.End
		if !sections {
			continue
		}
		if shown := runApp(t, "show", v.Name, "--section", s.ID, "-C", dir); shown != emitted[s.Start:s.End]+"\n" {
			t.Errorf("%s: section %s is not at %d to %d:\n%s", v.Name, s.ID, s.Start, s.End,
				cmp.Diff(shown, emitted[s.Start:s.End]+"\n"))
		}
	}
	if rest := emitted[at:]; rest != "\n" {
		t.Errorf("%s: %q follows the last section", v.Name, rest)
	}
	for _, s := range m.Tables.Slots[v.Slots] {
		if got, want := emitted[s.Start:s.End], "{{"+s.Name+"}}"; got != want {
			t.Errorf("%s: %q is at %d to %d, want %q", v.Name, got, s.Start, s.End, want)
		}
	}
}

// distFile gives a file's text after a look at its size and hash.
func distFile(t *testing.T, dir, name, hash string, size int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "dist", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != size {
		t.Errorf("%s has %d bytes, its manifest says %d", name, len(text), size)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != hash {
		t.Errorf("%s has the hash %x, its manifest says %s", name, sum, hash)
	}
	return string(text)
}

// outputs are the files below a folder by path.
type outputs map[string]string

func (o outputs) paths() []string {
	var all []string
	for p := range o {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

func tree(t *testing.T, dir string) outputs {
	t.Helper()
	out := outputs{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(dir), p)
		out[p] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNoEnvironmentReachesTheOutput builds the same project in folders of
// different depth, with other clocks, locales, masks and numbers of
// processors: every byte is the same, also of what is printed.
func TestNoEnvironmentReachesTheOutput(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("umask and LC_ALL are of Unix")
	}
	worlds := []struct {
		folder, umask string
		procs         int
		env           []string
	}{
		{"a", "022", 1, []string{"TZ=UTC", "LANG=C", "LC_ALL=C"}},
		{"a/deeper/folder with spaces", "077", 8, []string{"TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}},
		{"ü", "002", 8, []string{"TZ=America/St_Johns", "LANG=de_DE", "SOURCE_DATE_EPOCH=1", "USER=nobody", "HOSTNAME=elsewhere"}},
	}
	top := t.TempDir()
	program := ourProgram(t)
	var first outputs
	var printed string
	for _, w := range worlds {
		dir := ourProject(t, filepath.Join(top, filepath.FromSlash(w.folder), "project"))
		if err := os.RemoveAll(filepath.Join(dir, "snapshots")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", "umask "+w.umask+`; "$0" build && "$0" check && "$0" list --tokens`, program)
		cmd.Dir = dir
		cmd.Env = append(w.env, "HOME="+top, "GOMAXPROCS="+strconv.Itoa(w.procs))
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", w.folder, err, said)
		}
		out := written(t, dir)
		for p, text := range out {
			if strings.Contains(text, top) {
				t.Errorf("%s holds the folder of the project", p)
			}
		}
		if first == nil {
			first, printed = out, string(said)
			continue
		}
		if diff := cmp.Diff(first, out); diff != "" {
			t.Errorf("%v, umask %s, %d processors (-first +this):\n%s", w.env, w.umask, w.procs, diff)
		}
		if diff := cmp.Diff(printed, string(said)); diff != "" {
			t.Errorf("%v prints something else (-first +this):\n%s", w.env, diff)
		}
	}
}

// written are all files that builds of a project have written.
func written(t *testing.T, dir string) outputs {
	t.Helper()
	out := outputs{}
	for _, folder := range []string{"snapshots", "dist"} {
		for p, text := range tree(t, filepath.Join(dir, folder)) {
			out[folder+"/"+p] = text
		}
	}
	return out
}
