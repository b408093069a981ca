// Package chars knows the characters that are not what they look like: those
// that show nothing, those that act on what stands around them, letters that
// look like others, and what comes out where a text is decoded twice.
//
// Everything here is about one text at a time and takes time linear in it.
package chars

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters with a meaning for those around them.
const (
	zeroWidthSpace     = '\u200b'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	textSelector       = '\ufe0e' // asks for a character's plain look
	pictureSelector    = '\ufe0f' // asks for its picture
	enclosingKeycap    = '\u20e3'
	ideographicSpace   = '\u3000'
	blankBraille       = '\u2800'
	replacement        = '\ufffd'
	blackFlag          = '\U0001f3f4'
	cancelTag          = '\U000e007f'
)

// Hidden reports whether a code point, by itself, has no look of its own or
// would act on the terminal: controls, format characters, bidi controls, tags,
// variation selectors, fillers, private and unassigned ones, and spaces that
// look like the ordinary one.
func Hidden(r rune) bool {
	switch {
	case r >= ' ' && r <= '~', r == ideographicSpace:
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // format characters by category, but they are drawn
	case !unicode.IsGraphic(r), unicode.Is(unicode.Zs, r), r == blankBraille:
		return true
	default:
		return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	}
}

// Visible gives a text in which every hidden character reads `<U+200B>`, but
// for those that an emoji is made of. Tabs and line breaks stay, and bytes that
// are no UTF-8: quoting shows them.
func Visible(s string) string { return visible(s, false) }

// Safe is Visible for what is not quoted: a byte that is no UTF-8 reads `<FF>`.
func Safe(s string) string { return visible(s, true) }

func visible(s string, bytes bool) string {
	before := rune(0)
	return spell(s, bytes, func(i int, r rune) bool {
		hidden := r != '\n' && r != '\t' && Hidden(r) && !inPicture(s, i, r, before)
		if before = r; hidden {
			before = '>'
		}
		return hidden
	})
}

// Tame gives a text as a terminal may get it that somebody wants to read: what
// Scan finds is named, and bytes that are no UTF-8. What scripts and emoji need
// stays.
func Tame(s string) string {
	// A character that is named may be what made sense of its neighbour: a joiner
	// behind it is found the next time.
	for range 4 {
		runs := Scan(s)
		tame := spell(s, true, func(i int, _ rune) bool {
			for len(runs) > 0 && runs[0].End <= i {
				runs = runs[1:]
			}
			return len(runs) > 0 && runs[0].Start <= i
		})
		if tame == s {
			break
		}
		s = tame
	}
	return s
}

// spell writes some characters of a text as `<U+200B>`, and bytes that are no
// UTF-8 as `<FF>` where these are asked for.
func spell(s string, bytes bool, hidden func(i int, r rune) bool) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1 && bytes:
			fmt.Fprintf(&b, "<%02X>", s[i])
			hidden(i, '>') // which is what stands there now, and part of no picture
		case r == utf8.RuneError || !hidden(i, r):
			b.WriteString(s[i : i+size])
		default:
			fmt.Fprintf(&b, "<%U>", r)
		}
		i += size
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// inPicture reports whether the character at a place belongs to an emoji: a
// selector behind a picture, or a joiner between two.
func inPicture(s string, at int, r, before rune) bool {
	switch r {
	case pictureSelector, textSelector:
		after, _ := utf8.DecodeRuneInString(s[at+utf8.RuneLen(r):])
		return Picture(before) || after == enclosingKeycap && isKeycap(before)
	case zeroWidthJoiner:
		after, _ := utf8.DecodeRuneInString(s[at+utf8.RuneLen(r):])
		return (Picture(before) || before == pictureSelector || isTone(before)) && Picture(after) && !Hidden(after)
	default:
		return false
	}
}

// isKeycap reports whether a character may stand in a keycap.
func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isTone reports whether a character gives a picture the tone of its skin.
func isTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }
