package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Garbled is a place of a text that was read in another encoding than the one
// that it was written in.
type Garbled struct {
	Start, End int
	// Meant is what was written; "" where that is lost.
	Meant string
}

// windows1252 gives the characters of the bytes 0x80 to 0x9F in that code page;
// five are not assigned. From Unicode's mapping table CP1252.TXT.
var windows1252 = [...]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// rounds is how often a text may have been decoded wrongly, one upon the other.
const rounds = 3

// Mojibake finds text in UTF-8 that was decoded as Windows-1252 or Latin-1 and
// encoded again, and characters that were lost on the way. What may be so by
// chance, such as a capital letter before a closing quotation mark, is not
// found.
func Mojibake(text string) []Garbled {
	var out []Garbled
	for i := 0; i < len(text); {
		if text[i] < 0x80 {
			i++
			continue
		}
		if g, ok := lost(text, i); ok {
			out = append(out, g)
			i = g.End
			continue
		}
		g, ok := twice(text, i)
		if ok {
			out = append(out, g)
		}
		i = g.End
	}
	return out
}

// lost finds a row of replacement characters. A single one that stands alone is
// itself what the text speaks of.
func lost(text string, at int) (Garbled, bool) {
	end := at
	for strings.HasPrefix(text[end:], string(replacement)) {
		end += len(string(replacement))
	}
	if end == at {
		return Garbled{}, false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[end:])
	several := end-at > len(string(replacement))
	return Garbled{Start: at, End: end}, several || unicode.IsLetter(before) || unicode.IsLetter(after)
}

// twice decodes the sequences that stand at a place, one behind the other. It
// ends behind them, or behind the first character where there are none.
func twice(text string, at int) (Garbled, bool) {
	var meant strings.Builder
	end, n, sure, readable := at, 0, false, true
	for {
		r, next := sequence(text, end)
		if next == end {
			break
		}
		sure = sure || isSure(text, end, next)
		readable = readable && unicode.IsGraphic(r)
		meant.WriteRune(r)
		end, n = next, n+1
	}
	if n == 0 {
		_, size := utf8.DecodeRuneInString(text[at:])
		return Garbled{Start: at, End: at + size}, false
	}
	return Garbled{Start: at, End: end, Meant: again(meant.String())}, sure || n > 1 && readable
}

// again undoes what happened to a text more than once.
func again(s string) string {
	for range rounds - 1 {
		next := undo(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func undo(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if r, next := sequence(s, i); next > i {
			b.WriteRune(r)
			i = next
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// sequence reads the characters at a place as the bytes of one character in
// UTF-8, and gives it with the place behind them; the same place where they are
// not.
func sequence(text string, at int) (r rune, next int) {
	var bytes [utf8.UTFMax]byte
	lead, size := byteAt(text, at)
	n := 0
	switch {
	case lead >= 0xC2 && lead <= 0xDF:
		n = 2
	case lead >= 0xE0 && lead <= 0xEF:
		n = 3
	case lead >= 0xF0 && lead <= 0xF4:
		n = 4
	default:
		return 0, at
	}
	bytes[0], next = lead, at+size
	for i := 1; i < n; i++ {
		b, size := byteAt(text, next)
		if b < 0x80 || b > 0xBF {
			return 0, at
		}
		bytes[i] = b
		next += size
	}
	r, size = utf8.DecodeRune(bytes[:n])
	if size != n {
		return 0, at
	}
	return r, next
}

// byteAt gives the byte above 0x7F that the character at a place was decoded
// from, 0 where it cannot have been, and the character's own size.
func byteAt(text string, at int) (b byte, size int) {
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case r >= 0x80 && r <= 0xFF:
		return byte(r), size
	case r > 0xFF && r <= 0x2122:
		for i, c := range windows1252 {
			if c == r {
				return byte(0x80 + i), size
			}
		}
	}
	return 0, size
}

// isSure reports whether a sequence can hardly stand there by chance.
func isSure(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	lead, size := byteAt(text, start)
	second, _ := byteAt(text, start+size)
	weak := strings.ContainsRune(afterWords, rune(second)) && !unicode.IsLetter(after)
	switch {
	case lead >= 0xF0 || lead == 0xEF:
		return true
	case lead == 0xE2: // punctuation, arrows, boxes
		return second != 0xA0
	case lead >= 0xE0:
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case lead == 0xC2:
		return second >= 0xA0 && !unicode.IsUpper(before)
	case lead == 0xC3:
		return !weak || !unicode.IsUpper(before)
	case lead == 0xD7 || lead == 0xD8: // × and Ø stand before signs
		return false
	default:
		return !weak
	}
}

// afterWords are the bytes of what may follow a word by itself: quotation marks,
// dashes, dots, daggers, blanks, and what is raised.
const afterWords = "\u0082\u0084\u0085\u0086\u0087\u008b\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0099\u009b" +
	"\u00a0\u00a9\u00ab\u00ad\u00ae\u00b0\u00b2\u00b3\u00b4\u00b7\u00b9\u00bb"
