package pipeline_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// request is what all four shapes of a body have in common, read without the
// program that wrote them.
type request struct {
	Messages []said
	Tools    []string
	Markers  int
}

// readRequest reads a body of any dialect.
func readRequest(t *testing.T, text string) (map[string]any, request) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("the body is no JSON: %v\n%s", err, text)
	}
	out := request{Markers: strings.Count(text, `"cache_control": {`)}
	known := []string{"tools"}
	for _, key := range []string{"instructions", "system", "systemInstruction", "messages", "input", "contents"} {
		value, ok := root[key]
		known = append(known, key)
		switch v := value.(type) {
		case []any:
			if key == "system" {
				out.Messages = append(out.Messages, readMessage(t, map[string]any{"role": "system", "content": v}))
				continue
			}
			for _, m := range v {
				out.Messages = append(out.Messages, readMessage(t, m))
			}
		case nil:
			if ok {
				t.Fatalf("%q is null", key)
			}
		default:
			out.Messages = append(out.Messages, readMessage(t, map[string]any{"role": "system", "content": v}))
		}
	}
	for key := range root {
		if !slices.Contains(known, key) {
			t.Fatalf("the body has the key %q", key)
		}
	}
	out.Tools = toolNames(root["tools"])
	return root, out
}

func readMessage(t *testing.T, value any) said {
	t.Helper()
	m, _ := value.(map[string]any)
	role, _ := m["role"].(string)
	out := said{Role: map[string]string{"developer": "system", "model": "assistant"}[role]}
	if out.Role == "" {
		out.Role = role
	}
	content := m["content"]
	if parts, ok := m["parts"]; ok {
		content = parts
	}
	if inner, ok := content.(map[string]any); ok {
		content = inner["parts"]
	}
	if text, ok := content.(string); ok {
		out.Text = text
		return out
	}
	list, _ := content.([]any)
	for _, item := range list {
		block, _ := item.(map[string]any)
		if text, ok := block["text"].(string); ok {
			out.Text += text
		} else {
			out.Images++
		}
		if _, marked := block["cache_control"]; marked {
			out.Marked = true
		}
	}
	if len(list) == 0 {
		t.Errorf("a message of %q has no content", role)
	}
	return out
}

// toolNames finds the names in a list of definitions.
func toolNames(value any) []string {
	var out []string
	list, _ := value.([]any)
	for _, item := range list {
		def, _ := item.(map[string]any)
		if inner, ok := def["function"].(map[string]any); ok {
			def = inner
		}
		if name, ok := def["name"].(string); ok {
			out = append(out, name)
		}
		out = append(out, toolNames(def["functionDeclarations"])...)
	}
	return out
}

// TestEveryDialectSaysTheSame converts every variant into every dialect.
func TestEveryDialectSaysTheSame(t *testing.T) {
	skipIfShort(t)
	for seed := range uint64(worlds / 2) {
		w := newWorld(seed)
		r := compileWorld(t, w)
		for _, a := range r.Artifacts {
			for _, d := range ground.Dialects {
				w.checkConverted(t, r, a, &d)
			}
			if t.Failed() {
				t.Fatalf("seed %d, %s", seed, a.Variant.Name)
			}
		}
	}
}

func (w *world) checkConverted(t *testing.T, r *prompt.Result, a *assembly.Artifact, d *ground.Dialect) {
	t.Helper()
	talk := a.Build.Prompt.ID.Str == "talk"
	out, found := pipeline.WithDialect(r, a, d.Name)
	if talk && !d.JSON {
		if out != nil || !found.HasErrors() {
			t.Errorf("messages are said as text")
		}
		return
	}
	if out == nil {
		t.Fatalf("%s: %v", d.Name, found)
	}
	if !d.JSON {
		if want := dialogueText(a) + "\n"; dialect.Encode(out).Text() != want {
			t.Errorf("text (-want +got): %s", cmp.Diff(want, dialect.Encode(out).Text()))
		}
		return
	}
	_, got := readRequest(t, dialect.Encode(out).Text())
	want := request{Messages: w.messagesOf(a), Tools: got.Tools}
	for i := range want.Messages {
		want.Messages[i].Marked = want.Messages[i].Marked && d.Markers
	}
	for i := range out.Beside {
		if i >= len(got.Tools) || out.Beside[i].Name != got.Tools[i] {
			t.Errorf("%s: tools %v", d.Name, got.Tools)
		}
	}
	if len(out.Beside) != len(got.Tools) || len(out.Beside) != w.tools {
		t.Errorf("%s: tools %v, want %d", d.Name, got.Tools, w.tools)
	}
	if got.Markers > ground.MaxBreakpoints {
		t.Errorf("%s: %d markers", d.Name, got.Markers)
	}
	got.Markers = 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", d.Name, diff)
	}
}

// messagesOf gives what a variant has to say in any dialect.
func (w *world) messagesOf(a *assembly.Artifact) []said {
	if a.Build.Prompt.ID.Str == "talk" {
		return w.messages(w.fixtureOf(a), isFlat(a))
	}
	one := said{Role: "system", Text: dialogueText(a)}
	for _, s := range w.plain {
		one.Marked = one.Marked || s.breakpoint
	}
	return []said{one}
}

// dialogueText gives what sections alone say, without a final line break.
func dialogueText(a *assembly.Artifact) string {
	return strings.TrimSuffix(a.Text(), "\n")
}

// TestPlainSectionsAreJoinedInOrder holds the text that the other properties
// compare with.
func TestPlainSectionsAreJoinedInOrder(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		var want []string
		for _, s := range w.plain {
			want = append(want, s.whole())
		}
		for i := range w.tools {
			if i == 0 {
				want = append(want, "## Available Tools")
			}
			n := strconv.Itoa(i)
			glue := map[bool]string{true: "\n\n", false: "\n"}[i == 0]
			want[len(want)-1] += glue + "- `t" + n + "`: Does \"" + n + "\" <&>."
		}
		for _, a := range compileWorld(t, w).Artifacts {
			if a.Build.Prompt.ID.Str != "plain" {
				continue
			}
			if diff := cmp.Diff(strings.Join(want, "\n\n"), dialogueText(a)); diff != "" {
				t.Fatalf("seed %d, %s (-want +got): %s", seed, a.Variant.Name, diff)
			}
		}
	}
}

// texts gives the strings of a body in which something is said.
func texts(value any) []string {
	var out []string
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			text, isText := v[key].(string)
			switch {
			case !isText:
				out = append(out, texts(v[key])...)
			case key == "text" || key == "content" || key == "instructions":
				out = append(out, text)
			}
		}
	case []any:
		for _, item := range v {
			out = append(out, texts(item)...)
		}
	}
	return out
}

// TestTokensAreTheSumOfTheTexts counts each string of a body by itself.
func TestTokensAreTheSumOfTheTexts(t *testing.T) {
	for seed := range uint64(worlds / 2) {
		r := compileWorld(t, newWorld(seed))
		count := pipeline.Counters(r.Spec)("o200k_base").Count
		for _, a := range r.Artifacts {
			want, body := 0, dialect.Encode(a).Text()
			if a.Variant.Dialect.JSON {
				root, _ := readRequest(t, body)
				delete(root, "tools")
				for _, text := range texts(root) {
					want += count(text)
				}
			} else {
				want = count(body)
			}
			if a.Tokens != want || a.Parts[len(a.Parts)-1].Total != want {
				t.Fatalf("seed %d, %s: the ledger says %d tokens (%d in the end), the texts have %d",
					seed, a.Variant.Name, a.Tokens, a.Parts[len(a.Parts)-1].Total, want)
			}
			last := 0
			for _, p := range a.Cache.Points {
				if p.Tokens < last || p.Tokens > a.Tokens+a.ToolTokens {
					t.Fatalf("seed %d, %s: breakpoints %v", seed, a.Variant.Name, a.Cache.Points)
				}
				last = p.Tokens
			}
		}
	}
}

// TestWhatADialectCannotSayIsNeverLost converts conversations with a message of
// the system inside: it is kept, or there is no artifact and an error says why.
func TestWhatADialectCannotSayIsNeverLost(t *testing.T) {
	skipIfShort(t)
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		w.dialects, w.fixtures = []string{"openai-responses"}, w.fixtures[:1]
		f := w.fixtures[0]
		at := w.random.IntN(len(f.history) + 1)
		f.history = slices.Insert(f.history, at, named{"system", w.text("Be brief.")})
		for i := range f.tiers { // what stands behind it is now one further on
			f.tiers[i] = slices.DeleteFunc(f.tiers[i], func(key string) bool { return strings.HasPrefix(key, "history:") })
		}
		r := compileWorld(t, w)
		for _, a := range r.Artifacts[:2] {
			for _, d := range ground.Dialects[1:] {
				out, found := pipeline.WithDialect(r, a, d.Name)
				placed := slices.ContainsFunc(found, func(f diag.Diagnostic) bool { return f.Span.Known() && f.Span.File.Path == w.fixtures[0].file })
				refused := d.Midway == ground.MidwayRefused || d.Midway == ground.MidwaySome
				switch {
				case refused && (out != nil || !found.HasErrors() || !placed):
					t.Errorf("seed %d: %s takes a message of the system: %v", seed, d.Name, found)
				case d.Midway == ground.MidwayAdvised && !placed:
					t.Errorf("seed %d: %s says nothing about a message of the system", seed, d.Name)
				case !refused && out == nil:
					t.Errorf("seed %d: %s refuses: %v", seed, d.Name, found)
				case !refused:
					_, got := readRequest(t, dialect.Encode(out).Text())
					for i := range got.Messages {
						got.Messages[i].Marked = false
					}
					want := w.messages(f, isFlat(a))
					for i := range want {
						want[i].Marked = false
					}
					if diff := cmp.Diff(want, got.Messages); diff != "" {
						t.Errorf("seed %d, %s (-want +got):\n%s", seed, d.Name, diff)
					}
				}
			}
		}
	}
}
