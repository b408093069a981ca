package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Crowd is where characters that are not seen, each of them legitimate where it
// stands, are far more than any script needs: on lines where there are more than
// two of them for five that are seen.
type Crowd struct {
	// Start and End are those of the first such line, from its first such
	// character to its last.
	Start, End int
	// Count is their number on that line, Seen that of the others.
	Count, Seen int
	// Lines are all such lines; All is the number on them.
	Lines, All int
}

// Found reports whether there are enough to hide a word in.
func (c Crowd) Found() bool { return c.All >= crowdAll }

const (
	crowdAll  = 32 // bits of something
	crowdLine = 8  // on a line
)

// line is what is legitimate on a line so far.
type line struct {
	end         int // of the line
	first, last int
	count       int // but for selectors of pictures
	selectors   int
}

// keep counts a legitimate character. Joiners of pictures and selectors of keycaps
// are not: there have to be as many.
func (s *scanner) keep(at int, r rune, size int) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	after, _ := utf8.DecodeRuneInString(s.text[at+size:])
	if r == zeroWidthJoiner && Picture(after) || after == enclosingKeycap {
		return
	}
	if at >= s.line.end {
		s.endLine()
		s.line = line{end: len(s.text), first: at}
		if n := strings.IndexByte(s.text[at:], '\n'); n >= 0 {
			s.line.end = at + n
		}
	}
	s.line.last = at + size
	if (r == textSelector || r == pictureSelector) && before >= 0x80 {
		s.line.selectors++
	} else {
		s.line.count++
	}
}

// endLine puts a line to the crowd that is one.
func (s *scanner) endLine() {
	l := s.line
	if l.count+l.selectors < crowdLine {
		return
	}
	text := s.text[strings.LastIndexByte(s.text[:l.first], '\n')+1 : l.end]
	n := l.count
	if l.selectors >= crowdLine {
		n += changing(text)
	}
	seen := 0
	for _, r := range text {
		if r > ' ' && r < 0x7F || r >= 0xA0 && !suspect(r) && !unicode.IsSpace(r) {
			seen++
		}
	}
	if n < crowdLine || n*5 <= seen*2 {
		return
	}
	if s.crowd.Lines == 0 {
		s.crowd = Crowd{Start: l.first, End: l.last, Count: n, Seen: seen}
	}
	s.crowd.Lines++
	s.crowd.All += n
}

// changing counts the pictures that have another look than the same picture
// mostly has on the line: with one selector, the other, or none. Who writes for
// the eye keeps to one.
func changing(text string) int {
	uses := map[rune]*[3]int{}
	var last *[3]int // of the picture before, whose selector may follow
	for _, r := range text {
		switch {
		case last != nil && r == textSelector:
			last[1]++
		case last != nil && r == pictureSelector:
			last[2]++
		case last != nil:
			last[0]++
		}
		last = nil
		if r >= 0x80 && !suspect(r) && (Picture(r) || unicode.IsSymbol(r)) {
			if last = uses[r]; last == nil {
				last = &[3]int{}
				uses[r] = last
			}
		}
	}
	n := 0
	for _, u := range uses {
		n += u[0] + u[1] + u[2] - max(u[0], u[1], u[2])
	}
	return n
}
