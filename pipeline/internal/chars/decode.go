package chars

import (
	"strings"
	"unicode/utf8"
)

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
