package diff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

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

// movedOf gives the fewest names that have to move to turn one order into the
// other; names that only one of them has do not count.
func movedOf(base, head []string) []string {
	var common []string
	var ranks []int
	for _, name := range head {
		if i := slices.Index(base, name); i >= 0 {
			common, ranks = append(common, name), append(ranks, i)
		}
	}
	stays := map[int]bool{}
	for _, i := range textdiff.LongestRun(ranks) {
		stays[i] = true
	}
	var out []string
	for i, name := range common {
		if !stays[i] {
			out = append(out, name)
		}
	}
	return out
}

// The classes of edits, in the order in which they are said.
const (
	ofPrompt = iota
	ofSection
	ofConversation
	ofTool
	ofWhole
)

// finish puts everything into its order and classes the edits.
func (r *run) finish() {
	at := map[*review.Pair]int{}
	sections := map[*review.Pair]map[string]int{}
	for i, p := range r.pairs {
		at[p.Pair] = i
		sections[p.Pair] = map[string]int{}
		for k, s := range p.sections {
			sections[p.Pair][s.id] = k
		}
	}
	for _, e := range r.d.Edits {
		e.Event = r.event(e)
	}
	ranks := map[*review.Edit][]int{}
	places := map[*review.Edit]place{}
	for _, e := range r.d.Edits {
		tidy(e, at)
		if e.Follows != nil {
			e.Event = e.Follows.Event
		}
		class, first, section := classOf(e), 0, 0
		if len(e.Reach) > 0 {
			first = at[e.Reach[0].Pair]
			section = sections[e.Reach[0].Pair][e.Section]
		}
		ranks[e] = []int{first, class}
		switch class {
		case ofPrompt:
			ranks[e] = append(ranks[e], int(e.Kind))
		case ofSection, ofConversation:
			ranks[e] = append(ranks[e], section, int(e.Kind))
			places[e] = placeOf(e.At)
		default: // tools and whole texts stay in the order in which they were found
		}
	}
	slices.SortStableFunc(r.d.Edits, func(a, b *review.Edit) int {
		return cmp.Or(
			slices.Compare(ranks[a], ranks[b]),
			cmp.Compare(places[a].path, places[b].path), cmp.Compare(places[a].start, places[b].start),
		)
	})
}

// tidy sorts the reach of an edit, and what it misses. Prompts that it reaches
// through templates alone come last.
func tidy(e *review.Edit, at map[*review.Pair]int) {
	through := func(r review.Reach) string { return strconv.FormatBool(r.In.Len() == 0 && r.All().Len() > 0) }
	slices.SortStableFunc(e.Reach, func(a, b review.Reach) int {
		return cmp.Or(strings.Compare(through(a), through(b)), cmp.Compare(at[a.Pair], at[b.Pair]), strings.Compare(strconv.FormatBool(a.OfBase), strconv.FormatBool(b.OfBase)))
	})
	for i := range e.Reach {
		slices.SortStableFunc(e.Reach[i].Missed, func(a, b review.Missed) int {
			return cmp.Or(cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Set.First(), b.Set.First()))
		})
	}
}

func classOf(e *review.Edit) int {
	switch {
	case e.Kind == review.CacheChanged, e.Kind == review.BytesChanged:
		return ofWhole
	case e.Kind == review.SettingChanged && slices.Contains(competing, e.Name):
		return ofPrompt // other sections come or go on account of it
	case e.Tool != "":
		return ofTool
	case e.Section != "":
		return ofSection
	case e.Item != "":
		return ofConversation
	default:
		return ofPrompt
	}
}
