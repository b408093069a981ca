package compose

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// cache says what a provider can keep of a measured artifact.
func (d *draft) cache(a *prompt.Artifact) {
	tools := 0
	if a.Variant.Dialect.CachesTools {
		tools = a.ToolTokens
	}
	a.Cache = prompt.Cache{Stable: tools + a.Tokens}
	for m := range a.Messages {
		for b := range a.Messages[m].Blocks {
			block := &a.Messages[m].Blocks[b]
			if !block.Marked {
				continue
			}
			block.Point = len(a.Cache.Points)
			p := point(a, &a.Messages[m], block)
			p.Tokens += tools
			a.Cache.Points = append(a.Cache.Points, p)
		}
	}
	if at := volatile(a); at != nil {
		a.Cache.Volatile = at
		a.Cache.Stable = tools + d.prefix(a, at.Part, at.Offset)
	}
}

// point gives the breakpoint behind a block, without the tools. It has the name
// and the place of the tier, or of the section that declares it.
func point(a *prompt.Artifact, m *prompt.Message, b *prompt.Block) prompt.Point {
	out := prompt.Point{Name: m.Tier, Part: b.To, Tokens: a.Parts[b.To-1].Total, At: m.At}
	if a.Variant.Messages != nil {
		return out
	}
	for _, p := range a.Parts[b.From:b.To] {
		if p.Rendering != nil { // the block ends behind the last
			out.Name, out.At = a.Build.Prompt.Sections[p.Section].ID.Str, a.Variant.Uses[p.Section].BreakpointAt
		}
	}
	return out
}

// volatile gives the first place that changes from one request to the next:
// where something is declared to, or what the user asks; nil where nothing is.
func volatile(a *prompt.Artifact) *prompt.VolatileAt {
	for i, p := range a.Parts {
		if asked(p) {
			return &prompt.VolatileAt{Part: i, Section: -1}
		}
		if p.Rendering == nil {
			continue
		}
		source := p.Rendering.Unit.VolatileSource()
		if source != nil || a.Variant.Uses[p.Section].Volatile {
			return &prompt.VolatileAt{Part: i, Section: p.Section, Source: source}
		}
		for _, s := range p.Rendering.Slots {
			if s.Slot.Volatile {
				return &prompt.VolatileAt{Part: i, Section: p.Section, Slot: s.Slot, Offset: s.Start}
			}
		}
	}
	return nil
}

// asked reports whether a part is what the user asks now, which nobody has to
// declare volatile.
func asked(p prompt.Part) bool {
	return p.Passage != nil && p.Passage.Content != nil && p.Passage.Content.Kind == prompt.ContentPrompt
}

// prefix counts the emitted text up to a byte of a part, joined as it is
// emitted.
func (d *draft) prefix(a *prompt.Artifact, part, offset int) int {
	for _, r := range a.Runs() {
		if part >= r.To {
			continue
		}
		texts := make([]string, 0, part-r.From+1)
		for _, p := range a.Parts[r.From:part] {
			texts = append(texts, p.Text)
		}
		return before(a, r) + d.count.Sum(append(texts, a.Parts[part].Text[:offset]))
	}
	return a.Tokens
}

// markers reports cache breakpoints behind blank text, and sections that have
// no text for theirs.
func (c *composer) markers(a *prompt.Artifact) {
	what, hint := "section-marker-behind-blank", "text-or-no-breakpoint"
	if a.Variant.Messages != nil {
		what, hint = "tier-marker-behind-blank", "give-sections-text"
	}
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Marked && blank(a.Parts[b.From:b.To]) {
				p := a.Cache.Points[b.Point]
				c.diags = append(c.diags, diag.New(diag.BlankMarker, p.At, what,
					p.Name, a.Build.Prompt.ID.Str).WithHint(hint))
			}
		}
	}
	for i, r := range a.Used {
		if r == nil || r.Text.Str != "" || !breaks(a.Variant, i) {
			continue
		}
		s := a.Build.Prompt.Sections[i]
		d := diag.New(diag.BlankMarker, a.Variant.Uses[i].BreakpointAt, "marker-without-text",
			s.ID.Str, a.Build.Prompt.ID.Str).WithHint("breakpoint-on-section-before")
		d.Level = diag.Warning
		c.diags = append(c.diags, d)
	}
}
