package code

import "strings"

// What takes the common indentation of lines away, by name.
var (
	dedenters = map[string]func(*run) *run{
		"textwrap.dedent": textwrap, "inspect.cleandoc": cleandoc, "cleandoc": cleandoc, "outdent": outdent, "dedent.Dedent": textwrap,
	}
)

// dedenter gives what a function or a tag of a name does with lines; nil for nothing.
func dedenter(lang *row, chain []string) func(*run) *run {
	name := strings.Join(chain, ".")
	if f := dedenters[name]; f != nil {
		return f
	}
	if name == "dedent" {
		if lang.adjacent {
			return textwrap
		}
		return dedent
	}
	return nil
}

// lines is a text by its lines, as what of each is kept.
type lines struct {
	run        *run
	start, end []int
}

func linesOf(r *run) *lines {
	out := &lines{run: r}
	at := 0
	for l := range strings.SplitSeq(r.text().Str, "\n") {
		out.start, out.end = append(out.start, at), append(out.end, at+len(l))
		at += len(l) + 1
	}
	return out
}

func (l *lines) at(i int) string { return l.run.text().Str[l.start[i]:l.end[i]] }

func (l *lines) blank(i int) bool { return strings.Trim(l.at(i), " \t\r\f\v") == "" }

// cut takes bytes away at the beginning of a line, as far as they are blanks.
func (l *lines) cut(i, n int) {
	s := l.at(i)
	n = min(n, len(s)-len(strings.TrimLeft(s, " \t")))
	l.start[i] += n
}

// drop takes lines away that say nothing, at both ends.
func (l *lines) drop() {
	for len(l.start) > 0 && l.blank(0) {
		l.start, l.end = l.start[1:], l.end[1:]
	}
	for n := len(l.start); n > 0 && l.blank(n-1); n = len(l.start) {
		l.start, l.end = l.start[:n-1], l.end[:n-1]
	}
}

// kept puts together what is kept.
func (l *lines) kept() *run {
	out := &run{from: l.run.from, to: l.run.to, placed: l.run.placed, texts: l.run.texts, format: l.run.format}
	next := 0
	part := func(start, end int) {
		for ; next < len(l.run.holes) && l.run.holes[next].Start < end; next++ {
			if h := l.run.holes[next]; h.Start >= start {
				out.holes = append(out.holes, Hole{h.Start - start + out.size, h.End - start + out.size, h.Field})
			}
		}
		out.write(l.run.text().Slice(start, end))
	}
	for i := range l.start {
		if i > 0 {
			part(l.end[i-1], l.end[i-1]+1) // the line break, if the lines follow one another
		}
		part(l.start[i], l.end[i])
	}
	return out
}

// textwrap is textwrap.dedent of Python: the blanks with which all lines begin, of those
// that say something.
func textwrap(r *run) *run {
	l := linesOf(r)
	margin, first := "", true
	for i := range l.start {
		s := l.at(i)
		indent := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
		switch {
		case l.blank(i):
			l.start[i] = l.end[i]
		case first:
			margin, first = indent, false
		default:
			n := 0
			for n < len(margin) && n < len(indent) && margin[n] == indent[n] {
				n++
			}
			margin = margin[:n]
		}
	}
	for i := range l.start {
		l.cut(i, len(margin))
	}
	return l.kept()
}

// cleandoc is inspect.cleandoc of Python: the first line by itself, and no blank lines at
// the ends.
func cleandoc(r *run) *run {
	l := linesOf(r)
	margin := -1
	for i := 1; i < len(l.start); i++ {
		if s := l.at(i); !l.blank(i) {
			if n := len(s) - len(strings.TrimLeft(s, " \t")); margin < 0 || n < margin {
				margin = n
			}
		}
	}
	for i := range l.start {
		if i == 0 {
			l.cut(i, len(l.at(i)))
		} else {
			l.cut(i, max(margin, 0))
		}
	}
	l.drop()
	return l.kept()
}

// dedent is the package dedent of npm: the least indentation of the lines that have one,
// and no blanks at the ends.
func dedent(r *run) *run {
	l := linesOf(r)
	margin := -1
	for i := range l.start {
		s := l.at(i)
		if n := len(s) - len(strings.TrimLeft(s, " \t")); n > 0 && !l.blank(i) && (margin < 0 || n < margin) {
			margin = n
		}
	}
	for i := range l.start {
		l.cut(i, max(margin, 0))
	}
	return l.kept().trimmed(true, true)
}

// outdent is the package outdent of npm: the indentation of the first line behind a line
// break, of all lines, and neither the first line break nor the last.
func outdent(r *run) *run {
	l := linesOf(r)
	if len(l.start) == 1 {
		return r
	}
	margin := len(l.at(1)) - len(strings.TrimLeft(l.at(1), " \t"))
	for i := 1; i < len(l.start) && l.blank(i); i++ {
		if i+1 < len(l.start) {
			margin = len(l.at(i+1)) - len(strings.TrimLeft(l.at(i+1), " \t"))
		}
	}
	first, last := l.blank(0), l.blank(len(l.start)-1)
	for i := 1; i < len(l.start); i++ {
		l.cut(i, margin)
	}
	if first {
		l.start, l.end = l.start[1:], l.end[1:]
	}
	if n := len(l.start); last && n > 1 {
		l.start, l.end = l.start[:n-1], l.end[:n-1]
	}
	return l.kept()
}
