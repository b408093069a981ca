package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// quoteWidth is the number of columns a quoted source line may take: what
// fits a common terminal beside the gutter.
const quoteWidth = 100

// nearby is how many bytes of a line are looked at on either side of a caret:
// more than any window shows, and little enough that a line of many megabytes
// costs nothing.
const nearby = 4096

// Excerpt writes the source line of a place with its number, and a caret line
// below. A file without text has nothing to show.
func (p *Printer) Excerpt(at diag.Span) {
	if !at.Known() || at.File.Text == "" {
		return
	}
	number := at.File.LineAt(at.Start)
	source, caret := p.Quote(at, quoteWidth)
	p.Line(p.Paint(Dim, fmt.Sprintf("%5d |", number)), " ", source)
	p.Line(p.Paint(Dim, strings.Repeat(" ", max(5, len(strconv.Itoa(number))))+" |"), " ", p.Paint(Red, caret))
}

// Quote gives the line of a place as a terminal may get it, at most width
// columns of it, and the line that points at the place.
func (p *Printer) Quote(at diag.Span, width int) (source, caret string) {
	text := at.File.Text
	start := min(max(at.Start, 0), len(text))
	begin := strings.LastIndexByte(text[:start], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	stop := min(max(at.End, start), end)

	left, right := RuneStart(text, max(begin, start-nearby)), RuneStart(text, min(end, start+nearby))
	line := Cells(maskedLine(at.File, left, right))
	expandTabs(line)
	first, last := reach(line, start-left, stop-left)
	return window(line, first, last, width, left > begin, right < end)
}

// RuneStart moves an offset back to where its code point begins.
func RuneStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// reach gives the cells [first, last) that hold the bytes [start, stop);
// both are len(line) for a place behind the last character.
func reach(line []Cell, start, stop int) (first, last int) {
	for first < len(line) && line[first].to <= start {
		first++
	}
	last = first
	for last < len(line) && line[last].from < stop {
		last++
	}
	return first, last
}

// window writes as many cells around the place as fit, with an ellipsis where
// some are left out, and the caret below the place.
func window(line []Cell, first, last, width int, cutLeft, cutRight bool) (source, caret string) {
	from := 0
	if cutLeft || span(line[:min(last+1, len(line))]) > width {
		// A third of the window before the place tells where it stands.
		from = first
		for from > 0 && span(line[from-1:first]) <= width/3 {
			from--
		}
	}
	before, after := "", ""
	if cutLeft || from > 0 {
		before, width = "…", width-1
	}
	to := len(line)
	if cutRight || span(line[from:]) > width {
		after = "…"
		to = from + fitting(line[from:], width-1)
	}
	var b strings.Builder
	for _, c := range line[from:to] {
		b.WriteString(c.Text)
	}
	indent := utf8.RuneCountInString(before) + span(line[from:first])
	length := max(1, span(line[first:max(first, min(last, to))]))
	return before + b.String() + after, strings.Repeat(" ", indent) + "^" + strings.Repeat("~", length-1)
}

// fitting counts the leading cells that take at most width columns together.
func fitting(line []Cell, width int) int {
	for i, c := range line {
		if width -= c.width; width < 0 {
			return i
		}
	}
	return len(line)
}

// span gives the columns of some cells.
func span(line []Cell) int {
	n := 0
	for _, c := range line {
		n += c.width
	}
	return n
}

const (
	// MaxHunkLines is how many lines of one file's difference are printed
	// before the rest is counted.
	MaxHunkLines = 200
	// MaxLine is the length in bytes from which a line of a difference is
	// shown around what differs only.
	MaxLine = 1000
	// keptAround is what such a line keeps on either side, in bytes.
	keptAround = 120
)

// Shorten keeps the start of a very long line, and counts the characters that it
// leaves out.
func Shorten(text string) string {
	if len(text) <= MaxLine {
		return text
	}
	_, to := KeptPart(text, 0)
	return text[:to] + Omitted(text[to:])
}

// Omitted says how much of a text is left out.
func Omitted(text string) string {
	if text == "" {
		return ""
	}
	return "…(" + Count(utf8.RuneCountInString(text), "more character") + ")…"
}

// CellText keeps a text within one cell of a Markdown table.
func CellText(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// KeptPart gives the part of a very long line that is worth showing.
func KeptPart(text string, at int) (from, to int) {
	return RuneStart(text, max(0, at-keptAround)), RuneStart(text, min(len(text), at+MaxLine-keptAround))
}

// FirstDifference gives the offset of the first byte of b that differs from
// a, at the start of its code point.
func FirstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return RuneStart(b, i)
		}
	}
	return RuneStart(b, n)
}
