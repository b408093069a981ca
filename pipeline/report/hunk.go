package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
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

// hunk is a run of lines that differ, with the lines around it.
type hunk struct {
	// heading is the nearest Markdown heading above, "" for none.
	heading string
	// at is the number of the first differing line in the new text.
	at    int
	lines []hunkLine
}

// hunkLine is a line with ' ', '-' or '+' in front of it.
type hunkLine struct {
	sign byte
	text string // without its line break
	open bool   // has no line break
}

// hunks gives what differs between two texts.
func hunks(before, after string, context int) []hunk {
	diff, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), context)
	if err != nil {
		// Only edits out of order are refused, and these are the library's
		// own. One hunk for the whole says the same with more lines.
		return []hunk{{at: 1, lines: append(whole('-', before), whole('+', after)...)}}
	}
	source := strings.Split(before, "\n")
	shift := 0 // how many lines the new text has more, so far
	var out []hunk
	for _, h := range diff.Hunks {
		var made hunk
		lead := len(h.Lines)
		for i, l := range h.Lines {
			sign := byte(' ')
			switch l.Kind {
			case udiff.Delete:
				sign = '-'
			case udiff.Insert:
				sign = '+'
			case udiff.Equal:
			}
			if sign != ' ' {
				lead = min(lead, i)
			}
			made.lines = append(made.lines, oneLine(sign, l.Content))
		}
		first := min(h.FromLine-1+lead, len(source))
		made.at = first + shift + 1
		made.heading = headingAbove(source[:first])
		shift += added(made.lines)
		out = append(out, made)
	}
	return out
}

func oneLine(sign byte, text string) hunkLine {
	cut, closed := strings.CutSuffix(text, "\n")
	return hunkLine{sign: sign, text: cut, open: !closed}
}

func whole(sign byte, text string) []hunkLine {
	var out []hunkLine
	for line := range strings.Lines(text) {
		out = append(out, oneLine(sign, line))
	}
	return out
}

// added gives how many lines more the new side has.
func added(lines []hunkLine) int {
	n := 0
	for _, l := range lines {
		switch l.sign {
		case '+':
			n++
		case '-':
			n--
		}
	}
	return n
}

// headingAbove gives the last Markdown heading of some lines, leaving out
// those inside a fenced block, where `#` begins a comment.
func headingAbove(lines []string) string {
	heading, fence := "", ""
	for _, l := range lines {
		l = strings.TrimRight(l, " \t\r")
		bare := strings.TrimLeft(l, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		case isHeading(l):
			heading = l
		}
	}
	return heading
}

func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	marks := len(line) - len(rest)
	return marks >= 1 && marks <= 6 && strings.HasPrefix(rest, " ")
}

// difference writes what differs between two texts, indented by two.
func (p *page) difference(before, after string) {
	if strings.ReplaceAll(before, "\r\n", "\n") == after {
		p.line("  only the line ends differ: the file has CRLF, a build writes LF (.gitattributes: snapshots/** text eol=lf)")
		return
	}
	room, left := maxHunkLines, 0
	for _, h := range hunks(before, after, 1) {
		if room == 0 {
			left += len(h.lines)
			continue
		}
		title := h.heading
		if title == "" {
			title = fmt.Sprintf("line %d", h.at)
		}
		p.line("  ", p.paint(cyan, "@@ "+clean(shorten(title, 0))+" @@"))
		shown := min(room, len(h.lines))
		starts := differences(h.lines)
		for i, l := range h.lines[:shown] {
			p.hunkLine(l, starts[i])
		}
		room -= shown
		left += len(h.lines) - shown
	}
	if left > 0 {
		p.line("  … ", count(left, "more line"), " of this difference")
	}
}

func (p *page) hunkLine(l hunkLine, start int) {
	text := string(l.sign) + clean(shorten(l.text, start))
	switch l.sign {
	case '-':
		text = p.paint(red, text)
	case '+':
		text = p.paint(green, text)
	}
	if l.sign == ' ' && l.text == "" {
		p.line()
	} else {
		// Blanks at the end may be the very change, so nothing is trimmed.
		p.WriteString("  " + text + "\n")
	}
	if l.open {
		p.line("  \\ no line break at the end")
	}
}

// differences gives for each line the byte from which it differs from its
// counterpart on the other side, 0 where it has none.
func differences(lines []hunkLine) []int {
	out := make([]int, len(lines))
	for i := 0; i < len(lines); {
		gone := i
		for gone < len(lines) && lines[gone].sign == '-' {
			gone++
		}
		come := gone
		for come < len(lines) && lines[come].sign == '+' {
			come++
		}
		for k := 0; i+k < gone && gone+k < come; k++ {
			at := firstDifference(lines[i+k].text, lines[gone+k].text)
			out[i+k], out[gone+k] = runeStart(lines[i+k].text, min(at, len(lines[i+k].text))), at
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
