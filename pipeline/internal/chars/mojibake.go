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

// Mojibake finds text in UTF-8 that was decoded as Windows-1252 or Latin-1 and
// encoded again, and characters that were lost on the way. What may be so by
// chance, such as a capital letter before a closing quotation mark or a word in
// capitals, is not found.
func Mojibake(text string) []Garbled {
	var out []Garbled
	for i := 0; i < len(text); {
		if text[i] < 0x80 {
			i++
			continue
		}
		g, ok := lost(text, i)
		if !ok {
			g, ok = twice(text, i)
		}
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

// twice decodes the sequences that stand at a place, one behind the other. They
// are believed where there are several, or where the first is. It ends behind
// them, or behind the first character where there are none.
func twice(text string, at int) (Garbled, bool) {
	var meant strings.Builder
	end, n, readable := at, 0, true
	for {
		r, next := sequence(text, end)
		if next == end {
			break
		}
		readable = readable && unicode.IsGraphic(r)
		meant.WriteRune(r)
		end, n = next, n+1
	}
	if n == 0 {
		_, size := utf8.DecodeRuneInString(text[at:])
		return Garbled{Start: at, End: at + size}, false
	}
	g := Garbled{Start: at, End: end, Meant: meant.String()}
	_, size := utf8.DecodeRuneInString(text[at:])
	own, _ := utf8.DecodeRuneInString(text[at+size:])
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); before == own {
		return g, false // letters with signs between them
	}
	return g, n > 1 && readable || n == 1 && believed(text, at, end)
}

// believed reports whether a sequence that stands alone is one: people write
// accented capitals before quotation marks and in words of capitals.
func believed(text string, at, end int) bool {
	lead, size := byteAt(text, at)
	second, _ := byteAt(text, at+size)
	own, _ := utf8.DecodeRuneInString(text[at+size:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[end:])
	closes := unicode.IsUpper(before) || unicode.IsPunct(before)
	switch lead {
	case 0xE2: // quotation marks, arrows, boxes
		return second != 0xA0
	case 0xEF, 0xF0: // full width, pictures
		return true
	case 0xC2: // signs
		return second >= 0xA0 && !closes
	case 0xC3: // letters of Western Europe
		return !closes || unicode.IsLetter(own) || unicode.IsLetter(after)
	case 0xC4, 0xC5: // of Central Europe
		return !unicode.IsLetter(own) && unicode.IsLetter(after)
	default:
		return false
	}
}

// sequence reads the characters at a place as the bytes of one character in
// UTF-8, and gives it with the place behind them; the same place where they are
// not.
func sequence(text string, at int) (r rune, next int) {
	var bytes []byte
	for next = at; len(bytes) < utf8.UTFMax; {
		b, size := byteAt(text, next)
		if b == 0 || len(bytes) == 0 && b < 0xC2 {
			break
		}
		bytes, next = append(bytes, b), next+size
		if r, size := utf8.DecodeRune(bytes); size > 1 && size == len(bytes) {
			return r, next
		}
	}
	return 0, at
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
