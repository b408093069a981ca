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

// block is one distinct order of the layout `phases`: what its variants emit
// and leave out, in the same order.
type block struct {
	users prompt.Set
	lines []*blockLine
	// tail are the lines of the notice and of what is left out.
	tail []string
}

// blockLine is a section of a block. Its texts may differ between variants.
type blockLine struct {
	name           string
	files, remarks []string
}

// phased reports whether a variant has the layout `phases`.
func phased(a *prompt.Artifact) bool { return a.Variant.Layout.On }

// outlineBlocks writes a block for each distinct order of the layout
// `phases`, by first variant. It holds no figures and no source: an edit that
// moves nothing changes nothing here.
func (w *writer) outlineBlocks(b *strings.Builder, usualJoin string) {
	var blocks []*block
	known := map[string]*block{}
	for v, a := range w.artifacts {
		if a == nil || !phased(a) {
			continue
		}
		tail := append(noticeLine(a, usualJoin), w.leftOut(a)...)
		key := orderKey(a) + "\x00" + strings.Join(tail, "\x00")
		if known[key] == nil {
			known[key] = &block{users: prompt.NewSet(len(w.artifacts)), tail: tail}
			blocks = append(blocks, known[key])
		}
		known[key].users.Add(v)
		w.fillBlock(known[key], a)
	}
	for _, block := range blocks {
		fmt.Fprintf(b, "\n## %s\n", w.cover.Describe(block.users))
		for _, l := range block.lines {
			b.WriteString(row(l.name, one(l.files), one(l.remarks)))
		}
		for _, line := range block.tail {
			b.WriteString(line)
		}
	}
}

// orderKey tells orders apart: sections with the rung that each stands on.
func orderKey(a *prompt.Artifact) string {
	var b strings.Builder
	for _, p := range a.Parts {
		if p.Section < 0 || p.Text == "" {
			continue
		}
		fmt.Fprintf(&b, "%d", p.Section)
		if p.Rendering != nil {
			b.WriteString("~" + step(p.Rendering))
		}
		b.WriteByte('\x00')
	}
	return b.String()
}

// fillBlock notes the files and remarks that one more variant of a block has.
func (w *writer) fillBlock(block *block, a *prompt.Artifact) {
	i := 0
	add := func(name, file, remark string) {
		if i == len(block.lines) {
			block.lines = append(block.lines, &blockLine{name: name})
		}
		l := block.lines[i]
		if !slices.Contains(l.files, file) {
			l.files = append(l.files, file)
		}
		if !slices.Contains(l.remarks, remark) {
			l.remarks = append(l.remarks, remark)
		}
		i++
	}
	for _, p := range a.Parts {
		if p.Section < 0 || p.Text == "" {
			continue
		}
		r := w.emitted(p)
		add(w.build.Prompt.Sections[p.Section].ID.Str, w.file(place{section: p.Section, step: step(r)}, w.frame(r).text.Str), blockRemarks(r))
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
	if label := step(r); label != "" {
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
// the order in which it was tried, and what is omitted, by reason.
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
	return out
}

// noticeLine gives the line of the part that names what was dropped, in the
// words that are emitted, if there is one.
func noticeLine(a *prompt.Artifact, usualJoin string) []string {
	i := noticeAt(a)
	if i < 0 {
		return nil
	}
	remark := ""
	if i > 0 && a.Parts[i-1].Text != usualJoin {
		remark = fmt.Sprintf("(join %q)", a.Parts[i-1].Text)
	}
	return []string{row("notice", fmt.Sprintf("%q", a.Parts[i].Text), remark)}
}

// noticeAt gives the index of the notice among the parts, or -1: it is the
// last but the final line break.
func noticeAt(a *prompt.Artifact) int {
	if i := len(a.Parts) - 2; a.Notice && i >= 0 && a.Parts[i].Section < 0 {
		return i
	}
	return -1
}
