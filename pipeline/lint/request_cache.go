package lint

import (
	"fmt"
	"slices"
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
	d := diag.New(diag.VolatileFirst, c.at, "%s %s before %s of %q that could be cached", thing, verb, amount, id)
	d.Level = key.level
	switch {
	case key.written:
		d.Message = fmt.Sprintf("%s %s before the cache breakpoint %q of %q: %s %s written and never read", thing, verb, c.point, id, amount, are)
		d = d.WithDetail("what stands before the breakpoint changes, so the prefix up to it is never found again")
	case c.point != "":
		d.Message = fmt.Sprintf("%s %s before the cache breakpoint %q of %q: %s could be cached and %s not", thing, verb, c.point, id, amount, are)
		d = d.WithDetail(fmt.Sprintf("what the cache breakpoint %q keeps is never found again", c.point))
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
		c.thing, c.hint = sp.thing(l.a), sp.remedy(l.a, l.last)
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
		c.thing, c.hint = sp.thing(a), sp.unmark(a)
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
