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

// moved adds the edit of a section that moved.
func (r *run) moved(s *section, k int, all []*orders) {
	e := &prompt.Edit{Kind: prompt.Moved, Section: s.id}
	first := all[0].twins[0] // of the variants that it reaches
	for _, o := range all {
		for _, t := range o.twins {
			reach(e, t)
			if t.head.Variant.Index < first.head.Variant.Index {
				first = t
			}
		}
	}
	e.At, e.InBase = s.placeIn(first)
	e.From, e.To = s.pair.movedWords(all, k)
	r.add(e)
}

// movedWords gives the places of a section that moved: numbers where all
// variants have the same, else the section that it stands behind or before where
// that is the same, else the range of the numbers.
func (p *pair) movedWords(all []*orders, k int) (from, to string) {
	var sides [2]struct{ places, behind, before []string }
	var low, high [2]int
	for i, o := range all {
		for side, order := range [2][]int{o.base, o.head} {
			n := slices.Index(order, k)
			if i == 0 {
				low[side], high[side] = n+1, n+1
			}
			low[side], high[side] = min(low[side], n+1), max(high[side], n+1)
			behind, before := "1", "last"
			if n > 0 {
				behind = "behind " + p.sections[order[n-1]].id
			}
			if n < len(order)-1 {
				before = "before " + p.sections[order[n+1]].id
			}
			sides[side].places = append(sides[side].places, placeIn(order, k))
			sides[side].behind = append(sides[side].behind, behind)
			sides[side].before = append(sides[side].before, before)
		}
	}
	same := func(words []string) bool { return len(slices.Compact(slices.Clone(words))) == 1 }
	if same(sides[0].places) && same(sides[1].places) {
		return sides[0].places[0], sides[1].places[0]
	}
	words := func(side int) string {
		s := &sides[side]
		switch {
		case same(s.behind):
			return s.behind[0]
		case same(s.before):
			return s.before[0]
		case same(s.places):
			return s.places[0]
		default:
			return prompt.Amounts{Low: low[side], High: high[side]}.String()
		}
	}
	return words(0), words(1)
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
