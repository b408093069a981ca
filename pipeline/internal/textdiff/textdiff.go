// Package textdiff compares texts by lines, and lines by words. It is the home of
// the library that does.
package textdiff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Hunks gives what differs between two texts, with some lines of context on
// either side.
func Hunks(before, after string, context int) []prompt.Hunk {
	diff, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), context)
	if err != nil {
		// Only edits out of order are refused, and these are the library's
		// own. One hunk for the whole says the same with more lines.
		return []prompt.Hunk{{Line: 1, Lines: append(whole('-', before), whole('+', after)...)}}
	}
	source := strings.Split(before, "\n")
	shift := 0 // how many lines the new text has more, so far
	var out []prompt.Hunk
	for _, h := range diff.Hunks {
		var made prompt.Hunk
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
			made.Lines = append(made.Lines, oneLine(sign, l.Content))
		}
		first := min(h.FromLine-1+lead, len(source))
		made.Line = first + shift + 1
		made.Heading = headingAbove(source[:first])
		shift += added(made.Lines)
		out = append(out, made)
	}
	return out
}

func oneLine(sign byte, text string) prompt.HunkLine {
	cut, closed := strings.CutSuffix(text, "\n")
	return prompt.HunkLine{Sign: sign, Text: cut, Open: !closed}
}

func whole(sign byte, text string) []prompt.HunkLine {
	var out []prompt.HunkLine
	for line := range strings.Lines(text) {
		out = append(out, oneLine(sign, line))
	}
	return out
}

// added gives how many lines more the new side has.
func added(lines []prompt.HunkLine) int {
	n := 0
	for _, l := range lines {
		switch l.Sign {
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
