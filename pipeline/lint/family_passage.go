package lint

import (
	"sort"
	"strings"
)

// passage is a text with its lines.
type passage struct {
	text  string
	lines []mdLine
}

// sides is how many bytes of a sentence on either side of a place are looked at.
const sides = 200

// sentence gives what stands before and behind a place in its sentence, which
// goes on over the line breaks of a paragraph.
func (p passage) sentence(start, end int) (before, after string) {
	row := sort.Search(len(p.lines), func(i int) bool { return p.lines[i].end >= start })
	first, last := row, row
	for first > 0 && start-p.lines[first].start < sides && p.goesOn(first) {
		first--
	}
	for last+1 < len(p.lines) && p.lines[last].end-end < sides && p.goesOn(last+1) {
		last++
	}
	before = p.text[max(p.lines[first].start, start-sides):start]
	after = p.text[end:min(p.lines[last].end, end+sides)]
	before, after = oneLine(before), oneLine(after)
	for _, stop := range []string{". ", "! ", "? ", "; ", "。"} {
		if i := strings.LastIndex(before, stop); i >= 0 {
			before = before[i+len(stop):]
		}
		after, _, _ = strings.Cut(after, stop)
	}
	return before, after
}

func oneLine(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "’", "'")
}

// goesOn reports whether a line goes on with what the line above it says.
func (p passage) goesOn(row int) bool {
	line, above := p.lines[row], p.lines[row-1]
	said := strings.TrimSpace(p.text[above.start:above.end])
	text := strings.TrimSpace(p.text[line.start:line.end])
	return !line.code && !above.code && text != "" && said != "" && !isItem(text) && strings.IndexByte("#|<", text[0]) < 0 && strings.IndexByte("#|", said[0]) < 0
}

// isItem reports whether a line without its indentation begins an item of a
// list.
func isItem(text string) bool {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 && digits < 4 {
		text = text[digits:]
		return strings.HasPrefix(text, ". ") || strings.HasPrefix(text, ") ")
	}
	return len(text) > 1 && strings.IndexByte("-*+", text[0]) >= 0 && text[1] == ' '
}

// lists follows what stands above the items of lists while a text is read.
type lists struct {
	// plain is where the colon of a paragraph stands, and item that of an item
	// of this indentation; 0 for none.
	plain, item, indent int
}

// next takes the next line and gives where the colon above it stands, if it
// belongs to a list.
func (l *lists) next(text string, at int) (intro int) {
	inner := strings.TrimLeft(text, " \t>")
	if inner == "" {
		return 0
	}
	indent, item := len(text)-len(inner), isItem(inner)
	end := strings.TrimRight(text, " \t\r*_")
	colon := 0
	if strings.HasSuffix(end, ":") {
		colon = at + len(end) - 1
	}
	if !item && indent == 0 {
		l.plain, l.item = colon, 0
		return 0
	}
	if item && indent <= l.indent {
		l.item = 0
	}
	if intro = l.item; intro == 0 {
		intro = l.plain
	}
	if item && colon > 0 {
		l.item, l.indent = colon, indent
	}
	return intro
}
