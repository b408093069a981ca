package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// phaseRules decides a layout; under `sequence` there are none.
func phaseRules(l prompt.Layout) prompt.PhaseRules {
	if l.Name.Str != phasesLayout {
		return prompt.PhaseRules{}
	}
	out := prompt.PhaseRules{On: true, Order: prompt.Phases(), StickyFirst: l.StickyFirst, Stop: l.Stop, Notice: l.Notice}
	if len(l.Order) > 0 {
		out.Order = words(l.Order)
	}
	return out
}

// place decides what a section competes with in one variant.
func (sec *section) place(v *prompt.Variant) prompt.PhasePlace {
	d := sec.decl
	if !v.Layout.On {
		if !sec.phased {
			sec.noPhases()
		}
		return prompt.PhasePlace{}
	}
	if !d.Phase.Set() || !d.Priority.Set() {
		lack := "phase"
		if d.Phase.Set() {
			lack = "priority"
		}
		sec.diags = append(sec.diags, diag.New(diag.MissingPhase, d.ID.At, "section-no-layout-phases", d.ID.Str, lack).
			WithHint("add-section", lack))
		return prompt.PhasePlace{}
	}
	out := prompt.PhasePlace{Weight: 1}
	phase, ok := pick(d.Phase, sec.phase, v.Index)
	if !ok {
		return out
	}
	if out.Phase = slices.Index(v.Layout.Order, phase.Str); out.Phase < 0 {
		sec.known(diag.PhaseNotWalked, phase, v.Layout.Order, "section-phase-layouts-order", d.ID.Str, phase.Str)
		return prompt.PhasePlace{}
	}
	out.Priority, _ = pick(d.Priority, sec.priority, v.Index)
	out.Sticky, _ = pick(d.Sticky, sec.sticky, v.Index)
	if goal := sec.hasGoal(); goal && !out.Sticky {
		sec.diags = append(sec.diags, diag.New(diag.GoalStaysWhole, d.ID.At, "section-goal-never-dropped", d.ID.Str).
			WithHint("add-sticky-true-section"))
	}
	if w, ok := pick(d.Weight, sec.weight, v.Index); ok {
		out.Weight = w
	}
	return out
}

// hasGoal reports whether one of the section's sources is a goal.
func (sec *section) hasGoal() bool {
	for _, c := range sec.decl.Source {
		for _, w := range c.Value {
			if s := sec.binder.sources[w.Str]; s != nil && s.Kind != nil && s.Kind.Name == prompt.GoalKind {
				return true
			}
		}
	}
	return false
}

// noPhases reports what has a meaning only under the layout `phases`.
func (sec *section) noPhases() {
	d := sec.decl
	for _, set := range []struct {
		key string
		at  diag.Span
	}{
		{"phase", placeOf(d.Phase, 0)}, {"priority", placeOf(d.Priority, 0)},
		{"weight", placeOf(d.Weight, 0)}, {"sticky", placeOf(d.Sticky, 0)},
	} {
		if set.at.Known() {
			sec.diags = append(sec.diags, diag.New(diag.PhaseElsewhere, set.at, "section-sets-only-layout", d.ID.Str, set.key).
				WithHint("say-layout-phases-prompt"))
		}
	}
}
