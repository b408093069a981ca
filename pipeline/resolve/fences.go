package resolve

import "strings"

// fence is the end of a line that may open or close a block of code.
type fence struct {
	mark   byte
	length int
	bare   bool // nothing else stands in the line: it may close one
}

// fenceOf reads the fence of a line; its length is 0 for any other line.
func fenceOf(l string) fence {
	rest := strings.TrimLeft(l, " ")
	if len(l)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return fence{}
	}
	mark := rest[0]
	after := strings.TrimLeft(rest, string(mark))
	n := len(rest) - len(after)
	if n < 3 || mark == '`' && strings.IndexByte(after, '`') >= 0 {
		return fence{}
	}
	return fence{mark, n, strings.Trim(after, " \t") == ""}
}

// closer is a line that may close a fence.
type closer struct{ line, length int }

// fences marks the lines of blocks of code. A fence that nothing closes opens
// no block: what follows it is text like any other.
func (s *splitter) fences() {
	all := make([]fence, len(s.lines))
	bare := map[byte][]closer{}
	for i := range s.lines {
		all[i] = fenceOf(s.at(i))
		if f := all[i]; f.bare {
			bare[f.mark] = append(bare[f.mark], closer{i, f.length})
		}
	}
	hopeless := map[byte]int{} // the least length that nothing further on closes
	for i := 0; i < len(all); i++ {
		f := all[i]
		if f.length == 0 || hopeless[f.mark] > 0 && f.length >= hopeless[f.mark] {
			continue
		}
		left := bare[f.mark]
		for len(left) > 0 && left[0].line <= i {
			left = left[1:]
		}
		bare[f.mark] = left
		end := closing(left, f.length)
		if end < 0 {
			hopeless[f.mark] = f.length
			continue
		}
		for ; i < end; i++ {
			s.lines[i].fenced = true
		}
		s.lines[end].fenced = true
	}
}

// closing gives the first line that is long enough to close a fence, -1 for
// none.
func closing(all []closer, length int) int {
	for _, c := range all {
		if c.length >= length {
			return c.line
		}
	}
	return -1
}
