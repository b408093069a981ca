package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

const (
	// maxHunkLines is how many lines of one file's difference are printed
	// before the rest is counted.
	maxHunkLines = 200
	// maxLine is the length in bytes from which a line of a difference is
	// shown around what differs only.
	maxLine = 1000
	// keptAround is what such a line keeps on either side, in bytes.
	keptAround = 120
)

// difference writes what differs between two texts, indented by two.
func (p *page) difference(before, after string) {
	if strings.ReplaceAll(before, "\r\n", "\n") == after {
		p.line("  only the line ends differ: the file has CRLF, a build writes LF (.gitattributes: snapshots/** -text)")
		return
	}
	room, left := maxHunkLines, 0
	for _, h := range textdiff.Hunks(before, after, 1) {
		if room == 0 {
			left += len(h.Lines)
			continue
		}
		title := h.Heading
		if title == "" {
			title = fmt.Sprintf("line %d", h.Line)
		}
		p.line("  ", p.paint(cyan, "@@ "+clean(shorten(title, 0))+" @@"))
		shown := min(room, len(h.Lines))
		starts := differences(h.Lines)
		for i, l := range h.Lines[:shown] {
			p.hunkLine(l, starts[i])
		}
		room -= shown
		left += len(h.Lines) - shown
	}
	if left > 0 {
		p.line("  … ", count(left, "more line"), " of this difference")
	}
}

func (p *page) hunkLine(l prompt.HunkLine, start int) {
	text := string(l.Sign) + clean(shorten(l.Text, start))
	switch l.Sign {
	case '-':
		text = p.paint(red, text)
	case '+':
		text = p.paint(green, text)
	}
	if l.Sign == ' ' && l.Text == "" {
		p.line()
	} else {
		// Blanks at the end may be the very change, so nothing is trimmed.
		p.WriteString("  " + text + "\n")
	}
	if l.Open {
		p.line("  \\ no line break at the end")
	}
}

// differences gives for each line the byte from which it differs from its
// counterpart on the other side, 0 where it has none.
func differences(all []prompt.HunkLine) []int {
	out := make([]int, len(all))
	for i := 0; i < len(all); {
		gone := i
		for gone < len(all) && all[gone].Sign == '-' {
			gone++
		}
		come := gone
		for come < len(all) && all[come].Sign == '+' {
			come++
		}
		for k := 0; i+k < gone && gone+k < come; k++ {
			at := firstDifference(all[i+k].Text, all[gone+k].Text)
			out[i+k], out[gone+k] = runeStart(all[i+k].Text, min(at, len(all[i+k].Text))), at
		}
		i = max(come, i+1)
	}
	return out
}

// shorten keeps of a very long line what is around a byte, and counts the
// characters that it leaves out.
func shorten(text string, at int) string {
	if len(text) <= maxLine {
		return text
	}
	from := runeStart(text, max(0, at-keptAround))
	to := runeStart(text, min(len(text), at+maxLine-keptAround))
	return omitted(text[:from]) + text[from:to] + omitted(text[to:])
}

func omitted(text string) string {
	if text == "" {
		return ""
	}
	return "…(" + count(utf8.RuneCountInString(text), "more character") + ")…"
}
