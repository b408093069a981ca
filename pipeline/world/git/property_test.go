package git_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// names are elements of paths, with what a shell, git or a list would trip over.
var names = []string{
	"a", "b", "c.md", "B", "docs", "-n", "--all", " lead", "trail ", "it's", `say "hi"`, "$(id)", "`id`", "line\nbreak", "tab\there",
	"é", "e\u0301", "日本語", "\U0001F600", "*", "[x]", "?", "{a,b}", ":(top)x", ":/", "!x", "~", "#", "%00", "a=b,c=d", "::error",
	"...", "x..", "con", ".hidden", strings.Repeat("long", 60),
}

// TestTreesReadBackAsTheyWere commits random states of a folder, and compares
// what git keeps with what was on disk at that time.
func TestTreesReadBackAsTheyWere(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("names are not taken as they are here")
	}
	r := newRepo(t)
	r.git("config", "core.autocrlf", "false")
	random := rand.New(rand.NewPCG(1, 2))
	var want []map[string]string
	for range 12 {
		churn(t, r, random)
		r.git("add", "--all")
		got := contents(t, os.DirFS(r.dir))
		same(t, index(t, r.open("")), got)
		r.git("commit", "-q", "--allow-empty", "-m", "next")
		want = append(want, got)
	}
	repository := r.open("")
	for i, state := range want {
		same(t, tree(t, repository, fmt.Sprintf("HEAD~%d", len(want)-1-i)), state)
	}
	if r.git("status", "--porcelain") != "" {
		t.Error("the work tree was changed")
	}
}

// churn writes, changes and removes some files and links.
func churn(t *testing.T, r repo, random *rand.Rand) {
	t.Helper()
	for range 12 {
		var elems []string
		for range 1 + random.IntN(3) {
			elems = append(elems, names[random.IntN(len(names))])
		}
		at := filepath.Join(r.dir, filepath.Join(elems...))
		if random.IntN(4) == 0 {
			_ = os.RemoveAll(at) // a file may be where the path needs a folder
			continue
		}
		if os.MkdirAll(filepath.Dir(at), 0o755) != nil {
			continue // a file is in the way
		}
		if random.IntN(5) == 0 {
			_ = os.Symlink(filepath.Join("..", names[random.IntN(len(names))]), at) // something may be there
			continue
		}
		text := make([]byte, random.IntN(300))
		for i := range text {
			text[i] = byte(random.IntN(256))
		}
		_ = os.WriteFile(at, text, os.FileMode(0o644|0o111*random.IntN(2))) // a folder may be there, or a link to one
	}
	// git keeps no empty folders.
	for range 4 {
		err := filepath.WalkDir(r.dir, func(p string, d fs.DirEntry, err error) error {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			if entries, _ := os.ReadDir(p); d.IsDir() && len(entries) == 0 {
				return os.Remove(p)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

func TestManyMayReadAtOnce(t *testing.T) {
	r := newRepo(t)
	texts := map[string]string{}
	for i := range 100 {
		texts[fmt.Sprintf("%d/%d", i%7, i)] = strings.Repeat(strconv.Itoa(i), i)
	}
	r.link(map[string]string{"way": "3"})
	r.commit("one", texts)
	fsys := tree(t, r.open(""), "HEAD")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for name, want := range texts {
				name = strings.Replace(name, "3/", "way/", 1)
				if st, err := fsys.Stat(name); err != nil {
					t.Errorf("Stat(%s): %v, %v", name, st, err)
				}
				if data, err := fs.ReadFile(fsys, name); string(data) != want || err != nil {
					t.Errorf("ReadFile(%s): %q, %v; want %q", name, data, err, want)
				}
			}
		})
	}
	wait.Wait()
}

// object writes an object that git itself would not make.
func (r repo) object(kind string, data []byte) string {
	r.t.Helper()
	cmd := exec.Command("git", "hash-object", "-w", "--literally", "-t", kind, "--stdin")
	cmd.Dir, cmd.Stdin = r.dir, bytes.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// tree writes a tree of lines MODE NAME, each with the same object.
func (r repo) tree(lines []string, id string) string {
	r.t.Helper()
	var raw bytes.Buffer
	for _, line := range lines {
		raw.WriteString(line + "\x00")
		for i := 0; i < len(id); i += 2 {
			var b byte
			if _, err := fmt.Sscanf(id[i:i+2], "%02x", &b); err != nil {
				r.t.Fatal(err)
			}
			raw.WriteByte(b)
		}
	}
	return r.object("tree", raw.Bytes())
}

func TestNamesThatAreNoPathsAreLeftOut(t *testing.T) {
	r := newRepo(t)
	blob := r.object("blob", []byte("text"))
	inner := r.tree([]string{"100644 ok", "100644 n\xffo"}, blob)
	top := r.tree([]string{
		"100644 ..", "100644 .", "100644 /abs", "100644 a", "100755 a", "100644 b\xc3", "100664 old", "120000 link",
		"100644 ../../etc/x", "100644 d//e", "100644 f/g", "100644 a/under",
	}, blob)
	fsys := tree(t, r.open(""), top)
	same(t, fsys, map[string]string{"a": "text", "old": "text", "f/g": "text", "link": "-> text"})
	want := []string{".", "..", "../../etc/x", "/abs", "a", "a/under", "b\xc3", "d//e"}
	if d := cmp.Diff(want, fsys.Unreadable()); d != "" {
		t.Errorf("left out (-want +got):\n%s", d)
	}
	if fsys = tree(t, r.open(""), r.tree([]string{"100644 " + strings.Repeat("long/", 900) + "x"}, blob)); len(fsys.Unreadable()) != 1 {
		t.Errorf("a path of 4,501 bytes: left out are %d", len(fsys.Unreadable()))
	}
	whole := r.tree([]string{"40000 ..", "40000 in", "40000 in"}, inner)
	fsys = tree(t, r.open(""), whole)
	same(t, fsys, map[string]string{"in/ok": "text"})
	if d := cmp.Diff([]string{"../n\xffo", "../ok", "in/n\xffo", "in/n\xffo", "in/ok"}, fsys.Unreadable()); d != "" {
		t.Errorf("left out (-want +got):\n%s", d)
	}
}

func TestLinksThatNoDiskCouldHold(t *testing.T) {
	r := newRepo(t)
	for _, target := range []string{"", strings.Repeat("a", 5000)} {
		fsys := tree(t, r.open(""), r.tree([]string{"120000 link"}, r.object("blob", []byte(target))))
		if _, err := fs.ReadFile(fsys, "link"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a target of %d bytes: %v", len(target), err)
		}
	}
}

// What load reads from git is what it reads from disk.
func TestLoadReadsTheSameAsFromDisk(t *testing.T) {
	r := newRepo(t)
	r.link(map[string]string{
		"p/CLAUDE.md": "AGENTS.md", "p/skills": "store", "p/docs/d/up": "..", "p/docs/e": "d", "p/docs/out": "../../secret", "p/docs/gone.md": "nothing.md",
	})
	r.commit("one", map[string]string{
		"p/prompts.yaml": `sources:
  a: {kind: text, path: "*.md"}
  b: {kind: skills, path: "skills/*/SKILL.md"}
  c: {kind: text, path: "docs/**/*.md"}
  d: {kind: context, path: w/x}
  e: {kind: text, path: agents.md}
  f: {kind: text, path: big.txt}
  g: {kind: text, path: docs/out/s.md}
`,
		"p/AGENTS.md": "top", "p/store/s/SKILL.md": "---\nname: s\n---\n", "p/docs/a.md": "a\r\n", "p/docs/d/b.md": "b", "p/w/x/y": "",
		"p/w/AGENTS.md": "w", "p/big.txt": strings.Repeat("x", 17<<20), "secret/s.md": "s",
	})
	dir, err := load.Dir(filepath.Join(r.dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	want := report(t, dir)
	for name, fsys := range map[string]*git.Tree{"tree": tree(t, r.open("p"), "HEAD"), "index": index(t, r.open("p"))} {
		if d := cmp.Diff(want, report(t, fsys)); d != "" {
			t.Errorf("%s (-disk +git):\n%s", name, d)
		}
	}
}

// report gives the findings and documents of load.
func report(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	read, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range found {
		out = append(out, fmt.Sprintf("%s %s %d %s", d.Code, d.Span.File.Path, d.Span.Start, wording.Message(d)))
	}
	if len(out) == 0 {
		t.Error("nothing is wrong with a project that is")
	}
	for _, docs := range slices.Collect(maps.Values(read.Matches)) {
		for _, doc := range docs {
			out = append(out, fmt.Sprintf("doc %s %s %q", doc.File.Path, doc.Real, doc.Body.Str))
		}
	}
	slices.Sort(out)
	return out
}
