package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// renameWindow is how many sections that came are looked at for one that went,
// so that two wholly different texts cost no more than their length.
const renameWindow = 8

// rename pairs sections of texts that another program writes and that begin
// with another heading now, which is what they are called after: one that went
// and one that came at the same place of the same variants, with at least half
// of their lines in common.
func (p *pair) rename() {
	was, is := map[int]int{}, map[int]int{} // by the index on each side
	for k, s := range p.sections {
		was[s.base], is[s.head] = k, k
	}
	tried := map[int]bool{}
	paired := map[int]int{} // the section of the head for that of the base
	for _, t := range p.twins {
		if !t.both() || sameText(t.base, t.head) {
			continue
		}
		gone, come := p.gapsIn(emitted(t.base, was)), p.gapsIn(emitted(t.head, is))
		for after, old := range gone {
			p.renameIn(t, old, come[after], tried, paired)
		}
	}
	if len(paired) == 0 {
		return
	}
	for k, h := range paired {
		old, now := p.sections[k], p.sections[h]
		now.base, now.was, now.title = old.base, old.id, old.title
	}
	left := p.sections[:0]
	for k, s := range p.sections {
		if _, gone := paired[k]; !gone {
			left = append(left, s)
		}
	}
	p.sections = left
}

// gapsIn gives the sections of an order that one side alone has, by the one
// before them that both have, -1 for none.
func (p *pair) gapsIn(order []int) map[int][]int {
	out := map[int][]int{}
	after := -1
	for _, k := range order {
		if s := p.sections[k]; s.base >= 0 && s.head >= 0 {
			after = k
		} else {
			out[after] = append(out[after], k)
		}
	}
	return out
}

// renameIn pairs the sections of one gap, in order.
func (p *pair) renameIn(t twin, gone, come []int, tried map[int]bool, paired map[int]int) {
	next := 0
	for i, k := range gone {
		if tried[k] {
			continue
		}
		tried[k] = true
		for j := next; j < min(len(come), next+renameWindow); j++ {
			old, now := p.sections[k], p.sections[come[j]]
			bare := i == j && len(gone) == len(come)
			if !tried[come[j]] && alike(t, old, now, bare) && p.sameUse(old, now, bare) {
				old.title = wordLines(t.base.Used[old.base])[0]
				tried[come[j]], paired[k], next = true, come[j], j+1
				break
			}
		}
	}
}

// sameUse reports whether the variants that had the one section have the other,
// with a text that is alike.
func (p *pair) sameUse(old, now *section, bare bool) bool {
	return !slices.ContainsFunc(p.twins, func(t twin) bool {
		if !t.both() {
			return false
		}
		was, is := t.base.Used[old.base], t.head.Used[now.head]
		return (was == nil) != (is == nil) || was != nil && !alike(t, old, now, bare)
	})
}

// alike reports whether at least half of the lines of two sections that say
// something are the same; bare, that both are a heading and nothing else will
// do, too.
func alike(t twin, old, now *section, bare bool) bool {
	was, is := wordLines(t.base.Used[old.base]), wordLines(t.head.Used[now.head])
	if len(was) == 1 && len(is) == 1 {
		return bare
	}
	left := map[string]int{}
	for _, line := range was {
		left[line]++
	}
	same := 0
	for _, line := range is {
		if left[line] > 0 {
			left[line]--
			same++
		}
	}
	return same > 0 && 2*same >= max(len(was), len(is))
}

func wordLines(x *prompt.Rendering) []string {
	return slices.DeleteFunc(strings.Split(x.Text.Str, "\n"), func(line string) bool { return !hasWord(line) })
}

// renames says of the edits with the headings of sections that are called
// otherwise what they were called.
func (r *run) renames() {
	renamed := map[*prompt.Pair]map[string]*section{}
	for _, p := range r.pairs {
		for _, s := range p.sections {
			if s.was == "" {
				continue
			}
			if renamed[p.Pair] == nil {
				renamed[p.Pair] = map[string]*section{}
			}
			renamed[p.Pair][s.id] = s
		}
	}
	for _, e := range r.d.Edits {
		if e.Kind != prompt.TextChanged || len(e.Reach) == 0 {
			continue
		}
		if s := renamed[e.Reach[0].Pair][e.Section]; s != nil && slices.ContainsFunc(e.Hunks, func(h prompt.Hunk) bool {
			return slices.ContainsFunc(h.Lines, func(l prompt.HunkLine) bool { return l.Sign == '-' && l.Text == s.title })
		}) {
			e.From, e.To = s.was, s.id
		}
	}
}
