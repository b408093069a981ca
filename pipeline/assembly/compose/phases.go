package compose

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/token"
)

// candidate is a section that competes for a place.
type candidate struct {
	section int // index into Prompt.Sections
	id      string
	phase   int     // index into the order of phases
	score   float64 // priority × weight
	sticky  bool
	// rungs is how far down its ladder goes. The last rung has no text where
	// vanishes says so: on it the section is omitted.
	rungs    int
	vanishes bool
	step     int // the rung that it is on; 0 is the fullest
	// tried are the rungs that did not fit, the fullest first.
	tried []assembly.Refusal
}

// gone reports whether the candidate is on a rung without text.
func (c candidate) gone() bool { return c.vanishes && c.step == c.rungs }

// refuse notes that the rung it is on does not fit.
func (c *candidate) refuse(t trial) {
	c.tried = append(slices.Clip(c.tried), assembly.Refusal{Step: c.step, Over: max(0, -t.left), OverChars: max(0, -t.charsLeft)})
}

// rules are the settings of a layout `phases` that decide who is in.
type rules struct {
	// stickyFirst places all sticky sections before the others; else
	// everything stands in phase order.
	stickyFirst bool
	// stop ends the walk at the first section that does not fit; else it
	// goes on with the next.
	stop bool
}

// byPhase orders candidates as the walk takes them: phase, then score, the
// highest first, then id by bytes.
func byPhase(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(a.phase, b.phase),
		cmp.Compare(b.score, a.score),
		cmp.Compare(a.id, b.id),
	)
}

// arrange gives the order in which the chosen are emitted.
func (r rules) arrange(chosen []candidate) []candidate {
	out := slices.SortedFunc(slices.Values(chosen), byPhase)
	if r.stickyFirst {
		slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return out
}

func rank(c candidate) int {
	if c.sticky {
		return 0
	}
	return 1
}

// decision is what became of a candidate.
type decision struct {
	candidate
	in bool // it is in, or omitted on a rung without text; else it is dropped
	// cost is what a dropped one would have added on the rung that it is on,
	// and what the budget had left when it was its turn.
	cost trial
	// ended says that the walk had ended before.
	ended bool
}

// trial is what came of emitting a choice: what it uses without a notice, and
// what the budget has left with one, in tokens and in runes. Below zero it
// does not fit.
type trial struct {
	use, left        int
	chars, charsLeft int
}

func (t trial) fits() bool { return t.left >= 0 && t.charsLeft >= 0 }

// scale measures choices while a walk goes on. All sticky candidates are in from
// the start.
type scale interface {
	// now measures what is in so far, with that and one more.
	now() trial
	with(c candidate) trial
	// keep and leave say what was decided of the next of the walk.
	keep(c candidate)
	leave(c candidate)
}

// settle lets the sticky candidates of a walk step down while they alone do not
// fit: the lowest score goes down its whole ladder before the next, of equals
// the last.
func settle(walk []candidate, alone func() trial) {
	for {
		t := alone()
		if t.fits() {
			return
		}
		var lowest *candidate
		for i := range walk {
			c := &walk[i]
			if c.sticky && c.step < c.rungs && (lowest == nil || c.score <= lowest.score) {
				lowest = c
			}
		}
		if lowest == nil {
			return
		}
		lowest.refuse(t)
		lowest.step++
	}
}

// fill decides about the candidates of a walk, in its order. All sticky ones are
// in as they are; each other takes the fullest rung with which the chosen,
// arranged, still fit.
func (r rules) fill(walk []candidate, s scale) []decision {
	out := make([]decision, 0, len(walk))
	now, ended := s.now(), false
	for _, c := range walk {
		if c.sticky {
			s.keep(c)
			out = append(out, decision{candidate: c, in: true})
			continue
		}
		then := s.with(c)
		for !ended && !c.gone() && !then.fits() {
			c.refuse(then)
			if c.step == c.rungs {
				break
			}
			c.step++
			then = s.with(c)
		}
		if !ended && (c.gone() || then.fits()) {
			s.keep(c)
			now = then
			out = append(out, decision{candidate: c, in: true})
			continue
		}
		s.leave(c)
		cost := trial{use: then.use - now.use, chars: then.chars - now.chars, left: now.left, charsLeft: now.charsLeft}
		out = append(out, decision{candidate: c, cost: cost, ended: ended})
		ended = ended || r.stop
	}
	return out
}

// phases composes a variant whose sections compete for its budget. If
// everything fits at its fullest, that is it. Else the sticky sections step down
// where they alone are over, and the walk decides about the others.
func (d *draft) phases() *assembly.Artifact {
	clear(d.steps)
	walk, rest := d.candidates()
	r := rules{stickyFirst: d.variant.Layout.StickyFirst, stop: d.variant.Layout.Stop}
	decided := allIn(walk, func(candidate) bool { return true })
	a := d.emit(r, decided, rest)
	if d.fits(a) {
		return d.recorded(a, decided)
	}
	settle(walk, func() trial {
		alone := d.emit(r, allIn(walk, func(c candidate) bool { return c.sticky }), rest)
		d.fits(alone)
		return d.trialOf(alone)
	})
	decided = r.fill(walk, d.measuring(walk, r.stickyFirst))
	a = d.emit(r, decided, rest)
	d.measure(a)
	return d.recorded(a, decided)
}

func allIn(walk []candidate, wanted func(candidate) bool) []decision {
	var out []decision
	for _, c := range walk {
		if wanted(c) {
			out = append(out, decision{candidate: c, in: true})
		}
	}
	return out
}

// fits measures an artifact and reports whether it is within its budget.
func (d *draft) fits(a *assembly.Artifact) bool {
	d.measure(a)
	t := d.trialOf(a)
	d.asks(t)
	return t.fits()
}

func (d *draft) trialOf(a *assembly.Artifact) trial {
	l := d.variant.Budget
	return trial{use: a.Use, chars: a.Chars, left: room(l.Tokens, a.Use), charsLeft: room(l.Chars, a.Chars)}
}

// asks notes what a trial that does not fit for its tokens would need.
func (d *draft) asks(t trial) {
	if t.left < 0 && t.charsLeft >= 0 {
		d.next = min(d.next, d.variant.Budget.Tokens-t.left)
	}
}

// candidates gives the sections that have something to say in the order of the
// walk, and the indices of the others in declared order.
func (d *draft) candidates() (all []candidate, rest []int) {
	for i, u := range d.variant.Uses {
		if r := d.rendering(i); r == nil || r.Text.Str == "" {
			rest = append(rest, i)
			continue
		}
		c := candidate{
			section: i, id: d.build.Prompt.Sections[i].ID.Str,
			phase: u.Place.Phase, score: u.Place.Score(), sticky: u.Place.Sticky,
		}
		for c.rungs < len(u.Steps) && !c.vanishes {
			c.vanishes = d.renderings[u.Steps[c.rungs].Unit].Text.Str == ""
			c.rungs++
		}
		all = append(all, c)
	}
	slices.SortFunc(all, byPhase)
	return all, rest
}

// emit assembles what was decided. The rest has no text: it is out, or brings
// tools.
func (d *draft) emit(r rules, decided []decision, rest []int) *assembly.Artifact {
	order := slices.Clone(rest)
	var in, left []candidate
	for _, c := range decided {
		d.steps[c.section] = c.step
		switch {
		case !c.in:
			left = append(left, c.candidate)
		case c.gone():
			order = append(order, c.section)
		default:
			in = append(in, c.candidate)
		}
	}
	slices.Sort(order)
	for _, c := range r.arrange(in) {
		order = append(order, c.section)
	}
	a := d.assemble(order, d.notice(left))
	for _, c := range left {
		a.Out = append(a.Out, assembly.Omission{Section: c.section, Reason: assembly.OutBudget})
	}
	return a
}

// The words around the ids of what is left out.
const noticeStart, noticeBetween, noticeEnd = "[Left out to fit: ", ", ", "]"

// notice words what is left out, where the layout asks for it.
func (d *draft) notice(left []candidate) string {
	if !d.notices || len(left) == 0 {
		return ""
	}
	ids := make([]string, len(left))
	for i, c := range left {
		ids[i] = c.id
	}
	return noticeStart + strings.Join(ids, noticeBetween) + noticeEnd
}

// room is what a limit leaves; without a limit there is room for anything.
func room(limit, use int) int {
	if limit < 0 {
		return math.MaxInt
	}
	return limit - use
}

// recorded writes down what was decided of each candidate, in the order of
// the walk.
func (d *draft) recorded(a *assembly.Artifact, decided []decision) *assembly.Artifact {
	added := contributions(a)
	for _, c := range decided {
		ch := assembly.Choice{
			Section: c.section, Phase: d.variant.Layout.Order[c.phase], Score: c.score, Sticky: c.sticky,
			Kept: c.in, Tokens: added[c.section], Slots: d.on(c.section, c.step).SlotTokens(), Left: -1, CharsLeft: -1, Tried: c.tried,
		}
		if !c.in {
			ch.Tokens, ch.Chars, ch.Ended = c.cost.use, c.cost.chars, c.ended
			if d.variant.Budget.Tokens >= 0 {
				ch.Left = max(0, c.cost.left)
			}
			if d.variant.Budget.Chars >= 0 {
				ch.CharsLeft = max(0, c.cost.charsLeft)
			}
		}
		for _, s := range d.variant.Uses[c.section].Steps[:c.step] {
			ch.Steps = append(ch.Steps, s.Label)
		}
		a.Choices = append(a.Choices, ch)
	}
	return a
}

// contributions gives what each section adds to the emitted text, in tokens,
// with the join before it and with its slots.
func contributions(a *assembly.Artifact) map[int]int {
	out := map[int]int{}
	for _, c := range inTokens(a) {
		if c.section >= 0 {
			out[c.section] = c.adds
		}
	}
	return out
}

// measured is a text with what it counts besides its tokens. It does not change.
type measured struct {
	text         token.Text
	chars, slots int
}

func (d *draft) measured(text string) measured {
	return measured{text: d.count.Text(text), chars: utf8.RuneCountInString(text)}
}

// link is a text, and the join that stands before it if there is another.
type link struct{ join, text measured }

// joined gives one text.
func joined(links ...link) measured {
	var out measured
	more := make([]token.Text, 0, 16)
	add := func(t measured) {
		if t.chars > 0 {
			more = append(more, t.text)
			out.chars, out.slots = out.chars+t.chars, out.slots+t.slots
		}
	}
	for _, l := range links {
		switch {
		case l.text.chars == 0:
		case out.chars == 0:
			out = l.text
		default:
			add(l.join)
			add(l.text)
		}
	}
	if len(more) > 0 {
		out.text = out.text.With(more...)
	}
	return out
}

// measuring measures the choices of a walk as they would be emitted if nothing
// else found a place: a notice then names all the others, and only becomes
// shorter. What is measured already is not measured again at each step, so that
// a walk takes time by its length.
type measuring struct {
	*draft
	stickyFirst bool
	before      link // what stands before the next candidate
	// behind are the sticky sections that stand after it, the next one last: from
	// whole on each with all that follow it, unless these are one long word.
	behind []link
	whole  int
	// gone are the ids of what was left. open are those of what is still to be
	// decided, the next one last: each with all that follow it.
	gone link
	open []link
	// What stands around ids, before a notice, and at the end.
	start, between, close, join, newline measured
	room                                 [12]link
}

func (d *draft) measuring(walk []candidate, stickyFirst bool) *measuring {
	m := &measuring{
		draft: d, stickyFirst: stickyFirst, behind: make([]link, 1), open: make([]link, 1),
		start: d.measured(noticeStart), between: d.measured(noticeBetween), close: d.measured(noticeEnd),
		join: d.measured(d.variant.Join.Str), newline: d.measured("\n"),
	}
	for _, c := range slices.Backward(walk) {
		switch {
		case !c.sticky:
			m.open = append(m.open, link{m.between, joined(link{text: d.measured(c.id)}, last(m.open))})
		case !stickyFirst && !c.gone():
			l, n := m.section(c), len(m.behind)
			if all := joined(link{text: l.text}, last(m.behind)); m.whole == n-1 && !all.text.Long() {
				l.text, m.whole = all, n
			}
			m.behind = append(m.behind, l)
		}
	}
	for _, c := range walk {
		if c.sticky && stickyFirst {
			m.before.text = joined(m.before, m.section(c))
		}
	}
	return m
}

func last(links []link) link { return links[len(links)-1] }

// section measures a section on its rung.
func (m *measuring) section(c candidate) link {
	if c.gone() {
		return link{}
	}
	r, join := m.on(c.section, c.step), m.join
	if own := m.joinOf(c.section); own != m.variant.Join.Str {
		join = m.measured(own)
	}
	return link{join, measured{m.count.Text(r.Text.Str), m.runes[r], r.SlotTokens()}}
}

func (m *measuring) now() trial { return m.trial(link{}, last(m.open)) }

func (m *measuring) with(c candidate) trial {
	t := m.trial(m.section(c), m.open[len(m.open)-2])
	m.asks(t)
	return t
}

func (m *measuring) keep(c candidate) {
	switch {
	case !c.sticky:
		m.open = m.open[:len(m.open)-1]
	case m.stickyFirst, c.gone():
		return // it is in, or has no text
	default:
		m.behind = m.behind[:len(m.behind)-1]
	}
	m.before.text = joined(m.before, m.section(c))
}

func (m *measuring) leave(c candidate) {
	m.open = m.open[:len(m.open)-1]
	m.gone.text = joined(m.gone, link{m.between, m.measured(c.id)})
}

// trial measures what would be emitted with a section, and with a notice that
// names what was left and what is still open.
func (m *measuring) trial(section, open link) trial {
	links := append(m.room[:0], m.before, section)
	for i := len(m.behind) - 1; i >= min(m.whole, len(m.behind)-1); i-- {
		links = append(links, m.behind[i])
	}
	bare := m.end(links)
	full := bare
	if m.notices && m.gone.text.chars+open.text.chars > 0 {
		names := joined(m.gone, open)
		full = m.end(append(links, link{m.join, m.start}, link{text: names}, link{text: m.close}))
	}
	l := m.variant.Budget
	return trial{use: bare.use, chars: bare.chars, left: room(l.Tokens, full.use), charsLeft: room(l.Chars, full.chars)}
}

// end gives what texts use, with the last line break.
func (m *measuring) end(texts []link) trial {
	says := func(l link) bool { return l.text.chars > 0 }
	if slices.ContainsFunc(texts, says) && !inJSON(m.variant) && !m.variant.Exact {
		texts = append(texts, link{text: m.newline})
	}
	all := joined(texts...)
	if all.chars == 0 {
		return trial{}
	}
	return trial{use: all.text.Tokens() + all.slots, chars: all.chars}
}
