package lint

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/guard/internal/transient"
)

// axisInBraces is how the axes of a prompt are named in paths, in forms and in
// names of sources, and nowhere else.
var axisInBraces = regexp.MustCompile(`\{[a-z0-9][a-z0-9._-]*\}`)

// axesInTexts notes an axis in braces in a text, which is sent as it stands.
func axesInTexts(c *promptView) diag.List {
	axes := map[string]string{} // the first value of each
	for _, a := range c.build.Prompt.Axes {
		if len(a.Values) > 0 {
			axes["{"+a.Name.Str+"}"] = a.Values[0].Str
		}
	}
	type written struct {
		axis string
		file *diag.File
	}
	var out diag.List
	met := map[written]bool{}
	for _, s := range c.texts {
		if len(axes) == 0 || s.Unit.Exact || listsTools(s) {
			continue
		}
		for _, line := range s.lines {
			text := s.Text.Str[line.Start:line.End]
			if line.Fenced || line.Indented || !strings.Contains(text, "{") {
				continue
			}
			for _, m := range axesIn(text, axes) {
				place := c.origin(s, line.Start+m[0], line.Start+m[1])
				key := written{text[m[0]:m[1]], place.File}
				if met[key] {
					continue
				}
				met[key] = true
				axis := strings.Trim(key.axis, "{}")
				out = append(out, c.find(diag.AxisInText, place, s.users, "axis-stands-in-text", key.axis, c.id(s), c.build.Prompt.ID.Str).
					WithHint("write-text-for-each-value", axis, axes[key.axis], axis))
			}
		}
	}
	return out
}

// axesIn gives the places of a line that name an axis in braces: not in code, and
// not as a part of what other braces or signs make of it.
func axesIn(text string, axes map[string]string) [][]int {
	found := slices.DeleteFunc(axisInBraces.FindAllStringIndex(text, -1), func(m []int) bool {
		_, ok := axes[text[m[0]:m[1]]]
		return !ok || m[0] > 0 && strings.ContainsRune("{$\\%#", rune(text[m[0]-1])) || m[1] < len(text) && text[m[1]] == '}'
	})
	if len(found) == 0 {
		return nil
	}
	spans := markdown.CodeSpans(text)
	return slices.DeleteFunc(found, func(m []int) bool { return within(spans, m[0]) })
}

// longest is more than the bytes of any placeholder: a name has 64 at most.
const longest = 80

// lookalikes finds emitted text that reads like a declared slot and is plain text:
// in renderings, in what stands between them, and across their ends. Each
// distinct text is looked at once.
func lookalikes(s *requestSet) diag.List {
	l := looker{
		slots: map[string]bool{}, renderings: map[*assembly.Rendering]bool{},
		passages: map[said]bool{}, seams: map[seam]bool{},
	}
	for _, slot := range s.plan.Spec.Slots {
		l.slots[slot.Name.Str] = true
	}
	if len(l.slots) == 0 {
		return nil
	}
	for _, a := range s.artifacts {
		if a.Variant.Exact { // another program's bytes, in which nobody replaces by place
			continue
		}
		tail, from := "", len(l.found)
		for i, p := range a.Parts {
			if p.Rendering != nil && !l.renderings[p.Rendering] {
				l.renderings[p.Rendering] = true
				l.rendering(p.Rendering)
			}
			if key := (said{a.Build, p.Passage}); p.Passage != nil && !l.passages[key] {
				l.passages[key] = true
				l.passage(a, p.Passage)
			}
			l.seam(a, i, tail)
			tail += p.Text[max(0, len(p.Text)-longest):]
			tail = tail[max(0, len(tail)-longest):]
		}
		for i := range l.found[from:] {
			l.found[from+i].Prompts = []string{a.Build.Prompt.ID.Str}
		}
	}
	return l.found
}

type looker struct {
	slots      map[string]bool
	renderings map[*assembly.Rendering]bool // looked at
	passages   map[said]bool                // looked at
	seams      map[seam]bool                // looked at
	found      diag.List
}

// said is what a conversation says in a prompt.
type said struct {
	build   *assembly.Build
	passage *assembly.Passage
}

// seam is where two texts meet in a prompt.
type seam struct {
	build *assembly.Build
	text  string
}

// rendering looks at the text of a section.
func (l *looker) rendering(r *assembly.Rendering) {
	real := map[int]bool{}
	for _, s := range r.Slots {
		real[s.Start] = true
	}
	for _, p := range ground.Placeholders(r.Text.Str) {
		start := p.Start
		if p.Literal { // {{{{name}}}} as emitted still holds {{name}}
			start += 2
		}
		if !l.slots[p.Name] || p.Spaced || real[start] {
			continue
		}
		d := emitted(p.Name, cmp.Or(r.Text.Span(p.Start, p.End), r.Unit.Section.ID.At))
		if expanded(r) {
			d = d.WithHint("write-another-way-give")
		} else {
			d = d.WithHint("say-expand-true-section", r.Unit.Section.ID.Str)
		}
		l.found = append(l.found, d)
	}
}

// passage looks at what a conversation says. Nothing in it is ever expanded.
func (l *looker) passage(a *assembly.Artifact, p *assembly.Passage) {
	for _, m := range ground.Placeholders(p.Text.Str) {
		if !l.slots[m.Name] || m.Spaced {
			continue
		}
		l.found = append(l.found, emitted(m.Name, cmp.Or(p.Text.Span(m.Start, m.End), a.Build.Prompt.ID.At)).
			WithHint("conversation-never-expanded-write"))
	}
}

// seam looks at what stands between sections, and at what comes about where
// the text before a part meets it.
func (l *looker) seam(a *assembly.Artifact, part int, tail string) {
	p := a.Parts[part]
	key := seam{a.Build, tail + "\x00" + p.Text[:min(len(p.Text), longest)]}
	if l.seams[key] {
		return
	}
	l.seams[key] = true
	text := tail + p.Text[:min(len(p.Text), longest)]
	ours := p.Rendering == nil && p.Passage == nil // written between two others
	if ours {
		text = tail + p.Text
	}
	for _, m := range ground.Placeholders(text) {
		crosses := m.Start < len(tail) && m.End > len(tail)
		between := ours && m.Start >= len(tail)
		if !l.slots[m.Name] || m.Spaced || !crosses && !between {
			continue
		}
		l.found = append(l.found, emitted(m.Name, nextSection(a, part)).WithHint("change-join-before-after"))
	}
}

// nextSection gives the place of the first section, or text of a conversation,
// at or behind a part.
func nextSection(a *assembly.Artifact, part int) diag.Span {
	for _, p := range a.Parts[part:] {
		if p.Passage != nil && len(p.Passage.Text.Segs) > 0 {
			return at(p.Passage.Text.Segs[0].At)
		}
		if p.Section >= 0 {
			return a.Build.Prompt.Sections[p.Section].ID.At
		}
	}
	return a.Build.Prompt.ID.At
}

func emitted(name string, at diag.Span) diag.Diagnostic {
	return diag.New(diag.LooksLikeSlot, at, "emitted-text-but-slot", "{{"+name+"}}", name)
}

// expanded reports whether all text of a rendering was expanded, so that what
// still reads like a slot was written as a literal. A heading and the lines
// around the body are expanded only where the section is.
func expanded(r *assembly.Rendering) bool {
	u := r.Unit
	if u.Expand {
		return true
	}
	framed := u.Heading != nil || u.Before.Str != "" || u.After.Str != ""
	return !framed && !slices.ContainsFunc(u.Inputs, func(in *assembly.Input) bool { return !in.Expand })
}

// fleeting is a text of one moment or run, at its place.
type fleeting struct {
	at   diag.Span
	kind transient.Kind
	text string
}

// moments are the keys of what is found, by its kind.
var moments = [...]string{
	transient.Time: "date-with-time",

	transient.Today: "current-date-or-time",
	transient.Epoch: "seconds-since-1970",
	transient.UUID:  "random-identifier",
}

// volatileContent finds what belongs to one moment or run in text that is meant
// to stay the same: neither its section nor a source of it is declared volatile.
// It is judged as it is emitted, each rendering once.
func (s *requestSet) volatileContent() diag.List {
	emitted := stable(s.artifacts)
	var renderings []*assembly.Rendering
	for _, e := range emitted.Keys {
		renderings = append(renderings, e.rendering)
	}
	var all ordered.Map[fleeting, ordered.Map[*assembly.Build, ground.Set]]
	for i, found := range par.Map(renderings, fleetings) {
		e := emitted.Keys[i]
		for _, f := range found {
			union(all.Of(f).Of(e.build), *emitted.Get(e))
		}
	}
	slices.SortStableFunc(all.Keys, func(a, b fleeting) int {
		return cmp.Or(cmp.Compare(a.at.File.Path, b.at.File.Path), cmp.Compare(a.at.Start, b.at.Start))
	})
	var out diag.List
	for f, users := range all.All() {
		d := diag.New(diag.VolatileContent, f.at, "text-meant-stay-same", diag.Say(moments[f.kind]), f.text).
			WithHint("let-slot-give-text")
		if f.kind == transient.UUID {
			d.Level = diag.Note
		}
		for b, its := range users.All() {
			before := len(d.Detail)
			if d = s.among(d, b, *its); len(users.Keys) > 1 && len(d.Detail) > before {
				d.Detail[before] = diag.Say("of-prompt", d.Detail[before], b.Prompt.ID.Str)
			}
		}
		out = append(out, d)
	}
	return capFindings(out)
}

// emission is a text of a section in the variants of one prompt.
type emission struct {
	build     *assembly.Build
	rendering *assembly.Rendering
}

// stable gives the texts of sections that are not declared volatile, each with
// the variants that emit it. Prompts that another program rendered have none: it
// knows what its texts stand for.
func stable(artifacts []*assembly.Artifact) *ordered.Map[emission, ground.Set] {
	out := &ordered.Map[emission, ground.Set]{}
	for _, a := range artifacts {
		if a.Variant.Exact {
			continue
		}
		for _, p := range a.Parts {
			if p.Section < 0 || p.Rendering == nil || a.Variant.Uses[p.Section].Volatile {
				continue
			}
			set := out.Of(emission{a.Build, p.Rendering})
			if set.Size() == 0 {
				*set = ground.NewSet(len(a.Build.Variants))
			}
			set.Add(a.Variant.Index)
		}
	}
	return out
}

// fleetings finds the places of a rendering that count: somebody wrote them, as
// what is meant, and not to show it.
func fleetings(r *assembly.Rendering) []fleeting {
	if r.Unit != nil && r.Unit.VolatileSource() != nil {
		return nil
	}
	text := r.Text.Str
	found := transient.Find(text)
	if len(found) == 0 {
		return nil
	}
	var out []fleeting
	lines := markdown.Lines(text)
	aside, inSpan, row := asides(text, lines), inCodeSpans(text), 0
	for _, m := range found {
		for lines[row].End < m.Start {
			row++
		}
		if aside[row] || inSpan(m.Start) || isValue(text, m) {
			continue
		}
		slotted := slices.ContainsFunc(r.Slots, func(s assembly.SlotAt) bool { return s.Start < m.End && m.Start < s.End })
		if place := r.Text.Span(m.Start, m.End); place.Known() && !slotted {
			out = append(out, fleeting{at(place), m.Kind, text[m.Start:m.End]})
		}
	}
	return out
}

// inCodeSpans gives a function that reports whether a place of a text is in a
// code span. It is asked for ascending places, so that each line is read once.
func inCodeSpans(text string) func(at int) bool {
	start, end := 0, -1 // of the line that was read last
	var spans []markdown.Span
	return func(at int) bool {
		if at > end {
			start = strings.LastIndexByte(text[:at], '\n') + 1
			line, _, _ := strings.Cut(text[start:], "\n")
			end, spans = start+len(line), markdown.CodeSpans(line)
		}
		return within(spans, at-start)
	}
}

// within reports whether a place is in one of some spans, which ascend.
func within(spans []markdown.Span, i int) bool {
	next := sort.Search(len(spans), func(k int) bool { return spans[k].End > i })
	return next < len(spans) && spans[next].Start <= i
}

// isValue reports whether a date with a time stands between quotes by itself.
func isValue(text string, m transient.Match) bool {
	return m.Kind == transient.Time && m.Start > 0 && m.End < len(text) && text[m.Start-1] == text[m.End] && strings.IndexByte(`"'`, text[m.End]) >= 0
}

// asides says of each line of a text whether what stands there is shown or noted,
// and not said: code, comments, and what a tag calls an example.
func asides(text string, lines []markdown.Line) []bool {
	out := make([]bool, len(lines))
	tagged, comment := false, false
	for i, line := range lines {
		s := strings.ToLower(text[line.Start:line.End])
		tagged = tagged || strings.Contains(s, "<example")
		comment = comment || strings.Contains(s, "<!--")
		out[i] = tagged || comment || line.Fenced || line.Indented
		tagged = tagged && !strings.Contains(s, "</example")
		comment = comment && !strings.Contains(s, "-->")
	}
	return out
}
