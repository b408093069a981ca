package resolve

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
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
	doc   *prompt.Doc
	entry *prompt.Saved // nil for the file as a whole
	// values are by axis of the prompt, "" for those that neither the file's
	// name nor the entry's tells apart. What an entry's name has may be no
	// value until all names are read: see slugs.
	values []string
	cuts   []cut
	uses   []prompt.Use // by section; those that it lacks are out
	order  []int
}

// name says of a finding what it is about.
func (t *renderedText) name() diag.Words {
	if t.entry == nil {
		return diag.Say("quoted", t.doc.File.Path)
	}
	return diag.Say("entry-of-file", brief(t.entry.Name), t.doc.File.Path)
}

// text gives what was rendered.
func (t *renderedText) text() prompt.Text {
	if t.entry == nil {
		return t.doc.Body
	}
	return t.entry.Value
}

// brief shortens what another program wrote for a message, in the middle: names
// that begin alike are told apart by their ends.
func brief(s string) string {
	const most = 100 // runes
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	return s
}

// bindRendered lays out a prompt whose texts another program assembles.
func (b *binder) bindRendered(p *prompt.Prompt) {
	g := newGathering(b, p)
	if !g.named() || !g.gather() {
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
		v.Join, v.Exact = prompt.Text{}, true
	}
	g.lay(s)
	s.tools = make([][]*prompt.Tool, len(s.build.Variants))
	for _, v := range s.build.Variants {
		s.distinctTools(v)
	}
	if len(s.prompt.Sections) > 0 { // else they could not be told
		s.expectations()
	}
}

// variants expands the axes to the variants that have a text, and says which
// ones have none.
func (g *gathering) variants(bound *prompt.Prompt) (*scope, bool) {
	var missing []string
	lacking := 0
	s, ok := g.scopeOf(bound)
	ok = ok && s.expand(func(point []int) bool {
		if g.at(s, point) != nil {
			return true
		}
		if lacking++; len(missing) < maxMissing {
			missing = append(missing, s.name(point))
		}
		return false
	})
	auto := slices.ContainsFunc(bound.Axes, func(a *prompt.Axis) bool { return a.Auto })
	complete := g.everyValue(bound)
	none := s != nil && len(s.build.Variants) == 0
	switch {
	case none && (auto || lacking == 0):
		g.noVariant(bound)
	case lacking == 0:
	case !auto:
		g.diags = append(g.diags, diag.New(diag.RenderedMissing, g.rendered.Path.At, "no-rendered-text",
			diag.Counted(lacking, "one-variant-has", "variants-have"), firstNames(missing, lacking)).
			WithHint("render-exclude-write-auto"))
		ok = false
	case complete:
		g.diags = append(g.diags, diag.New(diag.RenderedGap, g.rendered.Path.At, "in-a-place",
			diag.Counted(lacking, "one-combination-not-built", "combinations-not-built"), firstNames(missing, lacking)).
			WithHint("nothing-done-never-sent"))
	}
	return s, ok && complete
}

// maxMissing is how many variants a finding names.
const maxMissing = 5

// firstNames names the first of several things.
func firstNames(first []string, all int) diag.Words {
	if more := all - len(first); more > 0 {
		return diag.Say("names-and-more", diag.Names(first), diag.Count(more))
	}
	return diag.Say("names", diag.Names(first))
}

// everyValue reports listed values of which no text was rendered at all, beside
// axes whose values the files give.
func (g *gathering) everyValue(p *prompt.Prompt) bool {
	ok := true
	for i, a := range p.Axes {
		if a.Auto || !g.tells[i] || !slices.ContainsFunc(p.Axes, func(a *prompt.Axis) bool { return a.Auto }) {
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
func (g *gathering) withValues() *prompt.Prompt {
	out := *g.prompt
	out.Axes = make([]*prompt.Axis, len(g.prompt.Axes))
	for i, declared := range g.prompt.Axes {
		axis := *declared
		if axis.Auto {
			axis.Values = nil
			for _, v := range g.valuesOf(i) {
				axis.Values = append(axis.Values, prompt.Word{Str: v, At: g.rendered.Path.At})
			}
			if axis.Default.Str != "" && !g.known(diag.UnknownValue, axis.Default, words(axis.Values), "axis-no-value", axis.Name.Str, axis.Default.Str) {
				return nil
			}
		}
		out.Axes[i] = &axis
	}
	return &out
}
