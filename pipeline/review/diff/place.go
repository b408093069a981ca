package diff

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// place is a span that can be compared between the two sides, and within one.
type place struct {
	path       string
	start, end int
}

func placeOf(s diag.Span) place {
	if !s.Known() {
		return place{}
	}
	return place{s.File.Path, s.Start, s.End}
}

// site is what a line belongs to: where it stands, and the edit that it follows
// from.
type site struct {
	section *section
	item    string
	owner   *review.Edit
	role    language.Role // of a request that a program sent
}

// side is one of the two texts of a comparison.
type side struct {
	*comparison
	of     *assembly.Artifact
	text   *textdiff.Text
	inBase bool
}

func (r *run) sides(c *comparison) (base, head side) {
	return side{c, c.was, r.lined(c.was), true}, side{c, c.is, r.lined(c.is), false}
}

// partAt gives the index of the part of an artifact that an offset is in, and of
// a join the section or the passage behind it, else the one before.
func partAt(a *assembly.Artifact, offset int) int {
	at := max(sort.Search(len(a.Parts), func(i int) bool { return a.Parts[i].Start > offset })-1, 0)
	says := func(i int) bool { return a.Parts[i].Rendering != nil || a.Parts[i].Passage != nil }
	for i := at; i < len(a.Parts); i++ {
		if says(i) {
			return i
		}
	}
	for i := at; i >= 0; i-- {
		if says(i) {
			return i
		}
	}
	return at
}

// siteAlone gives the same for a variant that one side alone has: all of its
// lines follow from what brought it, or took it away.
func (r *run) siteAlone(s side, part int) site {
	out := site{owner: r.owners[ownerKey{s.twin, nil}]}
	if p := &s.of.Parts[part]; p.Rendering != nil {
		out.section = r.pairOf(s.of).sectionAt(p.Section, s.inBase)
	}
	return out
}

// site gives what a line of a text belongs to.
func (r *run) site(s side, line int) site {
	at := partAt(s.of, s.text.Starts[line])
	if at >= len(s.of.Parts) {
		return site{}
	}
	if !s.Both() {
		return r.siteAlone(s, at)
	}
	if n := s.of.NoticePart(); n >= 0 && s.text.Starts[line+1] > s.of.Parts[n].Start {
		return site{owner: r.owners[ownerKey{s.twin, nil}]}
	}
	part := &s.of.Parts[at]
	p := r.pairOf(s.of)
	var out site
	switch {
	case part.Passage != nil:
		x := r.spokenBy(s.of, s.inBase)
		if x == nil {
			return out
		}
		i := r.talk(x).passage[part.Passage]
		if i == 0 {
			if c := r.changes[r.conversations(s)]; c != nil && s.Both() && !part.Passage.Text.Span(0, len(part.Passage.Text.Str)).Known() {
				out.owner = c.frames // a heading of the layout
			}
			return out
		}
		out.item = r.talk(x).items[i-1].name
		out.owner = r.talkOwner(s, i-1)
		return out
	case part.Rendering == nil:
		return out
	}
	out.section = p.sectionAt(part.Section, s.inBase)
	f := r.frame(part.Rendering)
	offset := max(s.text.Starts[line]-part.Start, 0)
	n := f.itemAt(offset)
	if n >= 0 {
		out.item = f.items[n].name
	}
	if out.section != nil {
		out.owner = r.owner(s, out.section, part.Rendering, n, offset, len(r.lines.Line(s.text.IDs[line])))
	}
	return out
}

// owner gives the edit that a line of a section follows from, nil for none.
func (r *run) owner(s side, of *section, x *assembly.Rendering, item, offset, size int) *review.Edit {
	if e := r.owners[ownerKey{s.twin, of}]; e != nil {
		return e
	}
	if e := r.ofTool(s, of, x, item, offset, offset+size); e != nil {
		return e
	}
	if item < 0 {
		return nil
	}
	was, is := s.used(of)
	if c := r.changes[renderings{was, is}]; c != nil {
		return c.owners[itemOwner{of, s.inBase, item}]
	}
	return nil
}

// ofTool gives the edit that a stretch of text follows from that a tool's
// definition says: that of the tool, its move, or that of a tool which came or
// went, such as of a worked example, which shows another one now.
func (r *run) ofTool(s side, of *section, x *assembly.Rendering, item, start, end int) *review.Edit {
	var names []string
	if f := r.frame(x); item >= 0 && f.items[item].tool != nil {
		names = []string{f.items[item].tool.Name}
	} else {
		names = defined(x, start, end)
	}
	edits := r.toolEdits[s.Head]
	var first *review.Edit
	for _, name := range names {
		if e := edits[name]; e != nil {
			r.toolLines[toolIn{e, s.Head}] += 0
			first = cmp.Or(first, e)
		}
	}
	if first != nil {
		return first
	}
	if len(names) == 0 {
		return nil
	}
	if e := r.toolMoves[ownerKey{s.twin, of}]; e != nil || item >= 0 {
		return e
	}
	for _, tool := range slices.Concat(s.Head.Toolset, s.Base.Toolset) {
		if e := edits[tool.Name]; e != nil && e.Kind != review.ToolChanged {
			return e
		}
	}
	return nil
}

// defined gives the tools whose definitions all of a stretch of text comes from,
// the first of each piece.
func defined(x *assembly.Rendering, start, end int) []string {
	var out []string
	for _, seg := range x.Text.Segs {
		if seg.End <= start || seg.Start >= end {
			continue
		}
		tool := definer(x.Tools, seg.At)
		if tool == nil {
			return nil
		}
		out = append(out, tool.Name)
	}
	return out
}

func (r *run) pairOf(a *assembly.Artifact) *pair { return r.pairByBuild[a.Build] }

// sectionAt gives the section with an index in one side's prompt.
func (p *pair) sectionAt(n int, inBase bool) *section {
	for _, s := range p.sections {
		if inBase && s.base == n || !inBase && s.head == n {
			return s
		}
	}
	return nil
}

// span gives where some lines of a text come from: of what several files have,
// the first. The line break at their end is left out, where they are more.
func (s side) span(from, to int) diag.Span {
	if s.of == nil || from >= to {
		return diag.Span{}
	}
	start, end := s.text.Starts[from], s.text.Starts[to]
	if n := len(strings.TrimRight(s.text.Str[start:end], "\n")); n > 0 {
		end = start + n
	}
	return spanIn(s.of, start, end)
}

// spanIn gives the first place that some bytes of an artifact come from.
func spanIn(a *assembly.Artifact, start, end int) diag.Span {
	first := max(sort.Search(len(a.Parts), func(i int) bool { return a.Parts[i].Start > start })-1, 0)
	for i := first; i < len(a.Parts) && a.Parts[i].Start < end; i++ {
		p := &a.Parts[i]
		text := ground.Text{Str: p.Text}
		switch {
		case p.Rendering != nil:
			text = p.Rendering.Text
		case p.Passage != nil:
			text = p.Passage.Text
		}
		from, to := max(start-p.Start, 0), min(end-p.Start, len(text.Str))
		if from >= to {
			continue
		}
		if at := text.Span(from, to); at.Known() {
			return at
		}
	}
	return diag.Span{}
}

// placeLines says where the lines of an edit come from: in the head; what is no
// more has the place in the head that it would stand at, where its file is still
// there, else the one in the base.
func placeLines(base, head side, g textdiff.Gap) (at diag.Span, inBase bool) {
	if at = head.span(g.Head, g.HeadEnd); at.Known() {
		return edited(base, head, g, at), false
	}
	was := base.span(g.Base, g.BaseEnd)
	if !was.Known() {
		return was, false
	}
	if head.of != nil {
		for _, line := range []int{g.Head, g.Head - 1} {
			if line < 0 || line >= len(head.text.IDs) {
				continue
			}
			if near := head.span(line, line+1); near.Known() && near.File.Path == was.File.Path {
				return near, false
			}
		}
	}
	return was, true
}

// edited gives the place from the first byte on that changed, where a line of the text
// comes from several lines of its file: literals that code joins, a folded line of YAML.
func edited(base, head side, g textdiff.Gap, at diag.Span) diag.Span {
	if base.of == nil || g.Base >= g.BaseEnd {
		return at
	}
	was := base.text.Str[base.text.Starts[g.Base]:base.text.Starts[g.BaseEnd]]
	start, end := head.text.Starts[g.Head], head.text.Starts[g.HeadEnd]
	n := 0
	for n < len(was) && start+n < end-1 && was[n] == head.text.Str[start+n] {
		n++
	}
	from := spanIn(head.of, start+n, end)
	if from.Known() && from.File == at.File && from.Start > at.Start && from.Start < at.End && strings.Contains(at.File.Text[at.Start:from.Start], "\n") {
		at.Start = from.Start
	}
	return at
}

// heading gives the Markdown heading above a line, in what is said with it: in the
// block of a request that it stands in; of one that promptc makes, in the whole system
// message, which it divides at its breakpoints.
func (s side) heading(line int) string {
	if s.of == nil {
		return ""
	}
	start, end := 0, len(s.text.Str)
	if d := s.of.Variant.Dialect; d != nil && d.JSON && len(s.of.Parts) > 0 {
		at := partAt(s.of, s.text.Starts[min(line, len(s.text.IDs))])
		if m, b := s.of.Said(at); m != nil {
			first, last := b.From, b.To-1
			if m.Role == language.RoleSystem && s.of.Variant.Sent == nil {
				first, last = m.Blocks[0].From, m.Blocks[len(m.Blocks)-1].To-1
			}
			start, end = s.of.Parts[first].Start, s.of.Parts[last].Start+len(s.of.Parts[last].Text)
		}
	}
	return s.text.Heading(line, start, end)
}

// startsAt gives the section that begins with a line, nil for none, and the
// line behind its last.
func (r *run) startsAt(s side, line int) (of *section, end int) {
	if s.of == nil || line >= len(s.text.IDs) {
		return nil, 0
	}
	offset := s.text.Starts[line]
	for i := range s.of.Parts {
		p := &s.of.Parts[i]
		if p.Rendering == nil || p.Text == "" {
			continue
		}
		lead := len(p.Text) - len(strings.TrimLeft(p.Text, "\n"))
		if p.Start == offset || p.Start+lead == offset {
			last := p.Start + len(strings.TrimRight(p.Text, "\n")) - 1
			return r.pairOf(s.of).sectionAt(p.Section, s.inBase), s.text.LineAt(max(last, offset)) + 1
		}
	}
	return nil, 0
}

func emitsSection(a *assembly.Artifact, id string) bool {
	return a != nil && slices.ContainsFunc(a.Parts, func(p assembly.Part) bool {
		return p.Rendering != nil && p.Text != "" && a.Build.Prompt.Sections[p.Section].ID.Str == id
	})
}
