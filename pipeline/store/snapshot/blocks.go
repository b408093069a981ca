package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
)

// several stands for the file or the remarks of a section that has more than
// one of them in a block: the lines at the top say who has which.
const several = "(several, see above)"

// block is one distinct order of the layouts `phases` and `messages`: what its
// variants emit and leave out, in the same order.
type block struct {
	users ground.Set
	lines []*blockLine
	// tail are the lines of the notice and of what is left out.
	tail []string
}

// blockLine is a line of a block. A section's text may differ between
// variants.
type blockLine struct {
	variantLine
	files, remarks []string
}

// variantLine is what one variant has in a line. Variants with the same keys
// share a block.
type variantLine struct {
	key, name, file, remark string
	fixed                   string // the part of the remarks that belongs to the key
}

// fixedLine gives a line in which variants of a block do not differ.
func fixedLine(name, file string) variantLine {
	return variantLine{key: name + "\x00" + file, name: name, file: file}
}

// phased reports whether a variant has the layout `phases`.
func phased(a *assembly.Artifact) bool { return a.Variant.Layout.On }

// blocky reports whether a variant's order stands in a block.
func blocky(a *assembly.Artifact) bool { return phased(a) || messaged(a) }

// outlineBlocks writes a block for each distinct order of the layouts `phases`
// and `messages`, by first variant. It holds no figures and no source: an edit
// that moves nothing changes nothing here.
func (w *writer) outlineBlocks(b *strings.Builder, usualJoin string) {
	var blocks []*block
	known := map[string]*block{}
	for v, a := range w.artifacts {
		if a == nil || !blocky(a) {
			continue
		}
		lines := w.blockLines(a, usualJoin)
		tail := append(noticeLine(a, usualJoin), w.leftOut(a)...)
		parts := slices.Clone(tail)
		for _, l := range lines {
			parts = append(parts, strconv.Quote(l.key))
		}
		key := strings.Join(parts, "\x00")
		if known[key] == nil {
			known[key] = &block{users: ground.NewSet(len(w.artifacts)), tail: tail}
			blocks = append(blocks, known[key])
		}
		known[key].users.Add(v)
		known[key].fill(lines)
	}
	for _, block := range blocks {
		fmt.Fprintf(b, "\n## %s\n", w.cover.Describe(block.users))
		for _, l := range block.lines {
			b.WriteString(row(l.name, one(l.files), strings.TrimSpace(one(l.remarks)+" "+l.fixed)))
		}
		for _, line := range block.tail {
			b.WriteString(line)
		}
	}
}

func (w *writer) blockLines(a *assembly.Artifact, usualJoin string) []variantLine {
	if messaged(a) {
		return w.messageLines(a, usualJoin)
	}
	var out []variantLine
	for _, p := range a.Parts {
		if p.Section >= 0 {
			out = append(out, w.sectionLine(p.Section, p.Rendering))
		}
	}
	return out
}

// sectionLine gives the line of a section: its order and the rung that it
// stands on tell blocks apart, its text does not.
func (w *writer) sectionLine(section int, r *assembly.Rendering) variantLine {
	return variantLine{
		key:  fmt.Sprintf("%d~%s", section, r.Unit.Step),
		name: w.build.Prompt.Sections[section].ID.Str,
		file: w.file(textKey{section: section, step: r.Unit.Step}, w.frame(r).text.Str), remark: blockRemarks(r),
	}
}

// fill notes the files and remarks that one more variant of a block has.
func (b *block) fill(lines []variantLine) {
	for i, line := range lines {
		if i == len(b.lines) {
			b.lines = append(b.lines, &blockLine{variantLine: line})
		}
		l := b.lines[i]
		if !slices.Contains(l.files, line.file) {
			l.files = append(l.files, line.file)
		}
		if !slices.Contains(l.remarks, line.remark) {
			l.remarks = append(l.remarks, line.remark)
		}
	}
}

// blockRemarks gives the form and the rung; the rest stands at the top.
func blockRemarks(r *assembly.Rendering) string {
	var out []string
	for _, mark := range r.Marks {
		if mark.Form != "" {
			out = append(out, mark.String())
		}
	}
	if r.Unit.Step != "" {
		out = append(out, steppedDown+r.Unit.Step)
	}
	return remark("", out)
}

func one(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	return several
}

// leftOut gives the lines of what a variant is without: what was dropped in
// the order in which it was tried, and what is omitted, by reason: sections,
// then what its conversation shows elsewhere.
func (w *writer) leftOut(a *assembly.Artifact) []string {
	var dropped []string
	var omitted, shown grouped
	id := func(section int) string { return w.build.Prompt.Sections[section].ID.Str }
	for _, c := range a.Choices {
		if !c.Kept {
			dropped = append(dropped, id(c.Section))
		}
	}
	for _, o := range a.Out {
		if o.Reason != assembly.OutBudget {
			omitted.add(o.String(), id(o.Section))
		} else if !slices.Contains(dropped, id(o.Section)) {
			dropped = append(dropped, id(o.Section))
		}
	}
	if unit := w.conversation(a); unit != nil {
		for _, l := range unit.Dialogue.LeftOut {
			shown.add(l.Why(), quoteName(l.Content().Name()))
		}
	}
	var out []string
	if len(dropped) > 0 {
		out = append(out, row("dropped", strings.Join(dropped, ", ")+": "+assembly.OutBudget.String()))
	}
	return append(append(out, omitted.rows()...), shown.rows()...)
}

// grouped are the names of what is omitted, by reason.
type grouped struct {
	reasons []string
	names   map[string][]string
}

func (g *grouped) add(reason, name string) {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	if g.names[reason] == nil {
		g.reasons = append(g.reasons, reason)
	}
	g.names[reason] = append(g.names[reason], name)
}

// rows gives a line for each reason.
func (g *grouped) rows() []string {
	var out []string
	for _, reason := range g.reasons {
		out = append(out, row("omitted", strings.Join(g.names[reason], ", ")+": "+reason))
	}
	return out
}

// noticeLine gives the line of the part that names what was dropped, in the
// words that are emitted, if there is one.
func noticeLine(a *assembly.Artifact, usualJoin string) []string {
	i := a.NoticePart()
	if i < 0 {
		return nil
	}
	remark := ""
	if i > 0 && a.Parts[i-1].Text != usualJoin {
		remark = fmt.Sprintf("(join %q)", a.Parts[i-1].Text)
	}
	return []string{row("notice", fmt.Sprintf("%q", a.Parts[i].Text), remark)}
}

// messaged reports whether a variant has the layout `messages`.
func messaged(a *assembly.Artifact) bool { return a.Variant.Messages != nil }

// messageLines collects the lines of one artifact's messages: who speaks, then
// what is said, piece by piece. A content is a file, what the layout adds is
// quoted, and only unusual joins are written. So the lines and the files together
// give the messages back, byte for byte.
type messageLines struct {
	w         *writer
	a         *assembly.Artifact
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

func (w *writer) messageLines(a *assembly.Artifact, usualJoin string) []variantLine {
	t := &messageLines{w: w, a: a, usualJoin: usualJoin}
	for _, m := range a.Messages {
		t.message(m)
	}
	return t.lines
}

func (t *messageLines) message(m assembly.Message) {
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
			t.lines = append(t.lines, fixedLine(assembly.BreakpointLine, ""))
		}
	}
	t.rest()
}

// about says what a message is for: its tier, and its block where the tier
// does not say it.
func about(m assembly.Message) string {
	switch m.Block {
	case assembly.BlockSystem, assembly.BlockTier:
		return m.Tier
	default:
		return strings.TrimSpace(m.Tier + " " + m.Block)
	}
}

// part adds the line of a part, or keeps it for the next line where it is a
// join.
func (t *messageLines) part(p assembly.Part) {
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
	if p.Passage != nil && !assembly.Separates(p.Text) {
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
		if a != nil && a.Variant.Shape().JSON {
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
func markedBlocks(a *assembly.Artifact) []assembly.Block {
	var out []assembly.Block
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
	emitted, marked []ground.Set
	// mixed says that not all variants have the same layout: the list of
	// sections is then also of variants that never have a breakpoint in it.
	mixed bool
}

func (w *writer) sectionMarks() sectionMarks {
	n := len(w.build.Prompt.Sections)
	out := sectionMarks{emitted: make([]ground.Set, n), marked: make([]ground.Set, n)}
	for i := range n {
		out.emitted[i], out.marked[i] = ground.NewSet(len(w.artifacts)), ground.NewSet(len(w.artifacts))
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
		b.WriteString(assembly.BreakpointLine + "\n")
	default:
		b.WriteString(assembly.BreakpointLine + " in " + w.cover.Describe(here) + "\n")
	}
}
