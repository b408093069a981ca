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
func phased(a *prompt.Artifact) bool { return a.Variant.Layout.On }

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
		lines := w.blockLines(a, usualJoin)
		tail := append(noticeLine(a, usualJoin), w.leftOut(a)...)
		key := strings.Join(tail, "\x00")
		for _, l := range lines {
			key += fmt.Sprintf("\x00%q", l.key)
		}
		if known[key] == nil {
			known[key] = &block{users: prompt.NewSet(len(w.artifacts)), tail: tail}
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

// blockLines gives the lines of a variant's block.
func (w *writer) blockLines(a *prompt.Artifact, usualJoin string) []variantLine {
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
func (w *writer) sectionLine(section int, r *prompt.Rendering) variantLine {
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
func blockRemarks(r *prompt.Rendering) string {
	var out []string
	for _, mark := range r.Marks {
		if strings.HasPrefix(mark, "form ") {
			out = append(out, mark)
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
func (w *writer) leftOut(a *prompt.Artifact) []string {
	var dropped []string
	var omitted, shown grouped
	id := func(section int) string { return w.build.Prompt.Sections[section].ID.Str }
	for _, c := range a.Choices {
		if !c.Kept {
			dropped = append(dropped, id(c.Section))
		}
	}
	for _, o := range a.Out {
		if o.Reason != prompt.OutBudget {
			omitted.add(strings.TrimSpace(o.Reason.String()+" "+o.Why), id(o.Section))
		} else if !slices.Contains(dropped, id(o.Section)) {
			dropped = append(dropped, id(o.Section))
		}
	}
	if unit := w.conversation(a); unit != nil {
		for _, l := range unit.Dialogue.LeftOut {
			shown.add(l.Why, quoteName(l.Content().Name()))
		}
	}
	var out []string
	if len(dropped) > 0 {
		out = append(out, row("dropped", strings.Join(dropped, ", ")+": "+prompt.OutBudget.String()))
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
