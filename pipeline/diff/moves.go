package diff

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// orders are two orders of the same prompt's sections, and the variants that
// have them. Sections are named by their index in pair.sections.
type orders struct {
	base, head []int
	twins      []twin
}

// moves finds sections that stand at another place among those that both sides
// emit.
func (r *run) moves(p *pair) {
	var all []*orders
	known := map[string]*orders{}
	was, is := map[int]int{}, map[int]int{}
	for k, s := range p.sections {
		was[s.base], is[s.head] = k, k
	}
	for _, t := range p.twins {
		if !t.both() {
			continue
		}
		base, head := emitted(t.base, was), emitted(t.head, is)
		if slices.Equal(base, head) {
			continue
		}
		key := string(appendInts(appendInts(nil, base), head))
		if known[key] == nil {
			known[key] = &orders{base: base, head: head}
			all = append(all, known[key])
		}
		known[key].twins = append(known[key].twins, t)
	}
	// The longest say most: what moves there is looked for first in the others,
	// so that one move of the manifest is one everywhere.
	byLength := slices.Clone(all)
	slices.SortStableFunc(byLength, func(a, b *orders) int { return len(b.head) - len(a.head) })
	moved := map[*orders][]int{}
	var hints []int
	for _, o := range byLength {
		moved[o] = movedOf(o.base, o.head, hints)
		for _, k := range moved[o] {
			if !slices.Contains(hints, k) {
				hints = append(hints, k)
			}
		}
	}
	for k, s := range p.sections {
		var here []*orders
		for _, o := range all {
			if slices.Contains(moved[o], k) {
				here = append(here, o)
			}
		}
		if len(here) > 0 {
			r.moved(s, k, here)
		}
	}
}

// moved adds the edit of a section that moved, with the places that most
// variants have.
func (r *run) moved(s *section, k int, all []*orders) {
	e := &prompt.Edit{Kind: prompt.Moved, Section: s.id}
	type places struct{ from, to string }
	times := map[places]int{}
	best := 0
	first := all[0].twins[0] // of the variants that it reaches
	for _, o := range all {
		now := places{placeIn(o.base, k), placeIn(o.head, k)}
		times[now] += len(o.twins)
		for _, t := range o.twins {
			reach(e, t)
			if t.head.Variant.Index < first.head.Variant.Index {
				first = t
			}
		}
	}
	e.At, e.InBase = s.placeIn(first)
	for _, o := range all { // in order, so that of equals the first counts
		if now := (places{placeIn(o.base, k), placeIn(o.head, k)}); times[now] > best {
			best, e.From, e.To = times[now], now.from, now.to
		}
	}
	r.add(e)
}

// placeIn gives the place of a name in an order.
func placeIn[T comparable](order []T, name T) string {
	return placeWords(slices.Index(order, name), len(order))
}

// placeWords gives a place among some, counted from 1, or "last".
func placeWords(i, of int) string {
	if i == of-1 {
		return "last"
	}
	return strconv.Itoa(i + 1)
}

// emitted gives the sections that an artifact emits, in order.
func emitted(a *prompt.Artifact, names map[int]int) []int {
	var out []int
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, names[p.Section])
		}
	}
	return out
}

func appendInts(b []byte, all []int) []byte {
	for _, n := range all {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	return append(b, '|')
}

// movedOf gives the fewest names that have to move to turn one order into the
// other; names that only one of them has do not count. Those of hints are
// preferred; otherwise the earlier of the new order stays.
func movedOf[T comparable](base, head, hints []T) []T {
	rank := make(map[T]int, len(base))
	for i, name := range base {
		rank[name] = i
	}
	var common []T
	for _, name := range head {
		if _, ok := rank[name]; ok {
			common = append(common, name)
		}
	}
	stays := longestRun(common, rank)
	if len(stays) == len(common) {
		return nil
	}
	staying := make(map[T]bool, len(stays))
	for _, name := range stays {
		staying[name] = true
	}
	out := slices.DeleteFunc(slices.Clone(common), func(name T) bool { return staying[name] })
	if hinted := fromHints(common, rank, hints); len(hinted) == len(out) {
		return hinted
	}
	return out
}

// fromHints gives the hinted names that have to move so that the others stand
// in order; nil where that is not enough.
func fromHints[T comparable](common []T, rank map[T]int, hints []T) []T {
	var rest, out []T
	for _, name := range common {
		if slices.Contains(hints, name) {
			out = append(out, name)
		} else {
			rest = append(rest, name)
		}
	}
	byRank := func(a, b T) int { return rank[a] - rank[b] }
	if !slices.IsSortedFunc(rest, byRank) {
		return nil
	}
	for i := len(out) - 1; i >= 0; i-- { // a hint that is in its place stays
		with := slices.DeleteFunc(slices.Clone(common), func(name T) bool {
			at := slices.Index(out, name)
			return at >= 0 && at != i
		})
		if slices.IsSortedFunc(with, byRank) {
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

// longestRun gives the most names whose ranks ascend; of equals the one whose
// names stand earliest.
func longestRun[T comparable](names []T, rank map[T]int) []T {
	// length is that of the longest run that begins with each name; heads has
	// the highest rank with which a run of each length begins.
	length := make([]int, len(names))
	var heads []int // descending
	for i := len(names) - 1; i >= 0; i-- {
		r := rank[names[i]]
		n, _ := slices.BinarySearchFunc(heads, r, func(h, r int) int { return r - h })
		if n == len(heads) {
			heads = append(heads, r)
		} else {
			heads[n] = r
		}
		length[i] = n + 1
	}
	out := make([]T, 0, len(heads))
	last := -1
	for i, name := range names {
		if length[i] == len(heads)-len(out) && rank[name] > last {
			out = append(out, name)
			last = rank[name]
		}
	}
	return out
}
