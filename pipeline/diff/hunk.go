package diff

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// place is a span that can be compared between the two sides, and within one.
type place struct {
	path       string
	start, end int
}

func placeOf(s diag.Span) place {
	if !s.Known() {
		return place{}
	}
	return place{s.File.Path, s.Start, s.End}
}

// hunk is a run of lines that differ between two texts, with its bytes: those
// of the old text [start, end) became those of the new one. Both texts count
// with a line break at their end.
type hunk struct {
	prompt.Hunk
	start, end       int
	newStart, newEnd int
	text             string // the new bytes
	at               diag.Span
	inBase           bool
	key              place // of the head's lines, else of the base's
}

// hunksOf gives the hunks between two texts, with their places.
func hunksOf(before, after prompt.Text) []hunk {
	if before.Str == after.Str {
		return nil
	}
	a, b := closed(before.Str), closed(after.Str)
	old, now := lineStarts(a), lineStarts(b)
	var out []hunk
	shift := 0
	for _, h := range textdiff.Hunks(a, b, 0) {
		gone, come := 0, 0
		for _, l := range h.Lines {
			if l.Sign == '-' {
				gone++
			} else {
				come++
			}
		}
		first := h.Line - 1
		made := hunk{
			Hunk:  h,
			start: old[first-shift], end: old[first-shift+gone],
			newStart: now[first], newEnd: now[first+come],
		}
		shift += come - gone
		made.text = b[made.newStart:made.newEnd]
		made.place(before, after)
		out = append(out, made)
	}
	return out
}

// closed gives a text with a line break at its end; nothing stays nothing.
func closed(s string) string {
	if s == "" {
		return s
	}
	return s + "\n"
}

// lineStarts gives the offset of each line, and that of the end.
func lineStarts(s string) []int {
	out := make([]int, 1, strings.Count(s, "\n")+1)
	for i := range len(s) {
		if s[i] == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// place finds where the lines come from. What is no more has the place in the
// head that it would stand at, where its file is still there.
func (h *hunk) place(before, after prompt.Text) {
	was := spanOf(before, h.start, h.end)
	if h.newEnd > h.newStart {
		if is := spanOf(after, h.newStart, h.newEnd); is.Known() {
			h.at, h.key = is, placeOf(is)
			return
		}
	}
	h.at, h.inBase, h.key = was, was.Known(), placeOf(was)
	if !was.Known() {
		return
	}
	for _, at := range []int{h.newStart, h.newStart - 2} {
		if at < 0 || at >= len(after.Str) {
			continue
		}
		if near := after.Span(at, at+1); near.Known() && near.File.Path == was.File.Path {
			h.at, h.inBase = near, false
			return
		}
	}
}

// spanOf gives the place of some lines, without the line break at their end
// where they are more than that.
func spanOf(t prompt.Text, start, end int) diag.Span {
	end = min(end, len(t.Str))
	if end <= start {
		return diag.Span{}
	}
	if n := len(strings.TrimRight(t.Str[start:end], "\n")); n > 0 {
		end = start + n
	}
	return t.Span(start, end)
}

// atomKey tells hunks apart: the lines and where they come from, whatever
// section they stand in.
type atomKey struct {
	lines string
	at    place
}

// atom is one hunk, with all that it reaches.
type atom struct {
	hunk
	section, item string // of where it was met first
	rows          []atomRow
	edit          *prompt.Edit
}

// atomRow are the variants of a prompt that have the hunk.
type atomRow struct {
	pair *pair
	set  prompt.Set
}

// occurrence is an atom in a change: in the text around the items, or in one.
type occurrence struct {
	*atom
	item       int // index in the frame of the base, -1 for around
	start, end int
}

// occur notes a hunk.
func (r *run) occur(c *change, h hunk, item int, name string) {
	var b strings.Builder
	for _, l := range h.Lines {
		b.WriteByte(l.Sign)
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	if c.owner.path != "" {
		h.key = c.owner
	}
	key := atomKey{b.String(), h.key}
	a := r.atoms[key]
	if a == nil {
		a = &atom{hunk: h, item: name}
		r.atoms[key] = a
		r.pieces = append(r.pieces, a)
	}
	c.atoms = append(c.atoms, occurrence{atom: a, item: item, start: h.start, end: h.end})
}

// add notes that variants have the hunk.
func (a *atom) add(u *use) {
	if a.section == "" && len(a.rows) == 0 && u.section != nil {
		a.section = u.section.id
	}
	var at *atomRow
	for i := range a.rows {
		if a.rows[i].pair == u.pair {
			at = &a.rows[i]
		}
	}
	if at == nil {
		a.rows = append(a.rows, atomRow{u.pair, prompt.NewSet(len(u.pair.head))})
		at = &a.rows[len(a.rows)-1]
	}
	for _, t := range u.twins {
		at.set.Add(t.head.Variant.Index)
	}
}

// sameReach reports whether two hunks reach the same variants.
func (a *atom) sameReach(b *atom) bool {
	if len(a.rows) != len(b.rows) {
		return false
	}
	for i := range a.rows {
		if a.rows[i].pair != b.rows[i].pair || !a.rows[i].set.Equal(b.rows[i].set) {
			return false
		}
	}
	return true
}
