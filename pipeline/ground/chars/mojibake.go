package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Garbled is a place of a text that was read in another encoding than the one
// that it was written in.
type Garbled struct {
	Start, End int
	// Meant is what was written; "" where that is lost.
	Meant string
}

// Mojibake finds text in UTF-8 that was decoded as Windows-1252 or Latin-1 and
// encoded again: whole runs of characters beyond ASCII. It also finds U+FFFD
// beside a letter or in a row, where characters were lost.
func Mojibake(text string) []Garbled {
	var out []Garbled
	before := ' '
	for at := 0; at < len(text); {
		first, size := utf8.DecodeRuneInString(text[at:])
		if first < utf8.RuneSelf {
			before, at = first, at+size
			continue
		}
		end := len(text)
		if n := strings.IndexFunc(text[at:], func(r rune) bool { return r < utf8.RuneSelf || (r == replacement) != (first == replacement) }); n >= 0 {
			end = at + n
		}
		g := Garbled{Start: at, End: end}
		found := false
		if first == replacement {
			after, _ := utf8.DecodeRuneInString(text[end:])
			found = end-at > size || unicode.IsLetter(before) || unicode.IsLetter(after)
		} else {
			g.Meant = decodedOnce(text[at:end])
			found = g.Meant != "" && !byChance(before, g.Meant)
		}
		if found {
			out = append(out, g)
		}
		before, _ = utf8.DecodeLastRuneInString(text[at:end])
		at = end
	}
	return out
}

// decodedOnce gives what a run says if its characters are the bytes of UTF-8, ""
// where they are not, or where nobody could read it.
func decodedOnce(run string) string {
	var bytes []byte
	for _, r := range run {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if r <= unicode.MaxLatin1 { // programs that take it for Latin-1 give controls
			b, ok = byte(r), true
		}
		if !ok {
			return ""
		}
		bytes = append(bytes, b)
	}
	isUnread := func(r rune) bool { return !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r) }
	if !utf8.Valid(bytes) || strings.ContainsFunc(string(bytes), isUnread) {
		return ""
	}
	return string(bytes)
}

// byChance reports whether a run that means a single character may be what
// somebody wrote: an accented letter before a quotation mark or a dash means a
// letter of another script, or stands behind a capital ("IRMÃ”").
func byChance(before rune, meant string) bool {
	r, size := utf8.DecodeRuneInString(meant)
	isSign := r >= 0x2000 && !unicode.IsLetter(r)
	return size == len(meant) && !isSign && (r > unicode.MaxLatin1 || unicode.IsUpper(before))
}
