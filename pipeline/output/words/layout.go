package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// Side says how the cells of a column stand.
type Side int

// The sides.
const (
	ToLeft  Side = iota
	ToRight      // for numbers, also with their nouns
)

// Table aligns cells by their width on a terminal. Cells hold clean text.
type Table struct {
	Rows  [][]string
	Align []Side
	Least int // width of the first column
	// Loose are rows whose first cell reaches over the empty ones behind it.
	Loose []int
	// Paint gives the style of a cell; nil paints none.
	Paint func(row, column int, text string) string
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.Rows = append(t.Rows, cells) }

// Head puts a first row of names over the rows that are there: over the columns in
// which one of them says something.
func (t *Table) Head(names ...string) {
	if len(t.Rows) == 0 {
		return
	}
	for i := range names {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			names[i] = ""
		}
	}
	t.Rows = slices.Insert(t.Rows, 0, names)
}

// Print writes the rows with gap blanks between columns, and none at the end
// of a line. A column that is empty in every row takes no room.
func (t *Table) Print(p *Printer, gap int) {
	widths := t.measure()
	if len(widths) > 0 {
		widths[0] = max(widths[0], t.Least)
	}
	for i, row := range t.Rows {
		var b strings.Builder
		owed := 0 // blanks before the next cell that is not empty
		for j, text := range row {
			if widths[j] == 0 {
				continue
			}
			before := 0
			if t.side(j) == ToRight {
				before = widths[j] - Columns(text)
			}
			after := widths[j] - before - Columns(text)
			if text != "" {
				b.WriteString(strings.Repeat(" ", max(0, owed+before)))
				if t.Paint != nil {
					text = t.Paint(i, j, text)
				}
				b.WriteString(text)
				owed, before = 0, 0
			}
			owed += before + after + gap
		}
		p.WriteString(b.String() + "\n")
	}
}

func (t *Table) side(column int) Side {
	if column < len(t.Align) {
		return t.Align[column]
	}
	return ToLeft
}

// measure gives the width of each column.
func (t *Table) measure() []int {
	var widths []int
	for i, row := range t.Rows {
		for len(widths) < len(row) {
			widths = append(widths, 0)
		}
		for j, text := range row {
			if j > 0 || !slices.Contains(t.Loose, i) {
				widths[j] = max(widths[j], Columns(text))
			}
		}
	}
	return widths
}

// What the text of sources may hold and a terminal must not get raw.
const (
	zeroWidthJoiner = '\u200d'
	textSelector    = '\ufe0e' // asks for a character's plain look
	pictureSelector = '\ufe0f' // asks for its picture
	enclosingKeycap = '\u20e3'

	// maxJoins bounds the parts of one emoji sequence; the longest that
	// Unicode lists has four. A longer chain is no emoji.
	maxJoins = 8
	// tabStop is the width of a tab in quoted source lines.
	tabStop = 4
)

// Cell is what some bytes of a text become on a terminal: a character with
// the marks upon it, an emoji sequence, or the name of something invisible.
type Cell struct {
	from, to int // bytes of the text
	Text     string
	width    int  // columns
	named    bool // shows the name of what it stands for
	picture  bool // an emoji, or a character that has an emoji look
	joins    int  // parts joined on to the first
}

// Clean gives a text of one line as a terminal may get it: what is hidden
// reads `<U+200B>`, and a byte that is no UTF-8 `<FF>`. Tabs stay.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, c := range Cells(s) {
		b.WriteString(c.Text)
	}
	return b.String()
}

// Safe gives a text of several lines as Clean does one of one line: what a
// program says goes through it before it reaches a terminal or a log. No line is
// a command to the runner that keeps the log.
func Safe(s string) string { return Harmless(chars.Safe(secret.Mask(s))) }

// Tame gives a text that somebody wants to read as a terminal may get it: what
// has no business in it is named, and what scripts and emoji need stays.
func Tame(s string) string { return chars.Tame(s) }

func isPlain(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' || s[i] > '~') && s[i] != '\t' {
			return false
		}
	}
	return true
}

// Cells takes a line apart. A tab is one cell of width 1: expandTabs gives it
// its real width.
func Cells(s string) []Cell {
	var out []Cell
	var before rune // the code point just before
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		var last *Cell
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, Cell{from: i, Text: fmt.Sprintf("<%02X>", s[i]), width: 4, named: true})
		case last != nil && last.extend(before, r, after):
			last.Text += s[i : i+size]
		case r == '\t':
			out = append(out, Cell{from: i, Text: "\t", width: 1})
		case chars.Hidden(r):
			name := fmt.Sprintf("<%U>", r)
			out = append(out, Cell{from: i, Text: name, width: len(name), named: true})
		default:
			out = append(out, standing(i, r))
		}
		out[len(out)-1].to = i + size
		before, i = r, i+size
	}
	return out
}

// standing gives the cell of a code point that nothing before it takes up.
func standing(at int, r rune) Cell {
	c := Cell{from: at, Text: string(r), width: 1, picture: chars.Picture(r)}
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		c.Text = "◌" + c.Text // else it would change our own text before it
	case isWide(r):
		c.width = 2
	}
	return c
}

// extend reports whether a code point is drawn as part of the cell before it,
// and counts it in.
func (c *Cell) extend(before, r, after rune) bool {
	switch {
	case c.named || before == '\t':
		return false // a mark would change our own text
	case r == zeroWidthJoiner:
		if !c.picture || !chars.Picture(after) || c.joins >= maxJoins {
			return false
		}
		c.joins++
		return true
	case before == zeroWidthJoiner:
		return c.picture && c.joins > 0 && chars.Picture(r)
	case r == pictureSelector:
		keycap := after == enclosingKeycap && (before >= '0' && before <= '9' || before == '#' || before == '*')
		if !chars.Picture(before) && !keycap {
			return false
		}
		c.width = 2
		return true
	case r == textSelector:
		return chars.Picture(before)
	case r >= 0x1F3FB && r <= 0x1F3FF: // skin tones
		return c.picture
	case chars.Hidden(r):
		return false
	default:
		return unicode.In(r, unicode.Mn, unicode.Me) || isJamoTail(r)
	}
}

// isJamoTail reports whether a code point is a vowel or final consonant that
// is drawn into the syllable before it.
func isJamoTail(r rune) bool {
	return r >= 0x1161 && r <= 0x11FF || r >= 0xD7B0 && r <= 0xD7FB
}

// expandTabs replaces tabs by the blanks up to the next stop, so that a caret
// below needs blanks only.
func expandTabs(line []Cell) {
	column := 0
	for i := range line {
		if line[i].Text == "\t" {
			line[i].width = tabStop - column%tabStop
			line[i].Text = strings.Repeat(" ", line[i].width)
		}
		column += line[i].width
	}
}

// isWide reports whether a code point takes two columns: East Asian Width W or
// F, which has the emoji that are shown as pictures by default.
func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// Columns gives the columns of a text that Clean has gone over.
func Columns(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return span(Cells(s))
		}
	}
	return len(s)
}

// Number writes an amount with a comma at every third digit.
func Number(n int) string { return diag.Number(n) }

// Difference writes an amount with its sign.
func Difference(n int) string {
	switch {
	case n > 0:
		return "+" + Number(n)
	case n == 0:
		return "±0"
	default:
		return Number(n)
	}
}

// Count writes an amount with its noun, which takes an s for all but one.
func Count(n int, noun string) string { return Number(n) + " " + Plural(n, noun) }

// Plural gives a noun as it stands behind a number.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Percent writes a share in whole percent. What is not quite all never reads
// as 100 %, so that a budget shows as full only when it is.
func Percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	p := int((int64(part)*200 + int64(whole)) / (2 * int64(whole)))
	switch {
	case p >= 100 && part < whole:
		p = 99
	case p <= 100 && part > whole:
		p = 101
	}
	return strconv.Itoa(p) + " %"
}

// Fraction writes a share in percent with one digit behind the point.
func Fraction(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// List gives names with commas; of more than limit it names the first few and
// counts the rest.
func List(names []string, limit int) string {
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:limit], ", ") + " and " + Number(len(names)-limit) + " more"
}

const (
	// mostCompared is how long texts are whose characters are compared by
	// their looks.
	mostCompared = 64 << 10
	// mostPairs is how many pairs of characters are told apart.
	mostPairs = 3
)

// SameLooks tells two texts apart that a reader cannot: by the code points of
// the characters that differ, as `"é" U+00E9 → "é" U+0065 U+0301`. "" where it
// can be seen that they differ.
func SameLooks(from, to string) string {
	if len(from)+len(to) > mostCompared || isPlain(from) && isPlain(to) {
		return ""
	}
	a, b := Cells(from), Cells(to)
	if len(a) != len(b) {
		return ""
	}
	var out []string
	more := 0
	for i := range a {
		was, is := from[a[i].from:a[i].to], to[b[i].from:b[i].to]
		if was == is {
			continue
		}
		if a[i].named || b[i].named || a[i].picture || b[i].picture || !alike(was, is) {
			return ""
		}
		one := `"` + a[i].Text + `" ` + codePoints(was) + ` → "` + b[i].Text + `" ` + codePoints(is)
		switch {
		case slices.Contains(out, one):
		case len(out) == mostPairs:
			more++
		default:
			out = append(out, one)
		}
	}
	if more > 0 {
		out = append(out, Count(more, "more character"))
	}
	return strings.Join(out, ", ")
}

// alike reports whether two characters that are not the same may look so: they
// are of one shape in two alphabets, one letter in other code points, or blanks.
func alike(a, b string) bool {
	return norm.NFC.String(a) == norm.NFC.String(b) || chars.Plain(a) == chars.Plain(b) || strings.TrimSpace(a+b) == ""
}

func codePoints(s string) string {
	var out []string
	for _, r := range s {
		out = append(out, fmt.Sprintf("%U", r))
	}
	return strings.Join(out, " ")
}

// PlaceColumn is where the source of a change stands, so that the eye finds
// it below the one before; a longer subject pushes it to the right.
const PlaceColumn = 49

// Approx marks a count that is an estimate.
func Approx(estimate bool, words string) string {
	if estimate {
		return "≈" + words
	}
	return words
}
