package chars

import (
	"slices"
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
// the tags of the three flags, and what one script alone is written with. No row
// of eight is legitimate.
func Scan(text string) []Run { return scan(text, false) }

// ScanName is Scan for a text of one line, in which a tab or a line break is no
// character to be seen either.
func ScanName(name string) []Run { return scan(name, true) }

func scan(text string, line bool) []Run {
	s := scanner{text: text}
	shown := func(r rune) bool {
		return r >= ' ' && r < 0x7F || (r == '\n' || r == '\t') && !line || !suspect(r) || r == utf8.RuneError
	}
	var out []Run
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F {
			i++
			continue
		}
		if n := flag(text, i); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		end, count := i, 0
		for end < len(text) && !shown(r) {
			end, count = end+size, count+1
			r, size = utf8.DecodeRuneInString(text[end:])
		}
		if count > 0 {
			out = append(out, s.row(i, end, count)...)
			i = end
		} else {
			i += size
		}
	}
	return out
}

// row judges the characters of a row; where there are codedRow, all of them are
// found.
func (s *scanner) row(start, end, count int) []Run {
	var out []Run
	for i := start; i < end; {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		class, found := s.judge(i, r, size)
		if !found && count >= codedRow {
			class, found = Invisible, true
		}
		switch last := len(out) - 1; {
		case !found:
		case last >= 0 && out[last].End == i:
			out[last].End, out[last].Count = i+size, out[last].Count+1
			if class < out[last].Class {
				out[last].Class, out[last].First = class, r
			}
		default:
			out = append(out, Run{Start: i, End: i + size, Class: class, Count: 1, First: r})
		}
		i += size
	}
	return out
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
		return needs(r) != nil || r >= 0x2000 && r <= 0x200F || r == 0x205F || r >= 0x2028 && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == blankBraille
	case r < 0xFE00:
		return r == 0x3164 || r >= 0xE000 && r <= 0xF8FF || r >= 0xFDD0 && r <= 0xFDEF
	case r < 0x10000:
		return r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0 && r != replacement
	default:
		return r >= 0xE0000 || needs(r) != nil || r >= 0x1D173 && r <= 0x1D17A || r >= 0x1BCA0 && r <= 0x1BCA3 || r&0xFFFE == 0xFFFE
	}
}

// scanner looks at what stands around a character. What it has to know of a
// whole line or text it finds out once.
type scanner struct {
	text             string
	lineEnd          int  // of the line that was looked at last
	lineRTL          bool // it has letters that are written from right to left
	asked, writesRTL bool // the text is written from right to left
	alone            []int
	paired           bool // alone is known
}

// judge says what a suspicious character is, and whether it is found.
func (s *scanner) judge(at int, r rune, size int) (class Class, found bool) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	after, _ := utf8.DecodeRuneInString(s.text[at+size:])
	switch {
	case isTag(r):
		return Tag, true
	case isSelector(r) && isSelector(before):
		base, _ := utf8.DecodeLastRuneInString(s.text[:at-utf8.RuneLen(before)])
		if r == pictureSelector && before == r && Picture(base) {
			return Repeated, true // two programs put one each
		}
		return Doubled, true
	case r >= 0xE0100 && r <= 0xE01EF:
		return coded(r, before), true
	case inPicture(s.text, at, r, before):
		return Invisible, false
	case r >= 0xFE00 && r <= 0xFE0F:
		return Selector, !selects(before, r) && !(r == pictureSelector && s.inAnchor(at))
	case r == leftOverride || r == rightOverride || turns(r) && !s.rtl(at):
		return Direction, true
	case r == popEmbedding || r == popIsolate:
		return Invisible, s.unpaired(at)
	case turns(r):
		return Unended, s.unpaired(at)
	case isMark(r):
		return Invisible, isMark(before) || isMark(after) || !s.rtl(at)
	case unicode.Is(unicode.Co, r):
		return Private, true
	case unicode.Is(unicode.Zs, r):
		return Blank, !setsOff(r, before, after)
	case r < 0xA0 || r == 0x2028 || r == 0x2029:
		return Control, true
	}
	if isJoiner(r) && isJoiner(before) { // some old texts write both
		before, _ = utf8.DecodeLastRuneInString(s.text[:at-utf8.RuneLen(before)])
	}
	letters := needs(r)
	return Invisible, !Within(letters, before) && !Within(letters, after)
}

// setsOff reports whether a thin blank stands beside a number or a sign, as
// typographers set it.
func setsOff(r, before, after rune) bool {
	return (r == 0x2009 || r == 0x200A) && (isSign(before) || isSign(after))
}

func isSign(r rune) bool { return unicode.IsDigit(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) }

// flags are what the tags of the three flags spell, of England, Scotland and
// Wales: all that Unicode recommends.
var flags = []string{"gbeng", "gbsct", "gbwls"}

// flag gives the bytes of the tags at a place where they are those of a flag, 0
// where they are not.
func flag(text string, at int) int {
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); before != blackFlag {
		return 0
	}
	const each = 4 // bytes of a tag
	for _, f := range flags {
		end := at + (len(f)+1)*each
		if end <= len(text) && untag(text[at:end]) == f && strings.HasSuffix(text[:end], string(cancelTag)) {
			return end - at
		}
	}
	return 0
}

// inAnchor reports whether a place is in the target of a link to a heading, from
// which sites take the emoji but not its selector: `](#\ufe0f-start)`.
func (s *scanner) inAnchor(at int) bool {
	const longest = 256
	before := s.text[max(0, at-longest):at]
	target := before[strings.LastIndexAny(before, "( \t\n")+1:]
	return strings.Contains(target, "#") && strings.HasSuffix(before[:len(before)-len(target)], "](")
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

const (
	leftEmbedding = '\u202a'
	popEmbedding  = '\u202c'
	leftOverride  = '\u202d'
	rightOverride = '\u202e'
	leftIsolate   = '\u2066'
	popIsolate    = '\u2069'
)

// turns reports whether a character begins or ends text in a direction.
func turns(r rune) bool {
	return r >= leftEmbedding && r <= rightOverride || r >= leftIsolate && r <= popIsolate
}

// Ends gives the character that ends what one begins in a direction.
func Ends(r rune) rune {
	if r >= leftIsolate {
		return popIsolate
	}
	return popEmbedding
}

// unpaired reports whether what begins or ends at a place has no other end in
// its paragraph. The end of an isolate ends all that began in it.
func (s *scanner) unpaired(at int) bool {
	if !s.paired {
		s.paired = true
		var open []int
		blank := false // nothing stands on the line so far
		for i, r := range s.text {
			switch {
			case r == '\n' && blank:
				s.alone, open = append(s.alone, open...), nil
			case r == '\n':
				blank = true
			case r == popEmbedding || r == popIsolate:
				last := len(open) - 1
				for ; last >= 0 && r == popIsolate && s.ends(open[last]) != r; last-- {
					s.alone = append(s.alone, open[last])
				}
				if last < 0 || s.ends(open[last]) != r {
					s.alone = append(s.alone, i)
					open = open[:last+1]
				} else {
					open = open[:last]
				}
			case turns(r):
				open = append(open, i)
			}
			blank = blank && (r == '\n' || r == ' ' || r == '\t' || r == '\r')
		}
		s.alone = append(s.alone, open...)
		slices.Sort(s.alone)
	}
	_, found := slices.BinarySearch(s.alone, at)
	return found
}

// ends gives what ends the direction that begins at a place.
func (s *scanner) ends(at int) rune {
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return Ends(r)
}

// lastVariant is behind all selectors that Unicode's Ideographic Variation
// Database has for a character, and before those that letters are hidden in.
const lastVariant = 0xE012F

// coded says what one of the selectors 17 to 256 is.
func coded(r, before rune) Class {
	if r <= lastVariant && unicode.Is(unicode.Han, before) {
		return Variant
	}
	return Coded
}

func isJoiner(r rune) bool { return r == zeroWidthJoiner || r == zeroWidthNonJoiner }

func isMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x61C }

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

// isSelector reports whether a character selects the look of the one before it.
func isSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// isRTL reports whether a character is of a script that is written from right to
// left.
func isRTL(r rune) bool { return r >= 0x5BE && r != 0x61C && Within(rightToLeft, r) }

// Unhide gives the text that a row of characters hides: tags stand for ASCII,
// and selectors are used for bytes. It is false where there is none to read.
func Unhide(row string) (string, bool) {
	if s := untag(row); s != "" {
		return s, true
	}
	var bytes []byte
	for _, r := range row {
		switch {
		case r >= 0xFE00 && r <= 0xFE0F:
			bytes = append(bytes, byte(r-0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			bytes = append(bytes, byte(r-0xE0100+16))
		}
	}
	if len(bytes) < 2 || !utf8.Valid(bytes) || strings.ContainsFunc(string(bytes), unreadable) {
		return "", false
	}
	return string(bytes), true
}

func unreadable(r rune) bool { return Hidden(r) && r != '\n' && r != '\t' && r != '\r' }

// untag gives the ASCII that the tags of a text stand for.
func untag(s string) string {
	var b strings.Builder
	for _, r := range s {
		if c := r - 0xE0000; isTag(r) && c >= ' ' && c <= '~' {
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}
