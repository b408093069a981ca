package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/slugs"
)

// The ids of sections that no mark names: what stands before the first, a text
// that is not split, and a mark that says nothing.
const (
	preambleID = "preamble"
	wholeID    = "text"
	unnamedID  = "section"
)

// cut is a section of a rendered text: the bytes [start, end). Its id is that of
// its slug, and of its parent's where slugs repeat.
type cut struct {
	id, slug   string
	parent     int // index of the cut whose heading it stands under, -1 for none
	start, end int
}

// split cuts a text into sections that follow one another without a gap. Blank
// lines belong to the section before them, since a section begins with what
// names it.
func split(text string, at []language.Split) []cut {
	if len(at) == 0 {
		return []cut{{slug: wholeID, parent: -1, end: len(text)}}
	}
	s := splitter{
		text:     text,
		headings: slices.Contains(at, language.SplitHeadings),
		tags:     slices.Contains(at, language.SplitTags),
		rules:    slices.Contains(at, language.SplitRules),
	}
	s.read()
	s.pairs()
	s.walk()
	return s.cuts()
}

// line is one line of a text, without its line break.
type line struct {
	start, end int
	fenced     bool // within a fence, or one of its two ends
	heading    int  // its level, 0 for none
	closes     int  // for `<tag>`: the line of its `</tag>`, else 0
}

type splitter struct {
	text                  string
	lines                 []line
	front                 int // the line behind the front matter
	headings, tags, rules bool
	begins                []opening
	open                  []int // begins: the headings and the block that the walk is in
	rule                  int   // the line of a rule with which the next section begins, -1 for none
}

// opening is a line at which a section begins.
type opening struct {
	line   int
	slug   string
	level  int
	parent int // index in begins, -1 for none
}

// Levels of what begins a section: headings have 1 to 6.
const (
	blockLevel = 0 // all headings up to the next block stand under it
	leafLevel  = 7 // nothing stands under it
)

// read reads the structure of the text. Front matter is no Markdown.
func (s *splitter) read() {
	body := 0
	if front, _ := markdown.FrontMatter(s.text); front != nil {
		body = front.Body
	}
	for start := 0; start < body; start = s.lines[len(s.lines)-1].end + 1 {
		l, _, _ := strings.Cut(s.text[start:], "\n")
		s.lines = append(s.lines, line{start: start, end: start + len(l)})
	}
	s.front = len(s.lines)
	for _, l := range markdown.Lines(s.text[body:]) {
		own := line{start: body + l.Start, end: body + l.End, fenced: l.Fenced}
		if !l.Nested {
			own.heading = l.Heading
		}
		if own.start < len(s.text) {
			s.lines = append(s.lines, own)
		}
	}
}

func (s *splitter) at(i int) string { return s.text[s.lines[i].start:s.lines[i].end] }

func (s *splitter) blank(i int) bool { return strings.TrimSpace(s.at(i)) == "" }

// walk finds where sections begin.
func (s *splitter) walk() {
	s.rule = -1
	after := false // behind a tag that was closed
	for i := s.front; i < len(s.lines); i++ {
		switch name, tagged := s.tag(i); {
		case tagged && s.rule < 0 && !after && s.within(name):
			i = s.lines[i].closes // the tool that the heading names, say
		case tagged:
			s.begin(i, name, leafLevel)
			i, after = s.lines[i].closes, true
		case s.headings && s.lines[i].heading > 0:
			s.begin(i, headingText(s.at(i)), s.lines[i].heading)
			after = false
		case s.rules && !s.lines[i].fenced && isRule(s.at(i)):
			if s.rule < 0 {
				s.rule = i
			}
			if s.at(i)[0] == '=' {
				s.open = nil
			}
		case s.blank(i) && !s.lines[i].fenced:
		case s.rule >= 0:
			s.begin(i, s.name(i), s.ruleLevel())
			after = false
		case after:
			s.begin(i, s.name(i), leafLevel)
			after = false
		}
	}
}

// begin notes that a section begins at a line, or at the rule before it.
func (s *splitter) begin(i int, name string, level int) {
	if s.rule >= 0 {
		i, s.rule = s.rule, -1
	}
	for n := len(s.open); n > 0 && s.begins[s.open[n-1]].level >= level; n-- {
		s.open = s.open[:n-1]
	}
	o := opening{line: i, slug: slug(name), level: level, parent: -1}
	if n := len(s.open); n > 0 {
		o.parent = s.open[n-1]
	}
	if level < leafLevel {
		s.open = append(s.open, len(s.begins))
	}
	s.begins = append(s.begins, o)
}

// ruleLevel gives the level of a text that a rule begins: below a heading it is
// a part of what the heading holds.
func (s *splitter) ruleLevel() int {
	if n := len(s.open); n > 0 && s.begins[s.open[n-1]].level > blockLevel {
		return leafLevel
	}
	return blockLevel
}

// within reports whether the walk is in a section whose heading names a tag.
func (s *splitter) within(tag string) bool {
	if len(s.open) == 0 {
		return false
	}
	id := slug(tag)
	return slices.ContainsFunc(s.open, func(i int) bool { return s.begins[i].slug == id })
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
	if s.lines[i].heading > 0 {
		return headingText(l)
	}
	words := strings.FieldsFunc(l, func(c rune) bool { return c == ' ' || c == '\t' })
	return strings.Join(words[:min(len(words), firstWords)], " ")
}

// cuts gives the sections, which have no ids yet.
func (s *splitter) cuts() []cut {
	out := make([]cut, 0, len(s.begins)+1)
	if len(s.begins) == 0 || strings.TrimSpace(s.text[:s.lines[s.begins[0].line].start]) != "" {
		out = append(out, cut{slug: preambleID, parent: -1})
	} else {
		s.lines[s.begins[0].line].start = 0 // blank lines before it have no section of their own
	}
	first := len(out)
	for _, b := range s.begins {
		start := s.lines[b.line].start
		if n := len(out); n > 0 {
			out[n-1].end = start
		}
		parent := -1
		if b.parent >= 0 {
			parent = b.parent + first
		}
		out = append(out, cut{slug: b.slug, parent: parent, start: start})
	}
	out[len(out)-1].end = len(s.text)
	return out
}

// maxID is how long an id may be.
const maxID = 64

// slug makes an id of what a section is called.
func slug(words string) string {
	id, _ := slugs.Slug(words, maxID, unnamedID)
	return id
}

// ids tells the sections of a text apart, and those of its prompt's other texts
// where they are others.
type ids struct {
	// repeated are the slugs that one text has under several headings. They
	// are told apart by these in every text, also in one that has it once: it
	// stays the same section when another comes.
	repeated map[string]bool
}

// read notes the slugs that a text repeats.
func (d *ids) read(cuts []cut) {
	under := make(map[string]int, len(cuts))
	for _, c := range cuts {
		if parent, known := under[c.slug]; known && parent != c.parent {
			d.repeated[c.slug] = true
		}
		under[c.slug] = c.parent
	}
}

// name gives the sections of a text their ids, each once in the text.
func (d *ids) name(cuts []cut) {
	taken := uniqueIDs{}
	for i := range cuts {
		c := &cuts[i]
		id := c.slug
		if c.parent >= 0 && d.repeated[id] {
			id = under(cuts[c.parent].id, id)
		}
		c.id = taken.claim(id)
	}
}

// under puts the id of a heading before that of what it holds, as much of it as
// there is room for.
func under(parent, id string) string {
	room := max(maxID-len(id)-1, 0)
	parent = strings.TrimRight(parent[:min(len(parent), room)], "-._")
	if parent == "" {
		return id
	}
	return parent + "-" + id
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
