package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// textSizes gives the edits of hunks in a change their sizes: what the old text
// would gain by these hunks alone.
func (r *run) textSizes(c *change) {
	hunks := c.byEdit()
	for _, e := range c.edits {
		if e.Kind != prompt.TextChanged {
			continue
		}
		texts := [2]string{c.base.Text.Str, c.head.Text.Str}
		switch {
		case c.loose || len(c.edits)*len(c.base.Text.Str) > maxRecount:
			texts = c.applyApart(hunks[e])
		case len(c.edits) > 1 || c.covered:
			texts = c.apply(hunks[e])
		}
		sizes := map[string]int{}
		for _, u := range c.uses {
			for _, t := range u.twins {
				name := t.head.Variant.Tokenizer
				size, known := sizes[name]
				if !known {
					count := r.count(name)
					size = r.use(count, c, texts[1]) - r.use(count, c, texts[0])
					sizes[name] = size
				}
				reachBy(e, t, size)
			}
		}
	}
}

// maxRecount is the most bytes of text that the edits of one change may make
// again, each by itself; with more, only the pieces that differ are counted.
const maxRecount = 4 << 20

// byEdit gives the hunks of each edit of a change, by the item that they are
// in.
func (c *change) byEdit() map[*prompt.Edit]map[int][]occurrence {
	out := map[*prompt.Edit]map[int][]occurrence{}
	for _, o := range c.atoms {
		if out[o.edit] == nil {
			out[o.edit] = map[int][]occurrence{}
		}
		out[o.edit][o.item] = append(out[o.edit][o.item], o)
	}
	return out
}

// applyApart gives the old texts of the items that have hunks, and what the
// hunks make of them.
func (c *change) applyApart(byItem map[int][]occurrence) [2]string {
	var was, is strings.Builder
	for _, n := range slices.Sorted(maps.Keys(byItem)) {
		text := c.before.around.Str
		if n >= 0 {
			text = c.before.items[n].text.Str
		}
		now, _ := applied(text, byItem[n], nil)
		was.WriteString(text)
		is.WriteString(now)
	}
	return [2]string{was.String(), is.String()}
}

// apply gives the old text, and what some hunks make of it.
func (c *change) apply(byItem map[int][]occurrence) [2]string {
	marks := make([]int, 0, len(c.before.gaps))
	for _, g := range c.before.gaps {
		marks = append(marks, g.at)
	}
	around, at := applied(c.before.around.Str, byItem[-1], marks)
	var b strings.Builder
	done := 0
	for i, g := range c.before.gaps {
		to := min(max(at[i], done), len(around))
		b.WriteString(around[done:to])
		done = to
		from := g.start
		for n := g.first; n < g.end; n++ {
			it := &c.before.items[n]
			b.WriteString(c.base.Text.Str[from:it.start])
			now, _ := applied(it.text.Str, byItem[n], nil)
			b.WriteString(now)
			from = it.end
		}
	}
	b.WriteString(around[done:])
	return [2]string{c.base.Text.Str, b.String()}
}

// applied gives a text with some hunks made in it, and where some offsets of it
// are then.
func applied(text string, hunks []occurrence, marks []int) (string, []int) {
	now := slices.Clone(marks)
	if len(hunks) == 0 {
		return text, now
	}
	hunks = slices.Clone(hunks)
	slices.SortStableFunc(hunks, func(a, b occurrence) int { return a.start - b.start })
	whole := closed(text)
	var b strings.Builder
	at := 0
	for _, h := range hunks {
		b.WriteString(whole[at:h.start])
		b.WriteString(h.text)
		at = h.end
		for i, m := range marks {
			switch {
			case m >= h.end:
				now[i] += len(h.text) - (h.end - h.start)
			case m > h.start:
				now[i] = b.Len()
			}
		}
	}
	b.WriteString(whole[at:])
	return strings.TrimSuffix(b.String(), "\n"), now
}

// reachItem says that an item comes or goes in some variants, with its share of
// the text: all that differs where nothing else does, else itself and what joins
// it.
func (r *run) reachItem(c *change, u *use, e *prompt.Edit, turn itemTurn) {
	x, f, sign := c.head, c.after, 1
	if turn.kind == prompt.ItemRemoved {
		x, f, sign = c.base, c.before, -1
	}
	for _, t := range u.twins {
		count := r.count(t.head.Variant.Tokenizer)
		switch {
		case c.loose:
			reachBy(e, t, sign*r.use(count, c, turn.item.text.Str))
		case len(c.items) == 1 && len(c.atoms) == 0 && len(c.moved) == 0 && !c.covered:
			reachBy(e, t, r.use(count, c, c.head.Text.Str)-r.use(count, c, c.base.Text.Str))
		default:
			reachBy(e, t, sign*r.use(count, c, withJoin(x.Text.Str, f, turn.n)))
		}
	}
}

// withJoin gives an item with what joins it to its neighbour.
func withJoin(text string, f *frame, n int) string {
	start, end := f.items[n].start, f.items[n].end
	switch {
	case n > 0 && separates(text[f.items[n-1].end:start]):
		start = f.items[n-1].end
	case n+1 < len(f.items) && separates(text[end:f.items[n+1].start]):
		end = f.items[n+1].start
	}
	return text[start:end]
}
