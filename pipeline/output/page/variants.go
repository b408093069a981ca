package page

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

type htmlPrompt struct {
	ID       string         `json:"id"`
	Place    string         `json:"place,omitempty"`
	Axes     []htmlAxis     `json:"axes"`
	Variants []*htmlVariant `json:"variants"`
	// Elsewhere says that another program renders it, so that it has no snapshots.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Removed are the variants that only the base has.
	Removed []string `json:"removed,omitempty"`
}

type htmlAxis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// htmlVariant is a variant with its figures. Settings, List, Tools, Notes and Points
// are indices: of what is declared, and of lists of entries, each with its tokens, of
// tools, of notes, and of cache breakpoints: the entry behind each, and its tokens.
type htmlVariant struct {
	Name     string `json:"n"`
	Values   []int  `json:"v"`
	Tokens   int    `json:"k"`
	Use      int    `json:"u"`
	Chars    int    `json:"c"`
	ToolUse  int    `json:"x,omitempty"`
	Settings int    `json:"s"`
	List     int    `json:"l"`
	Tools    int    `json:"t"`
	Notes    int    `json:"o"`
	Points   int    `json:"p"`
	// Volatile is the entry in which something may change from one request to the
	// next, counted from 1; 0 for none.
	Volatile int `json:"y,omitempty"`
	// Was is what it was compared with, nil for nothing, and Changed that it sends
	// other bytes.
	Was     *htmlWas `json:"w,omitempty"`
	Changed bool     `json:"d,omitempty"`
}

// htmlWas is what a variant used in the base.
type htmlWas struct {
	Use   int    `json:"u"`
	Chars int    `json:"c"`
	Tools int    `json:"x,omitempty"`
	Name  string `json:"n,omitempty"` // where it has another
}

// htmlEntry is a section of a variant, or what a conversation says, as it stands
// in some variants: the texts, the join before them included.
type htmlEntry struct {
	Name  string `json:"n"`
	Role  string `json:"r,omitempty"`
	Tier  string `json:"i,omitempty"`
	Texts []int  `json:"t"`
	Slots int    `json:"s,omitempty"` // the tokens that its slots may add
	From  string `json:"f,omitempty"`
	Items []int  `json:"m,omitempty"` // of items, as tools: name and tokens
}

// htmlTool is a tool beside the text, or an item of a section.
type htmlTool struct {
	Name   string `json:"n"`
	Tokens int    `json:"k"`
	From   string `json:"f,omitempty"`
	Text   int    `json:"t"` // -1 for none
}

// htmlSettings are what is declared for some variants.
type htmlSettings struct {
	Tokens       int     `json:"tokens"`
	Chars        int     `json:"chars"`
	ToolTokens   int     `json:"tool_tokens"`
	WarnAt       float64 `json:"warn_at,omitempty"`
	Growth       float64 `json:"growth"`
	GrowthTokens int     `json:"growth_tokens"`
	Default      bool    `json:"default,omitempty"`
	Place        string  `json:"place,omitempty"`
	Context      int     `json:"context,omitempty"`
	Counter      string  `json:"counter"`
	Estimate     bool    `json:"estimate,omitempty"`
	Dialect      string  `json:"dialect,omitempty"`
}

// htmlTables makes the tables. What is equal is one row.
type htmlTables struct {
	doc  *htmlData
	r    *prompt.Result
	with With
	page *words.Printer
	rows map[any]int // of all tables, by keys that differ
}

type htmlTextKey struct {
	text  string
	slots *assembly.Rendering // nil for a text without slots
}

type htmlToolKey struct {
	of        any // a tool, or the rendering of an item
	item      int
	tokenizer string
}

func newHTMLTables(doc *htmlData, r *prompt.Result, with With, opt words.Options) *htmlTables {
	doc.Texts, doc.Entries, doc.Lists, doc.Tools = []htmlText{}, []htmlEntry{}, [][]int{}, []htmlTool{}
	doc.Settings, doc.Notes = []htmlSettings{}, [][2]string{}
	return &htmlTables{doc, r, with, words.NewPrinter(opt), map[any]int{}}
}

// intern gives the index of a row of a table, which is made where there is none yet.
func intern[R any](t *htmlTables, rows *[]R, key any, row func() R) int {
	i, ok := t.rows[key]
	if !ok {
		made := row()
		i, *rows = len(*rows), append(*rows, made)
		t.rows[key] = i
	}
	return i
}

// prompts adds all prompts with their variants.
func (t *htmlTables) prompts() {
	of := map[*assembly.Build]*htmlPrompt{}
	for _, b := range t.r.Plan.Builds {
		made := &htmlPrompt{ID: b.Prompt.ID.Str, Place: t.page.LineOf(b.Prompt.ID.At), Axes: []htmlAxis{}, Variants: []*htmlVariant{}, Elsewhere: b.Prompt.Rendered != nil}
		for _, axis := range b.Prompt.Axes {
			values := []string{}
			for _, v := range axis.Values {
				values = append(values, v.Str)
			}
			made.Axes = append(made.Axes, htmlAxis{axis.Name.Str, values})
		}
		of[b] = made
		t.doc.Prompts = append(t.doc.Prompts, made)
	}
	for _, a := range t.r.Artifacts {
		made := of[a.Build]
		made.Variants = append(made.Variants, t.variant(a))
	}
	if t.with.Difference != nil {
		t.compared(of)
	}
}

// compared adds what the variants were in the base.
func (t *htmlTables) compared(of map[*assembly.Build]*htmlPrompt) {
	d := t.with.Difference
	base := map[*assembly.Variant]*assembly.Artifact{}
	if d.Base.Result != nil {
		for _, a := range d.Base.Result.Artifacts {
			base[a.Variant] = a
		}
	}
	for _, pair := range d.Pairs {
		made := of[pair.Head]
		if made == nil {
			continue
		}
		for i, v := range made.Variants {
			v.Changed = pair.Reached().Has(i)
			if i >= len(pair.Was) || pair.Was[i] < 0 {
				continue
			}
			if was := base[pair.Base.Variants[pair.Was[i]]]; was != nil {
				v.Was = &htmlWas{Use: was.Use, Chars: was.Chars, Tools: was.ToolTokens}
				if was.Variant.Name != v.Name {
					v.Was.Name = was.Variant.Name
				}
			}
		}
		made.Removed = change.Names(pair.Base, pair.Gone)
	}
}

func (t *htmlTables) variant(a *assembly.Artifact) *htmlVariant {
	out := &htmlVariant{
		Name: a.Variant.Name, Values: slices.Clone(a.Variant.Values), Tokens: a.Tokens, Use: a.Use, Chars: a.Chars, ToolUse: a.ToolTokens,
		Settings: t.setting(a),
	}
	if out.Values == nil {
		out.Values = []int{}
	}
	all := ledger.Entries(a)
	if n := len(all); n > 0 {
		all[n-1].To = len(a.Parts) // with the line break that ends the text
	}
	var list, points, tools, notes []int
	for _, e := range all {
		list = append(list, t.entry(a, e), e.Tokens)
	}
	for _, point := range a.Cache.Points {
		points = append(points, entryAt(all, point.Part), point.Tokens)
	}
	if v := a.Cache.Volatile; v != nil && ledger.Caches(a) {
		out.Volatile = entryAt(all, v.Part) + 1
	}
	for _, tool := range a.Beside {
		tools = append(tools, t.tool(a, tool))
	}
	for _, note := range detailOf(t.r, a, t.page.Opt) {
		notes = append(notes, intern(t, &t.doc.Notes, note, func() [2]string { return note }))
	}
	out.List, out.Tools, out.Notes, out.Points = t.list(list), t.list(tools), t.list(notes), t.list(points)
	return out
}

// entryAt gives the index of the entry that starts with a part, or holds it.
func entryAt(all []ledger.Entry, part int) int {
	for i, e := range all {
		if part < e.To {
			return i
		}
	}
	return len(all)
}

func (t *htmlTables) setting(a *assembly.Artifact) int {
	v := a.Variant
	b := v.Budget
	made := htmlSettings{
		Tokens: b.Tokens, Chars: b.Chars, ToolTokens: b.ToolTokens, WarnAt: b.WarnAt, Growth: b.Growth, GrowthTokens: b.GrowthTokens,
		Default: b.Default, Place: t.page.LineOf(b.At), Context: v.Context,
		Counter: words.Clean(ledger.Counter(t.r.Spec, v)), Estimate: v.Estimated(t.r.Spec), Dialect: ledger.Dialect(a),
	}
	return intern(t, &t.doc.Settings, made, func() htmlSettings { return made })
}

// list gives the index of a list of numbers.
func (t *htmlTables) list(numbers []int) int {
	return intern(t, &t.doc.Lists, fmt.Sprint(numbers), func() []int { return append([]int{}, numbers...) })
}

// entry gives the index of what a variant says in one place. Its source is looked
// up once for all variants that have the same.
func (t *htmlTables) entry(a *assembly.Artifact, e ledger.Entry) int {
	texts := make([]int, 0, e.To-e.From)
	var sources []string // by their addresses
	for _, part := range a.Parts[e.From:e.To] {
		if part.Text != "" {
			texts = append(texts, t.text(part))
		}
		if part.Passage != nil {
			sources = append(sources, fmt.Sprintf("%p", part.Passage))
		}
	}
	if e.Rendering != nil {
		sources = append(sources, fmt.Sprintf("%p", e.Rendering))
	}
	role := ""
	if talk := ledger.Speakers(a); talk != nil {
		role = string(talk.Message(a, e.To-1).Role)
	}
	key := fmt.Sprint("\x00", e.Name(), "\x00", role, "\x00", e.Tier, "\x00", e.Slots, texts, sources, a.Variant.Tokenizer)
	return intern(t, &t.doc.Entries, key, func() htmlEntry {
		made := htmlEntry{Name: e.Name(), Role: role, Tier: e.Tier, Texts: texts, Slots: e.Slots, From: ledger.PlaceFrom(t.page, a, e, words.ManifestOf(t.r))}
		if e.Rendering != nil {
			made.Items = t.items(a, e.Rendering)
		}
		return made
	})
}

// text gives the index of the text of a part.
func (t *htmlTables) text(part assembly.Part) int {
	key := htmlTextKey{text: part.Text}
	if r := part.Rendering; r != nil && len(r.Slots) > 0 && r.Text.Str == part.Text {
		key.slots = r
	}
	return intern(t, &t.doc.Texts, key, func() htmlText {
		made := htmlText{Text: part.Text}
		if key.slots != nil {
			for _, s := range key.slots.Slots {
				start := units(part.Text[:s.Start])
				made.Slots = append(made.Slots, start, start+units(part.Text[s.Start:s.End]))
			}
		}
		return made
	})
}

// items gives the rows of a section's items, where it has several.
func (t *htmlTables) items(a *assembly.Artifact, r *assembly.Rendering) []int {
	if len(r.Items) < 2 {
		return nil
	}
	var out []int
	for i, item := range r.Items {
		key := htmlToolKey{r, i, a.Variant.Tokenizer}
		out = append(out, intern(t, &t.doc.Tools, key, func() htmlTool {
			made := htmlTool{Name: item.Name, Tokens: t.with.Count(a.Variant.Tokenizer, r.Text.Str[item.Start:item.End]), Text: -1}
			if item.File != nil {
				made.From = t.page.Opt.Path(item.File.Path)
			}
			return made
		}))
	}
	return out
}

// tool gives the index of a tool whose schema goes beside the text.
func (t *htmlTables) tool(a *assembly.Artifact, tool *language.Tool) int {
	return intern(t, &t.doc.Tools, htmlToolKey{tool, -1, a.Variant.Tokenizer}, func() htmlTool {
		return htmlTool{
			Name: tool.Name, Tokens: t.with.Count(a.Variant.Tokenizer, canon.Sent(tool.Canonical)), From: t.page.LineOf(tool.At),
			Text: t.text(assembly.Part{Text: tool.Canonical}),
		}
	})
}
