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
	asked := map[demand]prompt.Set{} // of which variants of the head
	for _, e := range p.Head.Expect {
		key := demandOf(e.Expectation)
		if asked[key].Size() == 0 {
			asked[key] = prompt.NewSet(len(p.head))
		}
		asked[key].Union(e.On)
	}
	for i, e := range p.Base.Expect {
		on, still := prompt.NewSet(len(p.head)), asked[demandOf(e.Expectation)]
		var lost []twin
		for _, t := range p.twins {
			if !t.both() || !e.On.Has(t.base.Variant.Index) {
				continue
			}
			if v := t.head.Variant.Index; still.Size() == 0 || !still.Has(v) {
				on.Add(v)
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

// demand is what an expectation asks for, of whatever variants.
type demand struct{ key, text string }

func demandOf(e *prompt.Expectation) demand {
	switch {
	case e.Contains != nil:
		return demand{"contains", e.Contains.Str}
	case e.Lacks != nil:
		return demand{"lacks", e.Lacks.Str}
	case e.Section.Str != "":
		return demand{"section", e.Section.Str}
	case e.Tool.Str != "":
		return demand{"tool", e.Tool.Str}
	default:
		return demand{"order", list(e.Order)}
	}
}
