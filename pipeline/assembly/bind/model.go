package bind

import (
	"path"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Model is what the generated module of one language knows. A generator makes the
// same files of the same model, and none but code: the files in data/, which are
// copies of the artifacts, are the same in every language.
type Model struct {
	// Folder is the path of the binding below the manifest's folder, and Package its
	// last part.
	Folder, Package string
	Prompts         []Prompt
	// Inline says that manifest and artifacts stand in the code. Only then are they
	// set; else the code reads them from data/ beside it.
	Inline    bool
	Manifest  []byte
	Artifacts []File
	Uses      Uses
}

// File is a generated file: its path below the binding's folder, or of an artifact
// below that of the artifacts, and its text.
type File struct{ Path, Text string }

// Uses says what any prompt needs. A generator leaves out what none does.
type Uses struct {
	Slots    bool // some prompt has a slot
	Requests bool // some variant is a request body
	Texts    bool // some variant is text
	Tools    bool // some variant has tools beside its text
	Optional bool // some slot is optional
	Lines    bool // some slot stands in a line of facts, which its value must not break
	Limits   bool // some slot has a limit
	Fit      bool // some variant has the layout `phases`
}

// Prompt is one prompt of a model.
type Prompt struct {
	ID string
	// Name are the words of its identifier.
	Name Words
	Axes []Axis
	// Exclude has the combinations that are not built: any of the clauses, each
	// with all its terms.
	Exclude [][]Term
	// Variants are the combinations that are built: for each axis the index of its
	// value.
	Variants [][]int
	// Slots are those of all variants, in declared order.
	Slots []Slot
	// Dialects are those of its request bodies, each once.
	Dialects []string
	Uses     Uses
}

// Axis is an axis of a prompt. Default is "" where none is declared.
type Axis struct {
	ID, Default string
	Name        Words
	Values      []Value
}

// Value is a value of an axis; its name is for languages that have constants.
type Value struct {
	ID   string
	Name Words
}

// Term holds where an axis has one of some values, or with Not none of them.
type Term struct {
	Axis   string
	Values []string
	Not    bool
}

// Slot is a slot of a prompt.
type Slot struct {
	ID        string
	Name      Words
	MaxTokens int
	Optional  bool
}

// modelOf makes what all languages know of a plan.
func modelOf(plan *assembly.Plan, renderings []*assembly.Rendering, artifacts []*assembly.Artifact) Model {
	names := renames{}
	for _, r := range plan.Spec.CodeNames {
		names[r.Of.Str] = r.Name.Str
	}
	var m Model
	byBuild := plan.ByBuild(artifacts)
	for _, b := range plan.Builds {
		if b.Prompt.Rendered != nil {
			continue // it has no artifacts
		}
		p := names.prompt(b)
		used := p.usedIn(b, renderings, byBuild[b]) // and whether in a line
		for _, s := range plan.Spec.Slots {
			if inLine, ok := used[s]; ok {
				slot := Slot{ID: s.Name.Str, MaxTokens: s.MaxTokens, Optional: s.Optional}
				slot.Name = names.of(p.slot(slot), slot.ID)
				p.Slots = append(p.Slots, slot)
				p.Uses.Slots, p.Uses.Optional, p.Uses.Limits = true, p.Uses.Optional || s.Optional, p.Uses.Limits || s.MaxTokens > 0
				p.Uses.Lines = p.Uses.Lines || inLine
			}
		}
		m.Uses.add(p.Uses)
		m.Prompts = append(m.Prompts, p)
	}
	return m
}

// usedIn notes what the variants of a prompt need, and gives the slots that they
// have, and of each whether it stands in a line of facts: under the layout `phases`
// those of all steps, any of which may be fitted.
func (p *Prompt) usedIn(b *assembly.Build, renderings []*assembly.Rendering, artifacts []*assembly.Artifact) map[*language.Slot]bool {
	used := map[*language.Slot]bool{}
	for i, v := range b.Variants {
		json := v.Shape().JSON
		p.Variants = append(p.Variants, v.Values)
		p.Uses.add(Uses{Requests: json, Texts: !json, Fit: v.Layout.On})
		if json && !slices.Contains(p.Dialects, v.Dialect.Name) {
			p.Dialects = append(p.Dialects, v.Dialect.Name)
		}
		var all []*assembly.Rendering
		if a := artifacts[i]; a != nil {
			all = slices.Clone(a.Used)
		}
		for _, u := range v.Uses {
			if u.Unit >= 0 && v.Layout.On {
				all = append(all, renderings[u.Unit])
				for _, s := range u.Steps {
					all = append(all, renderings[s.Unit])
				}
			}
		}
		for _, r := range all {
			if r == nil {
				continue
			}
			for _, at := range r.Slots {
				used[at.Slot] = used[at.Slot] || at.InLine
			}
			p.Uses.Tools = p.Uses.Tools || r.Beside && len(r.Tools) > 0 && !json
		}
	}
	return used
}

// renames are the names that things have otherwise than by their ids.
type renames map[string]string

func (r renames) of(thing, id string) Words {
	if other, ok := r[thing]; ok {
		id = other
	}
	return wordsOf(id)
}

// prompt gives a prompt with its axes and what is excluded.
func (r renames) prompt(b *assembly.Build) Prompt {
	p := Prompt{ID: b.Prompt.ID.Str}
	p.Name = r.of(p.ID, p.ID)
	for _, a := range b.Prompt.Axes {
		axis := Axis{ID: a.Name.Str, Default: a.Default.Str}
		axis.Name = r.of(p.axis(axis), axis.ID)
		for _, v := range a.Values {
			value := Value{ID: v.Str}
			value.Name = r.of(p.value(axis, value), value.ID)
			axis.Values = append(axis.Values, value)
		}
		p.Axes = append(p.Axes, axis)
	}
	for _, clause := range b.Prompt.Exclude {
		var terms []Term
		for _, t := range clause {
			terms = append(terms, Term{t.Axis.Str, ground.Strings(t.Values), t.Not})
		}
		p.Exclude = append(p.Exclude, terms)
	}
	return p
}

// things lists what a model has names for, as messages call it.
func (m *Model) things() []string {
	var out []string
	for i := range m.Prompts {
		p := &m.Prompts[i]
		out = append(out, p.ID)
		for _, a := range p.Axes {
			out = append(out, p.axis(a))
			for _, v := range a.Values {
				out = append(out, p.value(a, v))
			}
		}
		for _, s := range p.Slots {
			out = append(out, p.slot(s))
		}
	}
	return out
}

// of gives the model of one folder.
func (m Model) of(b language.BindingFolder) Model {
	m.Folder, m.Inline = path.Clean(b.Folder.Str), b.Inline
	m.Package = path.Base(m.Folder)
	return m
}

func (u *Uses) add(o Uses) {
	u.Slots, u.Requests, u.Texts, u.Tools = u.Slots || o.Slots, u.Requests || o.Requests, u.Texts || o.Texts, u.Tools || o.Tools
	u.Optional, u.Lines, u.Limits, u.Fit = u.Optional || o.Optional, u.Lines || o.Lines, u.Limits || o.Limits, u.Fit || o.Fit
}
