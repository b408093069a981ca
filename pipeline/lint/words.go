package lint

import (
	"fmt"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// namedPairs is how many of its things a finding names before it counts the
// rest.
const namedPairs = 5

// number writes an amount of something.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return diag.Number(n) + " " + noun + "s"
}

// count is number without marks between the thousands.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// named joins quoted words, the first few of them.
func named(words []string) string {
	var quoted []string
	for _, w := range words[:min(len(words), namedPairs)] {
		quoted = append(quoted, diag.Quote(w))
	}
	if more := len(words) - namedPairs; more > 0 {
		return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", more)
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " and " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}

// brief gives the start of a text that would make no line of a message.
func brief(s string) string { return firstOf(s, 80) }

// firstOf gives so many characters of a text.
func firstOf(s string, most int) string {
	if r := []rune(s[:min(len(s), 4*most+4)]); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// at gives the first of some places that is known, its first line.
func at(places ...diag.Span) diag.Span {
	for _, p := range places {
		if !p.Known() {
			continue
		}
		if i := strings.IndexByte(p.File.Text[p.Start:p.End], '\n'); i >= 0 {
			p.End = p.Start + i
		}
		return p
	}
	return diag.Span{}
}
