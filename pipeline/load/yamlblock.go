package load

import "strings"

// block reads a literal or folded block scalar. Its indentation is not taken
// from the header, which counts from a parent that is not known here, but
// from the first line that has text: it is what the decoded line lacks.
func (s *scalarReader) block(folded bool) bool {
	src := s.text.src
	if s.at >= len(src) || src[s.at] != '|' && src[s.at] != '>' {
		return false
	}
	// The header: indicators, maybe a comment, a line break.
	s.at = s.text.lineEnd(s.at)
	if s.at < len(src) {
		s.at += breakAt(src, s.at)
	}
	indent, ok := s.blockIndent()
	for ok && s.want != "" {
		if s.at >= len(src) {
			return s.addedBreak()
		}
		end := s.text.lineEnd(s.at)
		s.at += min(indent, leadingSpaces(src[s.at:end]))
		line := src[s.at:end]
		ok = s.take(len(line)) && s.blockBreak(indent, folded && line != "" && !isBlank(line[0]))
	}
	return ok
}

// blockIndent compares the first line that has text in the source and in the
// decoded text.
func (s *scalarReader) blockIndent() (int, bool) {
	src := s.text.src
	for at := s.at; at < len(src); {
		end := s.text.lineEnd(at)
		line := src[at:end]
		if strings.TrimLeft(line, " ") != "" {
			indent := leadingSpaces(line) - leadingSpaces(strings.TrimLeft(s.want, "\n\u2028\u2029"))
			return indent, indent >= 0
		}
		if end == len(src) {
			break
		}
		at = end + breakAt(src, end)
	}
	return 0, true // nothing but empty lines
}

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// blockBreak takes the break after a line. In a folded scalar, breaks between
// two lines that do not start with a blank are fewer in the text than in the
// file, or one space.
func (s *scalarReader) blockBreak(indent int, folds bool) bool {
	src := s.text.src
	if s.want == "" || s.at >= len(src) {
		return true
	}
	if folds {
		if n, text := s.foldLines(indent); n > 0 {
			return s.turn(n, text)
		}
	}
	size := breakAt(src, s.at)
	return s.turn(size, decodedBreak(src[s.at:s.at+size]))
}

// foldLines gives the bytes from the end of a line to the text of the next
// one, over empty lines and indentation, and what they become; 0 bytes where
// the breaks stay as they are.
func (s *scalarReader) foldLines(indent int) (n int, text string) {
	src := s.text.src
	var breaks []string
	for at := s.at; at < len(src); {
		size := breakAt(src, at)
		breaks = append(breaks, decodedBreak(src[at:at+size]))
		at += size
		end := s.text.lineEnd(at)
		spaces := leadingSpaces(src[at:end])
		if spaces == end-at && spaces <= indent {
			at = end
			continue
		}
		if spaces < indent || isBlank(src[at+indent]) || breaks[0] != "\n" {
			return 0, ""
		}
		if len(breaks) == 1 {
			return at + indent - s.at, " "
		}
		return at + indent - s.at, strings.Join(breaks[1:], "")
	}
	return 0, ""
}

// addedBreak takes a last line break that the text has and the file lacks.
func (s *scalarReader) addedBreak() bool {
	if s.want != "\n" {
		return false
	}
	s.out.flush()
	s.out.b.WriteString("\n")
	s.want = ""
	return true
}
