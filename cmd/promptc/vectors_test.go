package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// vectorFolder has the vectors that bindings answer in every language;
// conformance/vectors/README.md says what they mean.
const vectorFolder = "../../conformance/vectors"

// vectorProjects and vectorCases are how many projects there are, and how many
// cases of each.
const vectorProjects, vectorCases = 25, 90

// vectors are a project and what its prompts are asked.
type vectors struct {
	Files map[string]string `json:"files"`
	Cases []vector          `json:"cases"`
}

// vector is one call: of a prompt, with values of axes and slots.
type vector struct {
	Prompt string            `json:"prompt"`
	Axes   map[string]string `json:"axes"`
	Slots  map[string]string `json:"slots"`
	// Fit composes anew, and Count gives a counter, of chars/4.
	Fit   bool `json:"fit,omitempty"`
	Count bool `json:"count,omitempty"`
	// Error is what is wrong, else Want the answer.
	Error string  `json:"error,omitempty"`
	Want  *answer `json:"want,omitempty"`
}

// answer is a text, or the body of a request.
type answer struct {
	Name    string          `json:"name"`
	Tokens  int             `json:"tokens"`
	Text    *string         `json:"text,omitempty"`
	Tools   json.RawMessage `json:"tools,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
	Dropped []left          `json:"dropped,omitempty"`
}

type left struct {
	ID     string `json:"id"`
	Phase  string `json:"phase"`
	Tokens int    `json:"tokens"`
}

// TestVectors holds that the vectors are those that this version writes.
func TestVectors(t *testing.T) {
	seen := map[string]int{}
	for n := range uint64(vectorProjects) {
		v := vectorsOf(t, n, seen)
		var text bytes.Buffer
		fmt.Fprintf(&text, "{\"files\": %s,\n\"cases\": [\n", jsonOf(t, v.Files))
		for i, c := range v.Cases {
			if i > 0 {
				text.WriteString(",\n")
			}
			text.WriteString(jsonOf(t, c))
		}
		text.WriteString("\n]}\n")
		at := filepath.Join(vectorFolder, fmt.Sprintf("%02d.json", n))
		if os.Getenv("UPDATE_VECTORS") != "" {
			if err := os.WriteFile(at, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, text.Bytes()) {
			t.Errorf("%s is not what promptc writes; run: UPDATE_VECTORS=1 go test ./cmd/promptc -run TestVectors", at)
		}
	}
	for _, what := range []string{
		"text", "openai-chat", "openai-responses", "anthropic", "gemini", "tools", "cut", "parts", "fit", "dropped", "stepped", "notice", "exact",
		"excluded", "unknown-value", "missing-slot", "invalid-text", "too-long", "no-count",
	} {
		if seen[what] < 10 {
			t.Errorf("%s: %d cases are too few: %v", what, seen[what], seen)
		}
	}
}

// jsonOf writes a value in one line.
func jsonOf(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// vectorsOf makes a random project, and asks it.
func vectorsOf(t *testing.T, seed uint64, seen map[string]int) vectors {
	t.Helper()
	w := vectorWorld{rand.New(rand.NewPCG(seed, 77)), seed}
	out := vectors{Files: w.files(t)}
	r := testproject.Compile(t, testproject.From(out.Files), pipeline.Composed)
	if r.Stopped {
		t.Fatalf("project %d: %v", seed, r.Findings)
	}
	for range vectorCases {
		out.Cases = append(out.Cases, w.vector(t, r, seen))
	}
	return out
}

// vectorWorld makes random projects.
type vectorWorld struct {
	*rand.Rand
	seed uint64
}

func (w vectorWorld) maybe(n int) bool { return w.IntN(n) == 0 }

// borders are texts that end and begin in characters of several bytes.
var borders = []string{
	"Grüße", "日本", "plain", "words", "é🐦", "👩‍👩‍👧", "\"quoted\"", "<&>", "\u2028", "to", "{{braces", "\\n", "\tTab", "ﬁ", "e\u0301", "—", "\ufeff",
}

func (w vectorWorld) words(most int) string {
	out := []string{"It"}
	for range 1 + w.IntN(most) {
		out = append(out, borders[w.IntN(len(borders))])
	}
	return strings.ReplaceAll(strings.Join(out, " "), "{{", "{")
}

// text is a text with slots, at borders of characters of several bytes.
func (w vectorWorld) text(most int) string {
	text := w.words(most)
	switch w.IntN(6) {
	case 0, 1:
		text += fmt.Sprintf("🐦{{s%d}}ü", w.IntN(5))
	case 2:
		text = fmt.Sprintf("{{s%d}}", w.IntN(5)) + text
	case 3:
		n := w.IntN(5)
		text = fmt.Sprintf("ﬁ{{s%d}}%s{{s%d}}é", n, text, n)
	case 4:
		text += fmt.Sprintf("{{s%d}}{{s%d}}", w.IntN(5), w.IntN(5))
	}
	return text
}

// facts is a document of kind runtime: lines of keys that may have no value.
func (w vectorWorld) facts(t *testing.T) string {
	t.Helper()
	line := func(keys []string) map[string]any {
		out := map[string]any{}
		for _, key := range keys {
			switch w.IntN(7) {
			case 0:
				out[key] = strings.ReplaceAll(w.words(2), "\u2028", "")
			case 1, 2, 3:
				out[key] = fmt.Sprintf("{{s%d}}", w.IntN(5))
			case 4:
				out[key] = fmt.Sprintf("{{s%d}}/{{s%d}}", w.IntN(5), w.IntN(5))
			}
		}
		return out
	}
	return jsonOf(t, map[string]any{"host": line([]string{"os", "arch", "shell", "model", "session"}), "sandbox": line([]string{"enabled", "mode", "scope"})})
}

// files makes a manifest in JSON, which is YAML, and what it names.
func (w vectorWorld) files(t *testing.T) map[string]string {
	t.Helper()
	slots, sources := map[string]any{}, map[string]any{
		"set": map[string]any{"kind": "tools", "path": "tools.json"}, "talk": map[string]any{"kind": "conversation", "path": "talk.yaml"},
	}
	for i := range 5 {
		slots[fmt.Sprintf("s%d", i)] = map[string]any{"max_tokens": 3 + w.IntN(20), "optional": i > 2 || w.maybe(3)}
	}
	axes := map[string]any{
		"dialect": map[string]any{"values": []string{"text", "openai-chat", "openai-responses", "anthropic", "gemini"}},
		"size":    map[string]any{"values": []string{"big", "4k"}, "default": "big"},
	}
	exclude := []any{map[string]any{"size": "4k", "dialect": []string{"gemini", "text"}[w.IntN(2)]}}
	layout := map[string]any{
		"name": "phases", "notice": w.maybe(2), "fill": []string{"first-fit", "stop"}[w.IntN(2)], "place": []string{"phase", "sticky-first"}[w.IntN(2)],
	}
	most := map[string]any{"tokens": []any{map[string]any{"when": map[string]any{"size": "4k"}, "value": 12 + w.IntN(40)}, map[string]any{"value": 25 + w.IntN(60)}}, "over": "warn"}
	if w.maybe(4) {
		most["chars"] = 120 + w.IntN(200)
	}
	talkAxes := map[string]any{"dialect": map[string]any{"values": []string{"openai-chat", "openai-responses", "anthropic", "gemini"}}}
	talk := append(w.sections(sources, "c", false), map[string]any{"id": "reminder", "text": w.text(3), "expand": true})
	prompts := map[string]any{
		"fitted": map[string]any{
			"axes": axes, "dialect": "{dialect}", "exclude": exclude, "layout": layout, "budget": most, "tokenizer": "chars/4",
			"sections": w.sections(sources, "a", true), "join": []string{"\n\n", "\n---\n", " · "}[w.IntN(3)],
		},
		"plain": map[string]any{
			"axes": axes, "dialect": "{dialect}", "exclude": exclude, "sections": w.sections(sources, "b", false), "cache_minimum": 0,
			"tokenizer": []string{"chars/4", "guess", "o200k_base"}[w.IntN(3)],
		},
		"talk": map[string]any{
			"axes": talkAxes, "dialect": "{dialect}", "sections": talk, "tokenizer": "chars/4", "cache_minimum": 0,
			"layout": map[string]any{"name": "messages", "conversation": "talk", "reminder": "reminder"},
		},
	}
	fixture := map[string]any{"prompt": w.words(4)}
	if w.maybe(2) {
		fixture["history"] = []any{
			map[string]any{"role": "user", "content": w.words(3)}, map[string]any{"role": "assistant", "content": w.words(3)},
		}
	}
	files := map[string]string{
		"talk.yaml":  jsonOf(t, fixture),
		"tools.json": `{"name": "look", "description": "Looks «hard».", "inputSchema": {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "number"}}}}`,
	}
	for id := range sources {
		if strings.HasPrefix(id, "facts") {
			files[id+".json"] = ""
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == "" {
			files[name] = w.facts(t)
		}
	}
	manifest := map[string]any{
		"version": 1, "artifacts": "dist", "slots": slots, "sources": sources, "prompts": prompts,
		"tokenizers": map[string]any{"guess": map[string]any{"base": []string{"chars/4", "cl100k_base"}[w.IntN(2)], "factor": 1.3, "error": 0.1}},
	}
	files["prompts.yaml"] = jsonOf(t, manifest)
	return files
}

// sections makes the sections of a prompt.
func (w vectorWorld) sections(sources map[string]any, of string, phased bool) []any {
	var out []any
	for i := range 2 + w.IntN(6) {
		id := fmt.Sprintf("%s%d", of, i)
		source := map[string]any{"text": w.text(9), "expand": true}
		if w.maybe(5) {
			source["text"] = fmt.Sprintf("## Notes\n\n{{s%d}}", w.IntN(5))
		}
		sources[id] = source
		s := map[string]any{"id": id, "source": id}
		if w.maybe(5) {
			s["join"] = []string{"\n", " – ", ""}[w.IntN(3)]
		}
		if phased {
			s["phase"], s["priority"], s["sticky"] = assembly.Phases()[w.IntN(6)], w.IntN(9), w.maybe(4)
			if w.maybe(2) {
				sources[id+"-short"] = map[string]any{"text": w.text(2), "expand": true}
				sources[id+"-least"] = map[string]any{"text": []string{"", "{{s4}}", "Short."}[w.IntN(3)], "expand": true}
				s["degrade"] = []any{map[string]any{"source": id + "-short"}, map[string]any{"source": id + "-least"}}[:1+w.IntN(2)]
			}
		}
		if of == "b" && w.maybe(4) {
			s["breakpoint"] = true
		}
		out = append(out, s)
	}
	if w.maybe(2) {
		id := "facts-" + of
		sources[id] = map[string]any{"kind": "runtime", "path": id + ".json", "absent": "omit", "expand": true}
		s := map[string]any{"id": id, "source": id}
		if w.maybe(3) {
			s["source"] = []string{id, of + "0"}
		}
		if phased {
			s["phase"], s["priority"] = "constraint", w.IntN(9)
		}
		out = append(out, s)
	}
	if w.maybe(2) {
		s := map[string]any{"id": of + "-tools", "source": "set", "form": []string{"schemas", "native"}[w.IntN(2)]}
		if phased {
			s["phase"], s["priority"] = "tools", w.IntN(9)
		}
		out = append(out, s)
	}
	return out
}

// vector asks a prompt with random values, which may be wrong.
func (w vectorWorld) vector(t *testing.T, r *prompt.Result, seen map[string]int) vector {
	t.Helper()
	b := r.Plan.Builds[w.IntN(len(r.Plan.Builds))]
	c := vector{Prompt: b.Prompt.ID.Str, Axes: map[string]string{}, Slots: map[string]string{}, Count: !w.maybe(4)}
	values := []string{}
	for _, a := range b.Prompt.Axes {
		value := a.Values[w.IntN(len(a.Values))].Str
		if w.maybe(30) {
			value = "other"
		}
		values = append(values, value)
		if value != a.Default.Str || w.maybe(2) {
			c.Axes[a.Name.Str] = value
		}
	}
	used := b.Prompt.ID.Str == "fitted" && w.maybe(2)
	c.Fit, c.Count = used, c.Count || used
	slots, inLine := slotsIn(r, b)
	for _, s := range slots {
		if value := w.value(s); value != "" {
			c.Slots[s.Name.Str] = value
		}
	}
	a, wrong := chosen(r, b, values)
	if wrong == "" {
		wrong = wrongSlot(r, a.Variant, slots, inLine, c)
	}
	if wrong != "" {
		seen[wrong]++
		c.Error = wrong
		return c
	}
	for _, s := range r.Plan.Spec.Slots {
		s.Example = ground.Literal(c.Slots[s.Name.Str])
	}
	if c.Fit {
		c.Want = fitted(r, a, seen)
	} else {
		if slices.ContainsFunc(a.Used, func(x *assembly.Rendering) bool { return x != nil && !stays(x) }) {
			seen["cut"]++
		}
		if slices.ContainsFunc(a.Used, func(x *assembly.Rendering) bool { return x != nil && stays(x) && len(x.Optional) > 1 }) {
			seen["parts"]++
		}
		c.Want = answered(exampled(a), a.Tokens, seen)
	}
	return c
}

// value is a value for a slot: mostly one that fits, and of the most that it may
// have, or "".
func (w vectorWorld) value(s *language.Slot) string {
	if s.Optional && w.maybe(2) || w.maybe(60) {
		return ""
	}
	values := []string{"x", "é", "{{s1}}", "a\nb", "a | b", "a|b", "\u0085", "\"\\", "<script>", "\u2028", "🐦🐦", "日本語", "\x00", "$1", "%s"}
	switch w.IntN(8) {
	case 0:
		return strings.Repeat("a", s.MaxTokens) // as long as needs no count
	case 1:
		return strings.Repeat("ü", 4*s.MaxTokens) // as long as may be
	case 2:
		return strings.Repeat("🐦", 2*s.MaxTokens)
	case 3:
		if w.maybe(3) {
			return strings.Repeat("z", 4*s.MaxTokens+1)
		}
	}
	return values[w.IntN(len(values))]
}

// slotsIn gives the slots of a prompt, in declared order, and whether each stands in
// a line of facts.
func slotsIn(r *prompt.Result, b *assembly.Build) ([]*language.Slot, map[*language.Slot]bool) {
	used := map[*language.Slot]bool{}
	note := func(x *assembly.Rendering) {
		if x != nil {
			for _, at := range x.Slots {
				used[at.Slot] = used[at.Slot] || at.InLine
			}
		}
	}
	for _, a := range r.Artifacts {
		if a.Build != b {
			continue
		}
		for _, p := range a.Parts {
			note(p.Rendering)
		}
		for _, u := range a.Variant.Uses {
			if a.Variant.Layout.On && u.Unit >= 0 {
				note(r.Renderings[u.Unit])
				for _, s := range u.Steps {
					note(r.Renderings[s.Unit])
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(r.Plan.Spec.Slots), func(s *language.Slot) bool { _, ok := used[s]; return !ok }), used
}

// chosen gives the artifact with some values, or what is wrong with these.
func chosen(r *prompt.Result, b *assembly.Build, values []string) (*assembly.Artifact, string) {
	for i, axis := range b.Prompt.Axes {
		if !slices.ContainsFunc(axis.Values, func(v ground.Word) bool { return v.Str == values[i] }) {
			return nil, "unknown-value"
		}
	}
	for _, a := range r.Artifacts {
		same := a.Build == b
		for i, axis := range b.Prompt.Axes {
			same = same && axis.Values[a.Variant.Values[i]].Str == values[i]
		}
		if same {
			return a, ""
		}
	}
	return nil, "excluded"
}

// wrongSlot says what is wrong with the values of slots.
func wrongSlot(r *prompt.Result, v *assembly.Variant, slots []*language.Slot, inLine map[*language.Slot]bool, c vector) string {
	base, factor := v.Tokenizer, 1.0
	if e := r.Spec.Estimator(v.Tokenizer); e != nil {
		base, factor = e.Base.Str, e.Factor
	}
	for _, s := range slots {
		value := c.Slots[s.Name.Str]
		size, chars := len(value), utf8.RuneCountInString(value)
		if base == "chars/4" {
			size = chars
		}
		switch {
		case value == "" && !s.Optional:
			return "missing-slot"
		case inLine[s] && (strings.ContainsAny(value, "\n\r\v\f\u0085\u2028\u2029") || strings.Contains(value, " | ")):
			return "invalid-text"
		case size <= int(float64(s.MaxTokens)/factor):
		case !c.Count:
			return "no-count"
		case (chars+3)/4 > s.MaxTokens:
			return "too-long"
		}
	}
	return ""
}

// exampleOf is the value of a slot.
func exampleOf(s *language.Slot) string { return s.Example.Str }

// stays reports whether a section says something.
func stays(x *assembly.Rendering) bool {
	_, ok := x.Filled(exampleOf)
	return ok
}

// answered is what a program sends of an artifact.
func answered(a *assembly.Artifact, tokens int, seen map[string]int) *answer {
	out := &answer{Name: a.Variant.Name, Tokens: tokens}
	text := dialect.Encode(a).Text()
	seen[a.Variant.Dialect.Name]++
	if a.Variant.Dialect.JSON {
		out.Body = compacted(text)
		return out
	}
	out.Text = &text
	if len(a.Beside) > 0 {
		seen["tools"]++
		out.Tools = compacted(dialect.Tools(a.Variant.Dialect, a.Beside))
	}
	return out
}

func compacted(text string) json.RawMessage {
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(text)) // we wrote it
	return b.Bytes()
}

// fitted composes an artifact again, its renderings with values.
func fitted(r *prompt.Result, a *assembly.Artifact, seen map[string]int) *answer {
	with := *r
	with.Renderings = slices.Clone(r.Renderings)
	for i, x := range r.Renderings {
		if x == nil || len(x.Slots) == 0 {
			continue
		}
		y := *x
		text, _ := x.Filled(exampleOf)
		y.Slots, y.Optional, y.Text = nil, nil, ground.Literal(text)
		with.Renderings[i] = &y
	}
	b := pipeline.WithBudget(&with, a, a.Variant.Budget.Tokens)
	out := answered(b, b.Tokens, seen)
	seen["fit"]++
	for _, ch := range b.Choices {
		if !ch.Kept {
			out.Dropped = append(out.Dropped, left{b.Build.Prompt.Sections[ch.Section].ID.Str, ch.Phase, ch.Tokens})
		}
		if len(ch.Steps) > 0 {
			seen["stepped"]++
		}
	}
	if len(out.Dropped) > 0 {
		seen["dropped"]++
	}
	if b.Notice {
		seen["notice"]++
	}
	if b.Tokens == a.Variant.Budget.Tokens {
		seen["exact"]++
	}
	return out
}
