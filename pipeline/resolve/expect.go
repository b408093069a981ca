package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// expectations binds what the prompt's variants have to hold. What no variant
// is asked for holds of nothing, and is reported.
func (s *scope) expectations() {
	if len(s.prompt.Expect) == 0 {
		return
	}
	ids := sectionIDs(s.prompt)
	tools := s.reachable()
	for _, e := range s.prompt.Expect {
		out := prompt.Expected{Expectation: e, On: s.holds(e.When)}
		if s.checkable(e.When) && out.On.Len() == 0 {
			s.diags = append(s.diags, diag.New(diag.IdleExpectation, e.At, "no-variant-asked-condition", s.prompt.ID.Str).
				WithHint("change-when-remove-expectation"))
		}
		named := e.Order
		if e.Section.Str != "" {
			named = []prompt.Word{e.Section}
		}
		for _, w := range named {
			if s.known(diag.UnknownSection, w, ids, "prompt-no-section", s.prompt.ID.Str, w.Str) {
				out.Sections = append(out.Sections, slices.Index(ids, w.Str))
			}
		}
		if e.Tool.Str != "" {
			s.known(diag.UnknownTool, e.Tool, tools, "no-variant-tool", s.prompt.ID.Str, e.Tool.Str)
		}
		s.build.Expect = append(s.build.Expect, out)
	}
}

func sectionIDs(p *prompt.Prompt) []string {
	var out []string
	for _, sec := range p.Sections {
		out = append(out, sec.ID.Str)
	}
	return out
}

// checkable reports whether a condition names what there is, so that it can
// hold or not.
func (s *scope) checkable(c prompt.Condition) bool {
	for _, clause := range c {
		for _, term := range clause {
			axis := slices.Index(s.axes, term.Axis.Str)
			if axis < 0 || slices.ContainsFunc(term.Values, func(w prompt.Word) bool { return !slices.Contains(s.values[axis], w.Str) }) {
				return false
			}
		}
	}
	return true
}

// reachable gives the names of the tools of all variants, also on the rungs
// that a section may step down to.
func (s *scope) reachable() []string {
	met := map[int]bool{}
	var out []string
	add := func(unit int) {
		if unit < 0 || met[unit] {
			return
		}
		met[unit] = true
		for _, in := range s.plan.Units[unit].Inputs {
			for _, t := range in.Tools {
				out = append(out, t.Name)
			}
		}
	}
	for _, v := range s.build.Variants {
		for _, u := range v.Uses {
			add(u.Unit)
			for _, step := range u.Steps {
				add(step.Unit)
			}
		}
	}
	sortUnique(&out)
	return out
}

// checkSettings checks the prompts that rows of `checks` name.
func (b *binder) checkSettings() {
	var ids []string
	for _, p := range b.spec.Prompts {
		ids = append(ids, p.ID.Str)
	}
	for _, row := range b.spec.Checks {
		for _, w := range row.Prompts {
			b.known(diag.UnknownPrompt, w, ids, "no-prompt-called", w.Str)
		}
	}
}
