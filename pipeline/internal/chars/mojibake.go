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

// evidence is how often the sequences of one lead have to stand alone in a text
// before they are believed, where each by itself may stand there by chance.
const evidence = 3

// Mojibake finds text in UTF-8 that was decoded as Windows-1252 or Latin-1 and
// encoded again, and characters that were lost on the way. What may be so by
// chance, such as a capital letter before a closing quotation mark or a word in
// capitals, is not found.
func Mojibake(text string) []Garbled {
	var out []Garbled
	var doubtful []int // places in out, of those that need others
	var alone [256]int // how many of them have a lead
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
		g, believe := twice(text, i)
		if believe == inNumber {
			lead, _ := byteAt(text, i)
			alone[lead]++
			doubtful = append(doubtful, len(out))
		}
		if believe > never {
			out = append(out, g)
		}
		i = g.End
	}
	kept := out[:0]
	for i, g := range out {
		if len(doubtful) > 0 && doubtful[0] == i {
			doubtful = doubtful[1:]
			if lead, _ := byteAt(text, g.Start); alone[lead] < evidence {
				continue
			}
		}
		kept = append(kept, g)
	}
	return kept
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

// twice decodes the sequences that stand at a place, one behind the other, and
// says whether they are to be believed. It ends behind them, or behind the first
// character where there are none.
func twice(text string, at int) (Garbled, belief) {
	var meant strings.Builder
	end, n, best, readable := at, 0, never, true
	for {
		r, next := sequence(text, end)
		if next == end {
			break
		}
		s := placed(text, end, next)
		if !s.enclosed() {
			best, n = max(best, s.believe(r)), n+1
		}
		readable = readable && unicode.IsGraphic(r)
		meant.WriteRune(r)
		end = next
	}
	if end == at {
		_, size := utf8.DecodeRuneInString(text[at:])
		return Garbled{Start: at, End: at + size}, never
	}
	if n > 1 && readable {
		best = always
	}
	return Garbled{Start: at, End: end, Meant: again(meant.String())}, best
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
