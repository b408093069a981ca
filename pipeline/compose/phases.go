package compose

import (
	"cmp"
	"slices"
)

// candidate is a section that competes for a place.
type candidate struct {
	section int // index into Prompt.Sections
	id      string
	phase   int     // index into the order of phases
	score   float64 // priority × weight
	sticky  bool
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

// dropped is a candidate that found no place.
type dropped struct {
	candidate
	// cost is what it would have added, and what the budget had left when it
	// was its turn.
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

// fill chooses among the candidates of a walk. All sticky ones are in; the
// others are taken in its order while the chosen, arranged, still fit.
//
// The choice is arranged for emission; the dropped stand in the order of the
// walk.
func (r rules) fill(walk []candidate, s scale) (chosen []candidate, out []dropped) {
	now, ended := s.now(), false
	for _, c := range walk {
		if c.sticky {
			chosen = append(chosen, c)
			s.keep(c)
			continue
		}
		then := s.with(c)
		if !ended && then.fits() {
			chosen, now = append(chosen, c), then
			s.keep(c)
			continue
		}
		s.leave(c)
		cost := trial{use: then.use - now.use, chars: then.chars - now.chars, left: now.left, charsLeft: now.charsLeft}
		out = append(out, dropped{candidate: c, cost: cost, ended: ended})
		ended = ended || r.stop
	}
	return r.arrange(chosen), out
}

// lowest gives the candidate that goes down a rung next: the lowest score
// among those of a walk that can, non-sticky before sticky; of equals the last.
func lowest(walk []candidate, canStep func(candidate) bool) (candidate, bool) {
	var found candidate
	ok := false
	for _, c := range walk {
		if !canStep(c) {
			continue
		}
		if !ok || rank(c) > rank(found) || rank(c) == rank(found) && c.score <= found.score {
			found, ok = c, true
		}
	}
	return found, ok
}
