// Package lint judges what only the assembled variants can show.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Run looks at every text that some variant emits, each once, and then at
// what the variants of each prompt have in common.
func Run(plan *prompt.Plan, artifacts []*prompt.Artifact) diag.List {
	slots := map[string]bool{}
	for _, s := range plan.Spec.Slots {
		slots[s.Name.Str] = true
	}
	var out diag.List
	seen := map[*prompt.Rendering]bool{}
	for _, a := range artifacts {
		for _, p := range a.Parts {
			if p.Rendering == nil || seen[p.Rendering] {
				continue
			}
			seen[p.Rendering] = true
			out = append(out, slotLookalikes(p.Rendering, slots)...)
		}
	}
	for _, f := range families(plan, artifacts) {
		out = append(out, f.shrinking()...)
		out = append(out, f.deadAxes()...)
		out = append(out, f.neverKept(plan)...)
	}
	return out.Sorted()
}

// family is one prompt with what its variants emit.
type family struct {
	build *prompt.Build
	// artifacts are by variant.
	artifacts []*prompt.Artifact
}

// families gives the prompts of which every variant was composed, in declared
// order.
func families(plan *prompt.Plan, artifacts []*prompt.Artifact) []family {
	byBuild := map[*prompt.Build][]*prompt.Artifact{}
	for _, a := range artifacts {
		byBuild[a.Build] = append(byBuild[a.Build], a)
	}
	var out []family
	for _, b := range plan.Builds {
		f := family{build: b, artifacts: make([]*prompt.Artifact, len(b.Variants))}
		for _, a := range byBuild[b] {
			f.artifacts[a.Variant.Index] = a
		}
		if len(f.artifacts) > 0 && !slices.Contains(f.artifacts, nil) {
			out = append(out, f)
		}
	}
	return out
}

// rows gives the artifacts that differ on one axis only, put together: each
// row in the order of the axis's values, the rows in that of their first
// variants. An artifact without a neighbour is in none.
func (f family) rows(axis int) [][]*prompt.Artifact {
	at := map[string]int{}
	var rows [][]*prompt.Artifact
	for _, a := range f.artifacts {
		key := make([]byte, 0, 2*len(a.Variant.Values))
		for i, value := range a.Variant.Values {
			if i != axis {
				key = append(key, byte(value), byte(value>>8))
			}
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(rows)
			at[string(key)] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return slices.DeleteFunc(rows, func(row []*prompt.Artifact) bool { return len(row) < 2 })
}

// expanded reports whether all text of a rendering was expanded, so that
// what still reads like a slot was written as a literal.
func expanded(r *prompt.Rendering) bool {
	return r.Unit.Expand || !slices.ContainsFunc(r.Unit.Inputs, func(in *prompt.Input) bool { return !in.Expand })
}

// slotLookalikes finds what reads like a declared slot but is none.
func slotLookalikes(r *prompt.Rendering, declared map[string]bool) diag.List {
	real := map[int]bool{}
	for _, s := range r.Slots {
		real[s.Start] = true
	}
	var out diag.List
	for _, p := range prompt.Placeholders(r.Text.Str) {
		name := p
		if p.Literal { // {{{{name}}}} as emitted still holds {{name}}
			name.Start += 2
		}
		if !declared[p.Name] || p.Spaced || real[name.Start] {
			continue
		}
		at := r.Text.Span(p.Start, p.End)
		if !at.Known() {
			at = r.Unit.Section.ID.At
		}
		d := diag.New(diag.LooksLikeSlot, at, "%q is emitted as text, but %q is a slot", "{{"+p.Name+"}}", p.Name)
		if expanded(r) {
			d = d.WithHint("write it in another way, or give the slot another name")
		} else {
			d = d.WithHint("say expand: true on section %q or its source, or write it in another way", r.Unit.Section.ID.Str)
		}
		out = append(out, d)
	}
	return out
}
