package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Providers keep prefixes: what stands behind the first byte that differs from
// the last request is read, and paid for, again.

// position is somewhere in the emitted text: a byte offset in a part.
type position struct{ part, offset int }

func (p position) before(q position) bool {
	return p.part < q.part || p.part == q.part && p.offset < q.offset
}

// early is a volatile thing of a prompt, as findings are grouped: a section, a
// source in it, or the slots in it.
type early struct {
	build   *prompt.Build
	section int
	source  string
	slots   bool
	level   diag.Level
	// wasted says that only a breakpoint follows, and nothing that stays the same.
	wasted bool
}

// cost is what such a thing takes out of the cache at most, and what is said of
// the variant where it costs most.
type cost struct {
	tally
	at    diag.Span
	slots []string
	point string
	hint  diag.Words
}

// volatileFirst finds what changes between requests and stands before what
// does not.
func (s *requestSet) volatileFirst() diag.List {
	var all ordered[early, cost]
	for _, a := range s.artifacts {
		spots := spotsOf(a)
		if len(spots) == 0 {
			continue
		}
		last, ok := lastStable(a, spots)
		before := map[int]bool{} // sections that stand before something
		for _, sp := range spots {
			point, stable := pointBehind(a, sp), ok && sp.end.before(last)
			if !stable && (point == nil || before[sp.section]) {
				continue
			}
			before[sp.section] = before[sp.section] || stable
			key := early{build: a.Build, section: sp.section, slots: sp.slot != nil, level: diag.Note, wasted: !stable}
			if sp.source != nil {
				key.source = sp.source.ID.Str
			}
			if point != nil {
				key.level = diag.Warning
			}
			c := all.of(key)
			if sp.slot != nil && !slices.Contains(c.slots, sp.slot.Name.Str) {
				c.slots = append(c.slots, sp.slot.Name.Str)
			}
			if !c.any || !c.users.Has(a.Variant.Index) { // the first slot of a section stands for those behind it
				c.charge(a, sp, point, last, stable)
			}
		}
	}
	var out diag.List
	for _, key := range all.keys {
		c := all.values[key]
		d := s.among(c.finding(key), key.build, c.users)
		d.Hint = c.hint
		out = append(out, d)
	}
	return out
}

// charge notes what a volatile thing costs in an artifact, by whole parts: a
// provider that finds prefixes by itself does not find what follows it; what a
// breakpoint keeps is found as a whole or not at all, from the last breakpoint
// before the thing on, else with the tools from the beginning.
func (c *cost) charge(a *prompt.Artifact, sp spot, point *prompt.Point, last position, stable bool) {
	from, end, tools, name := sp.start.part, last.part+1, 0, ""
	if point != nil {
		from, end, name = 0, a.Cache.Points[len(a.Cache.Points)-1].Part, point.Name
		if dialectOf(a).CachesTools {
			tools = a.ToolTokens
		}
		for _, p := range a.Cache.Points {
			if p.Part <= sp.start.part {
				from, tools = p.Part, 0
			}
		}
	}
	if !c.add(a, max(1, tools+tokensBefore(a, end)-tokensBefore(a, from))) {
		return
	}
	c.at, c.point = sp.at, name
	switch {
	case stable:
		c.hint = sp.remedy(a, a.Parts[last.part].Section)
	case a.Variant.Messages == nil:
		c.hint = diag.Say("put-breakpoint-before")
	default:
		c.hint = sp.remedy(a, sp.section)
	}
}

// tokensBefore gives the tokens of the parts before one.
func tokensBefore(a *prompt.Artifact, part int) int {
	if part == 0 {
		return 0
	}
	return a.Parts[part-1].Total
}

// finding puts one group into words.
func (c *cost) finding(key early) diag.Diagnostic {
	id, section := key.build.Prompt.ID.Str, key.build.Prompt.Sections[key.section].ID.Str
	thing := diag.Say("volatile-section", section)
	switch {
	case len(c.slots) == 1:
		thing = diag.Say("volatile-slot", nameSome(c.slots), section)
	case len(c.slots) > 1:
		thing = diag.Say("volatile-slots", nameSome(c.slots), section)
	case key.source != "":
		thing = diag.Say("volatile-source", key.source, section)
	}
	tokens := amount(c.high, "token")
	d := diag.New(diag.VolatileFirst, c.at, "changes-before-stable", tokens, id, thing)
	switch {
	case key.wasted:
		d.What = diag.Say("changes-before-breakpoint", c.point, id, tokens, thing)
	case c.point != "":
		d.What = diag.Say("changes-before-kept", tokens, id, c.point, thing)
	}
	d.Level = key.level
	return d
}

// pointBehind gives the first breakpoint behind a volatile thing that has
// something written; nil for none, and where requests leave breakpoints out.
func pointBehind(a *prompt.Artifact, sp spot) *prompt.Point {
	if !dialectOf(a).Markers {
		return nil
	}
	for i := range a.Cache.Points {
		if a.Cache.Points[i].Part > sp.start.part {
			return &a.Cache.Points[i]
		}
	}
	return nil
}

// cacheable gives the index behind the last part that a provider may keep:
// where a request can say it by breakpoints and does, what stands behind the
// last of them is never kept.
func cacheable(a *prompt.Artifact) int {
	if n := len(a.Cache.Points); n > 0 && dialectOf(a).Markers {
		return a.Cache.Points[n-1].Part
	}
	return len(a.Parts)
}

// lastStable gives the end of the last text that somebody wrote, that could be
// kept and that stays the same from one request to the next. A line with a
// volatile slot is volatile as a whole.
func lastStable(a *prompt.Artifact, spots []spot) (position, bool) {
	whole := map[int]bool{} // parts without anything stable
	for _, sp := range spots {
		if sp.slot == nil {
			whole[sp.start.part] = true
		}
	}
	for i := cacheable(a) - 1; i >= 0; i-- {
		p := a.Parts[i]
		said := p.Section >= 0 && !whole[i] || p.Passage != nil && p.Passage.Content != nil
		if !said || asked(a, p) {
			continue
		}
		if end := stableEnd(p); end >= 0 {
			return position{i, end}, true
		}
	}
	return position{}, false
}

// asked reports whether a part belongs to what the user asks now, which is new
// with every request, or to the reminder behind it.
func asked(a *prompt.Artifact, p prompt.Part) bool {
	if p.Passage != nil {
		return p.Passage.Content != nil && p.Passage.Content.Kind == prompt.ContentPrompt
	}
	return a.Variant.Messages != nil && p.Section == a.Variant.Messages.Reminder
}

// stableEnd gives the end of the last line of a part that has text but no
// volatile slot; -1 for none.
func stableEnd(p prompt.Part) int {
	var slots []prompt.SlotAt
	if p.Rendering != nil {
		slots = p.Rendering.Slots
	}
	for end := len(p.Text); end > 0; {
		start := strings.LastIndexByte(p.Text[:end], '\n') + 1
		changes := false
		for len(slots) > 0 && slots[len(slots)-1].Start >= start {
			changes = changes || slots[len(slots)-1].Slot.Volatile
			slots = slots[:len(slots)-1]
		}
		if !changes && strings.TrimSpace(p.Text[start:end]) != "" {
			return end
		}
		end = start - 1
	}
	return -1
}

// spot is text that may change from one request to the next.
type spot struct {
	section    int
	slot       *prompt.Slot   // nil where all the text is volatile
	source     *prompt.Source // that makes it so, nil where the section or slot does
	start, end position
	at         diag.Span
}

// remedy says where it could stand: behind a section, or the last text of a
// conversation.
func (sp spot) remedy(a *prompt.Artifact, section int) diag.Words {
	rules := a.Variant.Messages
	switch {
	case rules != nil && rules.Reminder >= 0:
		return diag.Say("say-in-reminder", sectionID(a, rules.Reminder))
	case rules != nil || section < 0:
		return diag.Say("name-a-reminder")
	case section == sp.section:
		return diag.Say("put-on-last-line", sectionID(a, section))
	case a.Variant.Layout.On:
		return diag.Say("say-in-section-scored-behind", sectionID(a, section))
	default:
		return diag.Say("say-in-section-behind", sectionID(a, section))
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
		sp := spot{section: p.Section, start: position{i, 0}, end: position{i, len(p.Text)}, at: at(a.Build.Prompt.Sections[p.Section].ID.At)}
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
			section: p.Section, slot: slot.Slot, start: position{part, slot.Start}, end: position{part, slot.End},
			at: at(p.Rendering.Text.Span(slot.Start, slot.End), a.Build.Prompt.Sections[p.Section].ID.At),
		})
	}
	return out
}
