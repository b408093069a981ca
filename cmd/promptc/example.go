package main

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// exampled gives an artifact with the examples in the places of the slots, as
// a loader puts values there: by place, and without the section whose only
// slot is optional and empty. What says nothing then is left out: its join,
// its block, its message.
func exampled(a *prompt.Artifact) *prompt.Artifact {
	out := *a
	out.Parts = slices.Clone(a.Parts)
	for _, m := range a.Messages {
		if len(m.Blocks) == 0 {
			continue
		}
		from := m.Blocks[0].From
		end := m.Blocks[len(m.Blocks)-1].To
		fillIn(out.Parts[from:end], func(i int) bool { return isGlue(a, from+i) })
	}
	at := 0
	for i := range out.Parts {
		out.Parts[i].Start = at
		at += len(out.Parts[i].Text)
	}
	out.Messages = nil
	for _, m := range a.Messages {
		blocks := slices.DeleteFunc(slices.Clone(m.Blocks), func(b prompt.Block) bool {
			return b.Image == nil && out.BlockText(b) == ""
		})
		if len(blocks) > 0 {
			m.Blocks = blocks
			out.Messages = append(out.Messages, m)
		}
	}
	return &out
}

// fillIn replaces the texts of one message's parts. A join stays where
// something stands on both sides of it.
func fillIn(parts []prompt.Part, glue func(i int) bool) {
	join, joinAt, said := "", -1, false
	for i := range parts {
		p := &parts[i]
		switch {
		case glue(i):
			join, joinAt = p.Text, i
			p.Text = ""
			continue
		case p.Rendering != nil && cutWhenEmpty(p.Rendering):
			p.Text = ""
		default:
			if said && joinAt >= 0 {
				parts[joinAt].Text = join
			}
			if p.Rendering != nil {
				p.Text = withExamples(p)
			}
			said = true
		}
		joinAt = -1
	}
}

// isGlue reports whether a part stands between two others and goes with the
// one behind it: not the text's final line break, nor the layout's notice
// before it.
func isGlue(a *prompt.Artifact, i int) bool {
	p := a.Parts[i]
	if p.Rendering != nil || p.Passage != nil {
		return false
	}
	last := len(a.Parts) - 1
	if d := a.Variant.Dialect; d == nil || !d.JSON {
		if i == last {
			return false
		}
		last--
	}
	return !a.Notice || i != last
}

// withExamples gives a section's text with the examples in their places.
func withExamples(p *prompt.Part) string {
	var out []byte
	at := 0
	for _, s := range p.Rendering.Slots {
		out = append(out, p.Text[at:s.Start]...)
		out = append(out, s.Slot.Example.Str...)
		at = s.End
	}
	return string(append(out, p.Text[at:]...))
}

// cutWhenEmpty reports whether a section goes with its slot: it has no other,
// the slot is optional, and there is no value.
func cutWhenEmpty(r *prompt.Rendering) bool {
	if len(r.Slots) == 0 {
		return false
	}
	only := r.Slots[0].Slot
	another := slices.ContainsFunc(r.Slots, func(s prompt.SlotAt) bool { return s.Slot != only })
	return !another && only.Optional && only.Example.Str == ""
}
