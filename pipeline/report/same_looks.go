package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/internal/chars"
)

const (
	// mostCompared is how long texts are whose characters are compared by
	// their looks.
	mostCompared = 64 << 10
	// mostPairs is how many pairs of characters are told apart.
	mostPairs = 3
)

// sameLooks tells two texts apart that a reader cannot: by the code points of
// the characters that differ, as `"é" U+00E9 → "é" U+0065 U+0301`. "" where it
// can be seen that they differ.
func sameLooks(from, to string) string {
	if len(from)+len(to) > mostCompared || isPlain(from) && isPlain(to) {
		return ""
	}
	a, b := cells(from), cells(to)
	if len(a) != len(b) {
		return ""
	}
	var out []string
	more := 0
	for i := range a {
		was, is := from[a[i].from:a[i].to], to[b[i].from:b[i].to]
		if was == is {
			continue
		}
		if a[i].named || b[i].named || a[i].picture || b[i].picture || !alike([]rune(was), []rune(is)) {
			return ""
		}
		one := `"` + a[i].text + `" ` + codePoints(was) + ` → "` + b[i].text + `" ` + codePoints(is)
		switch {
		case slices.Contains(out, one):
		case len(out) == mostPairs:
			more++
		default:
			out = append(out, one)
		}
	}
	if more > 0 {
		out = append(out, count(more, "more character"))
	}
	return strings.Join(out, ", ")
}

// alike reports whether two characters that are not the same may look so: they
// are of one shape in two alphabets, or one letter in one code point and in
// several.
func alike(a, b []rune) bool {
	if len(a) != len(b) {
		one := a
		if len(b) < len(a) {
			one = b
		}
		return len(one) > 1 || one[0] >= 0x80 && unicode.IsLetter(one[0])
	}
	for i := range a {
		same := a[i] == b[i] || chars.Plain(string(a[i])) == chars.Plain(string(b[i])) || unicode.IsSpace(a[i]) && unicode.IsSpace(b[i]) ||
			unicode.IsUpper(a[i]) && unicode.IsUpper(b[i]) && unicode.ToLower(a[i]) == unicode.ToLower(b[i]) ||
			i > 0 && slices.Contains(b, a[i]) // marks in another order
		if !same {
			return false
		}
	}
	return true
}

func codePoints(s string) string {
	var out []string
	for _, r := range s {
		out = append(out, fmt.Sprintf("%U", r))
	}
	return strings.Join(out, " ")
}
