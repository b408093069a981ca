package token

import (
	_ "embed"
	"unicode/utf8"
)

// category is what the split patterns, and the cuts between texts, need to know
// of a rune. The two digits of its Unicode category are in it where they matter.
type category uint8

const (
	catUnsure category = iota // control, format, unassigned, private use
	catOther                  // punctuation and symbols but for these two
	catApostrophe
	catSlash
	catMark     // M
	catUpper    // Lu, Lt
	catLower    // Ll
	catCaseless // Lm, Lo
	catNumber   // N
	catSpace    // white space but for CR, LF and U+0085
	catNewline  // CR and LF
	catNextLine // U+0085
	catWide     // no category: the first byte of a rune of several
)

// set is a set of categories.
type set uint16

// Short names for the table below.
const (
	un, ot, ap, sl set = 1 << catUnsure, 1 << catOther, 1 << catApostrophe, 1 << catSlash
	mk, up, lo, cl set = 1 << catMark, 1 << catUpper, 1 << catLower, 1 << catCaseless
	nu, sp, nl, ne set = 1 << catNumber, 1 << catSpace, 1 << catNewline, 1 << catNextLine
	wi             set = 1 << catWide
)

// The sets that stand in the split patterns, under the names that they have here.
const (
	letters  = up | lo | cl           // \p{L}
	numbers  = nu                     // \p{N}
	newlines = nl                     // [\r\n]
	spaces   = sp | nl | ne           // \s
	symbols  = un | ot | ap | sl | mk // [^\s\p{L}\p{N}]
	prefixes = symbols | sp | ne      // [^\r\n\p{L}\p{N}]
	heads    = up | cl | mk           // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	tails    = lo | cl | mk           // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
)

// byteSets gives for each byte the set of its category alone.
var byteSets = [256]set{
	un, un, un, un, un, un, un, un, un, sp, nl, sp, sp, nl, un, un,
	un, un, un, un, un, un, un, un, un, un, un, un, un, un, un, un,
	sp, ot, ot, ot, ot, ot, ot, ap, ot, ot, ot, ot, ot, ot, ot, sl,
	nu, nu, nu, nu, nu, nu, nu, nu, nu, nu, ot, ot, ot, ot, ot, ot,
	ot, up, up, up, up, up, up, up, up, up, up, up, up, up, up, up,
	up, up, up, up, up, up, up, up, up, up, up, ot, ot, ot, ot, ot,
	ot, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo,
	lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, lo, ot, ot, ot, ot, un,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
	wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi, wi,
}

// categoryData is a table in two steps: for each block of 256 runes the number
// of its row, then the rows of 256 categories.
//
//go:embed categories.bin
var categoryData string

const categoryRows = (utf8.MaxRune + 1) / 256

// categoryOf gives the category of a rune of Unicode.
func categoryOf(r rune) category {
	row := int(categoryData[uint32(r)>>8])
	return category(categoryData[categoryRows+row<<8+int(r&0xff)])
}

// setAt gives the set of the rune at a place in valid UTF-8, and its length.
func setAt(text string, at int) (set, int) {
	if s := byteSets[text[at]]; s != wi {
		return s, 1
	}
	r, n := wideRune(text[at:])
	return 1 << categoryOf(r), n
}

// wideRune decodes the rune of several bytes at the start of valid UTF-8.
func wideRune(text string) (rune, int) {
	switch first := rune(text[0]); {
	case first < 0xe0:
		return first&0x1f<<6 | rune(text[1]&0x3f), 2
	case first < 0xf0:
		_ = text[2]
		return first&0xf<<12 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f), 3
	default:
		_ = text[3]
		return first&7<<18 | rune(text[1]&0x3f)<<12 | rune(text[2]&0x3f)<<6 | rune(text[3]&0x3f), 4
	}
}

// skip gives the end of the run of runes of a set.
func skip(text string, at int, in set) int {
	for at < len(text) {
		s, n := byteSets[text[at]], 1
		if s == wi {
			s, n = setAt(text, at)
		}
		if s&in == 0 {
			break
		}
		at += n
	}
	return at
}
