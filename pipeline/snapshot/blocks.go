package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// several stands for the file or the remarks of a section that has more than
// one of them in a block: the lines at the top say who has which.
const several = "(several, see above)"

// block is one distinct order of the layouts `phases` and `messages`: what its
// variants emit and leave out, in the same order.
type block struct {
	users prompt.Set
	lines []*blockLine
	// tail are the lines of the notice and of what is left out.
	tail []string
}

// blockLine is a line of a block. A section's text may differ between
// variants.
type blockLine struct {
	name           string
	files, remarks []string
	fixed          string // the part of the remarks that is the same for all
}

// blockRow is what one variant has in a line. Variants with the same keys
// share a block.
type blockRow struct {
	key, name, file, remark string
	fixed                   string // part of the key
}

// fixedRow gives the entry of a line in which variants of a block do not
// differ.
func fixedRow(name, file string) blockRow {
	return blockRow{key: name + "\x00" + file, name: name, file: file}
}

// phased reports whether a variant has the layout `phases`.
func phased(a *prompt.Artifact) bool { return a.Variant.Layout.On }

// layoutOf gives the name of a variant's layout.
func layoutOf(a *prompt.Artifact) string {
	switch {
	case messaged(a):
		return "messages"
	case phased(a):
		return "phases"
	default:
		return "sequence"
	}
}

// blocky reports whether a variant's order stands in a block.
func blocky(a *prompt.Artifact) bool { return phased(a) || messaged(a) }

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
		entries := w.entries(a, usualJoin)
		tail := append(noticeLine(a, usualJoin), w.leftOut(a)...)
		key := keyOf(entries) + "\x00" + strings.Join(tail, "\x00")
		if known[key] == nil {
			known[key] = &block{users: prompt.NewSet(len(w.artifacts)), tail: tail}
			blocks = append(blocks, known[key])
		}
		known[key].users.Add(v)
		known[key].fill(entries)
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

// entries gives the lines of a variant's block.
func (w *writer) entries(a *prompt.Artifact, usualJoin string) []blockRow {
	if messaged(a) {
		return w.messageRows(a, usualJoin)
	}
	var out []blockRow
	for _, p := range a.Parts {
		if p.Section >= 0 && p.Text != "" {
			out = append(out, w.sectionRow(p.Section, p.Rendering))
		}
	}
	return out
}

// sectionRow gives the line of a section: its order and the rung that it
// stands on tell blocks apart, its text does not.
func (w *writer) sectionRow(section int, r *prompt.Rendering) blockRow {
	return blockRow{
		key:  fmt.Sprintf("%d~%s", section, r.Unit.Step),
		name: w.build.Prompt.Sections[section].ID.Str,
		file: w.file(textKey{section: section, step: r.Unit.Step}, w.frame(r).text.Str), remark: blockRemarks(r),
	}
}

// keyOf tells orders apart.
func keyOf(entries []blockRow) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%d:%s", len(e.key), e.key)
	}
	return b.String()
}

// fill notes the files and remarks that one more variant of a block has.
func (b *block) fill(entries []blockRow) {
	for i, e := range entries {
		if i == len(b.lines) {
			b.lines = append(b.lines, &blockLine{name: e.name, fixed: e.fixed})
		}
		l := b.lines[i]
		if !slices.Contains(l.files, e.file) {
			l.files = append(l.files, e.file)
		}
		if !slices.Contains(l.remarks, e.remark) {
			l.remarks = append(l.remarks, e.remark)
		}
	}
}

// blockRemarks gives the form and the rung; the rest stands at the top.
func blockRemarks(r *prompt.Rendering) string {
	var out []string
	for _, mark := range r.Marks {
		if strings.HasPrefix(mark, "form ") {
			out = append(out, mark)
		}
	}
	if label := r.Unit.Step; label != "" {
		out = append(out, "stepped down to "+label)
	}
	if len(out) == 0 {
		return ""
	}
	return "(" + strings.Join(out, ", ") + ")"
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
func (w *writer) leftOut(a *prompt.Artifact) []string {
	ids := func(sections []int) string {
		names := make([]string, 0, len(sections))
		for _, s := range sections {
			names = append(names, w.build.Prompt.Sections[s].ID.Str)
		}
		return strings.Join(names, ", ")
	}
	var dropped []int
	for _, c := range a.Choices {
		if !c.Kept {
			dropped = append(dropped, c.Section)
		}
	}
	reasons := map[string][]int{}
	var order []string
	for _, o := range a.Out {
		if o.Reason == prompt.OutBudget {
			if !slices.Contains(dropped, o.Section) {
				dropped = append(dropped, o.Section)
			}
			continue
		}
		why := strings.TrimSpace(o.Reason.String() + " " + o.Why)
		if reasons[why] == nil {
			order = append(order, why)
		}
		reasons[why] = append(reasons[why], o.Section)
	}
	var out []string
	if len(dropped) > 0 {
		out = append(out, row("dropped", ids(dropped)+": "+prompt.OutBudget.String()))
	}
	for _, why := range order {
		out = append(out, row("omitted", ids(reasons[why])+": "+why))
	}
	return append(out, w.leftOutContents(a)...)
}

// leftOutContents gives a line for each reason why a conversation does not
// show things where its fixture asks for them.
func (w *writer) leftOutContents(a *prompt.Artifact) []string {
	d := w.dialogue(a)
	if d == nil {
		return nil
	}
	names := map[string][]string{}
	var order []string
	for _, l := range d.LeftOut {
		if names[l.Why] == nil {
			order = append(order, l.Why)
		}
		names[l.Why] = append(names[l.Why], quoteName(l.Content().Name()))
	}
	out := make([]string, 0, len(order))
	for _, why := range order {
		out = append(out, row("omitted", strings.Join(names[why], ", ")+": "+why))
	}
	return out
}

// noticeLine gives the line of the part that names what was dropped, in the
// words that are emitted, if there is one.
func noticeLine(a *prompt.Artifact, usualJoin string) []string {
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
