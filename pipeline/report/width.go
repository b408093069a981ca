package report

import "golang.org/x/text/width"

// isWide reports whether a code point takes two columns: East Asian Width W or
// F, which has the emoji that are shown as pictures by default.
func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// columns gives the columns of a text that clean has gone over.
func columns(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return span(cells(s))
		}
	}
	return len(s)
}
