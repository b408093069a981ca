package textdiff

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground/markdown"
)

// Table numbers the distinct lines of texts, and compares the texts by these
// numbers. A line has its terminator. What it has worked out it keeps.
type Table struct {
	ids   map[string]int32
	lines []lineFacts
	texts map[string]*Text

	scripts map[[2]*Text]*Script
	shares  map[[2]int32]float64
	atoms   map[Atom]int
	atomAt  []Atom
}

type lineFacts struct {
	text  string
	words int   // what stands between blanks
	weak  bool  // it says nothing
	bare  int32 // the number of the line without its terminator
}

// NewTable gives a table without lines.
func NewTable() *Table {
	return &Table{
		ids: map[string]int32{}, texts: map[string]*Text{}, scripts: map[[2]*Text]*Script{},
		shares: map[[2]int32]float64{}, atoms: map[Atom]int{},
	}
}

func (t *Table) id(line string) int32 {
	n, known := t.ids[line]
	if !known {
		n = int32(len(t.lines)) // texts of 2 GiB are refused where they are read
		t.ids[line] = n
		t.lines = append(t.lines, lineFacts{line, len(strings.Fields(line)), !saysSomething(line), n})
		if bare := strings.TrimRight(line, "\r\n"); bare != line {
			t.lines[n].bare = t.id(bare)
		}
	}
	return n
}

func saysSomething(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// Line gives the line of a number.
func (t *Table) Line(id int32) string { return t.lines[id].text }

// Weak reports whether a line says nothing: it is blank, a rule or a fence.
func (t *Table) Weak(id int32) bool { return t.lines[id].weak }

// SameButEnds reports whether lines are the same but for their terminators.
func (t *Table) SameButEnds(a, b []int32) bool {
	return slices.EqualFunc(a, b, func(x, y int32) bool { return t.lines[x].bare == t.lines[y].bare })
}

// weight gives how much better a run of lines begins with one than with another.
func (t *Table) weight(line int32) int {
	switch {
	case t.Weak(line):
		return 0
	case strings.HasPrefix(t.Line(line), "#"):
		return 2
	default:
		return 1
	}
}

func (t *Table) words(line int32) int { return t.lines[line].words }

// Text is a text by lines. Equal texts of a table are one.
type Text struct {
	Str string
	IDs []int32
	// Starts has the byte offset of each line, and the length.
	Starts   []int
	headings map[int][]string // above each line of a stretch that begins at the byte, once they are asked for
}

// Text gives the lines of some texts that are sent one by one: no line goes on
// from one into the next.
func (t *Table) Text(texts ...string) *Text {
	key := strings.Join(texts, "\x00")
	if x := t.texts[key]; x != nil {
		return x
	}
	x := &Text{Str: strings.Join(texts, ""), Starts: []int{0}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			x.IDs = append(x.IDs, t.id(line))
			x.Starts = append(x.Starts, x.Starts[len(x.Starts)-1]+len(line))
		}
	}
	t.texts[key] = x
	return x
}

// LineAt gives the line that a byte offset is in.
func (x *Text) LineAt(offset int) int {
	return sort.Search(len(x.IDs), func(i int) bool { return x.Starts[i+1] > offset })
}

// Heading gives the Markdown heading above a line, in the bytes [start, end) that it
// stands in, "" for none.
func (x *Text) Heading(line, start, end int) string {
	if x.headings == nil {
		x.headings = map[int][]string{}
	}
	above := x.headings[start]
	if above == nil {
		above = markdown.Headings(x.Str[start:end])
		x.headings[start] = above
	}
	return above[min(max(line-x.LineAt(start), 0), len(above)-1)]
}

// Script is what differs between two texts.
type Script struct {
	Moves []Move
	Gaps  []Gap
	// Approximate says that fewer lines may differ than are said.
	Approximate bool
}

// Gap is a place where lines are gone or came: [Base, BaseEnd) of the old text,
// [Head, HeadEnd) of the new one. None of them moved.
type Gap struct{ Base, BaseEnd, Head, HeadEnd int }

// Compare gives what differs between two texts of the table.
func (t *Table) Compare(base, head *Text) *Script {
	of := [2]*Text{base, head}
	if s := t.scripts[of]; s != nil {
		return s
	}
	stays, approximate := Match(base.IDs, head.IDs, t.weight)
	s := &Script{Moves: Moves(base.IDs, head.IDs, stays, t.words), Approximate: approximate}
	s.Gaps = gapsOf(stays, len(head.IDs), s.Moves)
	t.scripts[of] = s
	return s
}

// gapsOf gives the places where lines are gone or came.
func gapsOf(stays []int, size int, moves []Move) []Gap {
	left, came := make([]bool, len(stays)), make([]bool, size) // at another place now
	for _, m := range moves {
		for n := range m.Count {
			left[m.Base+n], came[m.Head+n] = true, true
		}
	}
	kept := make([]bool, size)
	for _, k := range stays {
		if k >= 0 {
			kept[k] = true
		}
	}
	var out []Gap
	for i, k := 0, 0; i < len(stays) || k < size; {
		g := Gap{Base: i, Head: k}
		for i < len(stays) && stays[i] < 0 && !left[i] {
			i++
		}
		for k < size && !kept[k] && !came[k] {
			k++
		}
		if g.BaseEnd, g.HeadEnd = i, k; i > g.Base || k > g.Head {
			out = append(out, g)
		}
		switch {
		case i < len(stays) && left[i]:
			i++
		case k < size && came[k]:
			k++
		case i < len(stays):
			i, k = i+1, k+1
		}
	}
	return out
}

// Index knows in which of some texts each line stands.
type Index struct {
	table *Table
	size  int
	with  map[int32][]int
}

// Index gives the index of some texts.
func (t *Table) Index(texts []*Text) *Index {
	x := &Index{table: t, size: len(texts), with: map[int32][]int{}}
	for i, text := range texts {
		for _, line := range distinct(text.IDs) {
			x.with[line] = append(x.with[line], i)
		}
	}
	return x
}

// Shared counts for each text of the index the distinct lines that say something
// and that a text has too.
func (x *Index) Shared(of *Text) []int {
	out := make([]int, x.size)
	for _, line := range distinct(of.IDs) {
		if !x.table.Weak(line) {
			for _, i := range x.with[line] {
				out[i]++
			}
		}
	}
	return out
}

func distinct(lines []int32) []int32 {
	out := slices.Clone(lines)
	slices.Sort(out)
	return slices.Compact(out)
}
