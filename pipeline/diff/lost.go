package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// expectations finds what the policy expects of a prompt's variants and the
// head does not.
func (w weakening) expectations(p *pair) {
	entries := expectations(p.Base.Prompt)
	for i, e := range p.Base.Expect {
		on := prompt.NewSet(len(p.head))
		var lost []twin
		for _, t := range p.twins {
			if t.both() && e.On.Has(t.base.Variant.Index) && !expected(p.Head, e.Expectation, t.head.Variant.Index) {
				on.Add(t.head.Variant.Index)
				lost = append(lost, t)
			}
		}
		if len(lost) == 0 {
			continue
		}
		found := weak{name: settingExpect, from: entries[i].words, at: e.At, inBase: true}
		if w.by != w.run {
			found.at, found.inBase = diag.Span{}, false
		}
		w.add(found, lost...)
		bound := prompt.Expected{Expectation: e.Expectation, On: on}
		for _, s := range e.Sections {
			id := p.Base.Prompt.Sections[s].ID.Str
			bound.Sections = append(bound.Sections, slices.IndexFunc(p.Head.Prompt.Sections, func(x *prompt.Section) bool { return x.ID.Str == id }))
		}
		w.d.Lost = append(w.d.Lost, prompt.LostExpectation{Build: p.Head, Expected: bound})
	}
}

// expected reports whether a variant of a build is expected to hold the same.
func expected(b *prompt.Build, e *prompt.Expectation, variant int) bool {
	return slices.ContainsFunc(b.Expect, func(x prompt.Expected) bool { return x.On.Has(variant) && sameDemand(x.Expectation, e) })
}

func sameDemand(a, b *prompt.Expectation) bool {
	text := func(x, y *prompt.Text) bool { return x == nil && y == nil || x != nil && y != nil && x.Str == y.Str }
	word := func(x, y prompt.Word) bool { return x.Str == y.Str }
	return text(a.Contains, b.Contains) && text(a.Lacks, b.Lacks) && word(a.Section, b.Section) && word(a.Tool, b.Tool) &&
		slices.EqualFunc(a.Order, b.Order, word)
}
