package compose

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// blankLine stands between the sections and what the conversation adds to
// them, and before the reminder.
const blankLine = "\n\n"

// messages lays out a conversation behind its sections, which are the system
// message, and puts the reminder behind what the user asks.
func (d *draft) messages() *assembly.Artifact {
	a, rules := d.start(), d.variant.Messages
	for _, i := range d.variant.Order {
		if i != rules.Reminder {
			d.add(a, i)
		}
	}
	var reminder *assembly.Rendering
	if rules.Reminder >= 0 {
		reminder = d.take(a, rules.Reminder)
	}
	conversation := d.renderings[rules.Unit]
	turns := d.system(a, conversation)
	for i := range turns {
		t, from := &turns[i], len(a.Parts)
		quote(a, t)
		if t.Block == assembly.BlockPrompt && reminder != nil {
			d.remind(a, reminder)
		}
		say(a, from, assembly.Message{Role: t.Role, Tier: t.Tier, Block: t.Block, At: t.At}, t)
	}
	return a
}

// system ends the system message with what the conversation adds to it, and
// gives the other turns. A message that nobody wrote anything for is left out,
// and its marker with it: there is nothing to keep.
func (d *draft) system(a *assembly.Artifact, conversation *assembly.Rendering) []assembly.Turn {
	m := assembly.Message{Role: language.RoleSystem, Block: assembly.BlockSystem}
	if u := conversation.Unit.Dialogue; u != nil && !u.Flat {
		m.Tier = language.TierName(0) // of the sections, too, where the conversation adds nothing
	}
	first, turns := &assembly.Turn{}, conversation.Turns
	if len(turns) > 0 && turns[0].Block == assembly.BlockSystem {
		first, turns = &turns[0], turns[1:]
		m.At = first.At
	}
	if len(first.Passages) > 0 && len(a.Parts) > 0 {
		place(a, assembly.Part{Section: -1, Text: blankLine})
	}
	quote(a, first)
	say(a, 0, m, first)
	return turns
}

// quote appends what a turn says.
func quote(a *assembly.Artifact, t *assembly.Turn) {
	for i := range t.Passages {
		place(a, assembly.Part{Section: -1, Text: t.Passages[i].Text.Str, Passage: &t.Passages[i]})
	}
}

// remind appends the reminder to what the user asks.
func (d *draft) remind(a *assembly.Artifact, r *assembly.Rendering) {
	section, join := d.variant.Messages.Reminder, blankLine
	if own := d.variant.Uses[section].Join; own != nil {
		join = own.Str
	}
	glue(a, join, assembly.Part{Section: section, Text: r.Text.Str, Rendering: r})
}

// say appends the message of the parts from the given one on. Images follow its
// text; the turn's marker stands behind the text.
func say(a *assembly.Artifact, from int, m assembly.Message, t *assembly.Turn) {
	end := len(a.Parts)
	if end > from {
		m.Blocks = append(m.Blocks, assembly.Block{From: from, To: end, Marked: t.Marked})
	}
	for i := range t.Images {
		m.Blocks = append(m.Blocks, assembly.Block{From: end, To: end, Image: &t.Images[i]})
	}
	if len(m.Blocks) > 0 {
		a.Messages = append(a.Messages, m)
	}
}

// sent lays out a request as a program sent it.
func (d *draft) sent() *assembly.Artifact {
	a := d.start()
	said := make([]bool, len(d.variant.Uses))
	for _, m := range d.variant.Sent.Messages {
		message := assembly.Message{Role: m.Role, Turn: m.Turn, Block: assembly.BlockHistory, At: m.At}
		if m.Role == language.RoleSystem {
			message.Block = assembly.BlockSystem
		}
		for _, b := range m.Blocks {
			block := assembly.Block{From: len(a.Parts), Image: b.Image}
			for _, i := range b.Sections {
				d.add(a, i)
				said[i] = true
			}
			block.To = len(a.Parts)
			block.Marked = b.Marked && block.To > 0
			if block.From < block.To || block.Image != nil {
				message.Blocks = append(message.Blocks, block)
			}
		}
		if len(message.Blocks) > 0 {
			a.Messages = append(a.Messages, message)
		}
	}
	for _, i := range d.variant.Order {
		if !said[i] {
			d.take(a, i)
		}
	}
	return a
}

// breaks reports whether a breakpoint stands behind a section: in a declared
// order alone, since only there is it known what comes before it.
func breaks(v *assembly.Variant, section int) bool {
	return v.Uses[section].Breakpoint && v.Messages == nil && !v.Layout.On
}

// split divides the text of a prompt of sections alone behind each section that
// has a breakpoint. The join belongs to the block that follows; a line break
// that ends the text makes no block of its own.
func (d *draft) split(a *assembly.Artifact) []assembly.Block {
	var blocks []assembly.Block
	from, end := 0, len(a.Parts)
	for i, p := range a.Parts {
		if p.Rendering != nil && breaks(d.variant, p.Section) {
			blocks = append(blocks, assembly.Block{From: from, To: i + 1, Marked: true})
			from = i + 1
		}
	}
	switch {
	case from == end:
	case from == end-1 && a.Parts[from].Rendering == nil && len(blocks) > 0:
		blocks[len(blocks)-1].To = end
	default:
		blocks = append(blocks, assembly.Block{From: from, To: end})
	}
	return blocks
}

// cache says what a provider can keep of a measured artifact.
func (d *draft) cache(a *assembly.Artifact) {
	tools := a.CachedTools()
	a.Cache = assembly.Cache{Stable: tools + a.Tokens}
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
	for at := range a.Volatile() {
		a.Cache.Volatile = &at
		a.Cache.Stable = tools + d.prefix(a, at.Part, at.Offset)
		break
	}
}

// point gives the breakpoint behind a block, without the tools. It has the name
// and the place of the tier, or of the section that declares it.
func point(a *assembly.Artifact, m *assembly.Message, b *assembly.Block) assembly.Point {
	out := assembly.Point{Name: m.Tier, Part: b.To, Tokens: a.Parts[b.To-1].Total, At: m.At}
	if a.Variant.Messages != nil {
		return out
	}
	for _, p := range a.Parts[b.From:b.To] {
		if p.Rendering == nil { // the block ends behind the last
			continue
		}
		if out.Name = a.Build.Prompt.Sections[p.Section].ID.Str; a.Variant.Sent == nil {
			out.At = a.Variant.Uses[p.Section].BreakpointAt
		}
	}
	return out
}

// prefix counts the emitted text up to a byte of a part, joined as it is
// emitted.
func (d *draft) prefix(a *assembly.Artifact, part, offset int) int {
	for _, r := range a.Runs() {
		if part >= r.To {
			continue
		}
		texts := make([]string, 0, part-r.From+1)
		for _, p := range a.Parts[r.From:part] {
			texts = append(texts, p.Counted())
		}
		return before(a, r) + d.count.Sum(append(texts, a.Parts[part].Text[:offset]))
	}
	return a.Tokens
}

// markers reports cache breakpoints behind blank text, and sections that have
// no text for theirs.
func (c *composer) markers(a *assembly.Artifact) {
	if a.Variant.Sent != nil {
		return // a provider took it
	}
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
