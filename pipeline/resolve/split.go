package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The ids of sections that no mark names: what stands before the first, and a
// text that is not split.
const (
	preambleID = "preamble"
	wholeID    = "text"
)

// cut is a section of a rendered text: the bytes [start, end).
type cut struct {
	id         string
	start, end int
}

// split cuts a text into sections that follow one another without a gap. Blank
// lines belong to the section before them, since a section begins with what
// names it.
func split(text string, at []prompt.Split) []cut {
	if len(at) == 0 {
		return []cut{{wholeID, 0, len(text)}}
	}
	s := splitter{
		text: text, lines: linesOf(text),
		headings: slices.Contains(at, prompt.SplitHeadings),
		tags:     slices.Contains(at, prompt.SplitTags),
		rules:    slices.Contains(at, prompt.SplitRules),
	}
	s.fences()
	s.pairs()
	s.walk()
	return s.named()
}

// line is one line of a text, without its line break.
type line struct {
	start, end int
	fenced     bool // within a fence, or one of its two ends
	closes     int  // for `<tag>`: the line of its `</tag>`, else 0
}

type splitter struct {
	text                  string
	lines                 []line
	headings, tags, rules bool
	begins                []opening
}

// opening is a line at which a section begins.
type opening struct {
	line  int
	name  string
	after bool // a mark before it begins the section, which has no name then
}

func linesOf(text string) []line {
	out := make([]line, 0, strings.Count(text, "\n")+1)
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		out = append(out, line{start: start, end: end})
		start = end + 1
	}
	return out
}

func (s *splitter) at(i int) string { return s.text[s.lines[i].start:s.lines[i].end] }

func (s *splitter) blank(i int) bool { return strings.TrimSpace(s.at(i)) == "" }

// walk finds where sections begin.
func (s *splitter) walk() {
	i, after := s.front(), false
	for ; i < len(s.lines); i++ {
		switch name, tagged := s.tag(i); {
		case tagged:
			s.begins = append(s.begins, opening{line: i, name: name})
			i, after = s.lines[i].closes, true
		case s.lines[i].fenced:
			after = s.follow(i, after)
		case s.headings && isHeading(s.at(i)):
			s.begins = append(s.begins, opening{line: i, name: headingText(s.at(i))})
			after = false
		case s.rules && isRule(s.at(i)):
			after = true
		case !s.blank(i):
			after = s.follow(i, after)
		}
	}
}

// follow begins a section behind a mark that ended one.
func (s *splitter) follow(i int, after bool) bool {
	if after {
		s.begins = append(s.begins, opening{line: i, after: true})
	}
	return false
}

// front gives the line behind the front matter that a text begins with; 0 where
// it has none.
func (s *splitter) front() int {
	if len(s.lines) == 0 || strings.TrimRight(s.at(0), " \t") != "---" {
		return 0
	}
	for i := 1; i < len(s.lines); i++ {
		if l := strings.TrimRight(s.at(i), " \t"); l == "---" || l == "..." {
			return i + 1
		}
	}
	return 0
}

// tag gives the name of the tag that a section of its own begins with.
func (s *splitter) tag(i int) (string, bool) {
	if !s.tags || s.lines[i].closes == 0 {
		return "", false
	}
	name, _, _ := tagOf(s.at(i))
	return name, true
}

// pairs finds for each `<tag>` the `</tag>` that closes it.
func (s *splitter) pairs() {
	if !s.tags {
		return
	}
	open := map[string][]int{}
	for i := range s.lines {
		name, closing, ok := tagOf(s.at(i))
		if !ok || s.lines[i].fenced {
			continue
		}
		stack := open[name]
		switch n := len(stack); {
		case !closing:
			open[name] = append(stack, i)
		case n > 0:
			s.lines[stack[n-1]].closes = i
			open[name] = stack[:n-1]
		}
	}
}

// tagOf reads a line that is a tag alone, from its first character on.
func tagOf(l string) (name string, closing, ok bool) {
	l = strings.TrimRight(l, " \t")
	if len(l) < 3 || l[0] != '<' || l[len(l)-1] != '>' || l[len(l)-2] == '/' {
		return "", false, false
	}
	inner := l[1 : len(l)-1]
	inner, closing = strings.CutPrefix(inner, "/")
	end := strings.IndexFunc(inner, func(c rune) bool { return !isTagName(c) })
	if end < 0 {
		end = len(inner)
	}
	name, rest := inner[:end], inner[end:]
	letter := name != "" && !strings.ContainsRune("0123456789-.:", rune(name[0]))
	if !letter || strings.ContainsAny(rest, "<>") || rest != "" && (closing || rest[0] != ' ' && rest[0] != '\t') {
		return "", false, false
	}
	return name, closing, true
}

func isTagName(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-.:", c)
}

// isHeading tells a heading that begins with number signs.
func isHeading(l string) bool {
	rest := strings.TrimLeft(l, " ")
	if len(l)-len(rest) > 3 {
		return false
	}
	marks := len(rest) - len(strings.TrimLeft(rest, "#"))
	if marks < 1 || marks > 6 {
		return false
	}
	return len(rest) == marks || rest[marks] == ' ' || rest[marks] == '\t'
}

func headingText(l string) string { return strings.Trim(l, "# \t") }

// isRule tells a line of at least four `=` or three `-`.
func isRule(l string) bool {
	l = strings.TrimRight(l, " \t")
	return len(l) >= 4 && strings.Trim(l, "=") == "" || len(l) >= 3 && strings.Trim(l, "-") == ""
}

// firstWords is how many words name a section that has no name.
const firstWords = 5

// name gives what a section is called that a mark before it begins.
func (s *splitter) name(i int) string {
	l := s.at(i)
	if isHeading(l) {
		return headingText(l)
	}
	words := strings.FieldsFunc(l, func(c rune) bool { return c == ' ' || c == '\t' })
	return strings.Join(words[:min(len(words), firstWords)], " ")
}

// named gives the sections with their ids, each once in a text.
func (s *splitter) named() []cut {
	ids := uniqueIDs{}
	var out []cut
	if len(s.begins) == 0 || strings.TrimSpace(s.text[:s.lines[s.begins[0].line].start]) != "" {
		out = append(out, cut{id: ids.claim(preambleID)})
	} else {
		s.lines[s.begins[0].line].start = 0 // blank lines before it have no section of their own
	}
	for _, b := range s.begins {
		start := s.lines[b.line].start
		if n := len(out); n > 0 {
			out[n-1].end = start
		}
		name := b.name
		if b.after {
			name = s.name(b.line)
		}
		out = append(out, cut{id: ids.claim(slug(name)), start: start})
	}
	out[len(out)-1].end = len(s.text)
	return out
}

// maxID is how long an id may be.
const maxID = 64

// slug makes an id of words.
func slug(words string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(words) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxID {
			break
		}
	}
	id := strings.Trim(b.String(), "-")
	switch {
	case id == "":
		return "section"
	case !prompt.IsAxisValue(id): // a device of Windows, which is no id either
		return "section-" + id
	}
	return id
}

// uniqueIDs numbers the ids of a text that are there already.
type uniqueIDs map[string]int

func (u uniqueIDs) claim(id string) string {
	out := id
	for u[out] > 0 {
		u[id]++
		suffix := "-" + strconv.Itoa(u[id])
		out = strings.TrimRight(id[:min(len(id), maxID-len(suffix))], "-") + suffix
	}
	u[out]++
	return out
}
