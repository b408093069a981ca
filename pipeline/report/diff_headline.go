package report

import "strings"

const (
	// diffWidth is the number of columns that a headline may take where nobody
	// says how many there are: those of a narrow terminal.
	diffWidth = 80
	// leastGap is the room between what changed and its place.
	leastGap = 3
)

// columns gives the number of columns that a headline may take.
func (p *diffPage) columns() int {
	if p.opt.Width <= 0 {
		return diffWidth
	}
	return p.opt.width()
}

// headline writes what changed, and at its right its place and size: on a line
// of their own where the two are too long for one.
func (p *diffPage) headline(said saying, id, right string) {
	head := said.what.text()
	if id != "" {
		head = id + "  " + head
	}
	verb := said.verb.text()
	left := columns(head) + columns(verb)
	verbs := wrapped(verb, columns(head), p.columns())
	room := p.columns() - left - columns(strings.TrimLeft(right, " "))
	gap := ""
	if right != "" && room >= leastGap && len(verbs) == 1 {
		gap, right = strings.Repeat(" ", max(min(placeColumn-left, room), leastGap)), strings.TrimLeft(right, " ")
		p.line(p.paint(bold, head), p.paint(said.tone, verb), gap, right)
		return
	}
	p.line(p.paint(bold, head), p.paint(said.tone, verbs[0]))
	for _, line := range verbs[1:] {
		p.line("    ", p.paint(said.tone, line))
	}
	if right != "" {
		p.line("  ", strings.TrimLeft(right, " "))
	}
}

// wrapped breaks a text at blanks, so that its first line ends at a width and
// the others, which are indented by four, do as well.
func wrapped(text string, taken, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.SplitAfter(text, " ") {
		if line != "" && taken+columns(line)+columns(strings.TrimRight(word, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, taken = "", len("    ")
		}
		line += word
	}
	return append(lines, line)
}
