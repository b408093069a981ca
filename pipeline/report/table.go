package report

import (
	"slices"
	"strings"
)

// side says how the cells of a column stand.
type side int

const (
	toLeft  side = iota
	toRight      // for numbers
	// amount is a number with its noun: numbers to the right, nouns to the
	// left, and so are words without a number.
	amount
)

// table aligns cells by their width on a terminal. Cells hold clean text.
type table struct {
	rows  [][]string
	align []side
	least int // width of the first column
	// loose are rows whose first cell reaches over the empty ones behind it.
	loose []int
	// paint gives the style of a cell; nil paints none.
	paint func(row, column int, text string) string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the rows with gap blanks between columns, and none at the end
// of a line. A column that is empty in every row takes no room.
func (t *table) print(p *page, gap int) {
	numbers, widths := t.measure()
	if len(widths) > 0 {
		widths[0] = max(widths[0], t.least)
	}
	for i, row := range t.rows {
		var b strings.Builder
		owed := 0 // blanks before the next cell that is not empty
		for j, text := range row {
			if widths[j] == 0 {
				continue
			}
			before := 0
			switch t.side(j) {
			case toRight:
				before = widths[j] - columns(text)
			case amount:
				if n := figure(text); n > 0 {
					before = numbers[j] - n
				}
			case toLeft:
			}
			after := widths[j] - before - columns(text)
			if text != "" {
				b.WriteString(strings.Repeat(" ", max(0, owed+before)))
				if t.paint != nil {
					text = t.paint(i, j, text)
				}
				b.WriteString(text)
				owed, before = 0, 0
			}
			owed += before + after + gap
		}
		p.WriteString(b.String() + "\n")
	}
}

// shorten cuts the cells of the first column in the middle, where rows would be
// wider than a width.
func (t *table) shorten(width, gap int) {
	_, widths := t.measure()
	left := width
	for i, w := range widths {
		if i > 0 && w > 0 {
			left -= w + gap
		}
	}
	for _, row := range t.rows {
		row[0] = middle(row[0], max(left, 12))
	}
}

// middle cuts out the middle of a text that is wider than a width. Of names, the
// end says more than the beginning.
func middle(text string, width int) string {
	if columns(text) <= width {
		return text
	}
	all := cells(text)
	first := fitting(all, (width-1)/3)
	last := len(all) - 1
	for n := width - 1 - span(all[:first]) - all[last].width; n >= all[last-1].width; last-- {
		n -= all[last-1].width
	}
	return text[:all[first].from] + "…" + text[all[last].from:]
}

func (t *table) side(column int) side {
	if column < len(t.align) {
		return t.align[column]
	}
	return toLeft
}

// measure gives the width of each column and, for amounts, of its numbers.
func (t *table) measure() (numbers, widths []int) {
	for _, row := range t.rows {
		for len(widths) < len(row) {
			widths, numbers = append(widths, 0), append(numbers, 0)
		}
		for j, text := range row {
			numbers[j] = max(numbers[j], figure(text))
		}
	}
	for i, row := range t.rows {
		for j, text := range row {
			if j == 0 && slices.Contains(t.loose, i) {
				continue
			}
			if n := figure(text); t.side(j) == amount && n > 0 {
				widths[j] = max(widths[j], numbers[j]+columns(text)-n)
			} else {
				widths[j] = max(widths[j], columns(text))
			}
		}
	}
	return numbers, widths
}

// figure gives the width of the number that a text begins with, 0 for none.
func figure(text string) int {
	n, _, _ := strings.Cut(text, " ")
	if digits := strings.TrimPrefix(n, "+"); digits == "" || digits[0] < '0' || digits[0] > '9' {
		return 0
	}
	return columns(n)
}
