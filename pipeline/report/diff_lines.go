package report

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// shownLine is one line of a hunk as it is printed, on its side.
type shownLine struct {
	sign byte
	text string
}

// perSide are amounts of what is gone ('-') and of everything else.
type perSide [2]int

func sideOfLine(sign byte) int {
	if sign == '-' {
		return 0
	}
	return 1
}

// rooms shares what room there is between two sides: each has half, and what
// the other leaves of its own.
func rooms(all int, want perSide) perSide {
	half := all / 2
	return perSide{
		min(want[0], max(half, all-want[1])),
		min(want[1], max(half, all-want[0])),
	}
}

// hunkLines gives the hunks of an edit, each with its title. Each side is cut by
// itself, so that of a text that is replaced by another the beginning of both
// is there. cost says what a line takes of the room.
func (p *diffPage) hunkLines(e *prompt.Edit, room int, cost func(string) int) []string {
	hunks := make([][]shownLine, len(e.Hunks))
	var want perSide
	for i, h := range e.Hunks {
		hunks[i] = p.shownLines(h)
		for _, l := range hunks[i] {
			want[sideOfLine(l.sign)] += cost(l.text)
		}
	}
	c := cutter{room: rooms(room, want), cost: cost}
	var out []string
	later := 0
	for i, lines := range hunks {
		shown, left := c.cut(lines)
		if len(shown) == 0 {
			later += left
			continue
		}
		out = append(append(out, p.paint(cyan, "@@ "+p.hunkTitle(e, e.Hunks[i])+" @@")), shown...)
	}
	if later > 0 {
		out = append(out, "… "+count(later, "more line"))
	}
	return out
}

// cutter keeps the lines for which there is room.
type cutter struct {
	room   perSide
	closed [2]bool
	cost   func(string) int
}

// cut gives the lines of a hunk for which there is room, and in the place of
// others how many they are. Where it keeps none, left counts them.
func (c *cutter) cut(lines []shownLine) (shown []string, left int) {
	kept, skipped := 0, 0
	for i, l := range lines {
		side := sideOfLine(l.sign)
		if n := c.cost(l.text); c.closed[side] || n > c.room[side] {
			c.closed[side] = true
			skipped++
		} else {
			c.room[side] -= n
			shown, kept = append(shown, l.text), kept+1
		}
		if skipped > 0 && (i+1 == len(lines) || sideOfLine(lines[i+1].sign) != side) {
			shown = append(shown, "… "+count(skipped, "more line"))
			left, skipped = left+skipped, 0
		}
	}
	if kept == 0 {
		return nil, left
	}
	return shown, left
}

// hunkTitle says where a hunk stands: the heading above it, and the line of its
// source where the place of the edit is not that.
func (p *diffPage) hunkTitle(e *prompt.Edit, h prompt.Hunk) string {
	heading := clean(shorten(h.Heading, 0))
	if !h.At.Known() {
		if e.At.Known() {
			return cmp.Or(heading, "line "+itoa(h.Line)+" of the text")
		}
		return cmp.Or(heading, "line "+itoa(h.Line))
	}
	line := h.At.File.LineAt(h.At.Start)
	where := "line " + itoa(line)
	sameFile := e.At.Known() && e.At.File.Path == h.At.File.Path
	if sameFile && e.InBase == h.InBase {
		if first := e.At.File.LineAt(e.At.Start); first == line {
			return cmp.Or(heading, where)
		}
	}
	if !sameFile {
		on := newPage(p.side(h.InBase))
		where = on.lineOf(h.At)
	}
	if h.InBase && (!e.InBase || !sameFile) && (sameFile || p.opt.Against == "") {
		where += " in " + clean(p.d.Base.Name)
	}
	if heading == "" {
		return where
	}
	return where + ": " + heading
}

// shownLines gives the lines of a hunk, with the words marked that differ where
// a line came of another.
func (p *diffPage) shownLines(h prompt.Hunk) []shownLine {
	h.Lines = slices.Clone(h.Lines)
	for i := range h.Lines { // before marks stand in a key
		h.Lines[i].Text = p.mask(h.Lines[i].Text)
	}
	marks, starts := wordMarks(h.Lines), differences(h.Lines)
	if p.unmarked {
		clear(marks)
	}
	var out []shownLine
	for i, l := range h.Lines {
		out = append(out, shownLine{l.Sign, p.markedLine(l, marks[i], starts[i])})
		if l.Open && endsOtherwise(h.Lines, i) {
			out = append(out, shownLine{l.Sign, `\ no line break at the end`})
		}
	}
	return out
}

// hunk gives the lines of a hunk, all of them.
func (p *diffPage) hunk(h prompt.Hunk) []string {
	var out []string
	for _, l := range p.shownLines(h) {
		out = append(out, l.text)
	}
	return out
}
