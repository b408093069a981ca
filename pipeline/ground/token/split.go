package token

import (
	_ "embed"
	"math/bits"
	"unicode/utf8"
)

// splitO200k and splitCl100k give the end of the piece that starts at a place in
// a text of valid UTF-8. Both do by hand what a published pattern does: the
// pattern tries its alternatives in order, and so does the code. No piece is
// empty, and a text is split in linear time: what lies beyond the end of a piece
// is looked at a second and a third time, not more often.

// splitO200k splits by o200kPattern:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+ | \s+(?!\S) | \s+
func splitO200k(text string, at int) int {
	first, word := byteSets[text[at]], at
	if first&letters == 0 {
		word++
	}
	var second set
	if word < len(text) {
		second = byteSets[text[word]]
	}
	switch {
	case second&letters != 0 && first&(letters|prefixes) != 0:
		// In ASCII there are no marks and no letters without case, so that a word
		// is capitals and then small letters.
		for word < len(text) && byteSets[text[word]] == up {
			word++
		}
		end := smallEnd(text, word)
		switch {
		case end == len(text):
			return end
		case text[end] == '\'':
			return contracted(text, end)
		case text[end] < 0x80:
			return end
		}
	case (first|second)&wi == 0:
		return splitASCII(text, at, first, second, nl|sl)
	}
	return splitO200kWide(text, at)
}

// splitO200kWide is splitO200k for any rune.
func splitO200kWide(text string, at int) int {
	first, n := setAt(text, at)
	next := at + n
	switch {
	case first&letters != 0:
		end, _ := caseWord(text, at)
		return contracted(text, end)
	case first&prefixes != 0:
		end, lower := caseWord(text, next)
		switch {
		case first == mk && !lower:
			// A mark is a word by itself before it is a prefix of capitals.
			return contracted(text, next)
		case end > next:
			return contracted(text, end)
		}
	}
	return splitRest(text, at, nl|sl)
}

// caseWord gives the end of a word: capitals, then small letters; letters
// without case and marks are both. It reports whether there is one that is not
// a capital only. Without any letter or mark, the end is the start.
func caseWord(text string, at int) (end int, lower bool) {
	small := -1 // the end of the last rune that can be small
	for at < len(text) {
		s, n := setAt(text, at)
		if s == lo {
			return skip(text, at, tails), true
		}
		if s&heads == 0 {
			break
		}
		at += n
		if s != up {
			small = at
		}
	}
	if small >= 0 {
		return small, true
	}
	return at, false
}

// splitCl100k splits by cl100kPattern:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+ | \s+(?!\S) | \s+
func splitCl100k(text string, at int) int {
	first, word := byteSets[text[at]], at
	if first&letters == 0 {
		word++
	}
	var second set
	if word < len(text) {
		second = byteSets[text[word]]
	}
	switch {
	case second&letters != 0 && first&(letters|prefixes) != 0:
		if first == ap {
			if end := contracted(text, at); end > at {
				return end
			}
		}
		return letterEnd(text, word)
	case (first|second)&wi == 0:
		return splitASCII(text, at, first, second, nl)
	}
	return splitCl100kWide(text, at)
}

// splitCl100kWide is splitCl100k where one of the first two runes is not ASCII.
// No contraction starts so.
func splitCl100kWide(text string, at int) int {
	first, n := setAt(text, at)
	word := at
	if first&letters == 0 {
		word += n
	}
	if first&(letters|prefixes) != 0 {
		if end := skip(text, word, letters); end > word {
			return end
		}
	}
	return splitRest(text, at, nl)
}

// splitASCII is splitRest where the first two runes are ASCII and of these sets.
// The second set is empty at the end of the text.
func splitASCII(text string, at int, first, second, follow set) int {
	switch {
	case first == nu:
		return numberEnd(text, at+1)
	case first&symbols != 0:
		if second&(symbols|follow) == 0 {
			return at + 1
		}
		return symbolEnd(text, at+1, follow)
	case text[at] == ' ' && second&symbols != 0:
		return symbolEnd(text, at+2, follow)
	}
	return spaceEnd(text, at)
}

// splitRest is the part of the patterns behind the words. The runes of a set
// can follow symbols.
func splitRest(text string, at int, follow set) int {
	first, n := setAt(text, at)
	switch {
	case first == nu:
		return numberEnd(text, at+n)
	case first&symbols != 0:
		return symbolEnd(text, at+n, follow)
	case text[at] == ' ' && at+1 < len(text):
		if second, n := setAt(text, at+1); second&symbols != 0 {
			return symbolEnd(text, at+1+n, follow)
		}
	}
	return spaceEnd(text, at)
}

// numberEnd gives the end of up to two more numbers.
func numberEnd(text string, at int) int {
	for range 2 {
		if at == len(text) {
			break
		}
		s, n := setAt(text, at)
		if s != nu {
			break
		}
		at += n
	}
	return at
}

// symbolEnd gives the end of more symbols and of what may follow them.
func symbolEnd(text string, at int, follow set) int {
	end := at
	for end < len(text) && byteSets[text[end]]&symbols != 0 {
		end++
	}
	for end < len(text) && byteSets[text[end]]&follow != 0 {
		end++
	}
	if end < len(text) && byteSets[text[end]] == wi {
		return skip(text, skip(text, at, symbols), follow)
	}
	return end
}

// spaceEnd ends white space: after its last line end; without one, before its
// last rune, which belongs to what follows. If there is no other rune, or
// nothing follows, it has them all.
func spaceEnd(text string, at int) int {
	end, last, line := at, at, -1
	for end < len(text) {
		if text[end] == ' ' && end+8 <= len(text) {
			end += bits.TrailingZeros64(le64(text[end:])^' '*everyByte) / 8
			last = end - 1
			continue
		}
		s, n := byteSets[text[end]], 1
		if s == wi {
			s, n = setAt(text, end)
		}
		if s&spaces == 0 {
			break
		}
		last = end
		end += n
		if s == nl {
			line = end
		}
	}
	switch {
	case line >= 0:
		return line
	case end < len(text) && last > at:
		return last
	default:
		return end
	}
}

// contracted gives the end of the English contraction at a place, such as 're
// and 'S, or the place itself.
func contracted(text string, at int) int {
	if at+1 >= len(text) || text[at] != '\'' {
		return at
	}
	switch text[at+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return at + 2
	case 'r', 'v':
		if at+2 < len(text) && text[at+2]|0x20 == 'e' {
			return at + 3
		}
	case 'l':
		if at+2 < len(text) && text[at+2]|0x20 == 'l' {
			return at + 3
		}
	}
	return at
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// smallRun counts the bytes at the start of eight that are from a to z.
func smallRun(eight uint64) int {
	seven := eight &^ highBits
	from := seven + (0x80-'a')*everyByte
	beyond := seven + (0x7f-'z')*everyByte
	return bits.TrailingZeros64((^from|beyond|eight)&highBits) / 8
}

// smallEnd gives the end of a run of small ASCII letters.
func smallEnd(text string, at int) int {
	for at+8 <= len(text) {
		n := smallRun(le64(text[at:]))
		at += n
		if n < 8 {
			return at
		}
	}
	for at < len(text) && byteSets[text[at]] == lo {
		at++
	}
	return at
}

func letterEnd(text string, at int) int {
	for at+8 <= len(text) {
		n := smallRun(le64(text[at:]) | 0x20*everyByte)
		at += n
		if n < 8 {
			break
		}
	}
	return skip(text, at, letters)
}

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

func categoryOf(r rune) category {
	row := int(categoryData[uint32(r)>>8])
	return category(categoryData[categoryRows+row<<8+int(r&0xff)])
}

// setAt gives the set of the rune at a place in valid UTF-8, and its length.
func setAt(text string, at int) (set, int) {
	if s := byteSets[text[at]]; s != wi {
		return s, 1
	}
	r, n := utf8.DecodeRuneInString(text[at:])
	return 1 << categoryOf(r), n
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
