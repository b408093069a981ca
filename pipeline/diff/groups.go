package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// group are hunks that are one change: the same lines, of one place of a source
// whatever sections show it, or in one section whatever files it comes from.
type group struct {
	atoms []*atom // the one that stands for it first
	rows  []groupRow
	// section is where it was met first, and items are those of it that have
	// the lines, "" for what stands around them: the first two.
	section *section
	items   []string
}

// groupRow are the variants of a prompt that have a group.
type groupRow struct {
	pair *pair
	set  prompt.Set
}

// site is where equal lines are one change: a section of a prompt, or a piece
// of its conversation. Lines without a word are counted: the second of a text
// is only ever the same as the second of another.
type site struct {
	pair    *pair
	section *section
	item    string
	lines   int
	nth     int
}

// grouped finds which hunks are one change, and whom each reaches. They are in
// the order in which they were met.
func (r *run) grouped() []*group {
	sites := map[site]*atom{}
	for _, c := range r.changed {
		counted := map[site]int{}
		for _, o := range c.atoms {
			nth := 0
			if at := (site{item: o.name, lines: o.lines}); o.plain() {
				counted[at]++
				nth = counted[at]
			}
			for _, u := range c.uses {
				at := site{pair: u.pair, section: u.section, lines: o.lines, nth: nth}
				if u.section == nil || nth > 0 {
					at.item = o.name
				}
				if first := sites[at]; first != nil {
					first.join(o.atom)
				} else {
					sites[at] = o.atom
				}
			}
		}
	}
	var out []*group
	for _, a := range r.pieces {
		first := a.first()
		if first.group == nil {
			first.group = &group{}
			out = append(out, first.group)
		}
		a.group = first.group
		a.group.atoms = append(a.group.atoms, a)
	}
	for _, c := range r.changed {
		for _, o := range c.atoms {
			for _, u := range c.uses {
				o.group.add(u, o.name)
			}
		}
	}
	for _, g := range out {
		slices.SortStableFunc(g.rows, func(a, b groupRow) int { return a.pair.n - b.pair.n })
	}
	return out
}

// first gives the hunk that stands for the group of a hunk.
func (a *atom) first() *atom {
	for a.of != nil {
		if a.of.of != nil {
			a.of = a.of.of
		}
		a = a.of
	}
	return a
}

// join makes one group of the groups of two hunks.
func (a *atom) join(b *atom) {
	a, b = a.first(), b.first()
	switch {
	case a.n < b.n:
		b.of = a
	case b.n < a.n:
		a.of = b
	}
}

// add notes that variants have a hunk of the group.
func (g *group) add(u *use, item string) {
	if len(g.rows) == 0 {
		g.section = u.section
	}
	if u.section == g.section && len(g.items) < 2 && !slices.Contains(g.items, item) {
		g.items = append(g.items, item)
	}
	i := slices.IndexFunc(g.rows, func(row groupRow) bool { return row.pair == u.pair })
	if i < 0 {
		i = len(g.rows)
		g.rows = append(g.rows, groupRow{u.pair, prompt.NewSet(len(u.pair.head))})
	}
	for _, t := range u.twins {
		g.rows[i].set.Add(t.head.Variant.Index)
	}
}

// sameReach reports whether two groups reach the same variants.
func (g *group) sameReach(h *group) bool {
	return slices.EqualFunc(g.rows, h.rows, func(a, b groupRow) bool { return a.pair == b.pair && a.set.Equal(b.set) })
}

// subject is what an edit of text is about: a section, an item where it is one
// alone, and the files that the text comes from.
type subject struct{ section, item, paths string }

func (g *group) subject() subject {
	var out subject
	if g.section != nil {
		out.section = g.section.id
	}
	if len(g.items) == 1 {
		out.item = g.items[0]
	}
	var paths []string
	for _, a := range g.atoms {
		paths = append(paths, a.key.path)
	}
	slices.Sort(paths)
	out.paths = strings.Join(slices.Compact(paths), "\x00")
	return out
}

// places gives where the lines of a group come from: the first place, of the
// head if there is one, and the others of that side.
func (g *group) places() (first diag.Span, inBase bool, also []diag.Span) {
	inBase = !slices.ContainsFunc(g.atoms, func(a *atom) bool { return a.at.Known() && !a.inBase })
	seen := map[place]bool{}
	for _, a := range g.atoms {
		at := placeOf(a.at)
		switch {
		case !a.at.Known() || a.inBase != inBase || seen[at]:
		case !first.Known():
			first = a.at
		default:
			also = append(also, a.at)
		}
		seen[at] = true
	}
	return first, inBase && first.Known(), also
}
