package lint

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Providers keep prefixes: what stands behind the first byte that differs from
// the last request is read, and paid for, again.

// place is somewhere in the emitted text: a byte offset in a part.
type place struct{ part, offset int }

func (p place) before(q place) bool {
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
	// written says that only a breakpoint follows, and nothing that stays the
	// same.
	written bool
}

// cost is what such a thing takes out of the cache. What it says besides the
// range is that of the variant where it costs most.
type cost struct {
	tally
	at           diag.Span
	slots        []string
	rough        bool // the ledger has no figure for a place inside a part
	thing, point string
	hint         string
}

// volatileFirst finds what changes between requests and stands before what
// does not.
func (s *scope) volatileFirst() diag.List {
	var all ordered[early, cost]
	for _, a := range s.artifacts {
		spots := spotsOf(a)
		if len(spots) == 0 {
			continue
		}
		last, ok := lastStable(a, spots)
		l := newLoss(a, spots, last)
		before := map[int]bool{} // sections that stand before something
		for i, sp := range spots {
			var c *cost
			switch {
			case ok && sp.end.before(last):
				before[sp.section] = true
				c = l.charge(&all, i)
			case pointBehind(a, sp) != nil && !before[sp.section]:
				c = waste(&all, a, sp)
			default:
				continue
			}
			if sp.slot != nil && !slices.Contains(c.slots, sp.slot.Name.Str) {
				c.slots = append(c.slots, sp.slot.Name.Str)
			}
		}
	}
	var out diag.List
	for _, key := range all.keys {
		c := all.values[key]
		out = append(out, s.among(c.finding(key), key.build, c.users).WithHint("%s", c.hint))
	}
	return out
}

// finding puts one group into words.
func (c *cost) finding(key early) diag.Diagnostic {
	amount, are, thing, verb := c.amount("token"), "are", c.thing, "stands"
	if c.high == 1 {
		are = "is"
	}
	if c.rough {
		amount = "about " + amount
	}
	switch len(c.slots) {
	case 0:
	case 1:
		thing = "the volatile slot " + named(c.slots) + " in " + c.thing
	default:
		thing, verb = "the volatile slots "+named(c.slots)+" in "+c.thing, "stand"
	}
	id := key.build.Prompt.ID.Str
	d := diag.New(diag.VolatileFirst, c.at, "before-could-cached", thing, verb, amount, id)
	d.Level = key.level
	switch {
	case key.written:
		d.What = diag.Say("before-cache-breakpoint-written", thing, verb, c.point, id, amount, are)
		d = d.WithLines("what stands before the breakpoint changes, so the prefix up to it is never found again")
	case c.point != "":
		d.What = diag.Say("before-cache-breakpoint-could", thing, verb, c.point, id, amount, are)
		d = d.WithLines(fmt.Sprintf("what the cache breakpoint %q keeps is never found again", c.point))
	}
	return d
}

// charge notes what one of some volatile things costs in an artifact. The first
// slot of a section stands for those behind it.
func (l *loss) charge(all *ordered[early, cost], i int) *cost {
	sp := l.spots[i]
	key, point := sp.key(l.a), ""
	p := pointBehind(l.a, sp)
	if p != nil {
		key.level, point = diag.Warning, p.Name
	}
	c := all.of(key)
	if c.any && c.users.Has(l.a.Variant.Index) {
		return c
	}
	tokens, exact := l.behind(i)
	if p != nil {
		tokens, exact = l.between(i)
	}
	c.rough = c.rough || !exact
	if c.add(l.a, max(tokens, 1)) {
		c.at, c.point = sp.at, point
		c.thing, c.hint = sp.thing(l.a), sp.remedy(l.a, l.a.Parts[l.last.part].Section)
	}
	return c
}

// waste notes what a breakpoint keeps for nothing: from the last breakpoint
// before some volatile thing up to the last of all.
func waste(all *ordered[early, cost], a *prompt.Artifact, sp spot) *cost {
	key := sp.key(a)
	key.level, key.written = diag.Warning, true
	c := all.of(key)
	if c.any && c.users.Has(a.Variant.Index) {
		return c
	}
	end := a.Cache.Points[len(a.Cache.Points)-1].Part
	from, tokens := writtenFrom(a, sp)
	n, _ := span(a, from, place{part: end})
	if c.add(a, max(tokens+n, 1)) {
		c.at, c.point = sp.at, pointBehind(a, sp).Name
		c.thing, c.hint = sp.thing(a), sp.remedy(a, sp.section)
		if a.Variant.Messages == nil {
			c.hint = "put the breakpoint on a section before it, or leave it out"
		}
	}
	return c
}

// key is what findings about a volatile thing are grouped by.
func (sp spot) key(a *prompt.Artifact) early {
	key := early{build: a.Build, section: sp.section, slots: sp.slot != nil, level: diag.Note}
	if sp.source != nil {
		key.source = sp.source.ID.Str
	}
	return key
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
func lastStable(a *prompt.Artifact, spots []spot) (place, bool) {
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
			return place{i, end}, true
		}
	}
	return place{}, false
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

// remedy says where it could stand: behind a section, or the last text of a
// conversation.
func (sp spot) remedy(a *prompt.Artifact, section int) string {
	rules := a.Variant.Messages
	switch {
	case rules != nil && rules.Reminder >= 0:
		return fmt.Sprintf("say it in %q, the layout's reminder: it follows the conversation", sectionID(a, rules.Reminder))
	case rules != nil || section < 0:
		return "say it in a section that the layout names with `reminder:`: it then follows the conversation"
	case section == sp.section:
		return fmt.Sprintf("let it stand on the last line of %q, or in a section of its own behind it", sectionID(a, section))
	case a.Variant.Layout.On:
		return fmt.Sprintf("say it in a section that its phase and score put behind %q", sectionID(a, section))
	default:
		return fmt.Sprintf("say it in a section behind %q", sectionID(a, section))
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

// loss counts what an artifact's volatile things take out of the cache.
type loss struct {
	a     *prompt.Artifact
	spots []spot
	last  place // the end of the last text that stays the same
	kept  place // the end of what the breakpoints could keep
	runs  []run // the lines that change before that, in order
}

// run is lines that change. The tokens are its own and those of the runs behind
// it.
type run struct {
	start, end place
	tokens     int
	exact      bool
}

func newLoss(a *prompt.Artifact, spots []spot, last place) *loss {
	l := &loss{a: a, spots: spots, last: last, kept: last}
	if n := len(a.Cache.Points); n > 0 {
		point := place{part: a.Cache.Points[n-1].Part}
		i := len(spots) - 1
		for i >= 0 && !spots[i].start.before(point) {
			i--
		}
		if i < 0 || spots[i].end.before(last) { // what follows up to the breakpoint is the layout's
			l.kept = point
		}
	}
	for _, sp := range spots {
		if n := len(l.runs); n > 0 && sp.start.before(l.runs[n-1].end) {
			continue // a line with several slots counts once
		}
		start, end := sp.lines(a)
		if !end.before(last) {
			break
		}
		n, exact := span(a, start, end)
		l.runs = append(l.runs, run{start, end, n, exact})
	}
	for i := len(l.runs) - 2; i >= 0; i-- {
		l.runs[i].tokens += l.runs[i+1].tokens
		l.runs[i].exact = l.runs[i].exact && l.runs[i+1].exact
	}
	return l
}

// behind counts the text behind a volatile thing that stays the same: what a
// provider that finds prefixes by itself does not find.
func (l *loss) behind(i int) (tokens int, exact bool) {
	tokens, exact = span(l.a, l.spots[i].end, l.last)
	for _, other := range l.spots[i+1:] { // what is volatile throughout could not be kept anyway
		if other.slot == nil && other.end.before(l.last) {
			n, _ := span(l.a, other.start, other.end)
			tokens -= n
		}
	}
	return tokens, exact
}

// between counts what stays the same from the last breakpoint before a volatile
// thing on: a prefix is found as a whole or not at all, with the tools and the
// text before the thing.
func (l *loss) between(i int) (tokens int, exact bool) {
	from, tools := writtenFrom(l.a, l.spots[i])
	tokens, exact = span(l.a, from, l.kept)
	tokens += tools
	if k := sort.Search(len(l.runs), func(k int) bool { return !l.runs[k].start.before(from) }); k < len(l.runs) {
		tokens, exact = tokens-l.runs[k].tokens, exact && l.runs[k].exact
	}
	return tokens, exact
}

// writtenFrom gives where the prefix begins that a volatile thing has written
// anew: behind the last breakpoint before it, else at the beginning, where the
// tools come first; these are the tokens.
func writtenFrom(a *prompt.Artifact, sp spot) (from place, tools int) {
	if dialectOf(a).CachesTools {
		tools = a.ToolTokens
	}
	for _, p := range a.Cache.Points {
		if p.Part <= sp.start.part {
			from, tools = place{part: p.Part}, 0
		}
	}
	return from, tools
}

// lines gives the whole lines that a volatile thing stands on.
func (sp spot) lines(a *prompt.Artifact) (start, end place) {
	start, end = sp.start, sp.end
	text := a.Parts[start.part].Text
	start.offset = strings.LastIndexByte(text[:start.offset], '\n') + 1
	if i := strings.IndexByte(text[end.offset:], '\n'); i >= 0 {
		end.offset += i + 1
	} else {
		end.offset = len(text)
	}
	return start, end
}

// span gives the tokens between two places.
func span(a *prompt.Artifact, from, to place) (tokens int, exact bool) {
	start, exact := tokensAt(a, from)
	end, known := tokensAt(a, to)
	return end - start, exact && known
}

// tokensAt gives the tokens up to a place. Inside a part the ledger has no
// figure; there the bytes tell the share.
func tokensAt(a *prompt.Artifact, at place) (tokens int, exact bool) {
	before := 0
	if at.part > 0 {
		before = a.Parts[at.part-1].Total
	}
	if at.offset == 0 { // also behind the last part
		return before, true
	}
	p := a.Parts[at.part]
	if at.offset == len(p.Text) {
		return p.Total, true
	}
	return before + (p.Total-before)*at.offset/len(p.Text), false
}
