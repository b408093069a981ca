package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

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

// cell is what some bytes of a text become on a terminal: a character with
// the marks upon it, an emoji sequence, or the name of something invisible.
type cell struct {
	from, to int // bytes of the text
	text     string
	width    int  // columns
	named    bool // shows the name of what it stands for
	picture  bool // an emoji, or a character that has an emoji look
	joins    int  // parts joined on to the first
}

// clean gives a text of one line as a terminal may get it: what is hidden
// reads `<U+200B>`, and a byte that is no UTF-8 `<FF>`. Tabs stay.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, c := range cells(s) {
		b.WriteString(c.text)
	}
	return b.String()
}

// Safe gives a text of several lines as clean does one of one line: what a
// program says goes through it before it reaches a terminal or a log. No line is
// a command to the runner that keeps the log.
func Safe(s string) string { return harmless(chars.Safe(secret.Mask(s))) }

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

// cells takes a line apart. A tab is one cell of width 1: expandTabs gives it
// its real width.
func cells(s string) []cell {
	var out []cell
	var before rune // the code point just before
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		var last *cell
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, cell{from: i, text: fmt.Sprintf("<%02X>", s[i]), width: 4, named: true})
		case last != nil && last.extend(before, r, after):
			last.text += s[i : i+size]
		case r == '\t':
			out = append(out, cell{from: i, text: "\t", width: 1})
		case chars.Hidden(r):
			name := fmt.Sprintf("<%U>", r)
			out = append(out, cell{from: i, text: name, width: len(name), named: true})
		default:
			out = append(out, standing(i, r))
		}
		out[len(out)-1].to = i + size
		before, i = r, i+size
	}
	return out
}

// standing gives the cell of a code point that nothing before it takes up.
func standing(at int, r rune) cell {
	c := cell{from: at, text: string(r), width: 1, picture: chars.Picture(r)}
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		c.text = "◌" + c.text // else it would change our own text before it
	case isWide(r):
		c.width = 2
	}
	return c
}

// extend reports whether a code point is drawn as part of the cell before it,
// and counts it in.
func (c *cell) extend(before, r, after rune) bool {
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
func expandTabs(line []cell) {
	column := 0
	for i := range line {
		if line[i].text == "\t" {
			line[i].width = tabStop - column%tabStop
			line[i].text = strings.Repeat(" ", line[i].width)
		}
		column += line[i].width
	}
}
