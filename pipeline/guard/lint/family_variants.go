package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language"
)

// shrinking finds the ordered axes along which the emitted text gets shorter:
// somebody who moves up expects more.
func (f family) shrinking() diag.List {
	var out diag.List
	for i, axis := range f.build.Prompt.Axes {
		if !axis.Ordered {
			continue
		}
		var pairs []diag.Words
		compared, shrunk := 0, 0
		for _, row := range f.rows(i) {
			for k, next := range row[1:] {
				last := row[k]
				if !likeSized(last, next) {
					continue
				}
				if compared++; next.Tokens >= last.Tokens {
					continue
				}
				if shrunk++; shrunk <= shown {
					pairs = append(pairs, diag.Say("has-then-has", last.Variant.Name, amount(last.Tokens, "token"), next.Variant.Name, diag.Count(next.Tokens)))
				}
			}
		}
		if shrunk == 0 {
			continue
		}
		if shrunk > shown {
			pairs = append(pairs, diag.Say("and-n-more", diag.Count(shrunk-shown)))
		}
		out = append(out, diag.New(diag.SizesShrink, axis.Name.At, "ordered-but-gets-shorter",
			axis.Name.Str, f.build.Prompt.ID.Str, diag.Count(shrunk), amount(compared, "step")).
			WithDetail(pairs...).WithHint("give-later-value-least"))
	}
	return out
}

// likeSized reports whether the sizes of two variants may be compared: they
// are counted alike, and neither was cut to fit a window of its own.
func likeSized(a, b *assembly.Artifact) bool {
	return a.Variant.Tokenizer == b.Variant.Tokenizer && !a.Variant.Layout.On && !b.Variant.Layout.On
}

// deadAxes finds the axes that change nothing in any variant. An axis is not
// judged where no two variants differ in it alone.
func (c *promptView) deadAxes() diag.List {
	var out diag.List
	for i, axis := range c.build.Prompt.Axes {
		if !c.dead()[i] {
			continue
		}
		hint := "remove-axis-or-name-it"
		if c.build.Prompt.Rendered != nil {
			hint = "render-one-remove-axis"
		}
		out = append(out, diag.New(diag.DeadAxis, axis.Name.At, "axis-changes-nothing-any", axis.Name.Str, c.build.Prompt.ID.Str).WithHint(hint))
	}
	return out
}

// dead says which axes change nothing.
func (c *promptView) dead() []bool {
	if c.deadAxis == nil {
		c.deadAxis = make([]bool, len(c.build.Prompt.Axes))
		for i := range c.deadAxis {
			rows := c.rows(i)
			c.deadAxis[i] = len(rows) > 0 && !slices.ContainsFunc(rows, c.differ)
		}
	}
	return c.deadAxis
}

// rows gives the artifacts that differ on one axis only, put together: each
// row in the order of the axis's values, the rows in that of their first
// variants. An artifact without a neighbour is in none.
func (f family) rows(axis int) [][]*assembly.Artifact {
	at := map[string]int{}
	var rows [][]*assembly.Artifact
	for _, a := range f.artifacts {
		key := make([]byte, 0, 2*len(a.Variant.Values))
		for i, value := range a.Variant.Values {
			if i != axis {
				key = append(key, byte(value), byte(value>>8))
			}
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(rows)
			at[string(key)] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return slices.DeleteFunc(rows, func(row []*assembly.Artifact) bool { return len(row) < 2 })
}

// differ reports whether two neighbours of a row differ.
func (c *promptView) differ(row []*assembly.Artifact) bool {
	return slices.ContainsFunc(row[1:], func(a *assembly.Artifact) bool {
		return sizesOf(row[0]) != sizesOf(a) || c.sends(row[0]) != c.sends(a)
	})
}

// sizes are those of an artifact: others of other sizes need no further look.
type sizes struct{ tokens, chars, bytes, tools int }

func sizesOf(a *assembly.Artifact) sizes { return sizes{a.Tokens, a.Chars, a.Bytes(), a.ToolTokens} }

// equalVariants finds variants that send the same, where no axis that changes
// nothing, no missing file and no file in place of another says why.
func equalVariants(c *promptView) diag.List {
	if len(c.artifacts) < 2 {
		return nil
	}
	alike := map[sizes]int{}
	for _, a := range c.artifacts {
		alike[sizesOf(a)]++
	}
	var groups ordered.Map[string, []int]
	for v, a := range c.artifacts {
		if alike[sizesOf(a)] > 1 && !c.excused(a) {
			group := groups.Of(c.sends(a))
			*group = append(*group, v)
		}
	}
	stated := c.stated()
	var lines []diag.Words
	found := 0
	users := ground.NewSet(len(c.artifacts))
	for _, its := range groups.All() {
		group := *its
		if len(group) < 2 || !c.apart(group, stated) {
			continue
		}
		set := ground.NewSet(len(c.artifacts))
		for _, v := range group {
			set.Add(v)
		}
		users.Union(set)
		if found++; found <= shown {
			lines = append(lines, diag.Say("variants-described", c.requests.describe(c.build, set)))
		}
	}
	if found == 0 {
		return nil
	}
	if found > shown {
		lines = append(lines, diag.Say("and-n-more", diag.Count(found-shown)))
	}
	hint := "exclude-all-but-one"
	if c.build.Prompt.Rendered != nil {
		hint = "render-one-of-each"
	}
	return diag.List{diag.New(diag.EqualVariants, c.build.Prompt.ID.At, "variants-send-same-another",
		diag.Count(users.Len()), diag.Count(users.Size()), c.build.Prompt.ID.Str).WithDetail(lines...).WithHint(hint)}
}

// excused reports whether a variant may be equal to another because a file of
// its own is not there, as the manifest allows. A text of another program lacks
// sections and no files.
func (c *promptView) excused(a *assembly.Artifact) bool {
	if c.build.Prompt.Rendered != nil {
		return false
	}
	if slices.ContainsFunc(a.Out, func(o assembly.Omission) bool { return o.Reason == assembly.OutAbsent }) {
		return true
	}
	stands := func(in *assembly.Input) bool {
		return in.Origin != assembly.FromPath && in.Origin != assembly.FromInline
	}
	return slices.ContainsFunc(a.Used, func(r *assembly.Rendering) bool {
		return r != nil && slices.ContainsFunc(r.Unit.Inputs, stands)
	})
}

// stated gives the values, by axis, that a case of a path or source names: the
// manifest says which files they have, so equal files are meant.
func (c *promptView) stated() []map[string]bool {
	p := c.build.Prompt
	out := make([]map[string]bool, len(p.Axes))
	for i := range out {
		out[i] = map[string]bool{}
	}
	note := func(when language.Condition) {
		for _, clause := range when {
			for _, term := range clause {
				axis := p.Axis(term.Axis.Str)
				if axis < 0 || term.Not {
					continue
				}
				for _, value := range term.Values {
					out[axis][value.Str] = true
				}
			}
		}
	}
	paths := func(cases language.Cases[[]ground.Word]) {
		for _, one := range cases {
			note(one.When)
		}
	}
	sources := map[string]bool{}
	for _, s := range p.Sections {
		paths(s.Path)
		paths(s.Source)
		for _, one := range s.Source {
			for _, w := range one.Value {
				sources[w.Str] = true
			}
		}
	}
	for _, src := range c.requests.plan.Spec.Sources {
		if sources[src.ID.Str] {
			paths(src.Path)
		}
	}
	return out
}

// apart reports whether some of a group's variants differ on an axis for no
// reason that the manifest gives: an axis that changes nothing, or a value of
// which a case says what it has.
func (c *promptView) apart(group []int, stated []map[string]bool) bool {
	for axis, a := range c.build.Prompt.Axes {
		first := -1
		for _, v := range group {
			value := c.build.Variants[v].Values[axis]
			if c.dead()[axis] || stated[axis][a.Values[value].Str] {
				continue
			}
			if first >= 0 && value != first {
				return true
			}
			first = value
		}
	}
	return false
}

// sends gives a key that only variants have that send the same, in the same
// shape, counted alike and held to the same limits: texts as numbers.
func (c *promptView) sends(a *assembly.Artifact) string {
	if key, ok := c.sent[a]; ok {
		return key
	}
	var key strings.Builder
	word := func(s string) {
		if _, ok := c.words[s]; !ok {
			c.words[s] = len(c.words)
		}
		fmt.Fprintf(&key, "%d ", c.words[s])
	}
	limits := func(l *language.Limits) {
		if l == nil {
			l = &language.Limits{}
		}
		word(fmt.Sprint("limits", l.Tokens, l.Chars, l.ToolTokens, l.GrowthTokens, l.WarnAt, l.Growth, l.Warn))
	}
	word(fmt.Sprint(a.Variant.Tokenizer, a.Variant.Shape().Name, max(0, a.Variant.CacheMinimum)))
	limits(&a.Variant.Budget)
	if sent := a.Variant.Sent; sent != nil {
		body := sent.Entry.Sent.Body
		word(canon.Compact(&ground.Node{Kind: ground.Mapping, Fields: body.Settings}))
		word(body.Besides())
	}
	for i := range a.Variant.Uses {
		limits(a.Variant.Uses[i].Budget)
	}
	for _, tools := range [][]*language.Tool{a.Toolset, a.Beside} {
		word(fmt.Sprint("tools", len(tools)))
		for _, t := range tools {
			word(t.Canonical)
		}
	}
	for _, m := range a.Messages {
		word(fmt.Sprint("message", m.Role, m.Tier, len(m.Blocks)))
		for _, b := range m.Blocks {
			word(fmt.Sprint("block", b.From, b.Marked))
			if b.Image != nil {
				word("image " + b.Image.URL)
			}
		}
	}
	for _, p := range a.Parts {
		word(p.Text)
	}
	c.sent[a] = key.String()
	return c.sent[a]
}

// lapse is an expectation that variants break.
type lapse struct {
	users ground.Set
	at    diag.Span
	// what is said of the first of them, with a further fact; hint is what to do
	// about it, "" for the usual.
	what, more diag.Words
	hint       string
}

// note adds a variant, and reports whether it is the first.
func (l *lapse) note(a *assembly.Artifact, key string, args ...any) bool {
	first := l.what.None()
	if first {
		l.users, l.what = ground.NewSet(len(a.Build.Variants)), diag.Say(key, args...)
	}
	l.users.Add(a.Variant.Index)
	return first
}

// expectations judges what the variants of a prompt have to hold: one finding
// for each entry that some break.
func (c *promptView) expectations() diag.List { return c.broken(c.build.Expect) }

// broken judges by some expectations.
func (c *promptView) broken(expect []assembly.Expected) diag.List {
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
			d = d.WithDetail(c.requests.inVariants(c.build, l.users))
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
func (f family) lapse(e assembly.Expected) lapse {
	var l lapse
	id := f.build.Prompt.ID.Str
	switch {
	case e.Contains != nil:
		l.at = e.Contains.Span(0, len(e.Contains.Str))
		r := newSeeker(e.Contains.Str)
		f.each(e, func(a *assembly.Artifact) {
			if _, _, ok := r.find(a); !ok && l.note(a, "does-not-contain", id, e.Contains.Str) && endsInLineBreak(e.Contains.Str, a) {
				l.hint = "there-without-line-break"
			}
		})
	case e.Lacks != nil:
		l.at = e.Lacks.Span(0, len(e.Lacks.Str))
		r := newSeeker(e.Lacks.Str)
		f.each(e, func(a *assembly.Artifact) {
			if p, start, ok := r.find(a); ok && l.note(a, "prompt-contains", id, e.Lacks.Str) {
				l.more = f.whereIn(p, start, len(e.Lacks.Str))
			}
		})
	case e.Tool.Str != "":
		l.at = e.Tool.At
		f.each(e, func(a *assembly.Artifact) {
			if !slices.ContainsFunc(a.Toolset, func(t *language.Tool) bool { return t.Name == e.Tool.Str }) {
				l.note(a, "does-not-have-tool", id, e.Tool.Str)
			}
		})
	case e.Section.Str != "":
		l.at = e.Section.At
		f.each(e, func(a *assembly.Artifact) {
			var r *assembly.Rendering
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
		f.each(e, func(a *assembly.Artifact) {
			if first, then, ok := f.disordered(a, e.Sections); ok {
				l.note(a, "stands-before", first, then, id)
			}
		})
	}
	return l
}

// endsInLineBreak reports whether a text would be there without the line break at
// its end, which `|` keeps.
func endsInLineBreak(text string, a *assembly.Artifact) bool {
	bare := strings.TrimRight(text, "\n")
	if bare == text || bare == "" {
		return false
	}
	_, _, ok := newSeeker(bare).find(a)
	return ok
}

// each visits the variants that an expectation is about.
func (f family) each(e assembly.Expected, visit func(*assembly.Artifact)) {
	for _, a := range f.artifacts {
		if e.On.Has(a.Variant.Index) {
			visit(a)
		}
	}
}

// disordered gives two sections that stand in a variant the other way round than
// in a list.
func (f family) disordered(a *assembly.Artifact, order []int) (first, then string, ok bool) {
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
func (f family) whereIn(p assembly.Part, start, size int) diag.Words {
	text := ground.Text{}
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
	first map[*assembly.Rendering]int
}

func newSeeker(text string) *seeker { return &seeker{text, map[*assembly.Rendering]int{}} }

// find gives the piece that the text first ends in and where it begins there,
// which is -1 where that is before; ok is false where the variant does not have
// it.
func (s *seeker) find(a *assembly.Artifact) (piece assembly.Part, start int, ok bool) {
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
	return assembly.Part{}, 0, false
}

// in gives where the text begins in a piece, -1 for nowhere.
func (s *seeker) in(p assembly.Part) int {
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
