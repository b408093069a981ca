// Package lint judges what only the assembled variant can show.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Run looks at every text that some variant emits, each once.
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
	return out.Sorted()
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
