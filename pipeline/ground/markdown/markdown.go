// Package markdown reads the structure of Markdown: which lines are code,
// which are headings, and what the items of its lists say. CommonMark decides,
// as goldmark reads it, but for HTML: the tags of a prompt are text to a model,
// so headings and code between them are what they look like.
//
// Front matter is no Markdown: who reads a file splits it off first, by FrontMatter.
package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Guards against hostile texts: goldmark takes seconds for what is nested by
// the thousand. Deeper lists and quotes, and what is behind so many bytes, are
// read as paragraphs.
const (
	MaxContainers = 100
	maxBytes      = 4 << 20
)

// Line is a line of a text, without its line break.
type Line struct {
	Start, End int
	// Fenced says that the line belongs to a fenced block of code, its fences
	// included; Indented that it belongs to a block of code by indentation.
	Fenced, Indented bool
	// Heading is the level of a heading that begins with number signs, and
	// Underlined that of one that the next line underlines; 0 for none.
	Heading, Underlined int
	// Nested says that the heading or the code stands in a list or a quote.
	Nested bool

	opens, closes bool // a fence
	deep          bool // holds a list or quote beyond MaxContainers
}

// Lines reads the lines of a text. One that ends with a line break has an empty
// line behind it.
func Lines(s string) []Line {
	lines := split(s)
	parse(s, lines)
	return lines
}

func split(s string) []Line {
	out := make([]Line, 0, 1+strings.Count(s, "\n"))
	for start := 0; ; {
		n := strings.IndexByte(s[start:], '\n')
		if n < 0 {
			return append(out, Line{Start: start, End: len(s)})
		}
		out = append(out, Line{Start: start, End: start + n})
		start += n + 1
	}
}

// Front is where front matter stands: the bytes [Start, End) between the two lines
// of dashes, and Body, the first byte behind them.
type Front struct{ Start, End, Body int }

// FrontMatter finds the front matter of a Markdown file. It starts in the very
// first line, and ends with a line `---` or `...`. The second result tells
// that a file starts like front matter; the place is nil when it never ends.
func FrontMatter(text string) (*Front, bool) {
	first, _, more := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return nil, false
	}
	if !more {
		return nil, true
	}
	start := len(first) + 1
	for at := start; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if mark := strings.TrimRight(line, " \t"); mark == "---" || mark == "..." {
			return &Front{Start: start, End: at, Body: min(at+len(line)+1, len(text))}, true
		}
		at += len(line) + 1
	}
	return nil, true
}

// Headings gives for each line of a text the last heading above it, but for those in
// lists and quotes, and at the end the one above what would follow.
func Headings(s string) []string {
	lines := Lines(s)
	out, heading := make([]string, 0, len(lines)+1), ""
	for _, line := range lines {
		out = append(out, heading)
		if line.Heading > 0 && !line.Nested {
			heading = strings.TrimSpace(s[line.Start:line.End])
		}
	}
	return append(out, heading)
}

// OpenFence gives where the fence begins that a text leaves open, or -1.
func OpenFence(s string) int {
	lines := Lines(s)
	for i := len(lines) - 1; i >= 0; i-- {
		switch line := lines[i]; {
		case line.opens:
			return line.Start
		case line.closes || !line.Fenced && line.Start < line.End:
			return -1
		}
	}
	return -1
}

// Span is a part of a text: the bytes [Start, End).
type Span struct{ Start, End int }

// Bullets gives the lines of the first paragraph of each item of the bullet
// lists of a text. Lists in lists, in quotes and in code are left alone. deep is
// the first line with more than MaxContainers of them, nil for none.
func Bullets(s string) (out [][]Span, deep *Span) {
	lines := split(s)
	doc := parse(s, lines)
	if i := slices.IndexFunc(lines, func(l Line) bool { return l.deep }); i >= 0 {
		deep = &Span{lines[i].Start, lines[i].End}
	}
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		list, ok := block.(*ast.List)
		if !ok || list.IsOrdered() {
			continue
		}
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			first := item.FirstChild()
			if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph {
				continue
			}
			var lines []Span
			for i := range first.Lines().Len() {
				line := first.Lines().At(i)
				lines = append(lines, Span{line.Start, line.Stop})
			}
			out = append(out, lines)
		}
	}
	return out, deep
}

// Ticks gives the length of the longest run of backticks in a text.
func Ticks(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Fence gives the code fence that no line of a text can close.
func Fence(s string) string { return strings.Repeat("`", max(3, Ticks(s)+1)) }

// CodeSpans gives the code spans of a line, with their backticks.
func CodeSpans(line string) []Span {
	var runs []Span
	left := map[int]int{} // how many runs of a length are not yet passed
	for i := 0; i < len(line); {
		if line[i] != '`' {
			i++
			continue
		}
		start := i
		for i < len(line) && line[i] == '`' {
			i++
		}
		runs = append(runs, Span{start, i})
		left[i-start]++
	}
	var out []Span
	for k := 0; k < len(runs); k++ {
		open, n := runs[k].Start, runs[k].End-runs[k].Start
		if left[n]--; left[n] == 0 {
			continue // nothing closes it
		}
		for k++; runs[k].End-runs[k].Start != n; k++ {
			left[runs[k].End-runs[k].Start]--
		}
		left[n]--
		out = append(out, Span{open, runs[k].End})
	}
	return out
}

// parse reads the blocks of a text and notes what they make of its lines.
func parse(s string, lines []Line) ast.Node {
	context := parser.NewContext()
	context.Set(linesKey, lines)
	return blocks.Parse(text.NewReader([]byte(s[:min(len(s), maxBytes)])), parser.WithContext(context))
}

var linesKey = parser.NewContextKey() //nolint:gochecknoglobals // a constant that the library numbers

// blocks reads blocks alone: what stands in a line is nobody's concern here, and
// takes goldmark seconds where it is hostile.
//
//nolint:gochecknoglobals // nothing changes it
var blocks = parser.NewParser(parser.WithBlockParsers(
	util.Prioritized(noting{parser.NewSetextHeadingParser()}, 100),
	util.Prioritized(parser.NewThematicBreakParser(), 200),
	util.Prioritized(container{parser.NewListParser()}, 300),
	util.Prioritized(parser.NewListItemParser(), 400),
	util.Prioritized(noting{parser.NewCodeBlockParser()}, 500),
	util.Prioritized(noting{parser.NewATXHeadingParser()}, 600),
	util.Prioritized(noting{parser.NewFencedCodeBlockParser()}, 700),
	util.Prioritized(container{parser.NewBlockquoteParser()}, 800),
	util.Prioritized(parser.NewParagraphParser(), 1000),
))

// container opens lists and quotes up to MaxContainers.
type container struct{ parser.BlockParser }

// Open opens a block where there are not too many around it.
func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindListItem || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= MaxContainers {
		at, _ := reader.Position()
		lines, _ := pc.Get(linesKey).([]Line)
		lines[at].deep = true
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// noting notes the lines of code and of headings: goldmark keeps no place of a
// fence, and of a heading only that of its words.
type noting struct{ parser.BlockParser }

// Open notes the line that opens a block.
func (n noting) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	at, _ := reader.Position()
	node, state := n.BlockParser.Open(parent, reader, pc)
	if node == nil {
		return node, state
	}
	lines, _ := pc.Get(linesKey).([]Line)
	if heading, ok := node.(*ast.Heading); ok && state&parser.RequireParagraph != 0 {
		at-- // the words of a heading stand above its underline
		lines[at].Underlined = heading.Level
	} else if ok {
		lines[at].Heading = heading.Level
	}
	lines[at].Fenced = node.Kind() == ast.KindFencedCodeBlock
	lines[at].opens = lines[at].Fenced
	lines[at].Indented = node.Kind() == ast.KindCodeBlock
	lines[at].Nested = parent.Kind() != ast.KindDocument
	return node, state
}

// Continue notes a line that goes on with a block.
func (n noting) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	at, _ := reader.Position()
	state := n.BlockParser.Continue(node, reader, pc)
	lines, _ := pc.Get(linesKey).([]Line)
	switch node.Kind() {
	case ast.KindFencedCodeBlock:
		lines[at].Fenced, lines[at].closes = true, state&parser.Close != 0
	case ast.KindCodeBlock:
		lines[at].Indented = state&parser.Continue != 0
	}
	return state
}
