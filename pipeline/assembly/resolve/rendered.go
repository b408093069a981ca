package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Limits of prompts that are rendered elsewhere.
const (
	// MaxSections bounds the sections of one prompt.
	MaxSections = 2000
	// MaxUses bounds the variants of one prompt times its sections.
	MaxUses = 1_000_000
	// maxWork bounds how often it is tried to split names by one pattern.
	maxWork = 20_000_000
)

// renderedTools is the id of the section that has the tools beside a rendered
// text. No heading and no tag makes one of this form.
const renderedTools = "tools.json"

// renderedText is what another program rendered for some variants.
type renderedText struct {
	doc   *language.Doc
	entry *language.Saved // nil for the file as a whole
	// values are by axis of the prompt, "" for those that neither the file's
	// name nor the entry's tells apart. What an entry's name has may be no
	// value until all names are read: see slugs.
	values []string
	tags   []templates.Tag
	cuts   []cut
	blocks []sentBlock    // of a request that was sent
	uses   []assembly.Use // by section; those that it lacks are out
	order  []int
}

// name says of a finding what it is about.
func (t *renderedText) name() diag.Words {
	if t.entry == nil {
		return diag.Say("quoted", t.doc.File.Path)
	}
	return diag.Say("entry-of-file", diag.Ends(t.entry.Name), t.doc.File.Path)
}

// isPrinted reports an entry that is not a text: an object, a list or a number, as a
// program printed it.
func (t *renderedText) isPrinted() bool { return t.entry != nil && !t.entry.IsText }

// text gives what was rendered.
func (t *renderedText) text() ground.Text {
	if t.entry == nil {
		return t.doc.Body
	}
	return t.entry.Value
}

// bindRendered lays out a prompt whose texts another program assembles.
func (b *binder) bindRendered(p *language.Prompt) {
	g := newGathering(b, p)
	if !g.axesKnown() || !g.gather() {
		return
	}
	bound := g.withValues()
	if bound == nil {
		return
	}
	s, ok := g.variants(bound)
	if !ok {
		return
	}
	b.plan.Builds = append(b.plan.Builds, s.build)
	s.settings()
	for _, v := range s.build.Variants {
		v.Join, v.Exact = ground.Text{}, true
	}
	g.lay(s)
	s.tools = make([][]*language.Tool, len(s.build.Variants))
	for _, v := range s.build.Variants {
		s.distinctTools(v)
	}
	if len(s.prompt.Sections) > 0 { // else they could not be told
		s.expectations()
	}
}

// variants expands the axes to the variants that have a text, and says which
// ones have none.
func (g *gathering) variants(bound *language.Prompt) (*scope, bool) {
	var missing []string
	lacking := 0
	s, ok := g.scopeOf(bound)
	ok = ok && s.expand(func(point []int) bool {
		if g.at(s, point) != nil {
			return true
		}
		if lacking++; len(missing) < maxListed {
			missing = append(missing, s.name(point))
		}
		return false
	})
	auto := slices.ContainsFunc(bound.Axes, func(a *language.Axis) bool { return a.Auto })
	complete := g.everyValue(bound)
	none := s != nil && len(s.build.Variants) == 0
	which := diag.Variants{Names: missing, Count: lacking}
	switch {
	case none && (auto || lacking == 0):
		g.noVariant(bound)
	case lacking == 0:
	case !auto && !g.spec.Tree.Borrowed:
		g.diags = append(g.diags, diag.New(diag.RenderedMissing, g.rendered.Path.At, "no-rendered-text",
			diag.Counted(lacking, "one-variant-has", "variants-have"), which).
			WithHint("render-exclude-write-auto"))
		if bound.Record != nil {
			g.diags[len(g.diags)-1].Hint = diag.Say("record-it", bound.ID.Str)
		}
		ok = false
	case complete && !g.words: // each recording has entries of its own
		g.diags = append(g.diags, diag.New(diag.RenderedGap, g.rendered.Path.At, "in-a-place",
			diag.Counted(lacking, "one-combination-not-built", "combinations-not-built"), which).
			WithHint("nothing-done-never-sent"))
	}
	return s, ok && complete
}

// maxMissing is how many names a finding has, maxListed how many of variants the
// JSON has.
const maxMissing, maxListed = 5, 10_000

// everyValue reports listed values of which no text was rendered at all, beside
// axes whose values the files give.
func (g *gathering) everyValue(p *language.Prompt) bool {
	ok := true
	for i, a := range p.Axes {
		if a.Auto || g.spec.Tree.Borrowed || !g.tells[i] || !slices.ContainsFunc(p.Axes, func(a *language.Axis) bool { return a.Auto }) {
			continue
		}
		for _, w := range a.Values {
			if !slices.ContainsFunc(g.texts, func(t *renderedText) bool { return t.values[i] == w.Str }) {
				g.diags = append(g.diags, diag.New(diag.RenderedMissing, w.At, "no-text-rendered", a.Name.Str, w.Str).
					WithHint("render-take-value-away"))
				ok = false
			}
		}
	}
	return ok
}

// at gives the text of a point, nil for none.
func (g *gathering) at(s *scope, point []int) *renderedText {
	values := make([]string, len(point))
	for i, v := range point {
		if g.tells[i] {
			values[i] = s.values[i][v]
		}
	}
	return g.found[strings.Join(values, "\x00")]
}

// withValues gives the prompt with the values that the files have; nil after a
// finding. The manifest's own stays as it is.
func (g *gathering) withValues() *language.Prompt {
	out := *g.prompt
	out.Axes = make([]*language.Axis, len(g.prompt.Axes))
	for i, declared := range g.prompt.Axes {
		axis := *declared
		if axis.Auto {
			axis.Values = nil
			for _, v := range g.valuesOf(i) {
				axis.Values = append(axis.Values, ground.Word{Str: v, At: g.rendered.Path.At})
			}
			if axis.Default.Str != "" && !g.known(diag.UnknownValue, axis.Default, ground.Strings(axis.Values), "axis-no-value", axis.Name.Str, axis.Default.Str) {
				return nil
			}
		}
		out.Axes[i] = &axis
	}
	out.Exclude = g.excluded(&out)
	return &out
}

// excluded gives the clauses of `exclude` that are about values which the names
// have. Where these are found in names, a clause outlives the last text that it
// was about, which is noted.
func (g *gathering) excluded(p *language.Prompt) language.Condition {
	var out language.Condition
	for _, clause := range p.Exclude {
		if term, ok := outlived(p, clause); ok {
			g.diags = append(g.diags, diag.New(diag.RenderedGap, term.Values[0].At, "exclude-outlived", term.Axis.Str, term.Values[0].Str).
				WithHint("remove-clause-unless-back"))
			continue
		}
		out = append(out, clause)
	}
	return out
}

// outlived gives the term of a clause for which no text has a value.
func outlived(p *language.Prompt, clause language.Clause) (language.Term, bool) {
	for _, term := range clause {
		i := p.Axis(term.Axis.Str)
		if i < 0 || !p.Axes[i].Auto || term.Not {
			continue
		}
		known := ground.Strings(p.Axes[i].Values)
		if !slices.ContainsFunc(term.Values, func(v ground.Word) bool { return slices.Contains(known, v.Str) }) {
			return term, true
		}
	}
	return language.Term{}, false
}

// lay gives the variants their sections: those that their texts split into, and
// the one with the tools beside them.
func (g *gathering) lay(s *scope) {
	p := s.prompt
	texts := make([]*renderedText, len(s.build.Variants))
	var used []*renderedText
	seen := map[*renderedText]bool{}
	for _, v := range s.build.Variants {
		t := g.at(s, v.Values)
		if texts[v.Index] = t; !seen[t] {
			seen[t] = true
			if g.isText(t, v) {
				used = append(used, t)
			}
		}
	}
	if g.bad || !g.split(used) {
		return
	}
	union := merger{at: map[string]int{}}
	for _, t := range used {
		union.merge(t)
		if n := len(union.order); n > MaxSections || (n+1)*len(texts) > MaxUses {
			g.tooMany(t, "texts-prompt-split-into", p.ID.Str, diag.Count(n), diag.Count(len(texts)))
			return
		}
	}
	beside := g.tools(s)
	g.unusedNames()
	g.shared(used)
	alone := map[*renderedText]bool{}
	sentTools := false
	for i, t := range texts {
		own := g.spec.SentTools[t.entry]
		alone[t] = alone[t] || len(own) == 0 && (beside == nil || len(beside[i]) == 0)
		sentTools = sentTools || len(own) > 0
	}
	g.noteOdd(used, alone)
	g.cacheMinimum(used)
	g.ownTools(used)
	place := g.declareSections(s, &union, beside != nil || sentTools)
	for _, t := range used {
		g.fill(s, t, place)
	}
	for _, v := range s.build.Variants {
		t := texts[v.Index]
		v.Order, v.Uses, v.Sent = t.order, t.uses, t.layOut(place)
		if v.Sent != nil {
			v.Dialect = t.sent().Body.Dialect
		}
		var docs []*language.Doc
		if beside != nil {
			docs = beside[v.Index]
		}
		if beside != nil || sentTools {
			g.beside(s, v, t, docs)
		}
	}
}

// ownTools reports files with tools beside requests, which have their own.
func (g *gathering) ownTools(used []*renderedText) {
	if len(g.rendered.Tools) > 0 && slices.ContainsFunc(used, func(t *renderedText) bool { return t.sent() != nil }) {
		g.report(diag.New(diag.KeyNotForKind, g.rendered.Tools[0].At, "requests-have-own-tools").WithHint("remove-tools-of-requests"))
	}
}

// cacheMinimum reports a minimum for breakpoints that no text has.
func (g *gathering) cacheMinimum(used []*renderedText) {
	if g.prompt.Cache.Set() && !slices.ContainsFunc(used, func(t *renderedText) bool { return t.sent() != nil }) {
		g.report(diag.New(diag.KeyNotForKind, g.prompt.Cache[0].At, "prompt-rendered-elsewhere-takes", "cache_minimum").
			WithHint("remove-key-of-sections"))
	}
}

// shared warns of texts that another prompt has, too: every change of one would
// be two.
func (g *gathering) shared(texts []*renderedText) {
	names := map[string][]diag.Words{}
	var others []string // in the order of the texts
	for _, t := range texts {
		owner := g.owners[t.key()]
		if owner == "" {
			g.owners[t.key()] = g.prompt.ID.Str
			continue
		}
		if names[owner] == nil {
			others = append(others, owner)
		}
		names[owner] = append(names[owner], t.name())
	}
	for _, owner := range others {
		d := diag.New(diag.RenderedShared, g.rendered.Path.At, "text-of-two", names[owner][0], owner, g.prompt.ID.Str)
		d = andAlso(d, names[owner], func(name diag.Words) diag.Words { return name })
		g.report(d.WithHint("narrow-one-pattern"))
	}
}

// textKey is one text of a file that another program wrote, or with no entry the
// file.
type textKey struct {
	path  string
	entry *language.Saved
}

func (t *renderedText) key() textKey { return textKey{t.doc.File.Path, t.entry} }

func (g *gathering) tooMany(t *renderedText, key string, args ...any) {
	g.report(diag.New(diag.TooManySections, diag.Whole(t.doc.File), key, args...).
		WithHint("say-split-where-sections"))
}

// split cuts the texts into sections and names these.
func (g *gathering) split(texts []*renderedText) bool {
	told := ids{repeated: map[string]bool{}}
	for _, t := range texts {
		t.tags = t.holes(g.rendered.Template.Str)
		text := templates.Blank(t.text().Str, t.tags)
		if t.entry != nil && t.entry.Parts != nil {
			for i, p := range t.entry.Parts {
				if i > 0 {
					t.cuts[i-1].end = p.Start
				}
				t.cuts = append(t.cuts, cut{slug: slug(p.Name), parent: -1, start: p.Start, end: len(text)})
			}
		} else if t.sent() != nil {
			t.takeApart(text, g.rendered.Split)
		} else {
			t.cuts = split(text, g.rendered.Split)
		}
		if len(t.cuts) > MaxSections {
			g.tooMany(t, "splits-into-sections", t.name(), diag.Count(len(t.cuts)))
			return false
		}
		told.read(t.cuts)
	}
	for _, t := range texts {
		told.name(t.cuts)
	}
	return true
}

// holes gives what is not text: the tags of a template, and what only running the code
// would fill, which hides tags.
func (t *renderedText) holes(language string) []templates.Tag {
	text := t.text().Str
	if t.entry == nil || len(t.entry.Holes) == 0 {
		return templates.Tags(language, text)
	}
	hidden := []byte(text)
	for _, h := range t.entry.Holes {
		copy(hidden[h.Start:h.End], strings.Repeat(" ", h.End-h.Start))
	}
	out := append(templates.Tags(language, string(hidden)), t.entry.Holes...)
	slices.SortFunc(out, func(a, b templates.Tag) int { return a.Start - b.Start })
	return out
}

// merger puts the orders of several texts together: what is new stands behind
// what it follows in its text, and behind what other texts have there.
type merger struct {
	order []ground.Word  // with the place of the first text that has it
	at    map[string]int // index in order
}

// merge puts the sections of a text in. Each run of new ones stands directly
// before the section that follows it, where that one is behind what it follows.
func (m *merger) merge(t *renderedText) {
	type run struct {
		place int // in the order so far
		words []ground.Word
	}
	var runs []run
	text := t.text()
	after := 0 // behind the last section that is known
	open := false
	for _, c := range t.cuts {
		i, known := m.at[c.id]
		switch {
		case known && open && i < after: // these texts have another order
			runs[len(runs)-1].place = after
			fallthrough
		case known:
			if open && i >= after {
				runs[len(runs)-1].place = i
			}
			after, open = i+1, false
			continue
		case !open:
			runs, open = append(runs, run{place: len(m.order)}), true
		}
		last := &runs[len(runs)-1]
		last.words = append(last.words, ground.Word{Str: c.id, At: headOf(text.Slice(c.start, c.end), t)})
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.place - b.place })
	var order []ground.Word
	done := 0
	for _, r := range runs {
		order = append(append(order, m.order[done:r.place]...), r.words...)
		done = r.place
	}
	m.order = append(order, m.order[done:]...)
	for i, w := range m.order {
		m.at[w.Str] = i
	}
}

// headOf gives the place of the first line of a section that says something.
func headOf(t ground.Text, from *renderedText) diag.Span {
	start := len(t.Str) - len(strings.TrimLeft(t.Str, "\n"))
	end := len(t.Str)
	if n := strings.IndexByte(t.Str[start:], '\n'); n >= 0 {
		end = start + n
	}
	if at := t.Span(start, end); at.Known() {
		return at
	}
	return diag.Whole(from.doc.File)
}

// declareSections makes the prompt's sections, and says where each id stands.
func (g *gathering) declareSections(s *scope, m *merger, tools bool) map[string]int {
	place := map[string]int{}
	path := language.Cases[[]ground.Word]{{Value: []ground.Word{g.rendered.Path}, At: g.rendered.Path.At}}
	s.prompt.Sections = nil
	for i, id := range m.order {
		place[id.Str] = i
		s.prompt.Sections = append(s.prompt.Sections, &language.Section{ID: id, Path: path})
	}
	if tools {
		from := g.rendered.Tools
		if len(from) == 0 {
			from = []ground.Word{g.rendered.Path} // the requests themselves
		}
		at := from[0].At
		beside := language.Cases[[]ground.Word]{{Value: from, At: at}}
		s.prompt.Sections = append(s.prompt.Sections, &language.Section{
			ID: ground.Word{Str: renderedTools, At: at}, Path: beside,
		})
	}
	return place
}

// fill makes the units of a text, which are its sections.
func (g *gathering) fill(s *scope, t *renderedText, place map[string]int) {
	kind, _ := language.LookupKind(language.TextKind)
	t.uses, t.order = absent(len(s.prompt.Sections)), nil
	text := t.text()
	for _, c := range t.cuts {
		i := place[c.id]
		t.uses[i] = assembly.Use{Unit: s.exact(s.prompt.Sections[i], &assembly.Input{
			Kind: kind, Base: base(t.doc.File.Path), Docs: []*language.Doc{t.doc}, Text: text.Slice(c.start, c.end), Tags: t.tagsOf(c), At: g.rendered.Path.At, Lenient: true,
		})}
		t.order = append(t.order, i)
	}
	there := make([]bool, len(t.uses))
	for _, i := range t.order {
		there[i] = true
	}
	for i, is := range there {
		if !is {
			t.order = append(t.order, i)
		}
	}
}

// tagsOf gives the tags in a section, at their places there.
func (t *renderedText) tagsOf(c cut) []templates.Tag {
	var out []templates.Tag
	from, _ := slices.BinarySearchFunc(t.tags, c.start, func(tag templates.Tag, at int) int { return cmp.Compare(tag.Start, at) })
	for _, tag := range t.tags[from:] {
		if tag.Start >= c.end {
			break
		}
		tag.Start, tag.End = tag.Start-c.start, min(tag.End, c.end)-c.start
		out = append(out, tag)
	}
	return out
}

// absent gives the uses of a variant that has no section.
func absent(n int) []assembly.Use {
	out := make([]assembly.Use, n)
	for i := range out {
		out[i] = assembly.Use{Unit: -1, Out: assembly.OutAbsent}
	}
	return out
}

// exact adds a unit that is emitted as it is.
func (s *scope) exact(decl *language.Section, in ...*assembly.Input) int {
	u := &assembly.Unit{Index: len(s.plan.Units), Prompt: s.prompt, Section: decl, Inputs: in, Exact: true}
	s.plan.Units = append(s.plan.Units, u)
	return u.Index
}
