package lint

import (
	"slices"
	"sort"
	"strings"
)

// openings are words by which a sentence speaks of a file on the disk, which
// need not be in the prompt.
var openings = []string{
	"read", "open", "cat", "edit", "write", "create", "update", "load", "save", "add", "keep", "put", "change", "generate", "insert", "append", "copy", "rename",
	"delete", "commit", "found", "documented",
}

// onDisk reports whether a text speaks of a file as of one on the disk, or of
// such files as such.
func (m mention) onDisk() bool {
	row := sort.Search(len(m.in.lines), func(i int) bool { return m.in.lines[i].end >= m.start })
	line := m.in.lines[row]
	text := m.in.text[line.start:line.end]
	if headingLevel(text) > 0 || underlinedLevel(m.in.text, m.in.lines, row) > 0 {
		return true
	}
	before, after := m.in.text[max(line.start, m.start-sides):m.start], m.in.text[m.end:min(line.end, m.end+sides)]
	if linked(before, after) || enumerated(before, after) {
		return true
	}
	before, after = m.in.sentence(m.start, m.end)
	before, after = strings.ToLower(before), strings.ToLower(after)
	switch next := strings.TrimLeft(after, quotes); {
	case strings.HasPrefix(next, " above"), strings.HasPrefix(next, " below"):
		return false
	case strings.HasPrefix(next, " is a "), strings.HasPrefix(strings.TrimLeft(before, " "), "what is "):
		return true
	}
	words := strings.FieldsFunc(before+" "+after, func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(openings, w) })
}

// linked reports whether a place is in the label or the target of a link.
func linked(before, after string) bool {
	open, end := strings.LastIndexByte(before, '['), strings.IndexByte(after, ']')
	label := open > strings.LastIndexByte(before, ']') && end >= 0 && end+1 < len(after) && (after[end+1] == '(' || after[end+1] == '[')
	return label || strings.LastIndex(before, "](") > strings.LastIndexByte(before, ')') || strings.HasSuffix(strings.TrimRight(before, " ./<"), "]:")
}

// enumerated reports whether a name stands in a list of names: as what an item
// or a row begins with, in a tree, or in quotes between commas.
func enumerated(before, after string) bool {
	if strings.HasSuffix(before, "─ ") {
		return true
	}
	if rest, quoted := strings.CutPrefix(after, `"`); quoted && (strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "]")) {
		return true
	}
	lead := strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(before, "`_\"“ "), "**"))
	if lead == "|" {
		return true
	}
	if !isItem(lead+" ") || len(strings.TrimLeft(lead, "0123456789")) > 1 {
		return false
	}
	rest := strings.TrimSpace(strings.TrimLeft(after, quotes))
	return rest == "" || slices.ContainsFunc([]string{":", "-", "–", "—", ",", "(", "#", "→"}, func(s string) bool { return strings.HasPrefix(rest, s) })
}
