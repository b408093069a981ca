package validate_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

var update = flag.Bool("update", false, "write what was found into the golden files")

// findings is the file of an archive that holds what validate should say.
const findings = "findings"

// report gives findings as people see them, without the source line.
func report(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		where := "?"
		if d.Span.Known() {
			line, column := d.Span.File.Position(d.Span.Start)
			where = fmt.Sprintf("%s:%d:%d", d.Span.File.Path, line, column)
		}
		fmt.Fprintf(&b, "%s: %s[%s]: %s\n", where, d.Level, d.Code, wording.Message(d))
		if wording.Hint(d) != "" {
			fmt.Fprintf(&b, "  hint: %s\n", wording.Hint(d))
		}
	}
	return b.String()
}

// read loads a tree, and fails where load alone refuses it.
func read(t *testing.T, fsys fs.FS) *language.Tree {
	t.Helper()
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	if tree.Manifest == nil {
		t.Fatalf("load refuses the manifest:\n%s", report(found))
	}
	return tree
}

// manifest gives a tree of nothing but a manifest.
func manifest(t *testing.T, text string) *language.Tree {
	t.Helper()
	return read(t, testproject.Of("prompts.yaml", text))
}

// archive splits a txtar file: a comment, then files that each start with a
// line `-- NAME --`.
func archive(text string) (comment string, files []archived) {
	for _, line := range strings.SplitAfter(text, "\n") {
		name, isMark := strings.CutSuffix(strings.TrimRight(line, "\n"), " --")
		if name = strings.TrimPrefix(name, "-- "); isMark && strings.HasPrefix(line, "-- ") {
			files = append(files, archived{name: name})
			continue
		}
		if len(files) == 0 {
			comment += line
			continue
		}
		files[len(files)-1].text += line
	}
	return comment, files
}

// archived is one file of an archive.
type archived struct{ name, text string }

func TestFindings(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			comment, files := archive(string(text))
			fsys, want := fstest.MapFS{}, ""
			for _, f := range files {
				if f.name == findings {
					want = f.text
					continue
				}
				fsys[f.name] = &fstest.MapFile{Data: []byte(f.text)}
			}
			_, found := validate.Run(read(t, fsys))
			for _, d := range found {
				if d.Level == diag.Error && wording.Hint(d) == "" {
					t.Errorf("no hint: %s", wording.Message(d))
				}
			}
			got := report(found)
			if *update {
				writeFindings(t, name, comment, files, got)
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func writeFindings(t *testing.T, name, comment string, files []archived, got string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(comment)
	for _, f := range files {
		if f.name != findings {
			fmt.Fprintf(&b, "-- %s --\n%s", f.name, f.text)
		}
	}
	fmt.Fprintf(&b, "-- %s --\n%s", findings, got)
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOwnManifestIsClean(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "prompts.yaml")); err != nil {
		t.Skip("this repository has no prompts.yaml yet")
	}
	spec, found := validate.Run(read(t, os.DirFS(root)))
	if len(found) > 0 {
		t.Errorf("findings:\n%s", report(found))
	}
	if len(spec.Prompts) == 0 || len(spec.Sources) == 0 {
		t.Error("the Spec is empty")
	}
}

func TestTreeWithoutManifestGivesAnEmptySpec(t *testing.T) {
	spec, found := validate.Run(&language.Tree{})
	if len(found) > 0 {
		t.Errorf("findings:\n%s", report(found))
	}
	if spec == nil || len(spec.Prompts) > 0 {
		t.Errorf("Spec is %+v", spec)
	}
}
