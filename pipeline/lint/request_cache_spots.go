package lint

import (
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// spot is text that may change from one request to the next.
type spot struct {
	section    int
	slot       *prompt.Slot   // nil where all the text is volatile
	source     *prompt.Source // that makes it so, nil where the section or slot does
	start, end place
	at         diag.Span
}

// thing names it; a slot by its section.
func (sp spot) thing(a *prompt.Artifact) string {
	switch {
	case sp.slot != nil:
		return fmt.Sprintf("%q", sectionID(a, sp.section))
	case sp.source != nil:
		return fmt.Sprintf("the volatile source %q in %q", sp.source.ID.Str, sectionID(a, sp.section))
	default:
		return fmt.Sprintf("the volatile section %q", sectionID(a, sp.section))
	}
}

// remedy says where it could stand: behind the last text that stays the same.
func (sp spot) remedy(a *prompt.Artifact, last place) string {
	part := a.Parts[last.part]
	if a.Variant.Messages != nil || part.Section < 0 {
		return sp.remind(a)
	}
	id := sectionID(a, part.Section)
	if part.Section == sp.section {
		behind := "behind it"
		if a.Variant.Layout.On {
			behind = "that its phase and score put behind it"
		}
		return fmt.Sprintf("let it stand on the last line of %q, or in a section of its own %s", id, behind)
	}
	why := "the last that stays the same"
	if last.offset < len(part.Text) {
		why = "which ends with what changes anyway"
	}
	return fmt.Sprintf("%s %q, %s", sp.move(a), id, why)
}

// move begins a sentence about what it should stand behind.
func (sp spot) move(a *prompt.Artifact) string {
	switch {
	case sp.slot == nil && a.Variant.Layout.On:
		return "give it a phase and a score that put it behind"
	case sp.slot == nil:
		return "let it stand behind"
	case a.Variant.Layout.On:
		return "say it in a section that its phase and score put behind"
	default:
		return "say it in a section behind"
	}
}

// remind sends it to the end of a conversation.
func (sp spot) remind(a *prompt.Artifact) string {
	rules := a.Variant.Messages
	switch {
	case rules != nil && rules.Reminder >= 0:
		return fmt.Sprintf("say it in %q, the layout's reminder: it follows the conversation", sectionID(a, rules.Reminder))
	case sp.slot != nil:
		return "say it in a section of its own, and name that with `reminder:` in the layout: it then follows the conversation"
	default:
		return fmt.Sprintf("name %q with `reminder:` in the layout: it then follows the conversation", sectionID(a, sp.section))
	}
}

// unmark says what to do where nothing but a breakpoint stands behind it.
func (sp spot) unmark(a *prompt.Artifact) string {
	last := a.Cache.Points[len(a.Cache.Points)-1].Name
	switch {
	case a.Variant.Messages != nil:
		return sp.remind(a)
	case last != sectionID(a, sp.section):
		return fmt.Sprintf("%s %q, which has the last breakpoint", sp.move(a), last)
	case sp.slot != nil:
		return fmt.Sprintf("say it in a section behind %q, or put the breakpoint on a section before it", last)
	default:
		return "put the breakpoint on a section before it, or leave it out"
	}
}

func sectionID(a *prompt.Artifact, section int) string {
	return a.Build.Prompt.Sections[section].ID.Str
}

// spotsOf finds what is volatile in an artifact, in the order of the text: a
// section as a whole, else its slots, each at its first place.
func spotsOf(a *prompt.Artifact) []spot {
	var out []spot
	for i, p := range a.Parts {
		if p.Section < 0 || p.Rendering == nil {
			continue
		}
		sp := spot{section: p.Section, start: place{i, 0}, end: place{i, len(p.Text)}, at: at(a.Build.Prompt.Sections[p.Section].ID.At)}
		sp.blame(p.Rendering)
		if sp.source == nil && !a.Variant.Uses[p.Section].Volatile {
			out = append(out, volatileSlots(a, i)...)
			continue
		}
		out = append(out, sp)
	}
	return out
}

// blame names the source that makes a section volatile, where one does.
func (sp *spot) blame(r *prompt.Rendering) {
	sp.source = r.Unit.VolatileSource()
	for _, in := range r.Unit.Inputs {
		if sp.source != nil && in.Source == sp.source {
			sp.at = at(in.At, sp.at)
			return
		}
	}
}

// volatileSlots finds the volatile slots of one part.
func volatileSlots(a *prompt.Artifact, part int) []spot {
	var out []spot
	p := a.Parts[part]
	met := map[*prompt.Slot]bool{}
	for _, slot := range p.Rendering.Slots {
		if !slot.Slot.Volatile || met[slot.Slot] {
			continue
		}
		met[slot.Slot] = true
		out = append(out, spot{
			section: p.Section, slot: slot.Slot, start: place{part, slot.Start}, end: place{part, slot.End},
			at: at(p.Rendering.Text.Span(slot.Start, slot.End), a.Build.Prompt.Sections[p.Section].ID.At),
		})
	}
	return out
}
