// Package policy judges one state of a project by the limits, expectations and
// checks of two: its own, and those of a policy, most often the state before.
// Whoever changes a limit is not to be the one who sets it.
package policy

import (
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// Input is what a head is judged by.
type Input struct {
	// Two are the base and the head.
	Two *pairing.Two
	// Policy has the limits and the expectations that count beside the head's;
	// without a Result these count alone.
	Policy review.Side
	// Lowered are the checks that count for less in the head.
	Lowered []guard.Lowered
}

// Judgment is what Run finds.
type Judgment struct {
	// Edits are the limits, expectations and checks that changed or are weaker
	// than the policy's, and the limits that are exceeded now or no longer.
	Edits []*review.Edit
	// Over are the budgets that the head exceeds, its own and those of the
	// policy.
	Over []review.Overrun
	// Lost are the expectations that the policy has and the head lacks.
	Lost []guard.LostExpectation
}

// Run judges the head of two states. The findings are about what grew more than
// a limit allows, and about what exceeds a budget of the policy; of the head's
// own budgets its compilation speaks.
func Run(in Input) (Judgment, diag.List) {
	j := &judge{
		Input:    in,
		made:     map[saying]*review.Edit{},
		sizes:    map[sizeKey]measured{},
		stricter: map[limitOf]*language.Limits{},
		groups:   map[excess]*group{},
	}
	j.entries()
	each(in.Two, j.budgets)
	if in.Policy.Result != nil && in.Two.Head != nil {
		j.weakened()
	}
	each(in.Two, j.exceeds)
	return j.out, j.findings()
}

type judge struct {
	Input
	out   Judgment
	made  map[saying]*review.Edit
	sizes map[sizeKey]measured
	// stricter has the limits of the policy that the head has higher or not at
	// all; their places are in the head.
	stricter map[limitOf]*language.Limits
	groups   map[excess]*group
	found    []*group // in the order of their first variants
}

// limitOf says what a limit is about: a variant of the head or, in it, the
// section of that index in Prompt.Sections, -1 for the variant as a whole.
type limitOf struct {
	variant *assembly.Variant
	section int
}

// subject is what has a budget: a variant, or a section in it.
type subject struct {
	pairing.Twin
	section string // its id, "" for the variant as a whole
	// was and is are the indices of the section in Prompt.Sections, -1 for the
	// variant as a whole, and where a side does not declare it.
	was, is int
}

// each visits the variants of the head and their sections.
func each(two *pairing.Two, visit func(subject)) {
	for _, p := range two.Pairs {
		if p.Head == nil {
			continue
		}
		subjects := []subject{{was: -1, is: -1}}
		for _, at := range pairing.Sections(p, false) {
			if at[1] >= 0 {
				subjects = append(subjects, subject{section: p.Head.Prompt.Sections[at[1]].ID.Str, was: at[0], is: at[1]})
			}
		}
		for _, t := range two.Twins(p) {
			if t.Head == nil {
				continue
			}
			for _, s := range subjects {
				s.Twin = t
				visit(s)
			}
		}
	}
}

// at gives the place of the subject in the head.
func (s subject) at() diag.Span {
	if s.section != "" {
		return s.Pair.Head.Prompt.Sections[s.is].ID.At
	}
	return s.Pair.Head.Prompt.ID.At
}

// budgetOf gives the budget of a subject on one side, nil for none.
func (s subject) budgetOf(a *assembly.Artifact, section int) *language.Limits {
	switch {
	case a == nil:
		return nil
	case s.section == "":
		return &a.Variant.Budget
	case section < 0:
		return nil
	default:
		return a.Variant.Uses[section].Budget
	}
}

// limits gives the budgets of a subject on both sides, nil for none.
func (s subject) limits() (was, is *language.Limits) {
	return s.budgetOf(s.Base, s.was), s.budgetOf(s.Head, s.is)
}

// emitted reports whether a side of a subject emits it.
func (s subject) emitted(a *assembly.Artifact, section int) bool {
	return a != nil && (s.section == "" || section >= 0 && a.Used[section] != nil)
}

// compared reports whether both sides emit the subject.
func (s subject) compared() bool { return s.emitted(s.Base, s.was) && s.emitted(s.Head, s.is) }

// measured is what a budget is compared with. Tokens are those of the text,
// with what its slots may grow to.
type measured struct{ tokens, chars, tools int }

type sizeKey struct {
	tokenizer string
	rendering *assembly.Rendering
}

// measure gives the size of a subject on one side. A section is measured by
// itself, as its budget does, and once where many variants share a rendering.
func (j *judge) measure(s subject, a *assembly.Artifact, section int, tokenizer string) measured {
	if s.section == "" {
		return measured{a.Use, a.Chars, a.ToolTokens}
	}
	key := sizeKey{tokenizer, a.Used[section]}
	if out, known := j.sizes[key]; known {
		return out
	}
	x, count := key.rendering, j.Two.Count(tokenizer)
	out := measured{tokens: count(x.Text.Str) + x.SlotTokens(), chars: utf8.RuneCountInString(x.Text.Str)}
	if x.Beside && len(x.Tools) > 0 {
		out.tools = count(pairing.SchemaList(x.Tools))
	}
	j.sizes[key] = out
	return out
}

// saying is what two edits that are one have in common.
type saying struct {
	kind                    review.EditKind
	section, name, from, to string
	was, is                 review.Value
	over, inBase            bool
	at                      diag.Span
}

func sayingOf(e review.Edit) saying {
	return saying{e.Kind, e.Section, e.Name, e.From, e.To, e.Was, e.Is, e.Over, e.InBase, e.At}
}

// edit gives the edit that says the same as one, which is taken in where there
// is none yet.
func (j *judge) edit(e review.Edit) *review.Edit {
	key := sayingOf(e)
	if j.made[key] == nil {
		j.made[key] = &e
		j.out.Edits = append(j.out.Edits, &e)
	}
	return j.made[key]
}

// reach says that an edit reaches the variant of a subject.
func reach(e *review.Edit, t pairing.Twin) *review.Reach {
	row := e.Row(t.Pair, false)
	row.In.Add(t.Head.Variant.Index)
	return row
}
