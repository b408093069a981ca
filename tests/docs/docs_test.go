// Package docs_test runs the examples of the documents: what README.md and the
// pages in docs/ show of promptc's output is what promptc prints.
//
// A fenced block belongs to an example when its info string says so. The blocks
// of one example run in their order, in a folder of their own:
//
//	```yaml example=axes file=prompts.yaml     writes the file
//	```text example=axes files                 writes several, each below a line "-- NAME --"
//	```console example=axes                    runs the lines that start with "$ "; the lines
//	                                           below each are what it prints, both streams as a
//	                                           terminal shows them, then "exit N" unless it is 0
//	```sh example=start                        runs the block as a script
//	```text example=start output               is what the script above it printed
//	```text example=axes shows=dist/a.txt      is the content of a file
//	```console example=kinds from=kinds        starts from a copy of testdata/kinds
//	```console example=edit from=checkout      starts from a copy of this repository's prompts, under git
//	```console example=load needs=node         runs where that program is installed
//	```console example=try from=history        starts from a repository with the commits in testdata/history
//
// What stands between the lines `<!-- example=edit shows=comment.md -->` and
// `<!-- end -->` is such a block as well: Markdown that readers see as such.
//
// A console block without an example is an error, so that no output in the
// documents goes stale unseen. After a change on purpose, write the new outputs
// into the documents and read the difference:
//
//	go test ./tests/docs -update
package docs_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language"
)

var update = flag.Bool("update", false, "write what the examples print into the documents")

// documents are the pages whose examples run, relative to docs.
var documents = []string{
	"../README.md", "README.md", "adopt.md", "bodies.md", "architecture.md", "bindings.md", "budgets.md", "caching.md", "checks.md", "formats.md", "loading.md", "manifest.md", "review.md", "servers.md", "start.md", "workspaces.md",
}

// bin is the folder of the promptc that the examples run, cache the one that
// `go run` in an example finds the standard library in.
var bin, cache string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// data is the folder of what the examples start from.
const data = "../tests/docs/testdata"

// run has all tests in docs, as readers of a page see other files.
func run(m *testing.M) int {
	flag.Parse()
	if err := os.Chdir(filepath.Join("..", "..", "docs")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "promptc-docs-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin = dir
	build := exec.Command("go", "build", "-o", filepath.Join(dir, program()), "../cmd/promptc")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, out)
		return 1
	}
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "go env GOCACHE:", err)
		return 1
	}
	cache = strings.TrimSpace(string(out))
	return m.Run()
}

// depend looks at all that the program is built from. `go test` gives a cached
// result as long as nothing changed that a test itself has looked at; what the
// commands read that a test runs, it does not know.
func depend(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"../cmd", "../pipeline", "../schema"} {
		if err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
			t.Fatal(err)
		}
	}
}

// program is the name of the binary.
func program() string {
	if runtime.GOOS == "windows" {
		return "promptc.exe"
	}
	return "promptc"
}

// block is a fenced block of a document, from its first content line to
// behind its last.
type block struct {
	first, end int
	lang       string
	info       map[string]string
}

func (b block) content(lines []string) string {
	return strings.Join(lines[b.first:b.end], "")
}

// opening begins a block, and quoting one that is shown as Markdown.
var (
	opening = regexp.MustCompile("^(`{3,})([a-z]*)(.*)\n$")
	quoting = regexp.MustCompile("^<!--()()( example=.*) -->\n$")
)

// opened gives what begins a block and the line that ends it.
func opened(line string) (m []string, end string) {
	if m = quoting.FindStringSubmatch(line); m != nil {
		return m, "<!-- end -->\n"
	}
	if m = opening.FindStringSubmatch(line); m != nil {
		return m, m[1] + "\n"
	}
	return nil, ""
}

// blocks finds the fenced blocks of a document.
func blocks(t *testing.T, doc string, lines []string) []block {
	t.Helper()
	var out []block
	for i := 0; i < len(lines); i++ {
		m, end := opened(lines[i])
		if m == nil {
			continue
		}
		b := block{first: i + 1, lang: m[2], info: map[string]string{}}
		for word := range strings.FieldsSeq(m[3]) {
			key, value, _ := strings.Cut(word, "=")
			if !slices.Contains([]string{"example", "file", "files", "shows", "output", "from", "needs"}, key) {
				t.Errorf("%s:%d: unknown word %q in the info string", doc, i+1, word)
			}
			b.info[key] = value
		}
		for i++; i < len(lines) && lines[i] != end; i++ {
		}
		b.end = i
		if i == len(lines) {
			t.Fatalf("%s:%d: the block is not closed", doc, b.first)
		}
		if b.lang == "console" && b.info["example"] == "" {
			t.Errorf("%s:%d: a console block without example=NAME", doc, b.first)
		}
		out = append(out, b)
	}
	return out
}

func TestExamples(t *testing.T) {
	depend(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the examples are written for sh, which is not here")
	}
	for _, doc := range documents {
		t.Run(filepath.Base(doc), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(doc)
			if err != nil {
				t.Fatal(err)
			}
			got := perform(t, doc, string(text))
			if *update && got != string(text) {
				if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestKinds holds the bytes that every kind prints in each of its forms and
// styles: testdata/kinds/dist is what a build of testdata/kinds writes.
func TestKinds(t *testing.T) {
	depend(t)
	const golden = data + "/kinds/dist"
	e := &example{dir: t.TempDir()}
	e.copy(t, data+"/kinds", ".")
	if err := os.RemoveAll(filepath.Join(e.dir, "dist")); err != nil {
		t.Fatal(err)
	}
	built := exec.Command(filepath.Join(bin, program()), "build")
	built.Dir = e.dir
	if out, err := built.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := files(t, filepath.Join(e.dir, "dist"))
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(golden, os.DirFS(filepath.Join(e.dir, "dist"))); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(files(t, golden), got); diff != "" {
		t.Errorf("%s is not what promptc writes (-there +promptc; go test ./tests/docs -update writes it):\n%s", golden, diff)
	}
}

// TestKindsTable holds the table of kinds against the program's own.
func TestKindsTable(t *testing.T) {
	text, err := os.ReadFile("manifest.md")
	if err != nil {
		t.Fatal(err)
	}
	_, kinds, _ := strings.Cut(string(text), "\n## Kinds\n")
	for _, k := range language.Kinds {
		_, row, ok := strings.Cut(kinds, "\n| `"+k.Name+"` | ")
		if !ok {
			t.Errorf("the table of kinds lacks a row for %q", k.Name)
			continue
		}
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(strings.TrimSuffix(row, "|"), "|")
		for i, names := range [][]string{k.Forms, k.Styles, k.Options} {
			var want string
			if len(names) > 0 {
				want = "`" + strings.Join(names, "`, `") + "`"
			}
			if cell, _, _ := strings.Cut(strings.TrimSpace(cells[i+1]), " ("); cell != want {
				t.Errorf("the row of %q says %q; want %q", k.Name, cell, want)
			}
		}
	}
}

// files gives the content of every file below a folder, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// perform runs a document's examples and gives the document with the outputs
// that they had.
func perform(t *testing.T, doc, text string) string {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	examples := map[string]*example{}
	var out strings.Builder
	at := 0
	for _, b := range blocks(t, doc, lines) {
		name := b.info["example"]
		if name == "" {
			continue
		}
		if examples[name] == nil {
			examples[name] = &example{dir: t.TempDir()}
		}
		want := b.content(lines)
		got := examples[name].do(t, b, want)
		if !*update {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:%d: example %s prints something else (-document +promptc; go test ./tests/docs -update writes it):\n%s",
					doc, b.first, name, diff)
			}
		}
		out.WriteString(strings.Join(lines[at:b.first], "") + got)
		at = b.end
	}
	if len(examples) == 0 && doc != "architecture.md" {
		t.Errorf("%s has no examples", doc)
	}
	return out.String() + strings.Join(lines[at:], "")
}
