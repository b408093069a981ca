package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// textSizes gives the edits of hunks in a change their sizes: what the old text
// would gain by these hunks alone.
func (r *run) textSizes(c *change) {
	for _, e := range c.edits {
		if e.Kind != prompt.TextChanged {
			continue
		}
		texts := [2]string{c.base.Text.Str, c.head.Text.Str}
		if c.loose || len(c.edits) > 1 || c.covered {
			texts = c.apply(e)
		}
		sizes := map[string]int{}
		for _, u := range c.uses {
			for _, t := range u.twins {
				name := t.head.Variant.Tokenizer
				size, known := sizes[name]
				if !known {
					count := r.count(name)
					size = count(texts[1]) - count(texts[0])
					sizes[name] = size
				}
				reachBy(e, t, size)
			}
		}
	}
}

// apply gives the old text, and what the hunks of one edit make of it. Of a
// conversation it is the items that have such hunks.
func (c *change) apply(e *prompt.Edit) [2]string {
	byItem := map[int][]occurrence{}
	for _, o := range c.atoms {
		if o.edit == e {
			byItem[o.item] = append(byItem[o.item], o)
		}
	}
	if c.loose {
		var was, is strings.Builder
		for n := range c.before.items {
			if hunks := byItem[n]; hunks != nil {
				text := c.before.items[n].text.Str
				now, _ := applied(text, hunks, nil)
				was.WriteString(text)
				is.WriteString(now)
			}
		}
		return [2]string{was.String(), is.String()}
	}
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
// the text: itself and what joins it.
func (r *run) reachItem(c *change, u *use, e *prompt.Edit, turn itemTurn) {
	x, f, sign := c.head, c.after, 1
	if turn.kind == prompt.ItemRemoved {
		x, f, sign = c.base, c.before, -1
	}
	for _, t := range u.twins {
		count := r.count(t.head.Variant.Tokenizer)
		switch {
		case c.loose:
			reachBy(e, t, sign*count(turn.item.text.Str))
		case len(c.items) == 1 && len(c.atoms) == 0 && len(c.moved) == 0 && !c.covered:
			reachBy(e, t, count(c.head.Text.Str)-count(c.base.Text.Str))
		default:
			reachBy(e, t, sign*(count(x.Text.Str)-count(withoutItem(x.Text.Str, f, turn.n))))
		}
	}
}

// withoutItem gives a text without an item and what joins it to its neighbour.
func withoutItem(text string, f *frame, n int) string {
	start, end := f.items[n].start, f.items[n].end
	switch {
	case n > 0 && separates(text[f.items[n-1].end:start]):
		start = f.items[n-1].end
	case n+1 < len(f.items) && separates(text[end:f.items[n+1].start]):
		end = f.items[n+1].start
	}
	return text[:start] + text[end:]
}
