package pipeline_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// shipped is dist/manifest.json, read as a loader in production would.
type shipped struct {
	Version    int
	Tokenizers []struct{ Name string }
	Prompts    []*shippedPrompt
	Tables     struct {
		Texts    []string
		Sections [][]shippedPlace
		Slots    [][]shippedPlace
		Ladders  []struct {
			ID, Phase string
			Score     float64
			Sticky    bool
			Join      *string
			Needs     []string
			Steps     []struct{ Text, Slots, Tokens int }
		}
		Compositions []struct {
			Order                  []string
			Place, Fill, Join, End string
			Sections               []int
		}
		Outcomes []struct {
			Steps   []*int
			Dropped []struct {
				ID, Phase    string
				Tokens, Left int
			}
			Notice string
		}
	}
}

type shippedPrompt struct {
	ID   string
	Axes []struct {
		Name    string
		Values  []string
		Default string
	}
	Exclude [][]struct {
		Axis   string
		Values []string
		Not    bool
	}
	Slots    []struct{ Name string }
	Variants []*shippedVariant
}

type shippedVariant struct {
	Name, File, SHA256, Dialect string
	Values                      map[string]string
	Bytes, Tokens, Use          int
	Estimate                    bool
	Tokenizer                   string
	Budget                      struct{ Tokens, Chars *int }
	Context, Sections, Slots    int
	Composition, Outcome        *int
}

// shippedPlace is that of a section, which has an id, or of a slot.
type shippedPlace struct {
	ID, Name, Pointer string
	Join              *int
	Start, End        int
}

// readShipped reads the manifest among the files of a build.
func readShipped(t *testing.T, files map[string]string) *shipped {
	t.Helper()
	var m shipped
	if err := json.Unmarshal([]byte(files["dist/manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	return &m
}

func (m *shipped) variants() []*shippedVariant {
	var out []*shippedVariant
	for _, p := range m.Prompts {
		out = append(out, p.Variants...)
	}
	return out
}

// outputs gives what a result wants on disk, by path.
func outputs(r *prompt.Result) map[string]string {
	out := map[string]string{}
	for _, o := range r.Delta.Wanted {
		out[o.Path] = o.Content()
	}
	return out
}

// stringAt follows a pointer of RFC 6901; "" leads to the text itself.
func stringAt(t *testing.T, file, pointer string) string {
	t.Helper()
	if pointer == "" {
		return file
	}
	var at any
	if err := json.Unmarshal([]byte(file), &at); err != nil {
		t.Fatal(err)
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				t.Fatalf("%q leads nowhere", pointer)
			}
			at = v[i]
		}
	}
	text, ok := at.(string)
	if !ok {
		t.Fatalf("%q leads to no string", pointer)
	}
	return text
}

func TestCuttingShippedFilesGivesSectionsAndSlots(t *testing.T) {
	skipIfShort(t)
	slots := 0
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		r := compileWorld(t, w)
		files := outputs(r)
		m := readShipped(t, files)
		all := m.variants()
		if len(all) != len(r.Artifacts) {
			t.Fatalf("seed %d: %d variants are shipped of %d", seed, len(all), len(r.Artifacts))
		}
		for i, v := range all {
			file, a := files["dist/"+v.File], r.Artifacts[i]
			hash := sha256.Sum256([]byte(file))
			if file == "" || v.SHA256 != hex.EncodeToString(hash[:]) || v.Bytes != len(file) || v.Tokens != a.Tokens {
				t.Fatalf("seed %d: the entry of %s is not that of its file", seed, v.Name)
			}
			cut := map[string]string{}
			for _, s := range m.Tables.Sections[v.Sections] {
				cut[s.ID] = stringAt(t, file, s.Pointer)[s.Start:s.End]
				if want := snapshotOf(r, a, s.ID); cut[s.ID]+"\n" != want {
					t.Fatalf("seed %d, %s: %q is cut as %q, its snapshot is %q", seed, v.Name, s.ID, cut[s.ID], want)
				}
			}
			for _, s := range m.Tables.Slots[v.Slots] {
				slots++
				if got := stringAt(t, file, s.Pointer)[s.Start:s.End]; got != "{{"+s.Name+"}}" {
					t.Fatalf("seed %d, %s: the slot %q is cut as %q", seed, v.Name, s.Name, got)
				}
			}
			w.checkCut(t, a, cut, len(m.Tables.Slots[v.Slots]))
		}
	}
	if slots < worlds {
		t.Errorf("%d slots in all: the projects try too little", slots)
	}
}

// checkCut holds that no section and no slot is missing.
func (w *world) checkCut(t *testing.T, a *assembly.Artifact, cut map[string]string, slots int) {
	t.Helper()
	want, wantSlots := map[string]string{}, 0
	if a.Build.Prompt.ID.Str == "talk" {
		for i, text := range w.system {
			want["s"+strconv.Itoa(i)] = text
		}
		if w.reminder != "" {
			want["reminder"] = w.reminder
		}
	} else {
		for i, s := range w.plain {
			want["p"+strconv.Itoa(i)] = s.whole()
			if s.slot != "" {
				wantSlots++
			}
		}
		if w.tools > 0 {
			want["tools"] = cut["tools"]
		}
	}
	for id, text := range want {
		if cut[id] != text || text == "" {
			t.Fatalf("%s: %q is cut as %q", a.Variant.Name, id, cut[id])
		}
	}
	if len(cut) != len(want) || slots != wantSlots {
		t.Fatalf("%s has the sections %v and %d slots", a.Variant.Name, cut, slots)
	}
}

// snapshotOf gives the file that holds what a section says in a variant.
func snapshotOf(r *prompt.Result, a *assembly.Artifact, id string) string {
	for _, o := range r.Delta.Wanted {
		if o.Owner.Kind != assembly.OutRendering {
			continue
		}
		for _, u := range o.Owner.Users {
			if u.Build == a.Build && u.Set.Has(a.Variant.Index) && ownedBy(o.Owner, a, id) {
				return o.Content()
			}
		}
	}
	return ""
}

// ownedBy reports whether an output is that of a section of the variant's
// prompt. A text that an earlier prompt has stored bears that prompt's ids,
// which random texts do not share.
func ownedBy(o assembly.Owner, a *assembly.Artifact, id string) bool {
	return o.Prompt == a.Build.Prompt.ID.Str && o.Section == id
}

func TestBuiltIsCurrentAndBuildingAgainChangesNothing(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		fsys := w.fsys()
		r := testproject.Compile(t, fsys, pipeline.Built)
		again := testproject.Compile(t, built(fsys, outputs(r)), pipeline.Built)
		for _, d := range again.Findings[len(r.Findings):] {
			t.Errorf("seed %d: %s", seed, worded(d))
		}
		if n := len(again.Delta.Snapshots) + len(again.Delta.Artifacts.Changes); n > 0 || !again.Delta.Artifacts.Have {
			t.Errorf("seed %d: %d files are out of date after a build: %v", seed, n, again.Delta.Snapshots)
		}
	}
}
