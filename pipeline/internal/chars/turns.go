package chars

import (
	"slices"
	"strings"
)

const (
	leftEmbedding = '\u202a'
	popEmbedding  = '\u202c'
	leftOverride  = '\u202d'
	rightOverride = '\u202e'
	leftIsolate   = '\u2066'
	popIsolate    = '\u2069'
)

// turns reports whether a character begins or ends text in a direction.
func turns(r rune) bool {
	return r >= leftEmbedding && r <= rightOverride || r >= leftIsolate && r <= popIsolate
}

// Ends gives the character that ends what one begins in a direction.
func Ends(r rune) rune {
	if r >= leftIsolate {
		return popIsolate
	}
	return popEmbedding
}

// turned judges a character that begins or ends text in a direction: an override
// is never needed, the others are in text that is written from right to left, in
// pairs.
func (s *scanner) turned(at int, r rune) (Class, bool) {
	switch {
	case r == leftOverride || r == rightOverride || !s.rtl(at):
		return Direction, true
	case r == popEmbedding || r == popIsolate:
		return Invisible, s.alone(at)
	default:
		return Unended, s.alone(at)
	}
}

// paragraph has the places of one where something begins or ends that has no
// other end.
type paragraph struct {
	start, end int
	alone      []int // ascending
}

// alone reports whether what begins at a place does not end in its paragraph, or
// what ends there does not begin.
func (s *scanner) alone(at int) bool {
	if at < s.paragraph.start || at >= s.paragraph.end {
		s.paragraph = unpaired(s.text, at)
	}
	_, found := slices.BinarySearch(s.paragraph.alone, at)
	return found
}

// unpaired pairs what begins and ends in the paragraph at a place the way UAX #9
// does: the end of an isolate ends all that began in it.
func unpaired(text string, at int) paragraph {
	p := paragraph{start: paragraphStart(text, at), end: paragraphEnd(text, at)}
	type begun struct {
		at      int
		isolate bool
	}
	var open []begun
	isolates := 0
	for i, r := range text[p.start:p.end] {
		place := p.start + i
		switch {
		case !turns(r):
		case r == popEmbedding:
			if n := len(open) - 1; n >= 0 && !open[n].isolate {
				open = open[:n]
			} else {
				p.alone = append(p.alone, place)
			}
		case r == popIsolate && isolates == 0:
			p.alone = append(p.alone, place)
		case r == popIsolate:
			for !open[len(open)-1].isolate {
				p.alone = append(p.alone, open[len(open)-1].at)
				open = open[:len(open)-1]
			}
			open = open[:len(open)-1]
			isolates--
		default:
			isolate := r >= leftIsolate
			if isolate {
				isolates++
			}
			open = append(open, begun{place, isolate})
		}
	}
	for _, b := range open {
		p.alone = append(p.alone, b.at)
	}
	slices.Sort(p.alone)
	return p
}

// paragraphStart gives the place behind the blank line before a place.
func paragraphStart(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	for start > 0 {
		before := strings.LastIndexByte(text[:start-1], '\n') + 1
		if isBlank(text[before:start]) {
			break
		}
		start = before
	}
	return start
}

// paragraphEnd gives the place of the blank line behind a place.
func paragraphEnd(text string, at int) int {
	for at < len(text) {
		n := strings.IndexByte(text[at:], '\n') + 1
		if n == 0 {
			return len(text)
		}
		at += n
		if next := strings.IndexByte(text[at:], '\n'); next >= 0 && isBlank(text[at:at+next]) {
			break
		}
	}
	return at
}

func isBlank(line string) bool { return strings.Trim(line, " \t\r\n") == "" }
