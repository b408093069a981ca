package diff

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

func plusTokens(p *prompt.Plus) int { return p.Tokens }
func plusChars(p *prompt.Plus) int  { return p.Chars }

// without gives a limit as it stands in the manifest, without what raises it.
func without(most int, l *prompt.Limits, of func(*prompt.Plus) int) int {
	if most < 0 {
		return most
	}
	for i := range l.Raised {
		most -= of(&l.Raised[i])
	}
	return most
}

// raised adds the edits of what raises the limits of a variant: each entry of
// `plus` is compared with the one of the same condition, else with the next
// that nothing else is.
func (r *run) raised(t twin, s *section, was, is *prompt.Limits) {
	gone, come := slices.Clone(was.Raised), slices.Clone(is.Raised)
	pair := func(same func(a, b *prompt.Plus) bool) {
		for i := 0; i < len(gone); {
			j := slices.IndexFunc(come, func(b prompt.Plus) bool { return same(&gone[i], &b) })
			if j < 0 {
				i++
				continue
			}
			r.raisedBy(t, s, &gone[i], &come[j])
			gone, come = slices.Delete(gone, i, i+1), slices.Delete(come, j, j+1)
		}
	}
	pair(func(a, b *prompt.Plus) bool { return sameAmounts(a, b) && sameCondition(a.When, b.When) })
	pair(func(a, b *prompt.Plus) bool { return sameCondition(a.When, b.When) })
	pair(sameAmounts)
	pair(func(_, _ *prompt.Plus) bool { return true })
	for i := range gone {
		r.raisedBy(t, s, &gone[i], &prompt.Plus{})
	}
	for i := range come {
		r.raisedBy(t, s, &prompt.Plus{}, &come[i])
	}
}

func sameAmounts(a, b *prompt.Plus) bool { return a.Tokens == b.Tokens && a.Chars == b.Chars }

// sameCondition compares conditions as they are written.
func sameCondition(a, b prompt.Condition) bool {
	return slices.EqualFunc(a, b, func(c, d prompt.Clause) bool {
		return slices.EqualFunc(c, d, func(x, y prompt.Term) bool {
			return x.Axis.Str == y.Axis.Str && x.Not == y.Not && listed(x.Values) == listed(y.Values)
		})
	})
}

// raisedBy adds the edits of one entry. What adds nothing is no entry.
func (r *run) raisedBy(t twin, s *section, was, is *prompt.Plus) {
	for _, l := range []struct {
		name string
		of   func(*prompt.Plus) int
	}{{"plus.tokens", plusTokens}, {"plus.chars", plusChars}} {
		if from, to := l.of(was), l.of(is); from != to {
			r.budgetChanged(t, s, l.name, [2]string{strconv.Itoa(from), strconv.Itoa(to)}, was.At, is.At)
		}
	}
}

// crossed adds the edits of limits that are exceeded on one side only.
func (r *run) crossed(t twin, s *section, was, is *prompt.Limits, before, after measured) {
	for i := range limits {
		l := &limits[i]
		if l.use == nil {
			continue
		}
		from, to := l.use(before), l.use(after)
		wasOver := l.most(was) >= 0 && from > l.most(was)
		isOver := l.most(is) >= 0 && to > l.most(is)
		if wasOver == isOver {
			continue
		}
		_, at := l.of(is)
		inBase := !at.Known() || l.most(is) < 0
		if inBase {
			_, at = l.of(was)
		}
		key := limitKey{kind: prompt.BudgetCrossed, section: idOf(s), name: l.name, over: isOver, at: at}
		e := r.group(key, func() *prompt.Edit {
			return &prompt.Edit{Kind: key.kind, Section: key.section, Name: key.name, Over: isOver, At: at, InBase: inBase}
		})
		cross(e, [2]int{from, to}, [2]int{l.most(was), l.most(is)})
		if l.sized {
			reachBy(e, t, to-from)
		} else {
			reach(e, t)
		}
	}
}

// cross notes what one more variant uses, and may.
func cross(e *prompt.Edit, use, limit [2]int) {
	for side := range use {
		e.Used[side].Add(use[side])
		if limit[side] >= 0 {
			e.Limit[side].Add(limit[side])
		}
	}
	if e.Over {
		e.Excess.Add(use[1] - limit[1])
	}
}
