package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
)

// shelf collects the files in which contents are expected.
type shelf map[string]string

// put names a content; one of the workspace that another fixture says in other
// words is named after its own fixture, too.
func (s shelf) put(stem, fixture, text string) {
	name := "snapshots/talk/" + stem
	if other, ok := s[name+".txt"]; ok && other != text+"\n" {
		name += "~" + fixture
	}
	s[name+".txt"] = text + "\n"
}

// expect names all contents of a fixture whose names are spelled as they are.
func (w *world) expect(out shelf, f *fixture) {
	o := oracle{w: w, f: f}
	full := map[string]bool{}
	for _, name := range w.inFullOf(f) {
		full[name] = true
		if plainName(name) {
			out.put("files/"+name, f.name, o.files([]string{name})[0])
		}
	}
	for _, s := range f.symbols {
		if !full[s.name] && plainName(s.name) {
			out.put("symbols/"+s.name, f.name, s.text)
		}
	}
	if f.legend != "" {
		out.put("legend", f.name, f.legend)
	}
	for n, h := range f.history {
		out.put(fmt.Sprintf("history/%s/%d-%s", f.name, n, h.name), f.name, h.text)
	}
	out.put("prompt/"+f.name, f.name, f.prompt)
}

// plainName reports whether a path stands in a file's name as it is.
func plainName(path string) bool {
	return strings.Trim(path, "abcdefghijklmnopqrstuvwxyz./") == ""
}

// TestContentsAreFilesUnderTheirNames holds what is stored of each fixture, and
// where. How unusual names are spelled is none of its business.
func TestContentsAreFilesUnderTheirNames(t *testing.T) {
	apart := 0
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		want, got := shelf{}, shelf{}
		for _, f := range w.fixtures {
			w.expect(want, f)
		}
		for _, o := range compileWorld(t, w).Delta.Wanted {
			below := strings.TrimSuffix(strings.TrimPrefix(o.Path, "snapshots/talk/"), ".txt")
			folder, name, _ := strings.Cut(below, "/")
			switch folder {
			case "files", "symbols":
				name, _, _ = strings.Cut(name, "~state")
			case "history", "prompt":
				name = ""
			default:
				name, _, _ = strings.Cut(folder, "~state")
				if name != "legend" {
					continue
				}
			}
			if o.Owner.Kind == assembly.OutContent && plainName(name) {
				got[o.Path] = o.Content()
			}
		}
		for name := range want {
			if strings.Contains(name, "~") {
				apart++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
	if apart == 0 {
		t.Error("no two fixtures say the same thing in other words")
	}
}
