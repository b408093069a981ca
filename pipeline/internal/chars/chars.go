// Package chars knows the characters that are not what they look like: those
// that show nothing, those that act on what stands around them, letters that
// look like others, and what comes out where a text is decoded twice.
//
// Everything here is about one text at a time and takes time linear in it.
package chars

import (
	"fmt"
	"strconv"
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
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	var before rune
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		last := r
		switch {
		case bytes && r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "<%02X>", s[i])
		case r == '\n' || r == '\t' || !Hidden(r) || inPicture(s, i, r, before, size):
			b.WriteString(s[i : i+size])
		default:
			number(&b, r)
			last = '>'
		}
		before, i = last, i+size
	}
	return b.String()
}

// number writes a character as `<U+200B>`.
func number(b *strings.Builder, r rune) {
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	b.WriteString("<U+")
	b.WriteString("0000"[min(len(digits), 4):])
	b.WriteString(digits)
	b.WriteByte('>')
}

// Tame gives a text as a terminal may get it that somebody wants to read: what
// Scan finds is named, and bytes that are no UTF-8. What scripts and emoji need
// stays.
func Tame(s string) string {
	var b strings.Builder
	last := 0
	for _, r := range Scan(s) {
		b.WriteString(valid(s[last:r.Start]))
		for _, c := range s[r.Start:r.End] {
			number(&b, c)
		}
		last = r.End
	}
	return b.String() + valid(s[last:])
}

// valid names the bytes that are no UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "<%02X>", s[i])
		} else {
			b.WriteString(s[i : i+size])
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
func inPicture(s string, at int, r, before rune, size int) bool {
	switch r {
	case pictureSelector, textSelector:
		after, _ := utf8.DecodeRuneInString(s[at+size:])
		return Picture(before) || after == enclosingKeycap && isKeycap(before)
	case zeroWidthJoiner:
		after, _ := utf8.DecodeRuneInString(s[at+size:])
		return (Picture(before) || before == pictureSelector || isTone(before)) && Picture(after) && !Hidden(after)
	default:
		return false
	}
}

// isKeycap reports whether a character may stand in a keycap.
func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isTone reports whether a character gives a picture the tone of its skin.
func isTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// Name gives a character as `U+200B ZERO WIDTH SPACE`, or without a name where
// none is known here.
func Name(r rune) string {
	if name := nameOf(r); name != "" {
		return fmt.Sprintf("%U %s", r, name)
	}
	return fmt.Sprintf("%U", r)
}

func nameOf(r rune) string {
	switch {
	case r >= 0xFE00 && r <= 0xFE0F:
		return fmt.Sprintf("VARIATION SELECTOR-%d", r-0xFE00+1)
	case r >= 0xE0100 && r <= 0xE01EF:
		return fmt.Sprintf("VARIATION SELECTOR-%d", r-0xE0100+17)
	case r >= 0xFF21 && r <= 0xFF3A:
		return "FULLWIDTH LATIN CAPITAL LETTER " + string(r-0xFF21+'A')
	case r >= 0xFF41 && r <= 0xFF5A:
		return "FULLWIDTH LATIN SMALL LETTER " + string(r-0xFF41+'A')
	case r >= 0xFF10 && r <= 0xFF19:
		return "FULLWIDTH DIGIT " + [...]string{"ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"}[r-0xFF10]
	case unicode.Is(unicode.Co, r):
		return "PRIVATE USE"
	case r == cancelTag:
		return "CANCEL TAG"
	case isTag(r):
		return "TAG"
	}
	for i := range names {
		if names[i].char == r {
			return names[i].name
		}
	}
	a, _ := alikeOf(r)
	return a.name
}
