package leaf

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
)

func TestPlacesThatDiffer(t *testing.T) {
	tests := []struct {
		name, before, after string
		want                []place
	}{
		{name: "nothing but blanks", before: `{"a": [1, {}]}`, after: `{"a":[1,{}]}`},
		{name: "the order of keys", before: `{"a": 1, "b": 2}`, after: `{"b": 2, "a": 1}`},
		{
			name: "a type of a parameter", before: `{"inputSchema": {"properties": {"cmd": {"type": "string"}}}}`,
			after: `{"inputSchema": {"properties": {"cmd": {"type": "array"}}}}`,
			want:  []place{{Path: "tools.exec.parameters.properties.cmd.type", From: `"string"`, To: `"array"`}},
		},
		{
			name: "the words for the schemas, at the top only", before: `{"inputSchema": 1, "outputSchema": 1, "annotations": {"inputSchema": 1}}`,
			after: `{"inputSchema": 2, "outputSchema": 2, "annotations": {"inputSchema": 2}}`,
			want: []place{
				{Path: "tools.exec.parameters", From: "1", To: "2"},
				{Path: "tools.exec.output", From: "1", To: "2"},
				{Path: "tools.exec.annotations.inputSchema", From: "1", To: "2"},
			},
		},
		{
			name: "keys that came and went, in order", before: `{"a": 1, "b": {"x": [ ]}, "d": 1, "f": 1}`, after: `{"a": 1, "c": {"y": null}, "d": 2}`,
			want: []place{
				{Path: "tools.exec.c", To: `{"y":null}`},
				{Path: "tools.exec.b", From: `{"x":[]}`},
				{Path: "tools.exec.d", From: "1", To: "2"},
				{Path: "tools.exec.f", From: "1"},
			},
		},
		{
			name: "numbers as written", before: `{"a": 1.0, "b": 1e2, "c": 12345678901234567890}`, after: `{"a": 1, "b": 100, "c": 12345678901234567891}`,
			want: []place{
				{Path: "tools.exec.a", From: "1.0", To: "1"},
				{Path: "tools.exec.b", From: "1e2", To: "100"},
				{Path: "tools.exec.c", From: "12345678901234567890", To: "12345678901234567891"},
			},
		},
		{
			name: "keys that are no words", before: `{"a b": 1, "a.b": {"": 1, "é<\"": 1}, "$ref-1": 1}`, after: `{"a b": 2, "a.b": {"": 2, "é<\"": 2}, "$ref-1": 2}`,
			want: []place{
				{Path: `tools.exec["a b"]`, From: "1", To: "2"},
				{Path: `tools.exec["a.b"][""]`, From: "1", To: "2"},
				{Path: `tools.exec["a.b"]["é<\""]`, From: "1", To: "2"},
				{Path: "tools.exec.$ref-1", From: "1", To: "2"},
			},
		},
		{
			name: "an element that came", before: `{"a": ["x", "y"]}`, after: `{"a": ["x", "new", "y"]}`,
			want: []place{{Path: "tools.exec.a[1]", To: `"new"`}},
		},
		{
			name: "an element that went", before: `{"a": ["x", "y", "z"]}`, after: `{"a": ["x", "z"]}`,
			want: []place{{Path: "tools.exec.a[1]", From: `"y"`}},
		},
		{
			name: "the order of elements", before: `{"a": ["x", "y", "z"]}`, after: `{"a": ["y", "z", "x"]}`,
			want: []place{{Path: "tools.exec.a[0]", From: `"x"`}, {Path: "tools.exec.a[2]", To: `"x"`}},
		},
		{
			name: "elements that changed where they stand", before: `[{"a": [1, 2]}, "x", [1]]`, after: `[{"a": [1, 3]}, {"x": 1}, [2]]`,
			want: []place{
				{Path: "tools.exec[0].a[1]", From: "2", To: "3"},
				{Path: "tools.exec[1]", From: `"x"`, To: `{"x":1}`},
				{Path: "tools.exec[2][0]", From: "1", To: "2"},
			},
		},
		{name: "no JSON", before: "{", after: "{}\n", want: []place{{Path: "tools.exec", From: "{", To: "{}"}}},
		{name: "nothing at all", before: "", after: "1", want: []place{{Path: "tools.exec", To: "1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, leavesOf("exec", tt.before, tt.after)); diff != "" {
				t.Errorf("leaves (-want +got):\n%s", diff)
			}
		})
	}
	if got := leavesOf("use it", `{"a":1}`, `{"a":2}`)[0].Path; got != `tools["use it"].a` {
		t.Errorf("a tool's name is written %s", got)
	}
}

// place is a leaf with the path to it.
type place struct{ Path, From, To string }

func leavesOf(name, before, after string) []place {
	var out []place
	for _, l := range Between(before, after) {
		out = append(out, place{Path("tools", append([]ground.PathStep{{Key: name}}, l.Steps...)), l.From, l.To})
	}
	return out
}

// TestLongAndDeepDefinitionsTakeNoTime: whatever a definition holds, there is
// an answer at once.
func TestLongAndDeepDefinitionsTakeNoTime(t *testing.T) {
	list := func(n int, one func(i int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = one(i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	plain := func(n, from int) string {
		return list(n, func(i int) string { return strconv.Itoa(i + from) })
	}
	nested := func(depth int, inner string) string {
		return strings.Repeat(`{"a":[`, depth) + inner + strings.Repeat("]}", depth)
	}
	tests := []struct {
		name, before, after string
		want                int
	}{
		{"every one of 10,000 differs", plain(10_000, 0), plain(10_000, 20_000), 10_000},
		{"one more in front of 10,000", plain(10_000, 1), plain(10_001, 0), 1},
		{"one more in front of 1,000, and one less at the end", plain(1_000, 1), plain(1_000, 0), 2},
		{"many lists", list(300, func(int) string { return plain(1_000, 0) }), list(300, func(int) string { return plain(1_000, 2_000) }), 300_000},
		{"deep", nested(40, "1"), nested(40, "2"), 1},
		{"too deep", nested(4_000, "1"), nested(4_000, "2"), 1},
		{"deeper than JSON is read", nested(6_000, "1"), nested(6_000, "2"), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := len(leavesOf("t", tt.before, tt.after)); got != tt.want {
				t.Errorf("%d places, want %d", got, tt.want)
			}
		})
	}
}

// TestOneChangeOfARealToolIsOnePlace changes a random place of what people
// publish: that place is found, and no other.
func TestOneChangeOfARealToolIsOnePlace(t *testing.T) {
	for _, root := range []string{filepath.Join("..", "..", "testdata", "corpora", "tools"), filepath.Join("..", "..", "..", "..", "shared", "corpora", "tools")} {
		if _, err := os.Stat(root); err == nil || strings.Contains(root, "testdata") {
			checkTools(t, root)
		}
	}
}

func checkTools(t *testing.T, root string) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 8))
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files++
		var whole any
		if err := json.Unmarshal(text, &whole); err != nil {
			return err
		}
		text = []byte(jsonOf(t, whole)) // with the escapes that canonical JSON has
		if got := leavesOf("x", string(text), string(text)+" "); len(got) > 0 {
			t.Errorf("%s differs from itself: %v", name, got)
		}
		for range 10 {
			changed, want := mutate(t, random, text)
			if diff := cmp.Diff([]place{want}, leavesOf("x", string(text), changed)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			back := place{Path: want.Path, From: want.To, To: want.From}
			if diff := cmp.Diff([]place{back}, leavesOf("x", changed, string(text))); diff != "" {
				t.Errorf("%s, from the other side (-want +got):\n%s", name, diff)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("there are no tools")
	}
}

// mutate changes one random scalar of a JSON text, and says where it is.
func mutate(t *testing.T, random *rand.Rand, text []byte) (string, place) {
	t.Helper()
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	type spot struct {
		path string
		put  func(any)
		was  any
	}
	var all []spot
	var walk func(path string, v any, put func(any), top bool)
	walk = func(path string, v any, put func(any), top bool) {
		switch v := v.(type) {
		case map[string]any:
			for key, one := range v {
				word := key
				if top && key == "inputSchema" {
					word = "parameters"
				}
				walk(Path(path, []ground.PathStep{{Key: word}}), one, func(n any) { v[key] = n }, false)
			}
		case []any:
			for i, one := range v {
				walk(path+"["+strconv.Itoa(i)+"]", one, func(n any) { v[i] = n }, false)
			}
		default:
			all = append(all, spot{path, put, v})
		}
	}
	walk("tools.x", root, func(n any) { root = n }, true)
	one := all[random.IntN(len(all))]
	now := []any{"now <this>", []any{}, map[string]any{"type": "null"}, true}[random.IntN(4)]
	if one.was == now {
		now = "now <this>"
	}
	one.put(now)
	return jsonOf(t, root), place{Path: one.path, From: jsonOf(t, one.was), To: jsonOf(t, now)}
}

// jsonOf writes a value in one line, as canonical JSON writes its strings.
func jsonOf(t *testing.T, v any) string {
	t.Helper()
	if s, ok := v.(string); ok {
		return canon.Value(s)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
