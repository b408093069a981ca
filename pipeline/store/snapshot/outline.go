package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// widths are the columns' fixed widths in bytes: aligned to the longest cell,
// one new line would change all others.
var widths = [...]int{14, 40, 24}

// outline writes a prompt's outline: every section, item and tool in order
// with its file, its variants, its sources and remarks.
func (w *writer) outline() string {
	var b strings.Builder
	b.WriteString("# " + w.build.Prompt.ID.Str + ": " + variants(len(w.build.Variants)) + "\n")
	j := w.joins()
	if j.usual != standardJoin {
		fmt.Fprintf(&b, "# joined by %q\n", j.usual)
	}
	w.outlineDialects(&b)
	order, marks := w.order(), w.sectionMarks()
	for _, section := range order {
		w.outlineSection(&b, section, j)
		w.outlineBreakpoint(&b, section, marks)
	}
	w.outlineConversations(&b)
	w.outlineOut(&b, order)
	for _, ending := range j.endings.lines {
		b.WriteString(row("ending", "-", w.cover.Describe(ending.users), ending.cells[0]))
	}
	w.outlineSectionOrders(&b, order)
	w.outlineBlocks(&b, j.usual)
	w.outlineToolOrders(&b, order)
	return b.String()
}

func variants(n int) string {
	if n == 1 {
		return "1 variant"
	}
	return fmt.Sprintf("%d variants", n)
}

// row writes one line; a cell that is longer than its column pushes the rest.
func row(cells ...string) string {
	var b strings.Builder
	for i, cell := range cells {
		b.WriteString(cell)
		if i < len(widths) && i < len(cells)-1 {
			b.WriteString(strings.Repeat(" ", max(0, widths[i]-len(cell))) + " ")
		}
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// table collects lines that differ in their cells alone, and joins the
// variants of those that do not.
type table struct {
	lines []*tableLine
	known map[string]*tableLine
}

type tableLine struct {
	cells []string
	users ground.Set
}

func (t *table) add(users ground.Set, cells ...string) {
	key := strings.Join(cells, "\x00")
	if l, ok := t.known[key]; ok {
		l.users.Union(users)
		return
	}
	if t.known == nil {
		t.known = map[string]*tableLine{}
	}
	l := &tableLine{cells: cells, users: users.Clone()}
	t.known[key] = l
	t.lines = append(t.lines, l)
}

// addOne adds a single variant out of size.
func (t *table) addOne(size, variant int, cells ...string) {
	key := strings.Join(cells, "\x00")
	if t.known[key] == nil {
		t.add(ground.NewSet(size), cells...)
	}
	t.known[key].users.Add(variant)
}

// sorted gives the lines by their first variant.
func (t *table) sorted() []*tableLine {
	slices.SortStableFunc(t.lines, func(a, b *tableLine) int { return a.users.First() - b.users.First() })
	return t.lines
}

// write writes the lines of one name: file, variants, rest.
func (w *writer) writeRows(b *strings.Builder, name string, t *table) {
	for _, l := range t.sorted() {
		b.WriteString(row(name, l.cells[0], w.cover.Describe(l.users), l.cells[1]))
	}
}

// outlineSection writes a section's lines, then its items', then its tools'.
func (w *writer) outlineSection(b *strings.Builder, section int, j joins) {
	var texts table
	var itemNames, namesOfTools [][]string
	items, tools := map[string]*table{}, map[string]*table{}
	for _, h := range w.sections[section] {
		f := w.frame(h.Rendering)
		label := h.Rendering.Unit.Step
		texts.add(h.Users, append([]string{
			w.file(textKey{section: section, step: label}, f.text.Str), origins(h.Rendering, len(f.items) > 0),
		}, marks(h.Rendering)...)...)
		var names []string
		for _, item := range f.items {
			source := ""
			if item.file != nil {
				source = item.file.Path
			}
			tableOf(items, item.name).add(h.Users, w.file(textKey{section, label, itemKey(item.name)}, item.text.Str), source)
			names = append(names, item.name)
		}
		itemNames, namesOfTools = append(itemNames, names), append(namesOfTools, language.ToolNames(h.Rendering.Tools))
		for _, t := range h.Rendering.Tools {
			w.addTool(tableOf(tools, t.Name), h, t)
		}
	}
	for _, l := range texts.sorted() {
		all := append(slices.Clone(l.cells[2:]), w.joinMarks(&j.before[section], l.users)...)
		b.WriteString(row(w.build.Prompt.Sections[section].ID.Str, l.cells[0], w.cover.Describe(l.users), remark(l.cells[1], all)))
	}
	for _, name := range merged(itemNames) {
		w.writeRows(b, "  "+quoteName(name), items[name])
	}
	for _, name := range merged(namesOfTools) {
		w.writeRows(b, "  "+quoteName(name), tools[name])
	}
}

// addTool adds a tool's line, and whether requests say that it is strict: not
// every variant is one.
func (w *writer) addTool(lines *table, h assembly.Holder, t *language.Tool) {
	file, source := w.file(textKey{section: toolSection, item: itemKey(t.Name)}, t.Canonical), ""
	if t.File != nil {
		source = t.File.Path
	}
	if !t.Strict || !h.Rendering.Beside {
		lines.add(h.Users, file, source)
		return
	}
	strict := ground.NewSet(len(w.artifacts))
	for v, a := range w.artifacts {
		if h.Users.Has(v) && a.Variant.Shape().JSON {
			strict.Add(v)
		}
	}
	if strict.First() >= 0 {
		lines.add(strict, file, remark(source, []string{"strict"}))
	}
	if rest := h.Users.Minus(strict); rest.First() >= 0 {
		lines.add(rest, file, source)
	}
}

func tableOf(all map[string]*table, name string) *table {
	if all[name] == nil {
		all[name] = &table{}
	}
	return all[name]
}

// file gives where a text is stored, as seen from the prompt's folder.
func (w *writer) file(key textKey, text string) string {
	v := w.paths[key]
	if v == nil || v.known[text] == nil {
		return "-"
	}
	if path, ok := strings.CutPrefix(v.known[text].path, w.folder+"/"); ok {
		return path
	}
	return "../" + v.known[text].path
}

// origins gives the sources of a section's line, unless the lines of its items
// and tools name them.
func origins(r *assembly.Rendering, items bool) string {
	if items || len(r.Tools) > 0 {
		return ""
	}
	return strings.Join(r.Unit.Sources(), " ")
}

// steppedDown begins the mark of a rendering that stands on a rung.
const steppedDown = "stepped down to "

// marks gives the remarks on a rendering.
func marks(r *assembly.Rendering) []string {
	out := r.Remarks()
	add := func(mark string) {
		if !slices.Contains(out, mark) {
			out = append(out, mark)
		}
	}
	for _, in := range r.Unit.Inputs {
		if in.Origin != assembly.FromPath && in.Origin != assembly.FromInline {
			add(in.Origin.String())
		}
	}
	if r.Unit.Step != "" {
		add(steppedDown + r.Unit.Step)
	}
	return out
}

// remark gives the last cell of a line: its sources, and in brackets its
// marks.
func remark(sources string, marks []string) string {
	if len(marks) == 0 {
		return sources
	}
	return strings.TrimPrefix(sources+" ("+strings.Join(marks, ", ")+")", " ")
}

// outlineOut writes which sections are left out for a reason other than their
// condition: that shows in the sets of the other lines. Blocks have lines of
// their own for it.
func (w *writer) outlineOut(b *strings.Builder, order []int) {
	reasons := make([]table, len(w.build.Prompt.Sections))
	for v, a := range w.artifacts {
		if a == nil || blocky(a) {
			continue
		}
		for _, o := range a.Out {
			if o.Reason == assembly.OutWhen || o.Reason == assembly.In {
				continue
			}
			word := "omitted"
			if o.Reason == assembly.OutBudget {
				word = "dropped"
			}
			reasons[o.Section].addOne(len(w.artifacts), v, word, o.String())
		}
	}
	for _, section := range order {
		for _, l := range reasons[section].sorted() {
			id := w.build.Prompt.Sections[section].ID.Str
			b.WriteString(row(l.cells[0], id, w.cover.Describe(l.users), l.cells[1]))
		}
	}
}

// standardJoin stands between two sections unless the manifest sets another.
const standardJoin = "\n\n"

// joins are the texts between the sections of a prompt.
type joins struct {
	usual string
	// before are, by section, the joins before it with their variants; an empty
	// cell is the usual join.
	before []table
	// endings are the lines for variants that end in another way than their
	// dialect says.
	endings table
}

// joins reads the joins off the emitted bytes.
func (w *writer) joins() joins {
	out := joins{usual: w.usualJoin(), before: make([]table, len(w.build.Prompt.Sections))}
	for v, a := range w.artifacts {
		if a == nil || messaged(a) {
			continue // blocks show the joins between messages' pieces
		}
		pending, usual, notice := "", "", a.NoticePart()
		for i, p := range a.Parts {
			switch {
			case i == notice:
				pending = "" // the join before it is shown with it
			case p.Section < 0:
				pending += p.Text
			default:
				mark := ""
				if pending != usual {
					mark = fmt.Sprintf("join %q", pending)
				}
				out.before[p.Section].addOne(len(w.artifacts), v, mark)
				pending, usual = "", out.usual
			}
		}
		ending := "\n" // a text ends in one line break, and in a request body nothing does
		if a.Variant.Shape().JSON {
			ending = ""
		}
		if pending != ending && len(a.Parts) > 0 {
			out.endings.addOne(len(w.artifacts), v, fmt.Sprintf("%q", pending))
		}
	}
	return out
}

// joinMarks gives the unusual joins of a row. It names the variants only
// where those of the row differ.
func (w *writer) joinMarks(before *table, users ground.Set) []string {
	var out []string
	for _, l := range before.sorted() {
		here := users.Intersect(l.users)
		switch {
		case l.cells[0] == "" || here.First() < 0:
		case here.Equal(users):
			out = append(out, l.cells[0])
		default:
			out = append(out, l.cells[0]+" in "+w.cover.Describe(here))
		}
	}
	return out
}

// usualJoin gives the join that all variants declare, or the standard one
// where they differ.
func (w *writer) usualJoin() string {
	declared := map[string]bool{}
	for _, v := range w.build.Variants {
		declared[v.Join.Str] = true
	}
	if len(declared) != 1 {
		return standardJoin
	}
	return w.build.Variants[0].Join.Str
}

// merged gives every name of some sequences once: those of the first, and
// each further one behind the name that it follows in its own sequence.
func merged(sequences [][]string) []string {
	names, next := []string{""}, []int{0} // a ring that begins and ends at 0
	known := map[string]int{}
	for _, sequence := range sequences {
		at := 0
		for _, name := range sequence {
			i, ok := known[name]
			if !ok {
				i = len(names)
				known[name] = i
				names, next = append(names, name), append(next, next[at])
				next[at] = i
			}
			at = i
		}
	}
	var out []string
	for i := next[0]; i != 0; i = next[i] {
		out = append(out, names[i])
	}
	return out
}

// follows reports whether names stand in the order of a list that has all of
// them.
func follows(names []string, rank map[string]int) bool {
	return slices.IsSortedFunc(names, func(a, b string) int { return rank[a] - rank[b] })
}

func ranks(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i
	}
	return out
}

// sequence is an order of names that a variant has: the names that it emits, and
// the whole order that they are taken from, which variants with the same order
// have in common.
type sequence struct{ emitted, whole []string }

// outlineSectionOrders writes a block for each order of sections, where not
// all variants have the one that the lines above show.
func (w *writer) outlineSectionOrders(b *strings.Builder, order []int) {
	ids := func(sections []int) []string {
		var out []string
		for _, section := range sections {
			out = append(out, w.build.Prompt.Sections[section].ID.Str)
		}
		return out
	}
	w.outlineOrders(b, "order", ids(order), func(a *assembly.Artifact) (sequence, bool) {
		if blocky(a) {
			return sequence{}, false // its block shows its order
		}
		var emitted []int
		for _, p := range a.Parts {
			if p.Section >= 0 {
				emitted = append(emitted, p.Section)
			}
		}
		out := sequence{ids(emitted), ids(a.Variant.Order)}
		if !follows(out.emitted, ranks(out.whole)) {
			out.whole = out.emitted
		}
		return out, true
	})
}

// outlineToolOrders does the same for the tools beside the text: models read
// them in that order.
func (w *writer) outlineToolOrders(b *strings.Builder, order []int) {
	var shown []string
	for _, section := range order {
		var inSection [][]string
		for _, h := range w.sections[section] {
			inSection = append(inSection, language.ToolNames(h.Rendering.Tools))
		}
		shown = append(shown, merged(inSection)...)
	}
	w.outlineOrders(b, "tools", shown, func(a *assembly.Artifact) (sequence, bool) {
		names := language.ToolNames(a.Beside)
		return sequence{names, names}, true
	})
}

// outlineOrders compares every variant's sequence with the one shown. Where
// one differs, the variants are put together by how they differ: a block for
// those that follow the shown order, and one for each other.
func (w *writer) outlineOrders(b *strings.Builder, title string, shown []string, of func(*assembly.Artifact) (sequence, bool)) {
	rank := ranks(shown)
	var blocks table
	differ := false
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		s, ok := of(a)
		switch {
		case !ok:
			continue
		case follows(s.emitted, rank):
			s.whole = nil
		default:
			differ = true
		}
		blocks.addOne(len(w.artifacts), v, s.whole...)
	}
	if !differ {
		return
	}
	for _, block := range blocks.sorted() {
		fmt.Fprintf(b, "\n## %s in %s\n", title, w.cover.Describe(block.users))
		if len(block.cells) == 0 {
			b.WriteString("(as above)\n")
		}
		for _, name := range block.cells {
			b.WriteString(quoteName(name) + "\n")
		}
	}
}
