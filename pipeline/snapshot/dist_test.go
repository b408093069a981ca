package snapshot_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

// slotted is a prompt with two slots, multi-byte text and tools beside it.
func slotted() draft {
	return draft{id: "p", axes: []string{"x=1,2"}, sections: []section{
		always("first", "Grüße."),
		{"notes", func(p at) *says {
			slot := &prompt.Slot{Name: prompt.Word{Str: "notes"}, Optional: true, MaxTokens: 20}
			clock := &prompt.Slot{Name: prompt.Word{Str: "clock"}}
			s := &says{text: "## Notes\n\n{{notes}} at {{clock}}", slots: []prompt.SlotAt{{Slot: slot, Start: 10, End: 19}, {Slot: clock, Start: 23, End: 32}}}
			if p["x"] == "2" {
				s.tools, s.beside = []*prompt.Tool{tool("exec", "Run <it>."), tool("ask", "Ask.")}, true
			}
			return s
		}},
	}}
}

func artifacts(t *testing.T, in snapshot.Input) map[string]string {
	t.Helper()
	delta, found, err := snapshot.Run(fstest.MapFS{}, withDist(in))
	if err != nil || delta == nil {
		t.Fatal(err, found)
	}
	out := map[string]string{}
	for _, c := range delta.Artifacts {
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

func TestManifestSaysWhereEverythingIs(t *testing.T) {
	files := artifacts(t, world(slotted()))
	var m struct {
		Version  int
		Variants []struct {
			Name, File, SHA256 string
			Bytes              int
			Sections           []struct {
				ID         string
				Start, End int
			}
			Slots []struct {
				Name       string
				Start, End int
				Optional   bool
				MaxTokens  int `json:"max_tokens"`
			}
			Tools *struct{ File, SHA256 string }
		}
	}
	if err := json.Unmarshal([]byte(files["dist/manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Variants) != 2 {
		t.Fatalf("%d variants", len(m.Variants))
	}
	for _, v := range m.Variants {
		text := files["dist/"+v.File]
		if v.SHA256 != sha(text) || v.Bytes != len(text) {
			t.Errorf("%s: hash or length is wrong", v.Name)
		}
		var got []string
		for _, s := range v.Sections {
			got = append(got, s.ID+": "+text[s.Start:s.End])
		}
		for _, s := range v.Slots {
			got = append(got, s.Name+": "+text[s.Start:s.End])
		}
		want := []string{"first: Grüße.", "notes: ## Notes\n\n{{notes}} at {{clock}}", "notes: {{notes}}", "clock: {{clock}}"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", v.Name, diff)
		}
		if s := v.Slots[0]; !s.Optional || s.MaxTokens != 20 {
			t.Errorf("slot %v", s)
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
	text, err := os.ReadFile(filepath.Join("..", "..", "schema", "dist-manifest.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	check := checker{definitions: root["definitions"].(map[string]any), used: map[string]bool{}}
	var value any
	if err := json.Unmarshal([]byte(artifacts(t, bodies())["dist/manifest.json"]), &value); err != nil {
		t.Fatal(err)
	}
	check.check(t, "manifest", root, value)
	for _, name := range []string{"version", "tools", "optional", "max_tokens", "tokenizer", "dialect", "pointer", "tool_tokens"} {
		if !check.used[name] {
			t.Errorf("the test's manifest has no %q", name)
		}
	}
}

// checker holds the few keywords that this one schema uses.
type checker struct {
	definitions map[string]any
	used        map[string]bool
}

func (c checker) check(t *testing.T, where string, schema map[string]any, value any) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		c.check(t, where, c.definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any), value)
		return
	}
	if want, ok := schema["const"]; ok && want != value {
		t.Errorf("%s is %v", where, value)
	}
	switch v := value.(type) {
	case map[string]any:
		properties := schema["properties"].(map[string]any)
		for _, name := range schema["required"].([]any) {
			if _, ok := v[name.(string)]; !ok {
				t.Errorf("%s has no %s", where, name)
			}
		}
		for name, field := range v {
			c.used[name] = true
			if property, ok := properties[name].(map[string]any); ok {
				c.check(t, where+"."+name, property, field)
			} else {
				t.Errorf("%s has the undeclared %s", where, name)
			}
		}
	case []any:
		for _, item := range v {
			c.check(t, where+"[]", schema["items"].(map[string]any), item)
		}
	case string:
		if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
			t.Errorf("%s is %q", where, v)
		}
	}
	kinds := map[string]bool{"object": isA[map[string]any](value), "array": isA[[]any](value), "string": isA[string](value), "integer": isA[float64](value), "boolean": isA[bool](value)}
	if kind, ok := schema["type"].(string); ok && !kinds[kind] {
		t.Errorf("%s is no %s", where, kind)
	}
}

func isA[T any](v any) bool {
	_, ok := v.(T)
	return ok
}
