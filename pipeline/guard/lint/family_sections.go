package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// neverKept finds the sections that no variant has. One whose files may be
// missing or empty, because the manifest says so, is not judged: somebody may
// write them.
func (c *promptView) neverKept() diag.List {
	n := len(c.artifacts)
	out := make([][]assembly.Omission, len(c.build.Prompt.Sections)) // by section, then variant
	for v, a := range c.artifacts {
		for _, o := range a.Out {
			if len(out[o.Section]) == v { // else some variant before has it
				out[o.Section] = append(out[o.Section], o)
			}
		}
	}
	var found diag.List
	for i, s := range c.build.Prompt.Sections {
		if len(out[i]) < n || c.mayBeMissing(out[i]) {
			continue
		}
		found = append(found, diag.New(diag.NeverKept, s.ID.At, "no-variant-section", c.build.Prompt.ID.Str, s.ID.Str).
			WithDetail(c.causes(out[i])...).
			WithHint("remove-change-keeps-out"))
	}
	return found
}

// mayBeMissing reports whether some variant is without a section because its
// files are allowed to be missing or empty.
func (c *promptView) mayBeMissing(out []assembly.Omission) bool {
	for v, o := range out {
		if o.Reason == assembly.OutAbsent {
			return true
		}
		if !o.Reason.Empty() {
			continue
		}
		unit := c.artifacts[v].Variant.Uses[o.Section].Unit
		if unit < 0 && !c.build.Prompt.Sections[o.Section].Text.Set() {
			return true
		}
		if unit >= 0 && slices.ContainsFunc(c.requests.plan.Units[unit].Inputs, func(in *assembly.Input) bool { return in.Lenient }) {
			return true
		}
	}
	return false
}

// causes says why a section is out, each reason with its variants.
func (c *promptView) causes(out []assembly.Omission) []diag.Words {
	all := sets[assembly.Omission]{size: len(out)}
	for v, o := range out {
		all.Of(o).Add(v)
	}
	var lines []diag.Words
	for why, users := range all.All() {
		lines = append(lines, diag.Say("out-because", why.String(), c.requests.inVariants(c.build, *users)))
	}
	return lines
}

// emptied finds sections that have a text or files, but say nothing in some
// variants. That a section says nothing in any is said elsewhere, and nothing
// where the manifest says that it may be so.
func emptied(c *promptView) diag.List {
	empty := sets[int]{size: len(c.artifacts)} // by section
	for v, a := range c.artifacts {
		for _, o := range a.Out {
			if o.Reason.Empty() && c.surprising(a, o) {
				empty.Of(o.Section).Add(v)
			}
		}
	}
	var out diag.List
	for i, section := range c.build.Prompt.Sections {
		users := empty.Get(i)
		if users == nil || !c.somewhere(i) {
			continue
		}
		out = append(out, c.find(diag.EmptySection, section.ID.At, *users, "nothing-came-out-section", section.ID.Str, c.build.Prompt.ID.Str).
			WithHint("leave-out-when-look"))
	}
	return out
}

// surprising reports whether an empty section was meant to say something: the
// manifest neither lets its source be empty nor writes an empty value.
func (c *promptView) surprising(a *assembly.Artifact, o assembly.Omission) bool {
	use := a.Variant.Uses[o.Section]
	if use.Unit < 0 {
		return o.Reason == assembly.OutUnselected
	}
	u := c.requests.plan.Units[use.Unit]
	blank := func(b assembly.Binding) bool { return b.Slot == nil && b.Value.Str == "" }
	lenient := func(in *assembly.Input) bool { return in.Lenient }
	return len(u.Inputs) > 0 && !slices.ContainsFunc(u.Bindings, blank) && !slices.ContainsFunc(u.Inputs, lenient)
}

// somewhere reports whether some variant has a section.
func (c *promptView) somewhere(section int) bool {
	return slices.ContainsFunc(c.texts, func(s *sectionText) bool { return s.section == section })
}

// lonely finds kinds whose companion the prompt does not declare, at their first
// sections.
func lonely(c *promptView) diag.List {
	of := map[string]*language.Kind{} // by source
	for _, s := range c.requests.plan.Spec.Sources {
		of[s.ID.Str] = s.Kind
	}
	first := map[*language.Kind]*language.Section{}
	for _, s := range c.build.Prompt.Sections {
		for _, choice := range s.Source {
			for _, w := range choice.Value {
				if k := of[w.Str]; k != nil && first[k] == nil {
					first[k] = s
				}
			}
		}
	}
	var out diag.List
	for i := range language.Kinds {
		k := &language.Kinds[i]
		companion, _ := language.LookupKind(k.Companion)
		if s := first[k]; s != nil && companion != nil && first[companion] == nil {
			out = append(out, diag.New(diag.LonelySection, s.ID.At, "kind-without-companion", s.ID.Str, k.Name, c.build.Prompt.ID.Str, companion.Name).
				WithHint("add-companion", companion.Name))
		}
	}
	return out
}

// idleSources finds sources that sections name and no variant has: the case
// that names them is never the first that holds. A section that no variant has
// is said itself.
func idleSources(s *requestSet) diag.List {
	if len(s.families) < len(s.plan.Builds) {
		return nil
	}
	used := map[string]bool{} // some variant has them; others of the same list may lack files
	for _, u := range s.plan.Units {
		for _, in := range u.Inputs {
			if in.Source != nil {
				used[in.Source.ID.Str] = true
			}
		}
	}
	var idle []untaken
	for _, f := range s.families {
		p := f.build.Prompt
		for i, s := range p.Sections {
			has := func(v *assembly.Variant) bool { return v.Uses[i].Unit >= 0 || v.Uses[i].Out != assembly.OutWhen }
			idle = append(idle, f.untaken(used, has, casesOf(s.Source, func(words []ground.Word) []ground.Word { return words }))...)
			idle = append(idle, f.untaken(used, has, casesOf(s.Degrade, stepSources))...)
		}
		for _, c := range p.Layout {
			for _, one := range c.Value.Conversation {
				idle = append(idle, untaken{one.Value, p.ID.Str})
			}
		}
	}
	var out diag.List
	for _, n := range idle {
		if !used[n.word.Str] {
			used[n.word.Str] = true // said once
			d := diag.New(diag.IdleSource, n.word.At, "no-variant-source-case", n.word.Str).WithHint("case-before-holds-wherever")
			d.Prompts = []string{n.prompt}
			out = append(out, d)
		}
	}
	return out
}

// untaken is a source in a case that no variant takes.
type untaken struct {
	word   ground.Word
	prompt string
}

// sourceCase is a case with the sources that it names.
type sourceCase struct {
	when  language.Condition
	words []ground.Word
}

func casesOf[T any](cases language.Cases[T], words func(T) []ground.Word) []sourceCase {
	var out []sourceCase
	for _, c := range cases {
		named := slices.DeleteFunc(slices.Clone(words(c.Value)), func(w ground.Word) bool { return w.Str == "" })
		out = append(out, sourceCase{c.When, named})
	}
	return out
}

func stepSources(steps []language.Step) []ground.Word {
	var out []ground.Word
	for _, s := range steps {
		out = append(out, s.Source)
	}
	return out
}

// untaken notes the sources of the cases that some variant takes, and gives those
// of the others.
func (f family) untaken(used map[string]bool, has func(*assembly.Variant) bool, cases []sourceCase) []untaken {
	unused := func(w ground.Word) bool { return !used[w.Str] }
	if !slices.ContainsFunc(cases, func(c sourceCase) bool { return slices.ContainsFunc(c.words, unused) }) {
		return nil
	}
	taken, anywhere := make([]bool, len(cases)), false
	for _, v := range f.build.Variants {
		if !has(v) {
			continue
		}
		anywhere = true
		if i := slices.IndexFunc(cases, func(c sourceCase) bool { return meets(c.when, f.build.Prompt, v) }); i >= 0 {
			taken[i] = true
		}
	}
	var idle []untaken
	for i, c := range cases {
		for _, w := range c.words {
			if taken[i] || !anywhere {
				used[w.Str] = true // or said of the section
			} else {
				idle = append(idle, untaken{w, f.build.Prompt.ID.Str})
			}
		}
	}
	return idle
}

// meets reports whether a variant meets a condition.
func meets(when language.Condition, p *language.Prompt, v *assembly.Variant) bool {
	return len(when) == 0 || slices.ContainsFunc(when, func(clause language.Clause) bool {
		return !slices.ContainsFunc(clause, func(t language.Term) bool {
			axis := p.Axis(t.Axis.Str)
			if axis < 0 {
				return true
			}
			value := p.Axes[axis].Values[v.Values[axis]].Str
			return t.Not == slices.ContainsFunc(t.Values, func(w ground.Word) bool { return w.Str == value })
		})
	})
}
