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

// messageLines collects the lines of one artifact's messages: who speaks, then
// what is said, piece by piece. A content is a file, what the layout adds is
// quoted, and only unusual joins are written. So the lines and the files together
// give the messages back, byte for byte.
type messageLines struct {
	w         *writer
	a         *prompt.Artifact
	usualJoin string // between two sections
	lines     []variantLine
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

// messageLines gives the lines of an artifact's messages.
func (w *writer) messageLines(a *prompt.Artifact, usualJoin string) []variantLine {
	t := &messageLines{w: w, a: a, usualJoin: usualJoin}
	for _, m := range a.Messages {
		t.message(m)
	}
	return t.lines
}

func (t *messageLines) message(m prompt.Message) {
	t.lines = append(t.lines, fixedLine(string(m.Role), about(m)))
	t.pending, t.last = "", noPiece
	for _, block := range m.Blocks {
		for _, p := range t.a.Parts[block.From:block.To] {
			t.part(p)
		}
		if block.Image != nil {
			t.images++
			c := t.w.imageContent(block.Image, t.w.fixture(t.a), t.images)
			t.lines = append(t.lines, t.w.contentLine(c))
		}
		if block.Marked {
			t.rest()
			t.lines = append(t.lines, fixedLine(prompt.BreakpointLine, ""))
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
func (t *messageLines) part(p prompt.Part) {
	if p.Text == "" {
		return
	}
	if p.Section >= 0 {
		line := t.w.sectionLine(p.Section, p.Rendering)
		line.name = "  " + line.name
		t.piece(line, sectionPiece)
		return
	}
	if c, ok := contentOf(p); ok {
		t.piece(t.w.contentLine(c), otherPiece)
		return
	}
	if p.Passage != nil && !prompt.Separates(p.Text) {
		t.piece(fixedLine("  "+strconv.Quote(p.Text), ""), otherPiece)
		return
	}
	t.pending += p.Text
}

// contentLine gives the line of a content: its kind, and its file, which says
// the rest.
func (w *writer) contentLine(c content) variantLine {
	return fixedLine("  "+c.folder, w.file(c.key(), c.text.Str))
}

// piece adds the line of a piece with the join before it, unless that is the
// usual one.
func (t *messageLines) piece(line variantLine, kind pieceKind) {
	usual := standardJoin
	switch {
	case t.last == noPiece:
		usual = ""
	case t.last == sectionPiece && kind == sectionPiece:
		usual = t.usualJoin
	}
	if t.pending != usual {
		line.fixed = fmt.Sprintf("(join %q)", t.pending)
		line.key += "\x00" + line.fixed
	}
	t.lines = append(t.lines, line)
	t.pending, t.last = "", kind
}

// rest shows what is pending where no piece follows.
func (t *messageLines) rest() {
	if text := t.pending; text != "" {
		t.pending = ""
		t.piece(fixedLine("  "+strconv.Quote(text), ""), otherPiece)
	}
}

// outlineDialects writes a line for each dialect except text. Some dialects
// have no cache breakpoints.
func (w *writer) outlineDialects(b *strings.Builder) {
	var dialects table
	for v, a := range w.artifacts {
		if a != nil && isJSON(a) {
			remark := ""
			if !a.Variant.Dialect.Markers && len(markedBlocks(a)) > 0 {
				remark = "(without cache breakpoints)"
			}
			dialects.addOne(len(w.artifacts), v, a.Variant.Dialect.Name, remark)
		}
	}
	w.writeRows(b, "dialect", &dialects)
}

// outlineConversations writes a line for each fixture: its name, the variants
// that show it, and its file.
func (w *writer) outlineConversations(b *strings.Builder) {
	var fixtures table
	for v, a := range w.artifacts {
		if a != nil && messaged(a) {
			fixtures.addOne(len(w.artifacts), v, quoteName(w.fixture(a)), strings.Join(w.conversation(a).Sources(), " "))
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

// sectionMarks are the variants that emit each section, and those in which a
// breakpoint follows it. Blocks show those of the layout `messages`.
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
	layouts := map[[2]bool]bool{}
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		layouts[[2]bool{messaged(a), phased(a)}] = true
		if messaged(a) {
			continue
		}
		for _, p := range a.Parts {
			if p.Section >= 0 {
				out.emitted[p.Section].Add(v)
			}
		}
		for _, block := range markedBlocks(a) {
			for _, p := range slices.Backward(a.Parts[:block.To]) {
				if p.Section >= 0 {
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
