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
	right = strings.TrimLeft(right, " ")
	verbs := wrapped(said.verb.text(), columns(head), p.columns())
	first, rest := verbs[0], verbs[1:]
	taken := columns(head) + columns(first)
	line := []string{p.paint(bold, head), p.paint(said.tone, first)}
	for _, verb := range rest {
		p.line(line...)
		line, taken = []string{"    ", p.paint(said.tone, verb)}, len("    ")+columns(verb)
	}
	room := p.columns() - taken - columns(right)
	switch {
	case right == "":
	case room >= leastGap && len(rest) > 0:
		line = append(line, strings.Repeat(" ", leastGap), right)
	case room >= leastGap:
		line = append(line, strings.Repeat(" ", max(min(placeColumn-taken, room), leastGap)), right)
	default:
		p.line(line...)
		line = []string{"  ", right}
	}
	p.line(line...)
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
