package lint

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mdLine is a line of Markdown, without its line break.
type mdLine struct {
	start, end int
	// code says that it belongs to a fence, its marks included.
	code bool
}

// mdLines cuts a text into lines and follows its fences, however deep in lists
// they stand. One that is never closed ends with the text.
func mdLines(s string) []mdLine {
	out := make([]mdLine, 0, 1+strings.Count(s, "\n"))
	mark := ""
	for start := 0; start <= len(s); {
		end := len(s)
		if i := strings.IndexByte(s[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := mdLine{start, end, mark != ""}
		fence, info := fenceOf(s[start:end])
		switch {
		case mark == "" && fence != "":
			mark, line.code = fence, true
		case mark != "" && strings.HasPrefix(fence, mark) && info == "":
			mark = ""
		}
		out = append(out, line)
		start = end + 1
	}
	return out
}

// fenceOf gives the marks that a line begins with, if they open or close a
// fence, and what follows them.
func fenceOf(line string) (marks, info string) {
	line = strings.TrimLeft(line, " \t>")
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return "", ""
	}
	rest := strings.TrimLeft(line, line[:1])
	info = strings.TrimSpace(rest)
	if line[0] == '`' && strings.Contains(info, "`") {
		return "", "" // a code span
	}
	return line[:len(line)-len(rest)], info
}

// codeSpans gives the code spans of a line, with their backticks.
func codeSpans(line string) [][2]int {
	type run struct{ start, end int }
	var runs []run
	left := map[int]int{} // how many runs of a length are not yet passed
	for i := 0; i < len(line); {
		if line[i] != '`' {
			i++
			continue
		}
		start := i
		for i < len(line) && line[i] == '`' {
			i++
		}
		runs = append(runs, run{start, i})
		left[i-start]++
	}
	var out [][2]int
	for k := 0; k < len(runs); k++ {
		n := runs[k].end - runs[k].start
		if left[n]--; left[n] == 0 {
			continue // nothing closes it
		}
		for open := runs[k]; ; {
			k++
			if m := runs[k].end - runs[k].start; m != n {
				left[m]--
				continue
			}
			left[n]--
			out = append(out, [2]int{open.start, runs[k].end})
			break
		}
	}
	return out
}

// within reports whether a place is in one of some ranges, which ascend.
func within(ranges [][2]int, i int) bool {
	next := sort.Search(len(ranges), func(k int) bool { return ranges[k][1] > i })
	return next < len(ranges) && ranges[next][0] <= i
}

// headingLevel gives the level of a Markdown heading with a text, 0 for any
// other line. One that is indented is a comment in code more often.
func headingLevel(line string) int {
	title := strings.TrimLeft(line, "#")
	level := len(line) - len(title)
	if level == 0 || level > 6 || title == "" || title[0] != ' ' && title[0] != '\t' || strings.Trim(title, " \t#") == "" {
		return 0
	}
	return level
}

// underlinedLevel gives the level of a heading that the line below it underlines,
// 0 for any other line. It stands by itself, and reads like a title: a rule under
// a sentence is a rule.
func underlinedLevel(s string, lines []mdLine, i int) int {
	const longest = 60
	if i+1 == len(lines) || lines[i+1].code {
		return 0
	}
	title, marks := s[lines[i].start:lines[i].end], strings.TrimRight(s[lines[i+1].start:lines[i+1].end], " \t\r")
	level := 0
	switch {
	case len(marks) > 1 && strings.Trim(marks, "=") == "":
		level = 1
	case len(marks) > 2 && strings.Trim(marks, "-") == "":
		level = 2
	default:
		return 0
	}
	above := ""
	if i > 0 {
		above = strings.TrimSpace(s[lines[i-1].start:lines[i-1].end])
	}
	n := utf8.RuneCountInString(title)
	if above != "" || n > longest || n-len(marks) > 3 || len(marks)-n > 3 || !isTitle(title) {
		return 0
	}
	return level
}

// isTitle reports whether a line is a few words without an end, and neither an
// item nor a quotation.
func isTitle(line string) bool {
	line = strings.TrimSpace(line)
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	return unicode.IsLetter(first) && !strings.ContainsRune(".:;!?,…。", last)
}

// nesting follows the items of lists that a line may belong to: where the text of
// each begins.
type nesting []int

// indented takes the next line, outside of fences, and reports whether it is
// indented like code: by four blanks more than the text of the item that it is
// in.
func (in *nesting) indented(line string) bool {
	text := strings.TrimLeft(line, " \t>")
	if text == "" {
		return false
	}
	column := columns(line[:len(line)-len(text)])
	for n := len(*in); n > 0 && column < (*in)[n-1]; n-- {
		*in = (*in)[:n-1]
	}
	base := 0
	if n := len(*in); n > 0 {
		base = (*in)[n-1]
	}
	code := column >= base+4
	if isItem(text) && !code {
		mark := strings.IndexByte(text, ' ')
		blanks := len(text[mark:]) - len(strings.TrimLeft(text[mark:], " "))
		if blanks > 4 {
			blanks = 1
		}
		*in = append(*in, column+mark+blanks)
	}
	return code
}

// columns gives the width of an indentation.
func columns(blanks string) int {
	n := 0
	for _, c := range blanks {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}
