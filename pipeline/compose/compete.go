package compose

import (
	"math"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// phases composes a variant whose sections compete for its budget. While
// everything together is over, the lowest-scored section that can goes down a
// rung; what then still does not fit is dropped by the walk. Nothing steps
// down while the whole fits, and nothing steps back up.
func (d *draft) phases() *prompt.Artifact {
	all, rest := d.candidates()
	r := rules{stickyFirst: d.variant.Layout.StickyFirst, stop: d.variant.Layout.Stop}
	for {
		a := d.emit(r.arrange(all), rest, nil)
		d.measure(a)
		if !over(a) {
			return d.recorded(a, all, nil)
		}
		c, ok := lowest(all, func(c candidate) bool { return d.canStep(c.section) })
		if !ok {
			break
		}
		d.steps[c.section]++
	}
	all, rest = d.candidates() // what stepped down to no text at all competes no more
	chosen, out := r.fill(all, d.measuring(all, r.stickyFirst))
	a := d.emit(chosen, rest, out)
	d.measure(a)
	return d.recorded(a, all, out)
}

// candidates gives the sections that have something to say in the order of the
// walk, and the indices of the others in declared order.
func (d *draft) candidates() (all []candidate, rest []int) {
	for i, u := range d.variant.Uses {
		if r := d.rendering(i); r == nil || r.Text.Str == "" {
			rest = append(rest, i)
			continue
		}
		all = append(all, candidate{
			section: i, id: d.build.Prompt.Sections[i].ID.Str,
			phase: u.Place.Phase, score: u.Place.Score(), sticky: u.Place.Sticky,
		})
	}
	slices.SortFunc(all, byPhase)
	return all, rest
}

// emit assembles a choice. The rest has no text: it is out, or brings tools.
func (d *draft) emit(chosen []candidate, rest []int, out []dropped) *prompt.Artifact {
	order := slices.Clone(rest)
	for _, c := range chosen {
		order = append(order, c.section)
	}
	var left []candidate
	for _, o := range out {
		left = append(left, o.candidate)
	}
	a := d.assemble(order, d.notice(left))
	for _, o := range out {
		a.Out = append(a.Out, prompt.Omission{Section: o.section, Reason: prompt.OutBudget})
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
func (d *draft) recorded(a *prompt.Artifact, all []candidate, out []dropped) *prompt.Artifact {
	added := contributions(a)
	for _, c := range all {
		ch := prompt.Choice{
			Section: c.section, Phase: d.variant.Layout.Order[c.phase], Score: c.score, Sticky: c.sticky,
			Kept: true, Tokens: added[c.section], Left: -1, CharsLeft: -1,
		}
		if len(out) > 0 && out[0].section == c.section {
			ch.Kept, ch.Tokens, ch.Chars, ch.Ended = false, out[0].cost.use, out[0].cost.chars, out[0].ended
			if d.variant.Budget.Tokens >= 0 {
				ch.Left = max(0, out[0].cost.left)
			}
			if d.variant.Budget.Chars >= 0 {
				ch.CharsLeft = max(0, out[0].cost.charsLeft)
			}
			out = out[1:] // both are in the order of the walk
		}
		for _, s := range d.variant.Uses[c.section].Steps[:d.steps[c.section]] {
			ch.Steps = append(ch.Steps, s.Label)
		}
		a.Choices = append(a.Choices, ch)
	}
	return a
}

// contributions gives what each section adds to the emitted text, in tokens,
// with the join before it and with its slots.
func contributions(a *prompt.Artifact) map[int]int {
	out := map[int]int{}
	for _, c := range inTokens(a) {
		if c.section >= 0 {
			out[c.section] = c.adds
		}
	}
	return out
}
