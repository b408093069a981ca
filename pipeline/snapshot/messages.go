package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// messaged reports whether a variant has the layout `messages`.
func messaged(a *prompt.Artifact) bool { return a.Variant.Messages != nil }

// messageTable writes the lines of one artifact's messages: who speaks, then piece
// by piece what is said. Contents have files; what the layout says by itself is
// quoted; of what joins two pieces only the unusual is said. So the lines and
// the files together give the messages back, byte for byte.
type messageTable struct {
	w         *writer
	a         *prompt.Artifact
	usualJoin string // between two sections
	lines     []blockRow
	images    int
	// pending joins the next piece of the message to the last.
	pending string
	last    pieceKind
}

// pieceKind says what the last piece of a message is.
type pieceKind int

const (
	noPiece pieceKind = iota
	sectionPiece
	otherPiece
)

// messageRows gives the lines of an artifact's messages.
func (w *writer) messageRows(a *prompt.Artifact, usualJoin string) []blockRow {
	t := &messageTable{w: w, a: a, usualJoin: usualJoin}
	for _, m := range a.Messages {
		t.message(m)
	}
	return t.lines
}

func (t *messageTable) message(m prompt.Message) {
	t.lines = append(t.lines, fixedRow(string(m.Role), about(m)))
	t.pending, t.last = "", noPiece
	for _, block := range m.Blocks {
		for _, p := range t.a.Parts[block.From:block.To] {
			t.part(p)
		}
		if block.Image != nil {
			t.images++
			c := t.w.imageContent(block.Image, t.w.fixture(t.a), t.images)
			t.lines = append(t.lines, t.w.contentRow(c))
		}
		if block.Marked {
			t.rest()
			t.lines = append(t.lines, fixedRow(prompt.BreakpointLine, ""))
		}
	}
	t.rest()
}

// about says what a message is for: its tier, and its block where the tier
// does not say it.
func about(m prompt.Message) string {
	switch m.Block {
	case prompt.BlockSystem, prompt.BlockTier:
		return m.Tier
	default:
		return strings.TrimSpace(m.Tier + " " + m.Block)
	}
}

// part adds the line of a part, or keeps it for the next line where it is a
// join.
func (t *messageTable) part(p prompt.Part) {
	if p.Text == "" {
		return
	}
	if p.Section >= 0 {
		r := p.Rendering
		e := t.w.sectionRow(p.Section, r)
		e.name = "  " + e.name
		t.piece(e, sectionPiece)
		return
	}
	if c, ok := contentOf(p); ok {
		t.piece(t.w.contentRow(c), otherPiece)
		return
	}
	if p.Passage != nil && !prompt.Separates(p.Text) {
		t.piece(fixedRow("  "+strconv.Quote(p.Text), ""), otherPiece)
		return
	}
	t.pending += p.Text
}

// contentRow gives the line of a content: its kind, and its file, which says
// the rest.
func (w *writer) contentRow(c content) blockRow {
	return fixedRow("  "+c.folder, w.file(c.key(), c.text.Str))
}

// piece adds the line of a piece with the join before it, unless that is the
// usual one.
func (t *messageTable) piece(e blockRow, kind pieceKind) {
	usual := standardJoin
	switch {
	case t.last == noPiece:
		usual = ""
	case t.last == sectionPiece && kind == sectionPiece:
		usual = t.usualJoin
	}
	if t.pending != usual {
		e.fixed = fmt.Sprintf("(join %q)", t.pending)
		e.key += "\x00" + e.fixed
	}
	t.lines = append(t.lines, e)
	t.pending, t.last = "", kind
}

// rest shows what is pending where no piece follows.
func (t *messageTable) rest() {
	if t.pending == "" {
		return
	}
	e := fixedRow("  "+strconv.Quote(t.pending), "")
	t.pending = ""
	t.piece(e, otherPiece)
}

// outlineDialects writes a line for each dialect but text. Not every provider
// is told where the breakpoints are.
func (w *writer) outlineDialects(b *strings.Builder) {
	var dialects table
	for v, a := range w.artifacts {
		if a != nil && isJSON(a) {
			remark := ""
			if !a.Variant.Dialect.Markers && len(markedBlocks(a)) > 0 {
				remark = "(without cache breakpoints)"
			}
			dialects.add(w.only(v), a.Variant.Dialect.Name, remark)
		}
	}
	w.writeRows(b, "dialect", &dialects)
}

// outlineConversations writes a line for each fixture: its name, the variants
// that show it, and its file.
func (w *writer) outlineConversations(b *strings.Builder) {
	var fixtures table
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		if d := w.dialogue(a); d != nil {
			fixtures.add(w.only(v), quoteName(d.Name), strings.Join(w.conversation(a).Sources(), " "))
		}
	}
	w.writeRows(b, "conversation", &fixtures)
}

// markedBlocks gives the blocks of an artifact that a breakpoint follows.
func markedBlocks(a *prompt.Artifact) []prompt.Block {
	var out []prompt.Block
	for _, m := range a.Messages {
		for _, block := range m.Blocks {
			if block.Marked {
				out = append(out, block)
			}
		}
	}
	return out
}

// sectionMarks says of each section which variants emit it, and in which of
// them a breakpoint follows. Blocks show those of the layout `messages`.
type sectionMarks struct {
	emitted, marked []prompt.Set
	// mixed says that not all variants have the same layout: the list of
	// sections is then also of variants that never have a breakpoint in it.
	mixed bool
}

func (w *writer) sectionMarks() sectionMarks {
	n := len(w.build.Prompt.Sections)
	out := sectionMarks{emitted: make([]prompt.Set, n), marked: make([]prompt.Set, n)}
	for i := range n {
		out.emitted[i], out.marked[i] = prompt.NewSet(len(w.artifacts)), prompt.NewSet(len(w.artifacts))
	}
	layouts := map[string]bool{}
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		layouts[layoutOf(a)] = true
		if messaged(a) {
			continue
		}
		for _, p := range a.Parts {
			if p.Section >= 0 && p.Section < n && p.Text != "" {
				out.emitted[p.Section].Add(v)
			}
		}
		for _, block := range markedBlocks(a) {
			for _, p := range slices.Backward(a.Parts[:block.To]) {
				if p.Section >= 0 && p.Section < n && p.Text != "" {
					out.marked[p.Section].Add(v)
					break
				}
			}
		}
	}
	out.mixed = len(layouts) > 1
	return out
}

// outlineBreakpoint writes the line of a breakpoint behind a section. It names
// the variants only where others that have the section have none, or where
// other layouts are in the same list.
func (w *writer) outlineBreakpoint(b *strings.Builder, section int, marks sectionMarks) {
	here := marks.marked[section]
	switch {
	case here.First() < 0:
	case here.Equal(marks.emitted[section]) && !marks.mixed:
		b.WriteString(prompt.BreakpointLine + "\n")
	default:
		b.WriteString(prompt.BreakpointLine + " in " + w.cover.Describe(here) + "\n")
	}
}
