package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// lapse is an expectation that variants break.
type lapse struct {
	users prompt.Set
	at    diag.Span
	// said is of the first of them, and more a further fact and hint what to do
	// about it, "" for none.
	said, more, hint string
}

// note adds a variant.
func (l *lapse) note(a *prompt.Artifact, said string) bool {
	first := l.said == ""
	if first {
		l.users, l.said = prompt.NewSet(len(a.Build.Variants)), said
	}
	l.users.Add(a.Variant.Index)
	return first
}

// expectations judges what the variants of a prompt have to hold: one finding
// for each entry that some break.
func (c *census) expectations() diag.List {
	return c.broken(c.build.Expect)
}

// broken judges by some expectations.
func (c *census) broken(expect []prompt.Expected) diag.List {
	if len(expect) == 0 {
		return nil
	}
	broken := par.Map(expect, c.lapse)
	var out diag.List
	for i, l := range broken {
		if l.said == "" {
			continue
		}
		d := diag.New(diag.NotAsExpected, at(l.at, expect[i].At), "%s", l.said)
		switch n, asked := l.users.Len(), expect[i].On.Len(); {
		case n == l.users.Size():
		case n == asked && n > 1:
			d = d.WithLines(fmt.Sprintf("in all %s variants that are asked: %s", diag.Number(n), c.scope.describe(c.build, l.users)))
		default:
			d = d.WithLines(fmt.Sprintf("in %s of %s variants: %s", diag.Number(n), diag.Number(l.users.Size()), c.scope.describe(c.build, l.users)))
		}
		if l.more != "" {
			d = d.WithLines(l.more)
		}
		name, show := c.build.Variants[l.users.First()].Name, "explain"
		if e := expect[i]; e.Contains != nil || e.Lacks != nil {
			show = "show"
		}
		d = d.WithHint("promptc-shows", show, name)
		if l.hint != "" {
			d = d.WithHint("%s", l.hint)
		}
		out = append(out, d)
	}
	return out
}

// lapse looks at the variants that one expectation is about.
func (f family) lapse(e prompt.Expected) lapse {
	var l lapse
	id := f.build.Prompt.ID.Str
	switch {
	case e.Contains != nil:
		l.at = e.Contains.Span(0, len(e.Contains.Str))
		r := newSeeker(e.Contains.Str)
		f.each(e, func(a *prompt.Artifact) {
			if _, _, ok := r.find(a); !ok && l.note(a, fmt.Sprintf("%q does not contain %s", id, diag.Quote(firstOf(e.Contains.Str, 60)))) {
				l.hint = lineBreak(e.Contains.Str, a)
			}
		})
	case e.Lacks != nil:
		l.at = e.Lacks.Span(0, len(e.Lacks.Str))
		r := newSeeker(e.Lacks.Str)
		f.each(e, func(a *prompt.Artifact) {
			if p, start, ok := r.find(a); ok && l.note(a, fmt.Sprintf("%q contains %s", id, diag.Quote(firstOf(e.Lacks.Str, 60)))) {
				l.more = f.written(p, start, len(e.Lacks.Str))
			}
		})
	case e.Tool.Str != "":
		l.at = e.Tool.At
		f.each(e, func(a *prompt.Artifact) {
			if !slices.ContainsFunc(a.Toolset, func(t *prompt.Tool) bool { return t.Name == e.Tool.Str }) {
				l.note(a, fmt.Sprintf("%q does not have the tool %s", id, diag.Quote(e.Tool.Str)))
			}
		})
	case e.Section.Str != "":
		l.at = e.Section.At
		f.each(e, func(a *prompt.Artifact) {
			if said := f.missing(a, e); said != "" {
				l.note(a, said)
			}
		})
	default:
		f.each(e, func(a *prompt.Artifact) {
			if said := f.disordered(a, e.Sections); said != "" {
				l.note(a, said)
			}
		})
	}
	return l
}

// lineBreak says that a text would be there without the line break at its end,
// which `|` keeps; "" where it would not.
func lineBreak(text string, a *prompt.Artifact) string {
	bare := strings.TrimRight(text, "\n")
	if bare == text || bare == "" {
		return ""
	}
	if _, _, ok := newSeeker(bare).find(a); !ok {
		return ""
	}
	return "it is there without the line break at its end: `|-` leaves that out"
}

// each visits the variants that an expectation is about.
func (f family) each(e prompt.Expected, visit func(*prompt.Artifact)) {
	for _, a := range f.artifacts {
		if e.On.Has(a.Variant.Index) {
			visit(a)
		}
	}
}

// missing says that a variant lacks a section, or that it says nothing; "" for
// neither.
func (f family) missing(a *prompt.Artifact, e prompt.Expected) string {
	id := e.Section.Str
	var r *prompt.Rendering
	if section := e.Sections[0]; section >= 0 { // else one of a policy that the prompt no longer has
		r = a.Used[section]
	}
	switch {
	case r == nil:
		return fmt.Sprintf("%q does not have the section %q", f.build.Prompt.ID.Str, id)
	case strings.TrimSpace(r.Text.Str) == "" && len(r.Tools) == 0:
		return fmt.Sprintf("the section %q of %q is empty", id, f.build.Prompt.ID.Str)
	default:
		return ""
	}
}

// disordered names two sections that stand in a variant the other way round
// than in a list; "" where none do.
func (f family) disordered(a *prompt.Artifact, order []int) string {
	last := -1
	for _, p := range a.Parts {
		at := slices.Index(order, p.Section)
		if at < 0 || p.Section < 0 {
			continue
		}
		if at < last {
			s := f.build.Prompt.Sections
			return fmt.Sprintf("%q stands before %q in %q", s[order[last]].ID.Str, s[order[at]].ID.Str, f.build.Prompt.ID.Str)
		}
		last = at
	}
	return ""
}

// written says where the text begins that was found in a piece: the place in
// its source, or the section that it reaches into.
func (f family) written(p prompt.Part, start, size int) string {
	text := prompt.Text{}
	switch {
	case p.Rendering != nil:
		text = p.Rendering.Text
	case p.Passage != nil:
		text = p.Passage.Text
	}
	if place := text.Span(max(start, 0), max(start, 0)+size); start >= 0 && place.Known() {
		line, column := place.File.Position(place.Start)
		return fmt.Sprintf("it stands in %s:%d:%d", place.File.Path, line, column)
	}
	if p.Section >= 0 && start < 0 {
		return fmt.Sprintf("it begins before the section %q and ends in it", f.build.Prompt.Sections[p.Section].ID.Str)
	}
	return ""
}

// seeker looks for a literal text in what variants emit. Most pieces stand in
// many variants, and each is read once.
type seeker struct {
	text string
	// first is where the text begins in a rendering, -1 for nowhere.
	first map[*prompt.Rendering]int
}

func newSeeker(text string) *seeker { return &seeker{text, map[*prompt.Rendering]int{}} }

// find gives the piece that the text first ends in and where it begins there,
// which is -1 where that is before; ok is false where the variant does not have
// it.
func (s *seeker) find(a *prompt.Artifact) (piece prompt.Part, start int, ok bool) {
	most := len(s.text) - 1 // bytes of the text before or behind the seam of two pieces
	for _, run := range a.Runs() {
		tail := ""
		for _, p := range a.Parts[run.From:run.To] {
			if tail != "" && strings.Contains(tail+p.Text[:min(len(p.Text), most)], s.text) {
				return p, -1, true
			}
			if at := s.in(p); at >= 0 {
				return p, at, true
			}
			if tail = tail + p.Text[max(0, len(p.Text)-most):]; len(tail) > most {
				tail = tail[len(tail)-most:]
			}
		}
	}
	return prompt.Part{}, 0, false
}

// in gives where the text begins in a piece, -1 for nowhere.
func (s *seeker) in(p prompt.Part) int {
	if p.Rendering == nil {
		return strings.Index(p.Text, s.text)
	}
	at, known := s.first[p.Rendering]
	if !known {
		at = strings.Index(p.Text, s.text)
		s.first[p.Rendering] = at
	}
	return at
}
