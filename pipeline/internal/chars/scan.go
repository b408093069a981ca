package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class says what a character that is not seen is for.
type Class int

// The classes. Those up to Doubled have no use in a text that somebody wrote to
// be read.
const (
	Tag       Class = iota // U+E0000 to U+E007F: invisible ASCII
	Direction              // turns the order of what is shown
	Unended                // turns it and does not end in its paragraph
	Coded                  // variation selectors 17 to 256
	Doubled                // a selector or filler behind another
	Invisible              // zero width, or blank where nothing is expected
	Repeated               // the selector of an emoji a second time
	Variant                // a registered look of an ideograph
	Selector               // a variation selector that selects nothing
	Control                // C0 and C1, line and paragraph separators
	Private                // means what one font or program makes of it
	Blank                  // a blank of another width
	Stacked                // marks on marks, more than any language writes
)

// Run is a row of characters that are not seen and have no business where they
// are.
type Run struct {
	Start, End int
	// Class is the gravest in it.
	Class Class
	// Count is the number of characters; First is the first of the class.
	Count int
	First rune
}

// codedRow is the number of invisible characters in a row that no slip of an
// editor leaves behind: eight bits of something.
const codedRow = 8

// Deliberate reports whether the characters are there to be hidden: no slip
// leaves them behind.
func (r Run) Deliberate() bool {
	return r.Class <= Doubled || (r.Class == Invisible || r.Class == Private || r.Class == Blank) && r.Count >= codedRow
}

// Scan finds the characters of a text that are not seen and have no business
// where they stand, row by row. Legitimate are marks and pairs of direction in
// text that is written from right to left, joiners between letters of scripts
// that join and between pictures, selectors behind what they select the look of,
// the tags of the three flags, break marks of scripts without blanks, and what
// one script alone is written with. No row of eight is legitimate.
func Scan(text string) []Run {
	s := scanner{text: text}
	return s.scan(false)
}

// ScanName is Scan for a text of one line, in which a tab or a line break is no
// character to be seen either.
func ScanName(name string) []Run {
	s := scanner{text: name}
	return s.scan(true)
}

// ScanText is Scan that counts what it takes for legitimate, too, and finds
// where that is far more than any script needs.
func ScanText(text string) ([]Run, Crowd) {
	s := scanner{text: text}
	runs := s.scan(false)
	s.endLine()
	return runs, s.crowd
}

func (s *scanner) scan(line bool) []Run {
	text := s.text
	var out []Run
	start, end, count := 0, -1, 0 // of the row of legitimate and other characters
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F || (c == '\n' || c == '\t') && !line {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if n := stacked(text[i:], r); n > 0 {
			out = append(out, Run{Start: i, End: i + n, Class: Stacked, Count: utf8.RuneCountInString(text[i : i+n]), First: r})
			i += n
			continue
		}
		if !suspect(r) || r == utf8.RuneError {
			i += size
			continue
		}
		n, class, found := s.judge(i, r, size)
		if n > size { // a flag
			i += n
			continue
		}
		if i != end {
			start, count = i, 0
		}
		end, count = i+size, count+1
		switch {
		case count == codedRow:
			out = s.whole(out, start, end)
		case found:
			out = extend(out, i, end, r, class)
		case count > codedRow:
			out = extend(out, i, end, r, Invisible)
		default:
			s.keep(i, r, size)
		}
		i = end
	}
	return out
}

// whole puts a row as one to what was found, with what is legitimate in it: that
// needs no such row.
func (s *scanner) whole(out []Run, start, end int) []Run {
	for len(out) > 0 && out[len(out)-1].Start >= start {
		out = out[:len(out)-1]
	}
	for i := start; i < end; {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		_, class, found := s.judge(i, r, size)
		if !found {
			class = Invisible
		}
		out = extend(out, i, i+size, r, class)
		i += size
	}
	return out
}

// extend puts a character to the row before it, or begins one.
func extend(out []Run, start, end int, r rune, class Class) []Run {
	if n := len(out) - 1; n >= 0 && out[n].End == start {
		last := &out[n]
		last.End = end
		last.Count++
		if class < last.Class {
			last.Class, last.First = class, r
		}
		return out
	}
	return append(out, Run{Start: start, End: end, Class: class, Count: 1, First: r})
}

// suspect reports whether a character needs a look at what stands around it.
func suspect(r rune) bool {
	switch {
	case r < 0xA0:
		return true // only controls come here
	case r < 0x2000:
		switch r {
		case 0x1680, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x180F:
			return true
		}
		return false
	case r < 0x3000:
		return r >= 0x2000 && r <= 0x200F || r == 0x205F || r >= 0x2028 && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == blankBraille || r == 0x2D7F
	case r < 0xFE00:
		return r == 0x3164 || r >= 0xE000 && r <= 0xF8FF || r >= 0xFDD0 && r <= 0xFDEF
	case r < 0x10000:
		return r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0 && r != replacement
	default:
		return r >= 0xE0000 || ofScript(r) != nil || r >= 0x1D173 && r <= 0x1D17A || r >= 0x1BCA0 && r <= 0x1BCA3 || r&0xFFFE == 0xFFFE
	}
}

// scanner looks at what stands around a character. What it has to know of a
// whole line, paragraph or text it finds out once.
type scanner struct {
	text             string
	lineEnd          int  // of the line that was looked at last
	lineRTL          bool // it has letters that are written from right to left
	asked, writesRTL bool // the text is written from right to left
	paragraph        paragraph
	line             line
	crowd            Crowd
}

// judge says what a suspicious character is, and how many bytes are done with.
func (s *scanner) judge(at int, r rune, size int) (n int, class Class, found bool) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	after, _ := utf8.DecodeRuneInString(s.text[at+size:])
	switch {
	case isTag(r):
		if n := s.flag(at); n > 0 {
			return n, 0, false
		}
		return size, Tag, true
	case isSelector(r) && isSelector(before):
		return size, s.again(at, r, before, after), true
	case r >= 0xE0100 && r <= 0xE01EF:
		return size, coded(r, before, after), true
	case isSelector(r):
		return size, Selector, !selects(before, r, after) && !(r == pictureSelector && s.inAnchor(at))
	case turns(r):
		class, found := s.turned(at, r)
		return size, class, found
	case isMark(r):
		return size, Invisible, isMark(before) || isMark(after) || !s.rtl(at)
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return size, Invisible, !s.joins(at, r, before, after)
	case r == zeroWidthSpace:
		return size, Invisible, !breaks(before) && !breaks(after)
	case unicode.Is(unicode.Co, r):
		return size, Private, true
	case unicode.Is(unicode.Zs, r):
		return size, Blank, !setsOff(r, before, after)
	case r < 0xA0 || r == 0x2028 || r == 0x2029:
		return size, Control, true
	case r == 0x34F:
		return size, Invisible, !unicode.Is(unicode.Mn, before) || Hidden(before)
	case isFiller(r):
		class, found := s.fills(at, r, before, after)
		return size, class, found
	case r >= 0x180B && r <= 0x180F:
		class, found := mongolian(r, before)
		return size, class, found
	default:
		letters := ofScript(r)
		return size, Invisible, !Within(letters, before) && !Within(letters, after)
	}
}

// flags are what the tags of the three flags spell, of England, Scotland and
// Wales: all that Unicode recommends.
var flags = []string{"gbeng", "gbsct", "gbwls"}

// flag gives the bytes of the tags at a place where they are those of a flag, 0
// where they are not.
func (s *scanner) flag(at int) int {
	if before, _ := utf8.DecodeLastRuneInString(s.text[:at]); before != blackFlag {
		return 0
	}
	const each = 4 // bytes of a tag
	for _, f := range flags {
		end := at + (len(f)+1)*each
		if end <= len(s.text) && untag(s.text[at:end]) == f && strings.HasSuffix(s.text[:end], string(cancelTag)) {
			return end - at
		}
	}
	return 0
}

// rtl reports whether a place is in text that is written from right to left: its
// line has such letters, or a good part of the text has.
func (s *scanner) rtl(at int) bool {
	if at >= s.lineEnd {
		start := strings.LastIndexByte(s.text[:at], '\n') + 1
		s.lineEnd = len(s.text)
		if n := strings.IndexByte(s.text[at:], '\n'); n >= 0 {
			s.lineEnd = at + n + 1
		}
		s.lineRTL = strings.ContainsFunc(s.text[start:s.lineEnd], isRTL)
	}
	if s.lineRTL {
		return true
	}
	if !s.asked {
		s.asked = true
		letters, others := 0, 0
		for _, r := range s.text {
			switch {
			case isRTL(r):
				letters++
			case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
				others++
			}
		}
		s.writesRTL = letters > 0 && letters*10 >= others
	}
	return s.writesRTL
}

// joins reports whether a joiner or non-joiner stands where one is written: with
// a letter of a script that joins, or the former between two pictures.
func (s *scanner) joins(at int, r, before, after rune) bool {
	if isJoiner(before) || isJoiner(after) {
		return s.keepsApart(at, r)
	}
	if r == zeroWidthJoiner && (isASCIILetter(before) || isASCIILetter(after)) {
		return false
	}
	if Within(joining, before) || Within(joining, after) {
		return true
	}
	if r != zeroWidthJoiner || !Picture(after) {
		return false
	}
	for before == pictureSelector || isTone(before) {
		at -= utf8.RuneLen(before)
		last, _ := utf8.DecodeLastRuneInString(s.text[:at])
		if Picture(last) {
			return true
		}
		before = last
	}
	return Picture(before)
}

// keepsApart reports whether a joiner is one of a joiner and a non-joiner behind
// a virama: old texts in Malayalam write a letter without its vowel so.
func (s *scanner) keepsApart(at int, r rune) bool {
	const both = string(zeroWidthJoiner) + string(zeroWidthNonJoiner)
	if r == zeroWidthNonJoiner {
		at -= len(string(zeroWidthJoiner))
	}
	if at < 0 || !strings.HasPrefix(s.text[at:], both) {
		return false
	}
	virama, _ := utf8.DecodeLastRuneInString(s.text[:at])
	after, _ := utf8.DecodeRuneInString(s.text[at+len(both):])
	return unicode.Is(unicode.Mn, virama) && Within(joining, virama) && !isJoiner(after)
}

// again says what a selector behind another is: the same once more behind an
// emoji is what two programs leave behind that each put one.
func (s *scanner) again(at int, r, before, after rune) Class {
	base, _ := utf8.DecodeLastRuneInString(s.text[:at-utf8.RuneLen(before)])
	if r == pictureSelector && before == r && Picture(base) && (after == zeroWidthJoiner || !unseen(after)) {
		return Repeated
	}
	return Doubled
}

// lastVariant is behind all selectors that Unicode's Ideographic Variation
// Database has for a character, and before those that letters are hidden in.
const lastVariant = 0xE012F

// coded says what one of the selectors 17 to 256 is.
func coded(r, before, after rune) Class {
	if r <= lastVariant && unicode.Is(unicode.Han, before) && !unseen(after) {
		return Variant
	}
	return Coded
}

// unseen reports whether a character would belong to the same row.
func unseen(r rune) bool { return r >= 0xA0 && r != utf8.RuneError && suspect(r) }

func isJoiner(r rune) bool { return r == zeroWidthJoiner || r == zeroWidthNonJoiner }

func isMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x61C }

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

func isSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// isRTL reports whether a character is of a script that is written from right to
// left.
func isRTL(r rune) bool { return r >= 0x5BE && r != 0x61C && Within(rightToLeft, r) }

// breaks reports whether a character is of a script that is written without
// blanks between words.
func breaks(r rune) bool { return r >= 0xE00 && Within(unspaced, r) }

// rightToLeft, joining and unspaced are blocks, from Unicode's Blocks.txt.
var rightToLeft = []Range{
	{0x5BE, 0x8FF}, {0xFB1D, 0xFDCF}, {0xFDF0, 0xFDFF}, {0xFE70, 0xFEFC}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
}

var joining = []Range{
	{0x600, 0x61B},
	{0x61D, 0x74F},
	{0x750, 0x77F},
	{0x7C0, 0x7FF},
	{0x840, 0x10FF},
	{0x1700, 0x17B3},
	{0x17B6, 0x180A},
	{0x1810, 0x1CFF},
	{0xA840, 0xA87F},
	{0xA8E0, 0xA8FF},
	{0xA980, 0xA9FF},
	{0xAA60, 0xAA7F},
	{0xABC0, 0xABFF},
	{0xFB50, 0xFDCF},
	{0xFE70, 0xFEFC},
	{0x10A00, 0x10A5F},
	{0x10AC0, 0x10AFF},
	{0x10D00, 0x10D3F},
	{0x11000, 0x11FFF},
	{0x1E900, 0x1E95F},
}

var unspaced = []Range{
	{0xE00, 0x109F}, {0x1780, 0x17B3}, {0x17B6, 0x17FF}, {0x1950, 0x1AAF}, {0x1B00, 0x1B7F}, {0xA980, 0xA9FF}, {0xAA00, 0xAADF},
}
