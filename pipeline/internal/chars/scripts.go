package chars

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// selects reports whether one of the first sixteen selectors stands behind
// something that it has a look of: those of a picture behind signs and keycaps,
// others where Unicode lists the two together.
func selects(before, r, after rune) bool {
	if r == textSelector || r == pictureSelector {
		sign := before >= 0x2000 && before != replacement && unicode.IsSymbol(before)
		return sign || Picture(before) || isKeycap(before) && after == enclosingKeycap
	}
	i, found := slices.BinarySearchFunc(looks, before, func(l looksOf, r rune) int { return l.of.compare(r) })
	return found && r <= looks[i].last
}

// looksOf are characters and the last of the selectors from U+FE00 that Unicode
// lists for some of them.
type looksOf struct {
	of   Range
	last rune
}

// looks are the sequences of Unicode's StandardizedVariants.txt (Unicode 16) that
// are no emoji and have no ASCII base: signs one by one, letters by their blocks.
var looks = []looksOf{
	{Range{0x1000, 0x109F}, 0xFE00}, // Myanmar: dotted
	{Range{0x2018, 0x2019}, 0xFE01},
	{Range{0x201C, 0x201D}, 0xFE01},
	{Range{0x210B, 0x210B}, 0xFE01}, // script capitals: chancery and roundhand
	{Range{0x2110, 0x2110}, 0xFE01},
	{Range{0x2112, 0x2112}, 0xFE01},
	{Range{0x211B, 0x211B}, 0xFE01},
	{Range{0x212C, 0x212C}, 0xFE01},
	{Range{0x2130, 0x2131}, 0xFE01},
	{Range{0x2133, 0x2133}, 0xFE01},
	{Range{0x2205, 0x2205}, 0xFE00}, // mathematics
	{Range{0x2229, 0x222A}, 0xFE00},
	{Range{0x2268, 0x2269}, 0xFE00},
	{Range{0x2272, 0x2273}, 0xFE00},
	{Range{0x228A, 0x228B}, 0xFE00},
	{Range{0x2293, 0x2295}, 0xFE00},
	{Range{0x2297, 0x2297}, 0xFE00},
	{Range{0x229C, 0x229C}, 0xFE00},
	{Range{0x22DA, 0x22DB}, 0xFE00},
	{Range{0x2A3C, 0x2A3D}, 0xFE00},
	{Range{0x2A9D, 0x2A9E}, 0xFE00},
	{Range{0x2AAC, 0x2AAD}, 0xFE00},
	{Range{0x2ACB, 0x2ACC}, 0xFE00},
	{Range{0x3001, 0x3002}, 0xFE01}, // East Asian punctuation: in the corner or centred
	{Range{0x3400, 0x4DBF}, 0xFE02}, // Han: compatibility ideographs
	{Range{0x4E00, 0x9FFF}, 0xFE02},
	{Range{0xA840, 0xA87F}, 0xFE00}, // Phags-pa: reversed
	{Range{0xAA60, 0xAA7F}, 0xFE00},
	{Range{0xFF01, 0xFF01}, 0xFE01},
	{Range{0xFF0C, 0xFF0C}, 0xFE01},
	{Range{0xFF0E, 0xFF0E}, 0xFE01},
	{Range{0xFF10, 0xFF10}, 0xFE00},
	{Range{0xFF1A, 0xFF1B}, 0xFE01},
	{Range{0xFF1F, 0xFF1F}, 0xFE01},
	{Range{0x10AC0, 0x10AFF}, 0xFE00}, // Manichaean: alternate
	{Range{0x13000, 0x1342F}, 0xFE06}, // hieroglyphs: rotated
	{Range{0x13460, 0x143FF}, 0xFE06},
	{Range{0x1D49C, 0x1D4B5}, 0xFE01},
	{Range{0x20000, 0x3FFFD}, 0xFE02},
}

// mongolian judges what selects and separates in Mongolian: a selector stands
// behind a letter, the separator behind a letter or its selector.
func mongolian(r, before rune) (Class, bool) {
	const separator = 0x180E
	selector := before >= 0x180B && before <= 0x180F && before != separator
	switch {
	case r != separator && selector:
		return Doubled, true
	case before == separator:
		return Invisible, true
	default:
		return Invisible, !unicode.Is(unicode.Mongolian, before)
	}
}

// The fillers stand for the consonant and the vowel that an old Korean syllable
// lacks.
const (
	leadFiller  = '\u115f'
	vowelFiller = '\u1160'
)

func isFiller(r rune) bool { return r == leadFiller || r == vowelFiller }

// fills judges a filler of conjoining Jamo: for a consonant it stands before a
// vowel, for a vowel behind a consonant, and one for both before a final.
func (s *scanner) fills(at int, r, before, after rune) (Class, bool) {
	const size = len(string(vowelFiller))
	legitimate := false
	switch {
	case r == leadFiller && after == vowelFiller:
		next, _ := utf8.DecodeRuneInString(s.text[at+2*size:])
		legitimate = isFinal(next)
	case r == leadFiller:
		legitimate = after >= 0x1161 && after <= 0x11A7 || after >= 0xD7B0 && after <= 0xD7C6
	case before == leadFiller:
		legitimate = isFinal(after)
	default:
		legitimate = before >= 0x1100 && before < leadFiller || before >= 0xA960 && before <= 0xA97C
	}
	if isFiller(before) {
		return Doubled, !legitimate
	}
	return Invisible, !legitimate
}

// isFinal reports whether a character is the consonant that ends a syllable.
func isFinal(r rune) bool { return r >= 0x11A8 && r <= 0x11FF || r >= 0xD7CB && r <= 0xD7FB }

// ofScript gives the characters that one without a look of its own belongs to;
// it stands beside them.
func ofScript(r rune) []Range {
	i, found := slices.BinarySearchFunc(only, r, func(o onlyWith, r rune) int { return o.these.compare(r) })
	if !found {
		return nil
	}
	return only[i].with
}

type onlyWith struct {
	these Range
	with  []Range
}

// only are characters that join, place or stand for the letters and signs of one
// block, from Unicode's UnicodeData.txt and Blocks.txt.
var only = []onlyWith{
	{Range{0x2D7F, 0x2D7F}, []Range{{0x2D30, 0x2D6F}}},                                             // Tifinagh
	{Range{0x1107F, 0x1107F}, []Range{{0x11000, 0x1107E}}},                                         // Brahmi
	{Range{0x13430, 0x13442}, []Range{{0x13000, 0x1342F}, {0x13443, 0x143FF}}},                     // hieroglyphs
	{Range{0x16FE4, 0x16FE4}, []Range{{0x18B00, 0x18CFF}}},                                         // Khitan
	{Range{0x1D159, 0x1D159}, []Range{{0x1D100, 0x1D158}, {0x1D15A, 0x1D172}, {0x1D17B, 0x1D1FF}}}, // notes
}

// combining are the blocks of marks that belong to no script, and Cyrillic's; most
// is how many of them one letter has in any language.
var combining = []Range{{0x300, 0x36F}, {0x483, 0x489}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}}

const most = 3

// stacked gives the bytes of the marks that a text begins with, 0 where they are
// no more than a language may need.
func stacked(text string, r rune) int {
	n, size := 0, 0
	for Within(combining, r) && r != 0x34F { // which has no look of its own
		n, size = n+1, size+utf8.RuneLen(r)
		r, _ = utf8.DecodeRuneInString(text[size:])
	}
	if n <= most {
		return 0
	}
	return size
}

// setsOff reports whether a thin blank stands beside a number or a sign, as
// typographers set it.
func setsOff(r, before, after rune) bool {
	beside := func(r rune) bool { return unicode.IsDigit(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) }
	return (r == 0x2009 || r == 0x200A) && (beside(before) || beside(after))
}
