package diff

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
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

// rank is what an edit is sorted by.
type rank struct {
	edit    *prompt.Edit
	prompt  int
	class   int
	section int
	kind    prompt.EditKind
	place   place
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
	at := map[*prompt.Pair]int{}
	sections := map[*prompt.Pair]map[string]int{}
	for i, p := range r.pairs {
		at[p.Pair] = i
		sections[p.Pair] = map[string]int{}
		for k, s := range p.sections {
			sections[p.Pair][s.id] = k
		}
	}
	ranks := make([]rank, 0, len(r.d.Edits))
	for _, e := range r.d.Edits {
		e.Event = r.event(e)
	}
	for _, e := range r.d.Edits {
		tidy(e, at)
		if e.Follows != nil {
			e.Event = e.Follows.Event
		}
		k := rank{edit: e, class: classOf(e), kind: e.Kind, place: placeOf(e.At)}
		if len(e.Reach) > 0 {
			k.prompt = at[e.Reach[0].Pair]
			k.section = sections[e.Reach[0].Pair][e.Section]
		}
		ranks = append(ranks, k)
	}
	slices.SortStableFunc(ranks, compareRanks)
	for i := range ranks {
		r.d.Edits[i] = ranks[i].edit
	}
}

// tidy sorts the reach of an edit, and what it misses.
func tidy(e *prompt.Edit, at map[*prompt.Pair]int) {
	slices.SortStableFunc(e.Reach, func(a, b prompt.Reach) int {
		return cmp.Or(cmp.Compare(at[a.Pair], at[b.Pair]), compareBools(a.OfBase, b.OfBase))
	})
	for i := range e.Reach {
		slices.SortStableFunc(e.Reach[i].Missed, func(a, b prompt.Missed) int {
			return cmp.Or(cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Set.First(), b.Set.First()))
		})
	}
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func classOf(e *prompt.Edit) int {
	switch {
	case e.Kind == prompt.CacheChanged, e.Kind == prompt.BytesChanged:
		return ofWhole
	case e.Kind == prompt.SettingChanged && slices.Contains(competing, e.Name):
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

// compareRanks leaves edits of tools and of whole texts in the order in which
// they were found.
func compareRanks(a, b rank) int {
	if n := cmp.Or(cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.class, b.class)); n != 0 {
		return n
	}
	switch a.class {
	case ofPrompt:
		return cmp.Compare(a.kind, b.kind)
	case ofSection, ofConversation:
		return cmp.Or(
			cmp.Compare(a.section, b.section), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.place.path, b.place.path), cmp.Compare(a.place.start, b.place.start),
		)
	default:
		return 0
	}
}
