package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden renders each archive below testdata and compares the exact
// bytes. The last two files of an archive are what is wanted: the text (and a
// line break), and the facts about it.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, found := newFixture(t, a).run()
			checkRendering(t, r)
			text, facts := describe(r, found)
			if text != "" {
				text += "\n"
			}
			if *update {
				writeGolden(t, path, a, text, facts)
				return
			}
			if diff := cmp.Diff(wanted(a, "want.txt"), text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wanted(a, "want.facts"), facts); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

func wanted(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func writeGolden(t *testing.T, path string, a *txtar.Archive, text, facts string) {
	t.Helper()
	var kept []txtar.File
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			kept = append(kept, f)
		}
	}
	a.Files = append(kept, txtar.File{Name: "want.txt", Data: []byte(text)}, txtar.File{Name: "want.facts", Data: []byte(facts)})
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkRendering holds what is true of every rendering: places that promise
// the file's bytes hold them, items and slots lie in the text, in order, and
// slots hold {{name}}.
func checkRendering(t testing.TB, r *assembly.Rendering) {
	t.Helper()
	checkPlaces(t, r.Text)
	last := 0
	for _, it := range r.Items {
		if it.Start < last || it.End <= it.Start || it.End > len(r.Text.Str) {
			t.Errorf("item %q is at [%d, %d) after %d in %d bytes", it.Name, it.Start, it.End, last, len(r.Text.Str))
		}
		last = it.End
	}
	last = 0
	for _, s := range r.Slots {
		if s.Start < last || s.End > len(r.Text.Str) || r.Text.Str[s.Start:s.End] != "{{"+s.Slot.Name.Str+"}}" {
			t.Errorf("slot %q is at [%d, %d)", s.Slot.Name.Str, s.Start, s.End)
		}
		last = s.End
	}
	if strings.Trim(r.Text.Str, "\n") != r.Text.Str {
		t.Errorf("outer line breaks in %q", short(r.Text.Str))
	}
}

func checkPlaces(t testing.TB, text ground.Text) {
	t.Helper()
	last := 0
	for _, s := range text.Segs {
		if s.Start < last || s.End <= s.Start || s.End > len(text.Str) ||
			!s.At.Known() || s.At.Start < 0 || s.At.End < s.At.Start || s.At.End > len(s.At.File.Text) {
			t.Fatalf("segment [%d, %d) after %d at [%d, %d)", s.Start, s.End, last, s.At.Start, s.At.End)
		}
		last = s.End
		if s.Exact() && text.Str[s.Start:s.End] != s.At.File.Text[s.At.Start:s.At.End] {
			t.Fatalf("%q is said to be %q", text.Str[s.Start:s.End], s.At.File.Text[s.At.Start:s.At.End])
		}
	}
}

// TestKindsAreRendered holds the two tables of kinds together.
func TestKindsAreRendered(t *testing.T) {
	for _, k := range language.Kinds {
		for _, form := range append([]string{""}, k.Forms...) {
			for _, style := range append([]string{""}, k.Styles...) {
				u := &assembly.Unit{Section: &language.Section{}, Inputs: []*assembly.Input{{Kind: &k, Form: form, Style: style}}}
				out, found := render.Run(&assembly.Plan{Units: []*assembly.Unit{u}})
				if len(found) > 0 || out[0].Unit != u || out[0].Text.Str != "" {
					t.Errorf("%s %s %s: %v %q", k.Name, form, style, found, out[0].Text.Str)
				}
			}
		}
	}
}

// TestCodes holds the stage's codes to their table: each is explained, and
// some golden file provokes it.
func TestCodes(t *testing.T) {
	var goldens strings.Builder
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		goldens.Write(data)
	}
	n := 0
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "PC4") {
			continue
		}
		n++
		if e.Title == "" || len(e.Explanation) < 80 {
			t.Errorf("%s is hardly explained", e.Code)
		}
		if !strings.Contains(goldens.String(), e.Level.String()+"["+string(e.Code)+"]") {
			t.Errorf("no golden file provokes %s", e.Code)
		}
	}
	if n == 0 {
		t.Error("no codes")
	}
}
