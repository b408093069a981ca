package snapshot_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// slotted is a prompt with two slots, multi-byte text and tools beside it.
func slotted() draft {
	slot := &language.Slot{Name: ground.Word{Str: "notes"}, Optional: true, MaxTokens: 20}
	clock := &language.Slot{Name: ground.Word{Str: "clock"}}
	return draft{id: "p", axes: []string{"x=1,2"}, sections: []section{
		always("first", "Grüße."),
		{"notes", func(p at) *says {
			s := &says{text: "## Notes\n\n{{notes}} at {{clock}}", slots: []assembly.SlotAt{{Slot: slot, Start: 10, End: 19}, {Slot: clock, Start: 23, End: 32}}}
			if p["x"] == "2" {
				s.tools, s.beside = []*language.Tool{tool("exec", "Run <it>."), tool("ask", "Ask.")}, true
			}
			return s
		}},
	}}
}

func artifacts(t *testing.T, in snapshot.Input) map[string]string {
	t.Helper()
	delta, found, err := run(fstest.MapFS{}, withDist(in))
	if err != nil || delta == nil {
		t.Fatal(err, found)
	}
	out := map[string]string{}
	for _, c := range delta.Artifacts.Changes {
		out[c.Output.Path] = c.Output.Content()
	}
	return out
}

func TestArtifactsAreTheEmittedBytes(t *testing.T) {
	got := artifacts(t, world(slotted(), draft{id: "plain", sections: []section{always("s", "S")}}))
	delete(got, "dist/manifest.json")
	text := "Grüße.\n\n## Notes\n\n{{notes}} at {{clock}}\n"
	want := map[string]string{
		"dist/p/x=1.txt": text, "dist/p/x=2.txt": text, "dist/plain/plain.txt": "S\n",
		"dist/p/x=2.tools.json": `[
  {
    "name": "exec",
    "description": "Run <it>."
  },
  {
    "name": "ask",
    "description": "Ask."
  }
]
`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestToolsInTheTextHaveNoFileBeside(t *testing.T) {
	var got []string
	for _, p := range paths(artifacts(t, world(persona()))) {
		if strings.HasSuffix(p, ".tools.json") {
			got = append(got, p)
		}
	}
	want := []string{"dist/persona/entry=full,tools=native.tools.json", "dist/persona/entry=simple,tools=native.tools.json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// loaded is dist/manifest.json as a loader reads it.
type loaded struct {
	Prompts []struct {
		Slots    []loadedSlot
		Variants []*loadedVariant
	}
	Tables struct {
		Sections [][]struct {
			ID, Pointer string
			Start, End  int
		}
		Slots [][]struct {
			Name, Pointer string
			Start, End    int
		}
	}
}

type loadedSlot struct {
	Name      string
	Optional  bool
	Volatile  bool
	MaxTokens int `json:"max_tokens"`
}

type loadedVariant struct {
	Name, File, Dialect, SHA256 string
	Bytes, Sections, Slots      int
	Tools                       *struct{ File, SHA256 string }
}

// load reads the manifest among the files of a build, and gives its variants.
func load(t *testing.T, files map[string]string) (loaded, []*loadedVariant) {
	t.Helper()
	var m loaded
	if err := json.Unmarshal([]byte(files["dist/manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	var all []*loadedVariant
	for _, p := range m.Prompts {
		all = append(all, p.Variants...)
	}
	return m, all
}

// pieces are the texts at the places of a variant's sections and slots.
func (m loaded) pieces(t *testing.T, v *loadedVariant, text string) []string {
	t.Helper()
	var out []string
	for _, s := range m.Tables.Sections[v.Sections] {
		out = append(out, s.ID+": "+pointed(t, text, s.Pointer)[s.Start:s.End])
	}
	for _, s := range m.Tables.Slots[v.Slots] {
		out = append(out, s.Name+": "+pointed(t, text, s.Pointer)[s.Start:s.End])
	}
	return out
}

func TestManifestSaysWhereEverythingIs(t *testing.T) {
	files := artifacts(t, world(slotted()))
	m, all := load(t, files)
	if len(all) != 2 {
		t.Fatalf("%d variants", len(all))
	}
	if diff := cmp.Diff([]loadedSlot{{Name: "notes", Optional: true, MaxTokens: 20}, {Name: "clock"}}, m.Prompts[0].Slots); diff != "" {
		t.Error(diff)
	}
	if len(m.Tables.Sections) != 1 || len(m.Tables.Slots) != 1 {
		t.Errorf("places that both variants have are stored twice: %+v", m.Tables)
	}
	for _, v := range all {
		text := files["dist/"+v.File]
		if v.SHA256 != sha(text) || v.Bytes != len(text) {
			t.Errorf("%s: hash or length is wrong", v.Name)
		}
		want := []string{"first: Grüße.", "notes: ## Notes\n\n{{notes}} at {{clock}}", "notes: {{notes}}", "clock: {{clock}}"}
		if diff := cmp.Diff(want, m.pieces(t, v, text)); diff != "" {
			t.Errorf("%s: %s", v.Name, diff)
		}
		if (v.Tools != nil) != (v.Name == "p/x=2") {
			t.Errorf("%s: tools are %v", v.Name, v.Tools)
		} else if v.Tools != nil && v.Tools.SHA256 != sha(files["dist/"+v.Tools.File]) {
			t.Errorf("%s: the tools' hash is wrong", v.Name)
		}
	}
}

func sha(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func TestManifestObeysItsSchema(t *testing.T) {
	schema := manifestSchema(t)
	for name, in := range map[string]snapshot.Input{"bodies": bodies(), "phases": contributors(), "nothing": world()} {
		var value any
		if err := json.Unmarshal([]byte(artifacts(t, in)["dist/manifest.json"]), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func manifestSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.Compile(filepath.Join("..", "..", "..", "schema", "dist-manifest.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
