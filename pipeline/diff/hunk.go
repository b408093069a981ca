package diff

import (
	"slices"
	"strings"
	"unicode"

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
		made.Lines = endsOf(&made, before.Str, after.Str)
		made.Hunk.At, made.Hunk.InBase = made.at, made.inBase
		out = append(out, made)
	}
	return out
}

// endsOf gives the lines of a hunk without the empty one that only closed makes
// of a text that ends with a line break. Where the break is all that the end of
// the text lost or gained, the last line is said to have none.
func endsOf(h *hunk, before, after string) []prompt.HunkLine {
	wasBroken, isBroken := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n")
	atEnd := h.end == len(closed(before)) && h.newEnd == len(closed(after))
	if wasBroken == isBroken || !atEnd {
		return h.Lines
	}
	text, empty := before, byte('-') // the side with the break
	if isBroken {
		text, empty = after, '+'
	}
	lines := slices.Clone(h.Lines)
	last := len(lines) - 1
	for last >= 0 && lines[last].Sign != empty {
		last--
	}
	if last < 0 || lines[last].Text != "" {
		return h.Lines
	}
	lines = slices.Delete(lines, last, last+1)
	switch n := slices.IndexFunc(lines, func(l prompt.HunkLine) bool { return l.Sign != empty }); {
	case before == "" || after == "":
		return lines
	case n < 0 && len(lines) > 0:
		return lines // whole lines, and those before them stay as they are
	case n < 0: // nothing but the break
		text = strings.TrimSuffix(text, "\n")
		line := text[strings.LastIndexByte(text, '\n')+1:]
		h.Line = max(h.Line-1, 1)
		return []prompt.HunkLine{{Sign: '-', Text: line, Open: !wasBroken}, {Sign: '+', Text: line, Open: !isBroken}}
	default:
		for i := len(lines) - 1; i >= 0; i-- {
			if lines[i].Sign != empty {
				lines[i].Open = true
				break
			}
		}
		return lines
	}
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
	if !was.Known() {
		// A line break at the end is in no line of its own. Words from nowhere,
		// such as a notice, have no place.
		if h.plain() {
			h.at = lastLine(after, h.newStart)
			h.key = placeOf(h.at)
		}
		return
	}
	h.at, h.inBase, h.key = was, true, placeOf(was)
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

// lastLine gives the place of the line before an offset behind a text's end,
// unknown for other offsets.
func lastLine(t prompt.Text, at int) diag.Span {
	if at < len(t.Str) || t.Str == "" {
		return diag.Span{}
	}
	end := len(strings.TrimRight(t.Str, "\n"))
	return t.Span(strings.LastIndexByte(t.Str[:end], '\n')+1, end)
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
	lines int // in run.lines
	at    place
}

// atom is one hunk of one place. Those that are one change are a group, which
// the one that was met first stands for; see groups.go.
type atom struct {
	hunk
	lines int
	n     int // its index in run.pieces
	of    *atom
	group *group
	edit  *prompt.Edit
}

// occurrence is an atom in a change: in the text around the items, or in one.
type occurrence struct {
	*atom
	item       int    // index in the frame of the base, -1 for around
	name       string // of that item
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
	lines, known := r.lines[b.String()]
	if !known {
		lines = len(r.lines)
		r.lines[b.String()] = lines
	}
	key := atomKey{lines, h.key}
	if h.key == (place{}) && h.plain() {
		// From nowhere, and nothing that would tell it from any other.
		key.at.start = -1 - len(r.changed)
	}
	a := r.atoms[key]
	if a == nil {
		a = &atom{hunk: h, lines: lines, n: len(r.pieces)}
		r.atoms[key] = a
		r.pieces = append(r.pieces, a)
	}
	c.atoms = append(c.atoms, occurrence{atom: a, item: item, name: name, start: h.start, end: h.end})
}

// plain reports whether lines have no word: blank ones, rules and fences, which
// stand everywhere.
func (h *hunk) plain() bool {
	return !slices.ContainsFunc(h.Lines, func(l prompt.HunkLine) bool {
		return strings.ContainsFunc(l.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}
