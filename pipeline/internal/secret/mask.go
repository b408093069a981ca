package secret

import (
	"strings"
	"unicode/utf8"
)

// Shown is how many characters of a key may be shown.
const Shown = 4

// Mask gives a text with a star for each byte of its keys but for their first
// characters, so that offsets stay what they are.
func Mask(text string) string {
	found := Find(text)
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range found {
		from := m.Shown
		for range Shown {
			_, size := utf8.DecodeRuneInString(text[from:m.End])
			from += size
		}
		b.WriteString(text[at:from] + strings.Repeat("*", m.End-from))
		at = m.End
	}
	return b.String() + text[at:]
}
