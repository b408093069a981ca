// Package textdiff compares texts by lines, and lines by words. It is the home of
// the library that does.
package textdiff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/review"
)

// Hunks gives what differs between two texts, with some lines of context on
// either side.
func Hunks(before, after string, context int) []review.Hunk {
	// Only edits out of order are refused, and these are the library's own.
	diff, _ := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), context)
	headings := markdown.Headings(before)
	shift := 0 // how many lines the new text has more, so far
	var out []review.Hunk
	for _, h := range diff.Hunks {
		var made review.Hunk
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
			made.Lines = append(made.Lines, Line(sign, l.Content))
		}
		first := min(h.FromLine-1+lead, len(headings)-1)
		made.Line = first + shift + 1
		made.Heading = headings[first]
		shift += added(made.Lines)
		out = append(out, made)
	}
	return out
}

// Line gives a line of a text with its sign.
func Line(sign byte, text string) review.HunkLine {
	cut, closed := strings.CutSuffix(text, "\n")
	return review.HunkLine{Sign: sign, Text: cut, Open: !closed}
}

// added gives how many lines more the new side has.
func added(lines []review.HunkLine) int {
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

// Range is the part [Start, End) of a line, in bytes.
type Range struct{ Start, End int }

// maxWords is the number of words of a line from which it is not compared word
// by word: nobody writes such lines, and the work grows faster than the line.
const maxWords = 2000

// Words gives the parts of two lines that differ, by words. Lines that share
// less than half of what they say are two lines rather than an edited one:
// then ok is false, and there is nothing to mark.
func Words(before, after string) (gone, come []Range, ok bool) {
	a, b := words(before), words(after)
	if len(a) > maxWords || len(b) > maxWords {
		return nil, nil, false
	}
	// Over one word a line, the difference by lines is the one by words.
	x, y := oneALine(a), oneALine(b)
	at, same := 0, 0
	ends, starts := offsets(a), offsets(b)
	shift := 0
	for _, e := range udiff.Lines(x, y) {
		from, to := strings.Count(x[:e.Start], "\n"), strings.Count(x[:e.End], "\n")
		n := strings.Count(e.New, "\n")
		same += ends[from] - ends[at]
		gone = grow(gone, Range{ends[from], ends[to]})
		come = grow(come, Range{starts[from+shift], starts[from+shift+n]})
		shift += n - (to - from)
		at = to
	}
	same += len(before) - ends[at]
	if 2*same < max(len(before), len(after)) {
		return nil, nil, false
	}
	return gone, come, true
}

// grow appends a range, joined with the one before it where they touch.
func grow(all []Range, r Range) []Range {
	switch n := len(all); {
	case r.Start == r.End:
		return all
	case n > 0 && all[n-1].End == r.Start:
		all[n-1].End = r.End
		return all
	default:
		return append(all, r)
	}
}

// words cuts a line into words, runs of blanks, and single other characters. A
// placeholder is one word, since half of one says nothing.
func words(line string) []string {
	var out []string
	for line != "" {
		r, size := utf8.DecodeRuneInString(line)
		n := size
		switch hole := placeholder(line); {
		case hole > 0:
			n = hole
		case inWord(r):
			n = end(line, inWord)
		case unicode.IsSpace(r):
			n = end(line, unicode.IsSpace)
		}
		out, line = append(out, line[:n]), line[n:]
	}
	return out
}

// maxPlaceholder is the length of a placeholder from which braces are only
// braces.
const maxPlaceholder = 200

// placeholder gives the length of the placeholder at the front of a line, as
// `{{name}}`; 0 where there is none.
func placeholder(line string) int {
	rest, opened := strings.CutPrefix(line, "{{")
	if !opened {
		return 0
	}
	n := strings.IndexAny(rest[:min(len(rest), maxPlaceholder)], "{}")
	if n <= 0 || !strings.HasPrefix(rest[n:], "}}") {
		return 0
	}
	return len("{{") + n + len("}}")
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// end gives the length of the run of characters at the front of a line.
func end(line string, in func(rune) bool) int {
	if n := strings.IndexFunc(line, func(r rune) bool { return !in(r) }); n >= 0 {
		return n
	}
	return len(line)
}

func oneALine(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(strings.ReplaceAll(w, "\n", " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// offsets gives where each word begins, and where the last ends.
func offsets(words []string) []int {
	out := make([]int, 1, len(words)+1)
	for _, w := range words {
		out = append(out, out[len(out)-1]+len(w))
	}
	return out
}
