package snapshot

import (
	"encoding/json"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
)

// compositionEntry says what competes for a budget under the layout `phases`, and
// by which rules.
type compositionEntry struct {
	Order  []string `json:"order"`
	Place  string   `json:"place"`
	Fill   string   `json:"fill"`
	Notice bool     `json:"notice"`
	Join   string   `json:"join"`
	// End follows the last part of a text.
	End      string `json:"end"`
	Sections []int  `json:"sections"` // rows of ladders, in declared order
	// Tools are those that any step may send beside the text, in the order in which
	// all of them would stand.
	Tools []offeredTool `json:"tools,omitempty"`
}

// offeredTool is a tool that a step may send beside the text.
type offeredTool struct {
	Name string `json:"name"`
	// Definition is the entry of the list that the dialect has for tools; in `gemini`
	// a declaration, unless it is the provider's own.
	Definition json.RawMessage `json:"definition"`
	Own        bool            `json:"own,omitempty"`
}

func offered(t *language.Tool, d *ground.Dialect) offeredTool {
	var list []json.RawMessage
	_ = json.Unmarshal([]byte(dialect.Tools(d, []*language.Tool{t})), &list) // we wrote it
	out := offeredTool{Name: t.Name, Definition: list[0], Own: t.Provider != ""}
	var declared struct{ FunctionDeclarations []json.RawMessage }
	if _ = json.Unmarshal(list[0], &declared); !out.Own && len(declared.FunctionDeclarations) > 0 {
		out.Definition = declared.FunctionDeclarations[0]
	}
	return out
}

// ladderEntry is a section that competes, with the steps that it may go down.
type ladderEntry struct {
	ID     string      `json:"id"`
	Phase  string      `json:"phase"`
	Score  float64     `json:"score"`
	Sticky bool        `json:"sticky"`
	Join   *string     `json:"join,omitempty"`  // replaces that of the composition
	Needs  []string    `json:"needs,omitempty"` // tools
	Steps  []stepEntry `json:"steps"`
}

type stepEntry struct {
	Step   string   `json:"step,omitempty"` // the form or source; "" for the section's own
	Text   int      `json:"text"`           // rows of tables
	Slots  int      `json:"slots"`
	Tokens int      `json:"tokens"`
	Tools  []string `json:"tools,omitempty"`
	Beside bool     `json:"beside,omitempty"`
	// Optional are parts as of a section.
	Optional []optionalPart `json:"optional,omitempty"`
}

// outcomeEntry says what became of the sections of a composition.
type outcomeEntry struct {
	// Steps has for each the index of the step that is emitted; nil where the
	// section is out.
	Steps   []*int      `json:"steps"`
	Dropped []dropEntry `json:"dropped"`
	Notice  string      `json:"notice,omitempty"`
}

// dropEntry is a section that found no place in the budget.
type dropEntry struct {
	ID     string `json:"id"`
	Phase  string `json:"phase"`
	Tokens int    `json:"tokens"`         // that it would have added
	Left   *int   `json:"left,omitempty"` // of the budget, when it was its turn
	// Chars and CharsLeft are the same for a budget in characters.
	Chars     *int `json:"chars,omitempty"`
	CharsLeft *int `json:"chars_left,omitempty"`
}

// stepKey is a unit as it is counted.
type stepKey struct {
	unit      int
	tokenizer string
}

// steps are the steps of all ladders; their texts and slots are in the tables.
type steps map[stepKey]stepEntry

// unitsOf gives the units of a section's ladder, its own first; none where it is
// out.
func unitsOf(u assembly.Use) []int {
	if u.Unit < 0 {
		return nil
	}
	out := []int{u.Unit}
	for _, s := range u.Steps {
		out = append(out, s.Unit)
	}
	return out
}

// steps finds the steps of all variants with the layout `phases`.
func (s *shipper) steps(w *written) steps {
	out := steps{}
	for _, one := range s.all {
		v := one.Variant
		if !v.Layout.On {
			continue
		}
		for _, u := range v.Uses {
			for _, unit := range unitsOf(u) {
				key := stepKey{unit, v.Tokenizer}
				if _, ok := out[key]; ok {
					continue
				}
				r := s.in.Renderings[unit]
				step := stepEntry{
					Step: r.Unit.Step, Text: w.texts.row(canon.Value(r.Text.Str)), Slots: w.slots.row(canon.Value(slotsOf(r, "", 0))),
					Tokens: s.in.Counters(v.Tokenizer).Sum([]string{r.Text.Str}), Beside: r.Beside, Tools: language.ToolNames(r.Tools),
					Optional: optionalOf(r, 0),
				}
				out[key] = step
			}
		}
	}
	return out
}

// competition is what the manifest says of a variant with the layout `phases`, before
// its rows have indices.
type competition struct {
	rules   compositionEntry
	ladders []string
	outcome string
}

func (s *shipper) competition(a *assembly.Artifact, known steps) *competition {
	v := a.Variant
	out := competition{rules: compositionEntry{
		Order: v.Layout.Order, Place: "phase", Fill: "first-fit", Notice: v.Layout.Notice, Join: v.Join.Str, End: "\n",
	}}
	if v.Layout.StickyFirst {
		out.rules.Place = "sticky-first"
	}
	if v.Layout.Stop {
		out.rules.Fill = "stop"
	}
	if a.Variant.Shape().JSON || v.Exact {
		out.rules.End = ""
	}
	became := outcomeEntry{Steps: []*int{}, Dropped: dropped(a)}
	if n := a.NoticePart(); n >= 0 {
		became.Notice = a.Parts[n].Text
	}
	for i, u := range v.Uses {
		units := unitsOf(u)
		if len(units) == 0 {
			continue
		}
		ladder := ladderEntry{
			ID: a.Build.Prompt.Sections[i].ID.Str, Phase: v.Layout.Order[u.Place.Phase],
			Score: u.Place.Score(), Sticky: u.Place.Sticky, Needs: u.Needs,
		}
		if u.Join != nil {
			ladder.Join = &u.Join.Str
		}
		for _, unit := range units {
			ladder.Steps = append(ladder.Steps, known[stepKey{unit, v.Tokenizer}])
		}
		out.ladders = append(out.ladders, canon.Value(ladder))
		became.Steps = append(became.Steps, stepOf(a.Used[i], units))
	}
	for _, t := range s.besideAll(a) {
		out.rules.Tools = append(out.rules.Tools, offered(t, v.Dialect))
	}
	out.outcome = canon.Value(became)
	return &out
}

// besideAll gives the tools that any step of a variant may send beside its text:
// first those of sections that do not compete.
func (s *shipper) besideAll(a *assembly.Artifact) []*language.Tool {
	walk := slices.Clone(a.Choices)
	if a.Variant.Layout.StickyFirst {
		slices.SortStableFunc(walk, func(x, y assembly.Choice) int {
			switch {
			case x.Sticky == y.Sticky:
				return 0
			case x.Sticky:
				return -1
			default:
				return 1
			}
		})
	}
	var order, competing []int
	for _, ch := range walk {
		competing = append(competing, ch.Section)
	}
	for i := range a.Variant.Uses {
		if !slices.Contains(competing, i) {
			order = append(order, i)
		}
	}
	var out []*language.Tool
	for _, i := range append(order, competing...) {
		for _, unit := range unitsOf(a.Variant.Uses[i]) {
			r := s.in.Renderings[unit]
			for _, t := range r.Tools {
				if r.Beside && !slices.ContainsFunc(out, func(o *language.Tool) bool { return o.Name == t.Name }) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// stepOf gives the index of the step that is emitted; nil for none.
func stepOf(used *assembly.Rendering, units []int) *int {
	if used == nil {
		return nil
	}
	n := slices.Index(units, used.Unit.Index)
	return limited(n)
}

// dropped gives the sections that found no place, in the order of the walk.
func dropped(a *assembly.Artifact) []dropEntry {
	out := []dropEntry{}
	for _, ch := range a.Choices {
		if ch.Kept {
			continue
		}
		d := dropEntry{ID: a.Build.Prompt.Sections[ch.Section].ID.Str, Phase: ch.Phase, Tokens: ch.Tokens, Left: limited(ch.Left)}
		if ch.CharsLeft >= 0 {
			d.Chars, d.CharsLeft = &ch.Chars, &ch.CharsLeft
		}
		out = append(out, d)
	}
	return out
}
