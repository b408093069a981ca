package chars

import (
	"regexp"
	"unicode/utf8"
)

var word = regexp.MustCompile(`\p{L}[\p{L}\p{M}'’-]*`)

// Words counts the words of a text. In scripts without blanks, each two letters are one.
func Words(text string) int {
	n := 0
	for _, w := range word.FindAllString(text, -1) {
		if w[0] < 0x80 {
			n++
			continue
		}
		wide := 0
		for _, r := range w {
			if r >= 0x2e80 {
				wide++
			}
		}
		n += max(1, wide/2)
	}
	return n
}

// IsProse reports whether a text has so many words, with blanks between them where its
// script has blanks.
func IsProse(text string, least int) bool {
	const long = 20 // bytes of ASCII between blanks, on average
	ascii, blanks := 0, 1
	for _, b := range []byte(text) {
		switch {
		case b == ' ' || b == '\n' || b == '\t':
			blanks++
		case b < utf8.RuneSelf:
			ascii++
		}
	}
	return ascii/blanks < long && Words(text) >= least
}
