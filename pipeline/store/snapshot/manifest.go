package snapshot

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language"
)

// manifestVersion is the version of the form of manifest.json; its schema is
// schema/dist-manifest.schema.json.
const manifestVersion = 2

// manifest is what production reads beside the artifacts.
type manifest struct {
	Version int `json:"version"`
	// Tokenizers are the declared estimators.
	Tokenizers []tokenizerEntry `json:"tokenizers"`
	Prompts    []promptEntry    `json:"prompts"`
	Tables     tables           `json:"tables"`
	// Replaces are files of the build before that may still stand, while a build
	// replaces them; none in the manifest of a build that ended.
	Replaces []fileSum `json:"replaces,omitempty"`
}

// fileSum is a file with the SHA-256 of its bytes.
type fileSum struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

type tokenizerEntry struct {
	Name   string  `json:"name"`
	Base   string  `json:"base"`
	Factor float64 `json:"factor"`
	Error  float64 `json:"error"`
}

type promptEntry struct {
	ID   string      `json:"id"`
	Axes []axisEntry `json:"axes"`
	// Exclude has the combinations that are not built: any of the clauses, each
	// with all its terms.
	Exclude  [][]termEntry  `json:"exclude"`
	Slots    []slotEntry    `json:"slots"`
	Variants []variantEntry `json:"variants"`
}

type axisEntry struct {
	Name    string   `json:"name"`
	Values  []string `json:"values"`
	Default string   `json:"default,omitempty"`
}

type termEntry struct {
	Axis   string   `json:"axis"`
	Values []string `json:"values"`
	Not    bool     `json:"not,omitempty"`
}

type slotEntry struct {
	Name      string `json:"name"`
	MaxTokens int    `json:"max_tokens,omitempty"`
	Optional  bool   `json:"optional,omitempty"`
	Volatile  bool   `json:"volatile,omitempty"`
	// InLine says that the value stands in a line of facts, which it must not break.
	InLine bool `json:"in_line,omitempty"`
}

type variantEntry struct {
	Name    string            `json:"name"`
	Values  map[string]string `json:"values"`            // by axis
	File    string            `json:"file"`              // relative to the manifest, with slashes
	Dialect string            `json:"dialect,omitempty"` // of a request body; "" for text
	SHA256  string            `json:"sha256"`
	Bytes   int               `json:"bytes"`
	Tokens  int               `json:"tokens"`
	Use     int               `json:"use"` // tokens with every slot at its max_tokens
	// ToolTokens count the definitions in a request body in compact JSON; nil
	// where there are none, and for text, whose Tools say it.
	ToolTokens *int         `json:"tool_tokens,omitempty"`
	Tokenizer  string       `json:"tokenizer"`
	Estimate   bool         `json:"estimate,omitempty"`
	Budget     *budgetEntry `json:"budget,omitempty"`
	Context    int          `json:"context,omitempty"`
	// Sections and Slots are rows of the tables, and so are Composition and
	// Outcome, which only the layout `phases` has.
	Sections    int         `json:"sections"`
	Slots       int         `json:"slots"`
	Composition *int        `json:"composition,omitempty"`
	Outcome     *int        `json:"outcome,omitempty"`
	Tools       *toolsEntry `json:"tools,omitempty"`
}

type budgetEntry struct {
	Tokens     *int `json:"tokens,omitempty"`
	Chars      *int `json:"chars,omitempty"`
	ToolTokens *int `json:"tool_tokens,omitempty"`
}

type toolsEntry struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"` // of the definitions in compact JSON
}

// tables hold once what many variants share; entries name a row by its index.
type tables struct {
	Texts        []string           `json:"texts"`
	Sections     [][]sectionPlace   `json:"sections"`
	Slots        [][]slotPlace      `json:"slots"`
	Ladders      []ladderEntry      `json:"ladders"`
	Compositions []compositionEntry `json:"compositions"`
	Outcomes     []outcomeEntry     `json:"outcomes"`
}

// Offsets count bytes of a file, or where there is a pointer bytes of the
// decoded string there; an end is the offset behind the last byte.
type sectionPlace struct {
	ID      string `json:"id"`
	Pointer string `json:"pointer,omitempty"` // RFC 6901, to a JSON string
	// Join is where the join before the section starts; nil where nothing stands
	// before the section in its message.
	Join  *int `json:"join,omitempty"`
	Start int  `json:"start"`
	End   int  `json:"end"`
	// Optional are the parts of it that are left out if their slots are empty.
	Optional []optionalPart `json:"optional,omitempty"`
}

type optionalPart struct {
	Slots []string `json:"slots"`
	Start int      `json:"start"`
	End   int      `json:"end"`
}

type slotPlace struct {
	Name    string `json:"name"`
	Pointer string `json:"pointer,omitempty"` // as of a section
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

// rowTable collects rows, each once, in the order of their first use.
type rowTable struct {
	rows  []string // compact JSON
	index map[string]int
}

func (t *rowTable) row(text string) int {
	i, ok := t.index[text]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.rows)
		t.index[text], t.rows = i, append(t.rows, text)
	}
	return i
}

// written are the tables while the manifest is written.
type written struct{ texts, sections, slots, ladders, compositions, outcomes rowTable }

// described is what the manifest says of a variant, before its rows have indices.
type described struct {
	entry           variantEntry
	sections, slots string // rows of tables
	phases          *competition
	uses            []assembly.SlotAt // without their places
}

// manifest writes the manifest as JSON: two spaces deep down to the entries of
// its lists, each of them one line, with a final line break. It is in parts: with
// many variants it is long.
func (s *shipper) manifest() []string {
	var w written
	steps := s.steps(&w)
	all := par.Map(s.all, func(one shipped) described { return s.describe(one, steps) })
	for i := range all {
		w.number(&all[i])
	}
	lines := par.Map(all, func(d described) string { return canon.Value(d.entry) })
	out := []string{fmt.Sprintf("{\n  \"version\": %d,\n  \"tokenizers\": ", manifestVersion)}
	out = list(out, "  ", s.tokenizers())
	out = append(out, ",\n  \"prompts\": [")
	from := 0
	for i, b := range s.builds {
		to := from
		slots := map[*language.Slot]bool{} // and whether they stand in a line
		for ; to < len(s.all) && s.all[to].Build == b; to++ {
			for _, use := range all[to].uses {
				slots[use.Slot] = slots[use.Slot] || use.InLine
			}
		}
		if i > 0 {
			out = append(out, ",")
		}
		out = s.prompt(out, b, slots, lines[from:to])
		from = to
	}
	if len(s.builds) > 0 {
		out = append(out, "\n  ")
	}
	out = append(out, "],\n  \"tables\": {")
	for i, t := range []struct {
		name string
		rows []string
	}{
		{"texts", w.texts.rows},
		{"sections", w.sections.rows},
		{"slots", w.slots.rows},
		{"ladders", w.ladders.rows},
		{"compositions", w.compositions.rows},
		{"outcomes", w.outcomes.rows},
	} {
		if i > 0 {
			out = append(out, ",")
		}
		out = list(append(out, "\n    \""+t.name+"\": "), "    ", t.rows)
	}
	return append(out, "\n  }", "\n}\n")
}

// list appends a JSON list, an entry a line.
func list(out []string, margin string, entries []string) []string {
	if len(entries) == 0 {
		return append(out, "[]")
	}
	before := "[\n" + margin + "  "
	for _, e := range entries {
		out = append(out, before, e)
		before = ",\n" + margin + "  "
	}
	return append(out, "\n"+margin+"]")
}

// number gives the rows of a variant their indices.
func (w *written) number(d *described) {
	d.entry.Sections, d.entry.Slots = w.sections.row(d.sections), w.slots.row(d.slots)
	if p := d.phases; p != nil {
		p.rules.Sections = make([]int, len(p.ladders))
		for i, l := range p.ladders {
			p.rules.Sections[i] = w.ladders.row(l)
		}
		composition, outcome := w.compositions.row(canon.Value(p.rules)), w.outcomes.row(p.outcome)
		d.entry.Composition, d.entry.Outcome = &composition, &outcome
	}
}

func (s *shipper) tokenizers() []string {
	var out []string
	for _, e := range s.in.Plan.Spec.Tokenizers {
		out = append(out, canon.Value(tokenizerEntry{e.Name.Str, e.Base.Str, e.Factor, e.Error}))
	}
	return out
}

// prompt appends the entry of a prompt with the slots that its variants use, in
// declared order.
func (s *shipper) prompt(out []string, b *assembly.Build, used map[*language.Slot]bool, variants []string) []string {
	var axes, exclude, slots []string
	for _, a := range b.Prompt.Axes {
		axes = append(axes, canon.Value(axisEntry{a.Name.Str, ground.Strings(a.Values), a.Default.Str}))
	}
	for _, clause := range b.Prompt.Exclude {
		terms := []termEntry{}
		for _, t := range clause {
			terms = append(terms, termEntry{t.Axis.Str, ground.Strings(t.Values), t.Not})
		}
		exclude = append(exclude, canon.Value(terms))
	}
	for _, slot := range s.in.Plan.Spec.Slots {
		if inLine, ok := used[slot]; ok {
			slots = append(slots, canon.Value(slotEntry{slot.Name.Str, slot.MaxTokens, slot.Optional, slot.Volatile, inLine}))
		}
	}
	out = append(out, "\n    {\n      \"id\": ", canon.Value(b.Prompt.ID.Str), ",\n      \"axes\": ")
	out = append(list(out, "      ", axes), ",\n      \"exclude\": ")
	out = append(list(out, "      ", exclude), ",\n      \"slots\": ")
	out = append(list(out, "      ", slots), ",\n      \"variants\": ")
	return append(list(out, "      ", variants), "\n    }")
}

// describe gives what the manifest says of an artifact.
func (s *shipper) describe(one shipped, steps steps) described {
	a, body := one.Artifact, s.files[one.body]
	v := a.Variant
	d := described{entry: variantEntry{
		Name: v.Name, Values: map[string]string{}, File: body.Path[len(s.folder)+1:], SHA256: sumOf(body.Parts), Bytes: length(body.Parts),
		Tokens: a.Tokens, Use: a.Use, Tokenizer: v.Tokenizer, Estimate: v.Estimated(s.in.Plan.Spec), Budget: limits(v.Budget), Context: v.Context,
	}}
	for i, axis := range a.Build.Prompt.Axes {
		d.entry.Values[axis.Name.Str] = axis.Values[v.Values[i]].Str
	}
	if one.beside >= 0 {
		beside := s.files[one.beside]
		d.entry.Tools = &toolsEntry{File: beside.Path[len(s.folder)+1:], SHA256: sumOf(beside.Parts), Bytes: length(beside.Parts), Tokens: a.ToolTokens}
	}
	if a.Variant.Shape().JSON {
		d.entry.Dialect = v.Dialect.Name
		if len(a.Beside) > 0 {
			d.entry.ToolTokens = &a.ToolTokens
		}
	}
	sections, slots := []sectionPlace{}, []slotPlace{}
	for _, p := range locate(a, one.places) {
		var optional []optionalPart
		if p.Rendering != nil && p.Rendering.Text.Str == p.Text {
			slots = append(slots, slotsOf(p.Rendering, p.Pointer, p.Place.Start)...)
			optional = optionalOf(p.Rendering, p.Place.Start)
			d.using(p.Rendering)
		}
		if p.Section >= 0 && p.Text != "" {
			id := a.Build.Prompt.Sections[p.Section].ID.Str
			sections = append(sections, sectionPlace{id, p.Pointer, limited(p.join), p.Place.Start, p.Place.Start + len(p.Text), optional})
		}
	}
	d.sections, d.slots = canon.Value(sections), canon.Value(slots)
	if v.Layout.On {
		d.phases = s.competition(a, steps)
		for _, u := range v.Uses {
			for _, unit := range unitsOf(u) {
				d.using(s.in.Renderings[unit])
			}
		}
	}
	return d
}

// using notes the slots of a rendering, each once.
func (d *described) using(r *assembly.Rendering) {
	for _, at := range r.Slots {
		use := assembly.SlotAt{Slot: at.Slot, InLine: at.InLine}
		if !slices.Contains(d.uses, use) {
			d.uses = append(d.uses, use)
		}
	}
}

// slotsOf gives the places of a rendering's slots in a string that holds its
// text from an offset on.
func slotsOf(r *assembly.Rendering, pointer string, start int) []slotPlace {
	out := []slotPlace{}
	for _, at := range r.Slots {
		out = append(out, slotPlace{at.Slot.Name.Str, pointer, start + at.Start, start + at.End})
	}
	return out
}

// optionalOf gives the optional parts of a rendering in the same way.
func optionalOf(r *assembly.Rendering, start int) []optionalPart {
	var out []optionalPart
	for _, o := range r.Optional {
		part := optionalPart{Start: start + o.Start, End: start + o.End}
		for _, slot := range o.Slots {
			if !slices.Contains(part.Slots, slot.Name.Str) {
				part.Slots = append(part.Slots, slot.Name.Str)
			}
		}
		out = append(out, part)
	}
	return out
}

// limits gives a budget as the manifest says it; nil where nothing is limited.
func limits(l language.Limits) *budgetEntry {
	if l.Tokens < 0 && l.Chars < 0 && l.ToolTokens < 0 {
		return nil
	}
	return &budgetEntry{limited(l.Tokens), limited(l.Chars), limited(l.ToolTokens)}
}

// limited gives an amount; nil for one below zero, which is none.
func limited(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}
