package request_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/request"
)

// node reads JSON.
func node(t *testing.T, text string) *ground.Node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return of(v)
}

func of(v any) *ground.Node {
	scalar := func(kind ground.NodeKind, s string) *ground.Node {
		return &ground.Node{Kind: kind, Text: ground.Literal(s)}
	}
	switch v := v.(type) {
	case nil:
		return scalar(ground.Null, "null")
	case bool:
		return scalar(ground.Bool, map[bool]string{true: "true", false: "false"}[v])
	case json.Number:
		return scalar(ground.Number, v.String())
	case string:
		return scalar(ground.String, v)
	case []any:
		out := &ground.Node{Kind: ground.Sequence}
		for _, item := range v {
			out.Items = append(out.Items, of(item))
		}
		return out
	case map[string]any:
		out := &ground.Node{Kind: ground.Mapping}
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			out.Fields = append(out.Fields, ground.Field{Key: key, Value: of(v[key])})
		}
		return out
	default:
		panic("no value of JSON")
	}
}

// dialectOf gives the dialect of a name in which bodies are read.
func dialectOf(t *testing.T, name string) *ground.Dialect {
	t.Helper()
	for _, d := range ground.BodyDialects() {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("no dialect is called %q", name)
	return nil
}

// kept is what a body says: without noise, without what is null, with ids that are
// numbered in the order in which they are met, keys sorted.
func kept(n *ground.Node) string {
	return canon.Indent(keptIn(n, map[string]string{}, 0, ""))
}

func keptIn(n *ground.Node, ids map[string]string, depth int, under string) *ground.Node {
	out := &ground.Node{Kind: n.Kind, Text: n.Text}
	for _, item := range n.Items {
		out.Items = append(out.Items, keptIn(item, ids, depth+1, under))
	}
	fields := slices.Clone(n.Fields)
	slices.SortFunc(fields, func(a, b ground.Field) int { return strings.Compare(a.Key, b.Key) })
	for _, f := range fields {
		noise := request.Noise.Message
		if depth == 0 {
			noise = request.Noise.Body
		}
		isID := slices.Contains([]string{"tool_call_id", "tool_use_id", "call_id"}, f.Key) ||
			f.Key == "id" && (under == "tool_calls" || strings.HasSuffix(n.Field("type").Scalar(), "_use"))
		switch {
		case f.Value.Kind == ground.Null, len(f.Value.Items) == 0 && slices.Contains([]string{"tools", "tool_calls", "images"}, f.Key):
			continue
		case depth > 0 && isID && f.Value.Kind == ground.String:
			id := f.Value.Scalar()
			if id == "" {
				continue
			}
			if ids[id] == "" {
				ids[id] = "call_" + string(rune('1'+len(ids)))
			}
			f.Value = &ground.Node{Kind: ground.String, Text: ground.Literal(ids[id])}
		case slices.Contains(noise, f.Key):
			continue
		case f.Key == "tools":
		case slices.Contains([]string{"parts", "contents"}, f.Key) && f.Value.Kind == ground.Mapping: // Gemini takes one for a list
			f.Value = keptIn(&ground.Node{Kind: ground.Sequence, Items: []*ground.Node{f.Value}}, ids, depth+1, f.Key)
		default:
			f.Value = keptIn(f.Value, ids, depth+1, f.Key)
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// bodies gives the corpus: testdata/bodies/DIALECT.NAME.json.
func bodies(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/bodies/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	out := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".json")] = string(data)
	}
	return out
}

func TestWhatIsReadIsWrittenBack(t *testing.T) {
	for name, text := range bodies(t) {
		dialect, _, _ := strings.Cut(name, ".")
		n := node(t, text)
		body, bad := request.Decode(dialectOf(t, dialect), n)
		if bad != nil {
			t.Errorf("%s: %v", name, bad)
			continue
		}
		again := node(t, request.NewEncoder().Encode(body).Text())
		if d := cmp.Diff(kept(n), kept(again)); d != "" {
			t.Errorf("%s (-read +written):\n%s", name, d)
		}
	}
}

func TestBodiesAreRecognised(t *testing.T) {
	for name, text := range bodies(t) {
		dialect, _, _ := strings.Cut(name, ".")
		if got := recognised(node(t, text)); got != dialect {
			t.Errorf("%s is taken for %q", name, got)
		}
	}
}

func recognised(n *ground.Node) string {
	var names []string
	for _, d := range request.Recognise(n) {
		names = append(names, d.Name)
	}
	return strings.Join(names, " or ")
}

func TestOtherValuesAreNoBodies(t *testing.T) {
	const user = `"messages": [{"role": "user", "content": "hi"}]`
	for _, c := range []struct{ text, want string }{
		{`{"model": "m", ` + user + `}`, "openai-chat"},
		{`{` + user + `}`, "openai-chat"},
		{`{"model": "m", "max_tokens": 5, ` + user + `}`, "openai-chat or anthropic"},
		{`{"model": "m", "max_tokens": 5, "system": "s", ` + user + `}`, "anthropic"},
		{`{"system": "s", ` + user + `}`, "anthropic"},
		{`{"model": "m", "options": {}, ` + user + `}`, "ollama"},
		{`{"model": "m", "options": {}, "system": "s", ` + user + `}`, "anthropic or ollama"},
		{`{"system": "s", "messages": [{"role": "system", "content": "hi"}]}`, "openai-chat or anthropic"},
		{`{"model": "m", "input": "hi"}`, "openai-responses"},
		{`{"model": "m", "input": "hi", "encoding_format": "base64"}`, ""},
		{`{"model": "m", "input": ["hi", "you"]}`, ""},
		{`{"contents": [{"parts": [{"text": "hi"}]}]}`, "gemini"},
		{`{"contents": [{"parts": {"text": "hi"}}]}`, "gemini"},
		{`{"contents": [{"text": "hi"}]}`, ""},
		{`{"messages": {"hello": "Hello"}}`, ""},
		{`{"messages": ["a"]}`, ""},
		{`{"messages": []}`, ""},
		{`{"messages": [{"role": 5}]}`, ""},
		{`{"input": "hi"}`, ""},
		{`[]`, ""},
		{`"a"`, ""},
	} {
		if got := recognised(node(t, c.text)); got != c.want {
			t.Errorf("%s is taken for %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAMisfitHasItsPlace(t *testing.T) {
	for _, c := range []struct {
		dialect, text, pointer string
		want                   ground.NodeKind
	}{
		{"openai-chat", `{"messages": {}}`, "/messages", ground.Sequence},
		{"openai-chat", `{"messages": ["a"]}`, "/messages/0", ground.Mapping},
		{"openai-chat", `{"messages": [{"content": "a"}]}`, "/messages/0/role", ground.String},
		{"openai-chat", `{"messages": [{"role": "user", "content": 5}]}`, "/messages/0/content", ground.Sequence},
		{"openai-chat", `{"messages": [{"role": "user", "content": ["a"]}]}`, "/messages/0/content/0", ground.Mapping},
		{"anthropic", `{"system": 5}`, "/system", ground.Sequence},
		{"openai-responses", `{"instructions": []}`, "/instructions", ground.String},
		{"gemini", `{"contents": [{"parts": ["a"]}]}`, "/contents/0/parts/0", ground.Mapping},
		{"ollama", `{"messages": [{"role": "user", "content": []}]}`, "/messages/0/content", ground.String},
		{"ollama", `[]`, "", ground.Mapping},
	} {
		body, bad := request.Decode(dialectOf(t, c.dialect), node(t, c.text))
		if body != nil || bad == nil || bad.Pointer != c.pointer || bad.Want != c.want {
			t.Errorf("%s %s: %v, want %q", c.dialect, c.text, bad, c.pointer)
		}
	}
}

// TestChangedBodiesAreWrittenBack holds the law over bodies that no author thought
// of: whatever still fits its shape is written as it was read.
func TestChangedBodiesAreWrittenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := bodies(t)
	fits := 0
	for round := range 4000 {
		names := slices.Sorted(maps.Keys(all))
		name := names[round%len(names)]
		dialect, _, _ := strings.Cut(name, ".")
		n := node(t, all[name])
		for range 1 + r.IntN(4) {
			change(r, n)
		}
		body, bad := request.Decode(dialectOf(t, dialect), n)
		if bad != nil {
			continue
		}
		fits++
		again := node(t, request.NewEncoder().Encode(body).Text())
		if d := cmp.Diff(kept(n), kept(again)); d != "" {
			t.Fatalf("%s, round %d (-read +written):\n%s\n%s", name, round, d, canon.Indent(n))
		}
	}
	if fits < 1000 {
		t.Errorf("%d bodies fit", fits)
	}
}

// change makes one change somewhere below a value.
func change(r *rand.Rand, n *ground.Node) {
	var below []*ground.Node
	var collect func(*ground.Node)
	collect = func(n *ground.Node) {
		below = append(below, n)
		for _, item := range n.Items {
			collect(item)
		}
		for _, f := range n.Fields {
			if f.Key != "tools" {
				collect(f.Value)
			}
		}
	}
	collect(n)
	word := func() *ground.Node {
		return &ground.Node{Kind: ground.String, Text: ground.Literal([]string{"", "x", "a\"\n\u2028", "🐦", "user", "ephemeral"}[r.IntN(6)])}
	}
	some := []*ground.Node{
		word(),
		{Kind: ground.Null, Text: ground.Literal("null")},
		{Kind: ground.Number, Text: ground.Literal("1e400")},
		{Kind: ground.Mapping},
		{Kind: ground.Sequence},
		{Kind: ground.Mapping, Fields: []ground.Field{{Key: "type", Value: word()}}},
	}
	at := below[r.IntN(len(below))]
	switch {
	case at.Kind == ground.Mapping && len(at.Fields) > 0 && r.IntN(2) == 0:
		i := r.IntN(len(at.Fields))
		switch r.IntN(3) {
		case 0:
			at.Fields = slices.Delete(at.Fields, i, i+1)
		case 1:
			at.Fields[i].Value = some[r.IntN(len(some))]
		default:
			if at.Field("extra") == nil {
				at.Fields = append(at.Fields, ground.Field{Key: "extra", Value: some[r.IntN(len(some))]})
			}
		}
	case at.Kind == ground.Sequence && len(at.Items) > 0:
		i := r.IntN(len(at.Items))
		if r.IntN(2) == 0 {
			at.Items = slices.Delete(at.Items, i, i+1)
		} else {
			at.Items = slices.Insert(at.Items, i, at.Items[r.IntN(len(at.Items))])
		}
	case at.IsScalar():
		*at = *word()
	}
}
