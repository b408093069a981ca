package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/tests/testproject"
)

const pinnedTools = `version: 1
sources: {tools: {kind: tools, path: "corpora/tools/**/*.json"}}
prompts:
  agent: {sections: [{id: rules, text: "Be kind."}, {id: tools, source: tools, form: schemas}]}
`

// spot is a leaf of a definition: a value that holds no other.
type spot struct {
	path string // as reports write it
	was  any
	put  func(any)
}

// spots gives the leaves of a value, in order.
func spots(at string, top bool, v any, put func(any)) []spot {
	var out []spot
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			word := map[string]string{"inputSchema": "parameters", "outputSchema": "output"}[key]
			if word == "" || !top {
				word = key
			}
			step := "." + word
			if strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz0123456789_-$") != "" {
				step = "[" + strconv.Quote(word) + "]"
			}
			out = append(out, spots(at+step, false, v[key], func(n any) { v[key] = n })...)
		}
	case []any:
		for i, one := range v {
			out = append(out, spots(fmt.Sprintf("%s[%d]", at, i), false, one, func(n any) { v[i] = n })...)
		}
	}
	if out == nil {
		out = []spot{{at, v, put}}
	}
	return out
}

// other gives a value of the same kind that differs, so that the definition is
// one still. An empty mapping or list gets something.
func (s spot) other() any {
	switch v := s.was.(type) {
	case string:
		switch {
		case strings.HasSuffix(s.path, ".name"):
			return v + "_"
		case !strings.HasSuffix(s.path, ".type") && !strings.Contains(s.path, ".type["):
			return v + " "
		case v == "array":
			return "object"
		}
		return "array"
	case bool:
		return !v
	case json.Number:
		return json.Number(v.String() + "0")
	case map[string]any:
		return map[string]any{"x": map[string]any{}}
	case []any:
		return []any{"x"}
	}
	return "null"
}

// nameOf gives the name of a definition.
func nameOf(t *testing.T, root any) string {
	t.Helper()
	def, ok := root.(map[string]any)
	if !ok {
		t.Fatalf("%v is no definition", root)
	}
	return fmt.Sprint(def["name"])
}

func oneLine(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEveryLeafOfAToolIsPinned changes each leaf of each definition once, one
// leaf of every definition at a time: diff and check show each by its place, and
// nothing else. Of the published ones, PROMPTC_LEAVES=1 changes all.
func TestEveryLeafOfAToolIsPinned(t *testing.T) {
	skipIfShort(t)
	eachCorpus(t, func(t *testing.T, base fstest.MapFS, published bool) {
		t.Helper()
		step := 1
		if published {
			step = rounds(t, "PROMPTC_LEAVES", 16)
		}
		checkPinning(t, base, step)
	})
}

func checkPinning(t *testing.T, base fstest.MapFS, step int) {
	t.Helper()
	maps.DeleteFunc(base, func(name string, _ *fstest.MapFile) bool { return !strings.HasPrefix(name, "corpora/tools/") })
	files := slices.Sorted(maps.Keys(base))
	base["prompts.yaml"] = &fstest.MapFile{Data: []byte(pinnedTools)}
	was := testproject.Compile(t, base, pipeline.Built)
	for _, o := range was.Delta.Wanted {
		base[o.Path] = &fstest.MapFile{Data: []byte(o.Content())}
	}
	all := 0
	for round, left := 0, true; left; round += step {
		head, want := maps.Clone(base), map[string][]leafAt{}
		left = false
		for _, file := range files {
			root := parsed(t, base[file].Data)
			name := nameOf(t, root)
			leaves := spots("tools."+name, true, root, nil)
			if round >= len(leaves) {
				continue
			}
			left = true
			all++
			s := leaves[round]
			if s.path == "tools."+name+".name" || s.path == "tools."+name+".parameters.type" {
				continue // another tool, and no definition: below
			}
			now := s.other()
			s.put(now)
			head[file] = &fstest.MapFile{Data: []byte(oneLine(t, root))}
			want[name] = []leafAt{{Path: s.path, From: oneLine(t, s.was), To: oneLine(t, now)}}
			if m, ok := now.(map[string]any); ok {
				want[name] = []leafAt{{Path: s.path + ".x", To: oneLine(t, m["x"])}}
			}
			if l, ok := now.([]any); ok {
				want[name] = []leafAt{{Path: s.path + "[0]", To: oneLine(t, l[0])}}
			}
		}
		is := testproject.Compile(t, head, pipeline.Built)
		if is.Stopped {
			t.Fatalf("round %d does not compile: %v", round, is.Findings)
		}
		if diff := cmp.Diff(want, toolEdits(t, was, is)); diff != "" {
			t.Errorf("round %d, diff (-want +got):\n%s", round, diff)
		}
		if diff := cmp.Diff(want, toolChanges(t, is)); diff != "" {
			t.Errorf("round %d, check (-want +got):\n%s", round, diff)
		}
	}
	if all < 40 {
		t.Errorf("only %d leaves", all)
	}
}

// leafAt is a place of a tool's definition that differs.
type leafAt struct{ Path, From, To string }

// toolEdits gives what diff says of tools.
func toolEdits(t *testing.T, was, is *prompt.Result) map[string][]leafAt {
	t.Helper()
	d, _ := pipeline.Compare(review.Side{Name: "base", Result: was}, review.Side{Name: "head", Result: is}, review.Side{})
	out := map[string][]leafAt{}
	for _, e := range d.Edits {
		if e.Kind != review.ToolChanged {
			continue
		}
		tools := e.Tools
		if tools == nil {
			tools = []string{e.Tool}
		}
		for _, name := range tools {
			for _, l := range e.Leaves {
				out[name] = append(out[name], leafAt{leaf.Path("tools."+name, l.Steps), l.From, l.To})
			}
		}
	}
	return out
}

// toolChanges gives what check says of tools.
func toolChanges(t *testing.T, is *prompt.Result) map[string][]leafAt {
	t.Helper()
	var b bytes.Buffer
	if err := run.JSON(&b, is, run.Outcome{Command: "check"}, words.Options{}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Changes []struct {
			Kind, Item, Status string
			Leaves             []leafAt
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string][]leafAt{}
	for _, c := range doc.Changes {
		if c.Kind == "tool" {
			out[c.Item] = append(out[c.Item], c.Leaves...)
		}
	}
	return out
}

// TestANameOrARootTypeThatChangesIsSeen: the two leaves of a definition that
// are more than a place of it.
func TestANameOrARootTypeThatChangesIsSeen(t *testing.T) {
	const def = `{"name": "exec", "description": "Runs.", "inputSchema": {"type": "object"}}`
	files := testproject.Of(
		"prompts.yaml", pinnedTools,
		"corpora/tools/t/a.json", def,
	)
	was := testproject.Compile(t, files, pipeline.Built)
	files["corpora/tools/t/a.json"] = &fstest.MapFile{Data: []byte(strings.Replace(def, "exec", "exec2", 1))}
	is := testproject.Compile(t, files, pipeline.Built)
	d, _ := pipeline.Compare(review.Side{Name: "base", Result: was}, review.Side{Name: "head", Result: is}, review.Side{})
	var said []string
	for _, e := range d.Edits {
		said = append(said, e.Kind.String()+" "+e.Tool)
	}
	if got := strings.Join(said, ", "); got != "tool-added exec2, tool-removed exec" {
		t.Errorf("a new name: %s", got)
	}
	files["corpora/tools/t/a.json"] = &fstest.MapFile{Data: []byte(strings.Replace(def, "object", "array", 1))}
	is = testproject.Compile(t, files, pipeline.Built)
	if !is.Stopped || !is.Findings.HasErrors() {
		t.Error("a definition for another type than an object is taken")
	}
}

// TestPublishedToolsAreTakenByAll: what a well-kept server lists is refused by
// nobody, and reminds the protocol and Anthropic of nothing.
func TestPublishedToolsAreTakenByAll(t *testing.T) {
	eachCorpus(t, func(t *testing.T, files fstest.MapFS, published bool) {
		t.Helper()
		files["prompts.yaml"] = &fstest.MapFile{Data: []byte(pinnedTools)}
		r := testproject.Compile(t, files, pipeline.Built)
		if n, want := len(r.Artifacts[0].Toolset), pick(published, 117, 3); n != want {
			t.Fatalf("%d tools, want %d", n, want)
		}
		for _, o := range lint.Objections(r.Artifacts[0].Toolset) {
			if o.Finding.Level == diag.Error || o.Taker == ground.MCP || o.Taker == "anthropic" {
				t.Errorf("%s: %s", o.Taker, wording.Message(o.Finding))
			}
		}
	})
}
