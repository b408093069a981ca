package lint

import (
	"fmt"
	"slices"
	"strconv"
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
	if more := len(words) - namedPairs; more > 0 {
		return strings.Join(quotedAll(words[:namedPairs]), ", ") + fmt.Sprintf(" and %d more", more)
	}
	return namedAll(words)
}

// namedAll joins all of some words.
func namedAll(words []string) string {
	all := quotedAll(words)
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

func quotedAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = diag.Quote(w)
	}
	return out
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
		if p.Known() {
			return p.FirstLine()
		}
	}
	return diag.Span{}
}

// places are further places of what a finding points to, each line once.
type places struct {
	first diag.Span
	lines []string // in the file of the first
	files []string // with their lines
	// looked is how many were added, of which several may share a line.
	looked int
}

// manyPlaces is how many places are looked at.
const manyPlaces = 100

// full reports whether no more are looked at.
func (p *places) full() bool {
	return len(p.lines)+len(p.files) > namedPairs || p.looked >= manyPlaces
}

// add notes one more place.
func (p *places) add(at diag.Span) {
	if p.looked++; p.full() || !at.Known() || !p.first.Known() {
		return
	}
	line := at.File.LineAt(at.Start)
	said, list := strconv.Itoa(line), &p.lines
	if first := p.first.File.LineAt(p.first.Start); at.File != p.first.File {
		said, list = fmt.Sprintf("%s:%d", at.File.Path, line), &p.files
	} else if line == first {
		return
	}
	if !slices.Contains(*list, said) {
		*list = append(*list, said)
	}
}

// String names them, the first few, as "also at line 4"; it is empty where
// there are none.
func (p *places) String() string {
	all := slices.Concat(p.lines, p.files)
	if len(all) == 0 {
		return ""
	}
	out := "also at "
	switch len(p.lines) {
	case 0:
	case 1:
		out += "line "
	default:
		out += "lines "
	}
	last := len(all) - 1
	switch {
	case last >= namedPairs:
		return out + strings.Join(all[:namedPairs], ", ") + " and more"
	case last > 0:
		return out + strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return out + all[0]
}
