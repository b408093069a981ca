package report

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// longLeaf is the number of columns from which both sides of a value stand on
// lines of their own, so that the words that differ can be marked.
const longLeaf = 60

// maxLeaves is how many places of a tool stand in an annotation.
const maxLeaves = 5

// body writes the lines of an edit: its leaves, and those of its hunks.
func (p *diffPage) body(e *prompt.Edit) {
	if p.leaves(e.Leaves); cameOrWent(e.Kind) {
		p.folded(e)
		return
	}
	for _, l := range p.hunkLines(e, maxHunkLines, func(string) int { return 1 }) {
		// Blanks at the end may be the very change, so nothing is trimmed.
		p.WriteString("  " + l + "\n")
	}
}

// changed writes what differs in a file: of a tool the places of its
// definition, of anything else the lines.
func (p *diffPage) changed(c *change) {
	if leaves := c.leaves; len(leaves) > 0 {
		p.leaves(leaves)
		return
	}
	p.difference(c.Old, c.Output.Content())
}

// leaves writes the places of a tool's definition that differ.
func (p *diffPage) leaves(all []prompt.Leaf) {
	room, left := maxHunkLines, 0
	for _, leaf := range all {
		for _, l := range p.leaf(leaf) {
			if room--; room < 0 {
				left++
				continue
			}
			p.WriteString("  " + l + "\n")
		}
	}
	if left > 0 {
		p.line("  … ", count(left, "more line"))
	}
}

// someLeaves writes the first places for a message, and counts the others.
func (p *diffPage) someLeaves(all []prompt.Leaf) []string {
	var lines []string
	for _, l := range all[:min(maxLeaves, len(all))] {
		lines = append(lines, p.leaf(l)...)
	}
	if left := len(all) - maxLeaves; left > 0 {
		lines = append(lines, "… "+count(left, "more place"))
	}
	return lines
}

// leaf writes one place of a tool's definition that differs, and by which code
// points where nobody could see it.
func (p *diffPage) leaf(l prompt.Leaf) []string {
	lines := p.values(l)
	if l.From != "" && l.To != "" {
		if told := sameLooks(l.From, l.To); told != "" {
			lines = append(lines, "  they look the same: "+told)
		}
	}
	return lines
}

// values writes both sides of a place. Long ones stand one below the other.
func (p *diffPage) values(l prompt.Leaf) []string {
	name := clean(shorten(l.Path, 0))
	from, to := clean(shorten(l.From, 0)), clean(shorten(l.To, 0))
	switch {
	case l.From == "":
		return []string{name + " added: " + p.paint(green, to)}
	case l.To == "":
		return []string{name + " removed: " + p.paint(red, from)}
	case columns(from)+columns(to) <= longLeaf:
		return []string{name + ": " + p.paint(red, from) + " → " + p.paint(green, to)}
	default:
		lines := []prompt.HunkLine{{Sign: '-', Text: l.From}, {Sign: '+', Text: l.To}}
		return append([]string{name + ":"}, p.hunk(prompt.Hunk{Lines: lines})...)
	}
}

// endsOtherwise reports whether a line stands on the other side with the same
// text, so that the line break behind it is all that differs.
func endsOtherwise(all []prompt.HunkLine, i int) bool {
	for _, l := range all {
		if l.Sign != all[i].Sign && l.Open != all[i].Open && l.Text == all[i].Text {
			return true
		}
	}
	return false
}

// wordMarks gives for each line the parts that differ from its counterpart, in
// the order of the lines: the first that is gone and the first that came are
// counterparts, and so on.
func wordMarks(all []prompt.HunkLine) [][]textdiff.Range {
	out := make([][]textdiff.Range, len(all))
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
			if from, to, ok := textdiff.Words(all[i+k].Text, all[gone+k].Text); ok {
				out[i+k], out[gone+k] = phrases(all[i+k].Text, from), phrases(all[gone+k].Text, to)
			}
		}
		i = max(come, i+1)
	}
	return out
}

// phrases joins marks between which there are only blanks: words that follow
// one another read as one.
func phrases(text string, marks []textdiff.Range) []textdiff.Range {
	var out []textdiff.Range
	for _, m := range marks {
		if n := len(out); n > 0 && strings.TrimSpace(text[out[n-1].End:m.Start]) == "" {
			out[n-1].End = m.End
			continue
		}
		out = append(out, m)
	}
	return out
}

// markedLine writes one line of a hunk. Of a very long one it keeps what is
// around the first difference.
func (p *diffPage) markedLine(l prompt.HunkLine, marks []textdiff.Range, start int) string {
	tone, strong, open, end := red, redMark, "[-", "-]"
	if l.Sign == '+' {
		tone, strong, open, end = green, greenMark, "{+", "+}"
	}
	if p.opt.Color {
		open, end = "", ""
	}
	from, to := keptPart(l.Text, start)
	var b strings.Builder
	plain := func(text string) {
		if l.Sign == ' ' {
			b.WriteString(text)
			return
		}
		b.WriteString(p.paint(tone, text))
	}
	plain(string(l.Sign) + omitted(l.Text[:from]))
	at := from
	for _, m := range marks {
		s, e := min(max(m.Start, at), to), min(max(m.End, at), to)
		if s == e {
			continue
		}
		plain(clean(l.Text[at:s]))
		b.WriteString(p.paint(strong, open+clean(l.Text[s:e])+end))
		at = e
	}
	plain(clean(l.Text[at:to]) + omitted(l.Text[to:]))
	return b.String()
}

// keptPart gives the part of a very long line that is worth showing.
func keptPart(text string, at int) (from, to int) {
	if len(text) <= maxLine {
		return 0, len(text)
	}
	return runeStart(text, max(0, at-keptAround)), runeStart(text, min(len(text), at+maxLine-keptAround))
}
