package compose

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
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
	// keep says that one more is in.
	keep(c candidate)
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
	decided = r.fill(walk, d.emitting(r, walk))
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

// emitting measures the choices of a walk as they would be emitted if nothing else
// found a place: a notice then names all the others, and only becomes shorter.
type emitting struct {
	*draft
	rules
	// in are those that have a place, left all others.
	in, left []candidate
}

func (d *draft) emitting(r rules, walk []candidate) *emitting {
	e := &emitting{draft: d, rules: r}
	for _, c := range walk {
		if c.sticky {
			e.in = append(e.in, c)
		} else {
			e.left = append(e.left, c)
		}
	}
	return e
}

func (e *emitting) now() trial { return e.trial(e.in, e.left) }

func (e *emitting) with(c candidate) trial {
	t := e.trial(append(slices.Clip(e.in), c), e.without(c))
	e.asks(t)
	return t
}

func (e *emitting) keep(c candidate) { e.in, e.left = append(e.in, c), e.without(c) }

// without gives those that are left but for one.
func (e *emitting) without(c candidate) []candidate {
	return slices.DeleteFunc(slices.Clone(e.left), func(o candidate) bool { return o.section == c.section })
}

// trial emits a choice with a notice, and without.
func (e *emitting) trial(in, left []candidate) trial {
	var order []int
	for _, c := range e.arrange(in) {
		if e.steps[c.section] = c.step; !c.gone() {
			order = append(order, c.section)
		}
	}
	bare := e.assemble(order, "")
	e.measure(bare)
	t := e.trialOf(bare)
	if line := e.notice(left); line != "" {
		full := e.assemble(order, line)
		e.measure(full)
		with := e.trialOf(full)
		t.left, t.charsLeft = with.left, with.charsLeft
	}
	return t
}
