package pipeline_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	diff "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// competing is a random project of two prompts, the first with the layout
// `phases`: axes, exclusions, ladders, tools, slots, budgets and dialects.
func competing(seed uint64) fstest.MapFS {
	r := rand.New(rand.NewPCG(seed, 5))
	maybe := func(n int) bool { return r.IntN(n) == 0 }
	words := func(most int) string {
		pool := []string{"Grüße", "日本", "plain", "words", "é🐦", "\"quoted\"", "<&>", "\u2028", "to", "read"}
		out := []string{"It", "says"}
		for range r.IntN(most) {
			out = append(out, pool[r.IntN(len(pool))])
		}
		return strings.Join(out, " ") + "."
	}
	sources := map[string]any{"set": map[string]any{"kind": "tools", "path": "tools.json"}}
	axes, excluded := randomAxes(r)
	dialects := []string{"text", "anthropic", "gemini", "openai-chat", "openai-responses"}[r.IntN(3):]
	axes["dialect"] = map[string]any{"values": dialects[:1+r.IntN(2)]}
	sections := func(phased bool) []any {
		out := []any{}
		for i := range 1 + r.IntN(7) {
			s := map[string]any{"id": fmt.Sprintf("s%d", i), "text": words(30), "expand": true}
			if maybe(3) {
				s["text"] = fmt.Sprintf("%s {{s%d}}", s["text"], r.IntN(4))
			}
			if maybe(5) {
				s["join"] = []any{"\n", " – "}[r.IntN(2)]
			}
			if maybe(3) {
				id := fmt.Sprintf("short%v%d", phased, i)
				sources[id] = map[string]any{"text": words(5)}
				s["degrade"] = []any{map[string]any{"source": id}}
			}
			if maybe(6) {
				s["needs"] = map[string]any{"tools": []any{"look"}}
			}
			out = append(out, s)
		}
		if maybe(2) {
			out = append(out, map[string]any{"id": "tools", "source": "set", "form": []any{"native", "fallback"}[r.IntN(2)]})
		} else {
			for _, s := range out {
				delete(s.(map[string]any), "needs")
			}
		}
		for _, s := range out {
			if phased {
				s := s.(map[string]any)
				s["phase"], s["priority"], s["weight"], s["sticky"] = assembly.Phases()[r.IntN(6)], r.IntN(9), float64(1+r.IntN(3))/4, maybe(4)
			}
		}
		return out
	}
	layout := map[string]any{"name": "phases", "notice": maybe(2), "fill": []any{"first-fit", "stop"}[r.IntN(2)], "place": []any{"phase", "sticky-first"}[r.IntN(2)]}
	if maybe(2) {
		order := slices.Clone(assembly.Phases())
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		layout["order"] = order
	}
	budget := map[string]any{}
	if maybe(2) {
		budget["chars"] = 100 + r.IntN(900)
	}
	if len(budget) == 0 || maybe(2) {
		budget["tokens"] = 30 + r.IntN(300)
	}
	budget["over"] = "warn"
	prompts := map[string]any{
		"a": map[string]any{
			"axes": axes, "dialect": "{dialect}", "layout": layout, "budget": budget, "sections": sections(true),
			"tokenizer": []any{"o200k_base", "guess", "chars/4"}[r.IntN(3)], "join": []any{"\n\n", "\n---\n"}[r.IntN(2)],
		},
		"b": map[string]any{"axes": axes, "dialect": "{dialect}", "sections": sections(false), "budget": map[string]any{"tokens": 150, "over": "warn"}},
	}
	if len(excluded) > 0 {
		for _, p := range prompts {
			p.(map[string]any)["exclude"] = excluded
		}
	}
	slots := map[string]any{}
	for i := range 4 {
		slots[fmt.Sprintf("s%d", i)] = map[string]any{"example": "x", "max_tokens": 1 + r.IntN(40), "optional": maybe(2), "volatile": maybe(2)}
	}
	text, _ := json.Marshal(map[string]any{
		"version": 1, "artifacts": "dist", "slots": slots, "sources": sources, "prompts": prompts,
		"tokenizers": map[string]any{"guess": map[string]any{"base": "o200k_base", "factor": 1.25, "error": 0.1}},
	})
	tool := `{"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}}`
	return testproject.Of("prompts.yaml", string(text), "tools.json", tool)
}

// randomAxes gives up to three axes, and conditions that leave some variant.
func randomAxes(r *rand.Rand) (axes map[string]any, excluded []any) {
	axes = map[string]any{}
	var names []string
	for i := range r.IntN(4) {
		name, values := fmt.Sprintf("x%d", i), []string{"u", "v", "w"}[:1+r.IntN(3)]
		axis := map[string]any{"values": values}
		if r.IntN(2) == 0 {
			axis["default"] = values[r.IntN(len(values))]
		}
		if len(values) > 1 {
			names = append(names, name)
		}
		axes[name] = axis
	}
	for _, name := range names { // never the value v of any axis
		switch r.IntN(4) {
		case 0:
			excluded = append(excluded, map[string]any{name: []any{"u"}})
		case 1:
			excluded = append(excluded, map[string]any{name: map[string]any{"not": []any{"u", "v"}}, names[0]: "u"})
		}
	}
	return axes, excluded
}

// TestTheManifestRebuildsEveryArtifact goes, as a program in production would,
// from values of axes to the variant, its name and its text.
func TestTheManifestRebuildsEveryArtifact(t *testing.T) {
	skipIfShort(t)
	schema, err := jsonschema.Compile("../schema/dist-manifest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for seed := range uint64(150) {
		r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: competing(seed), Manifest: "prompts.yaml"})
		if err != nil || r.Stopped || r.Delta == nil {
			t.Fatalf("seed %d: %v %v", seed, err, worded(r.Findings[0]))
		}
		mustRebuild(t, fmt.Sprintf("seed %d", seed), r, schema, seen)
	}
	for seed := range uint64(worlds) {
		mustRebuild(t, fmt.Sprintf("world %d", seed), compileWorld(t, newWorld(seed)), schema, seen)
	}
	for _, what := range []string{"excluded", "dropped", "stepped", "notice", "estimate", "chars", "lacking", "slots", "json", "text", "empty"} {
		if seen[what] < 2 {
			t.Errorf("%s: tried %d times, too few: %v", what, seen[what], seen)
		}
	}
}

func mustRebuild(t *testing.T, where string, r *prompt.Result, schema *jsonschema.Schema, seen map[string]int) {
	t.Helper()
	files := outputs(r)
	text := files["dist/manifest.json"]
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Fatalf("%s: %v\n%s", where, err, text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), `{"name":`) && len(line) > 1024 {
			t.Errorf("%s: a variant has %d bytes: %s", where, len(line), line)
		}
	}
	m := readShipped(t, files)
	for name, rows := range map[string]int{"texts": distinct(m.Tables.Texts), "sections": distinct(m.Tables.Sections), "slots": distinct(m.Tables.Slots)} {
		if all := len(value.(map[string]any)["tables"].(map[string]any)[name].([]any)); rows != all {
			t.Errorf("%s: %d of %d %s are distinct", where, rows, all, name)
		}
	}
	artifacts := map[string]*assembly.Artifact{}
	for _, a := range r.Artifacts {
		artifacts[a.Variant.Name] = a
	}
	for _, p := range m.Prompts {
		for _, values := range p.points() {
			v := p.find(values)
			if p.excluded(values) {
				seen["excluded"]++
				if v != nil {
					t.Fatalf("%s: %s is excluded, and there", where, v.Name)
				}
				continue
			}
			if v == nil || v.Name != p.name(values) {
				t.Fatalf("%s: %v is %+v, not %s", where, values, v, p.name(values))
			}
			m.mustBe(t, where+": "+v.Name, v, artifacts[v.Name], files, seen)
			delete(artifacts, v.Name)
		}
	}
	if len(artifacts) > 0 {
		t.Errorf("%s: no values of axes lead to %v", where, slices.Sorted(maps.Keys(artifacts)))
	}
}

// distinct is the number of rows that differ.
func distinct[T any](rows []T) int {
	seen := map[string]bool{}
	for _, row := range rows {
		seen[fmt.Sprintf("%#v", row)] = true
	}
	return len(seen)
}

// mustBe holds that what the manifest says of a variant is its artifact.
func (m *shipped) mustBe(t *testing.T, where string, v *shippedVariant, a *assembly.Artifact, files map[string]string, seen map[string]int) {
	t.Helper()
	b := a.Variant.Budget
	limit := func(n *int) int {
		if n == nil {
			return -1
		}
		return *n
	}
	if v.Tokens != a.Tokens || v.Use != a.Use || v.Context != a.Variant.Context || limit(v.Budget.Tokens) != b.Tokens || limit(v.Budget.Chars) != b.Chars {
		t.Errorf("%s: %+v", where, v)
	}
	estimate := a.Variant.StandsFor() != "" || v.Tokenizer == "guess"
	if v.Estimate != estimate || v.Tokenizer != a.Variant.Tokenizer {
		t.Errorf("%s: tokenizer %s, estimate %v", where, v.Tokenizer, v.Estimate)
	}
	if estimate {
		seen["estimate"]++
	}
	if v.Dialect == "" {
		seen["text"]++
		if got := files["dist/"+v.File]; got != a.Text() {
			t.Errorf("%s: the file has %q", where, got)
		}
	} else {
		seen["json"]++
	}
	ends := map[string]int{}
	for _, s := range m.Tables.Sections[v.Sections] {
		if end, behind := ends[s.Pointer]; behind && (s.Join == nil || *s.Join != end) || s.Join == nil && s.Start > 0 {
			t.Errorf("%s: %s starts at %d with the join %v, behind %d", where, s.ID, s.Start, s.Join, end)
		}
		ends[s.Pointer] = s.End
	}
	if (v.Composition != nil) != a.Variant.Layout.On || (v.Outcome != nil) != a.Variant.Layout.On {
		t.Fatalf("%s: composition %v, outcome %v", where, v.Composition, v.Outcome)
	}
	if v.Composition == nil {
		return
	}
	if d := diff.Diff(a.Text(), m.composed(t, where, v, seen)); d != "" {
		t.Errorf("%s: composed (-artifact +manifest): %s", where, d)
	}
	var drops []string
	for _, ch := range a.Choices {
		if !ch.Kept {
			drops = append(drops, fmt.Sprint(a.Build.Prompt.Sections[ch.Section].ID.Str, ch.Phase, ch.Tokens, max(0, ch.Left)))
		}
	}
	var said []string
	for _, d := range m.Tables.Outcomes[*v.Outcome].Dropped {
		seen["dropped"]++
		said = append(said, fmt.Sprint(d.ID, d.Phase, d.Tokens, d.Left))
	}
	if d := diff.Diff(drops, said); d != "" {
		t.Errorf("%s: dropped (-artifact +manifest): %s", where, d)
	}
	if a.Text() == "" {
		seen["empty"]++
	}
	if b.Chars >= 0 {
		seen["chars"]++
	}
}

// composed puts a variant together from its composition and outcome.
func (m *shipped) composed(t *testing.T, where string, v *shippedVariant, seen map[string]int) string {
	t.Helper()
	rules, became := m.Tables.Compositions[*v.Composition], m.Tables.Outcomes[*v.Outcome]
	type part struct {
		id, join, text string
		phase          int
		score          float64
		sticky         bool
	}
	var parts []part
	for i, row := range rules.Sections {
		ladder, step := m.Tables.Ladders[row], became.Steps[i]
		for _, s := range ladder.Steps {
			text := m.Tables.Texts[s.Text]
			for _, slot := range m.Tables.Slots[s.Slots] {
				seen["slots"]++
				if text[slot.Start:slot.End] != "{{"+slot.Name+"}}" {
					t.Errorf("%s: the slot %s is at %q", where, slot.Name, text[slot.Start:slot.End])
				}
			}
		}
		if step == nil {
			if len(ladder.Needs) > 0 {
				seen["lacking"]++
			}
			continue
		}
		if *step > 0 {
			seen["stepped"]++
		}
		if text := m.Tables.Texts[ladder.Steps[*step].Text]; text != "" {
			p := part{ladder.ID, rules.Join, text, slices.Index(rules.Order, ladder.Phase), ladder.Score, ladder.Sticky}
			if ladder.Join != nil {
				p.join = *ladder.Join
			}
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, func(a, b part) int {
		if rules.Place == "sticky-first" && a.sticky != b.sticky {
			return map[bool]int{true: -1, false: 1}[a.sticky]
		}
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	if became.Notice != "" {
		seen["notice"]++
		parts = append(parts, part{join: rules.Join, text: became.Notice})
	}
	out := ""
	for i, p := range parts {
		if i > 0 {
			out += p.join
		}
		out += p.text
	}
	if out == "" {
		return ""
	}
	return out + rules.End
}

// points are all combinations of the values of a prompt's axes.
func (p *shippedPrompt) points() []map[string]string {
	out := []map[string]string{{}}
	for _, a := range p.Axes {
		var next []map[string]string
		for _, point := range out {
			for _, value := range a.Values {
				longer := maps.Clone(point)
				longer[a.Name] = value
				next = append(next, longer)
			}
		}
		out = next
	}
	return out
}

func (p *shippedPrompt) excluded(values map[string]string) bool {
	for _, clause := range p.Exclude {
		holds := true
		for _, term := range clause {
			holds = holds && slices.Contains(term.Values, values[term.Axis]) != term.Not
		}
		if holds {
			return true
		}
	}
	return false
}

// name is that of the variant with the values: those at their default are left
// out.
func (p *shippedPrompt) name(values map[string]string) string {
	var terms []string
	for _, a := range p.Axes {
		if v := values[a.Name]; v != a.Default {
			terms = append(terms, a.Name+"="+v)
		}
	}
	if len(terms) == 0 {
		return p.ID
	}
	return p.ID + "/" + strings.Join(terms, ",")
}

func (p *shippedPrompt) find(values map[string]string) *shippedVariant {
	for _, v := range p.Variants {
		if maps.Equal(v.Values, values) {
			return v
		}
	}
	return nil
}
