package lint

import (
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
	// what is said of the first of them, with a further fact; hint is what to do
	// about it, "" for the usual.
	what, more diag.Words
	hint       string
}

// note adds a variant, and reports whether it is the first.
func (l *lapse) note(a *prompt.Artifact, key string, args ...any) bool {
	first := l.what.None()
	if first {
		l.users, l.what = prompt.NewSet(len(a.Build.Variants)), diag.Say(key, args...)
	}
	l.users.Add(a.Variant.Index)
	return first
}

// expectations judges what the variants of a prompt have to hold: one finding
// for each entry that some break.
func (c *promptView) expectations() diag.List { return c.broken(c.build.Expect) }

// broken judges by some expectations.
func (c *promptView) broken(expect []prompt.Expected) diag.List {
	if len(expect) == 0 {
		return nil
	}
	var out diag.List
	for i, l := range par.Map(expect, c.lapse) {
		if l.what.None() {
			continue
		}
		d := diag.Diagnostic{Code: diag.NotAsExpected, Level: diag.NotAsExpected.Level(), Span: at(l.at, expect[i].At), What: l.what}
		if l.users.Len() < l.users.Size() {
			d = d.WithDetail(c.scope.inVariants(c.build, l.users))
		}
		if !l.more.None() {
			d = d.WithDetail(l.more)
		}
		show := "explain"
		if e := expect[i]; e.Contains != nil || e.Lacks != nil {
			show = "show"
		}
		if d = d.WithHint("promptc-shows", show, c.build.Variants[l.users.First()].Name); l.hint != "" {
			d = d.WithHint(l.hint)
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
			if _, _, ok := r.find(a); !ok && l.note(a, "does-not-contain", id, e.Contains.Str) && endsInLineBreak(e.Contains.Str, a) {
				l.hint = "there-without-line-break"
			}
		})
	case e.Lacks != nil:
		l.at = e.Lacks.Span(0, len(e.Lacks.Str))
		r := newSeeker(e.Lacks.Str)
		f.each(e, func(a *prompt.Artifact) {
			if p, start, ok := r.find(a); ok && l.note(a, "prompt-contains", id, e.Lacks.Str) {
				l.more = f.whereIn(p, start, len(e.Lacks.Str))
			}
		})
	case e.Tool.Str != "":
		l.at = e.Tool.At
		f.each(e, func(a *prompt.Artifact) {
			if !slices.ContainsFunc(a.Toolset, func(t *prompt.Tool) bool { return t.Name == e.Tool.Str }) {
				l.note(a, "does-not-have-tool", id, e.Tool.Str)
			}
		})
	case e.Section.Str != "":
		l.at = e.Section.At
		f.each(e, func(a *prompt.Artifact) {
			var r *prompt.Rendering
			if section := e.Sections[0]; section >= 0 { // else one of a policy that the prompt no longer has
				r = a.Used[section]
			}
			switch {
			case r == nil:
				l.note(a, "does-not-have-section", id, e.Section.Str)
			case strings.TrimSpace(r.Text.Str) == "" && len(r.Tools) == 0:
				l.note(a, "section-is-empty", e.Section.Str, id)
			}
		})
	default:
		f.each(e, func(a *prompt.Artifact) {
			if first, then, ok := f.disordered(a, e.Sections); ok {
				l.note(a, "stands-before", first, then, id)
			}
		})
	}
	return l
}

// endsInLineBreak reports whether a text would be there without the line break at
// its end, which `|` keeps.
func endsInLineBreak(text string, a *prompt.Artifact) bool {
	bare := strings.TrimRight(text, "\n")
	if bare == text || bare == "" {
		return false
	}
	_, _, ok := newSeeker(bare).find(a)
	return ok
}

// each visits the variants that an expectation is about.
func (f family) each(e prompt.Expected, visit func(*prompt.Artifact)) {
	for _, a := range f.artifacts {
		if e.On.Has(a.Variant.Index) {
			visit(a)
		}
	}
}

// disordered gives two sections that stand in a variant the other way round than
// in a list.
func (f family) disordered(a *prompt.Artifact, order []int) (first, then string, ok bool) {
	last := -1
	for _, p := range a.Parts {
		at := slices.Index(order, p.Section)
		if at < 0 || p.Section < 0 {
			continue
		}
		if at < last {
			s := f.build.Prompt.Sections
			return s[order[last]].ID.Str, s[order[at]].ID.Str, true
		}
		last = at
	}
	return "", "", false
}

// whereIn says where the text begins that was found in a piece: the place in its
// source, or the section that it reaches into.
func (f family) whereIn(p prompt.Part, start, size int) diag.Words {
	text := prompt.Text{}
	switch {
	case p.Rendering != nil:
		text = p.Rendering.Text
	case p.Passage != nil:
		text = p.Passage.Text
	}
	if place := text.Span(max(start, 0), max(start, 0)+size); start >= 0 && place.Known() {
		line, column := place.File.Position(place.Start)
		return diag.Say("stands-in", place.File.Path, line, column)
	}
	if p.Section >= 0 && start < 0 {
		return diag.Say("begins-before-section", f.build.Prompt.Sections[p.Section].ID.Str)
	}
	return diag.Words{}
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
