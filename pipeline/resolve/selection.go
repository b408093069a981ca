package resolve

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// applyForm checks the form against the kinds of the inputs and sets it.
func (sec *section) applyForm(inputs []*prompt.Input, form prompt.Word) {
	taken := form.Str == ""
	var offered []string
	for _, in := range inputs {
		if len(in.Kind.Forms) == 0 {
			continue
		}
		in.Form = in.Kind.Forms[0]
		offered = append(offered, in.Kind.Forms...)
		if slices.Contains(in.Kind.Forms, form.Str) {
			in.Form, taken = form.Str, true
		}
	}
	switch {
	case taken:
	case len(offered) == 0:
		sec.diags = append(sec.diags, diag.New(diag.UselessOption, form.At, "section-sets-form-but", sec.decl.ID.Str, inputs[0].Kind.Name).
			WithHint("remove"))
	default:
		sec.known(diag.UnknownForm, form, offered, "section-no-form", sec.decl.ID.Str, form.Str)
	}
}

// applyOnly gives the inputs of kind tools their definitions: those that
// `only` selects, in its order, else all by name.
func (sec *section) applyOnly(v *prompt.Variant, inputs []*prompt.Input) {
	only, selected := pick(sec.decl.Only, sec.only, v.Index)
	var names []string
	for _, in := range inputs {
		if !in.Kind.Tools {
			continue
		}
		in.Tools = sec.toolsOf(in)
		for _, t := range in.Tools {
			names = append(names, t.Name)
		}
		if selected {
			in.Tools = selectTools(in.Tools, only)
		}
	}
	if !selected {
		return
	}
	if names == nil {
		sec.diags = append(sec.diags, diag.New(diag.UselessOption, sec.decl.Only[sec.only.at(v.Index)].At, "section-selects-tools-but", sec.decl.ID.Str).
			WithHint("remove-name-source-kind"))
		return
	}
	for _, w := range only {
		if w.Str != "*" {
			sec.known(diag.UnknownTool, w, names, "section-no-tool", sec.decl.ID.Str, w.Str)
		}
	}
}

// toolsOf gives the tools of an input's files, sorted by name.
func (sec *section) toolsOf(in *prompt.Input) []*prompt.Tool {
	var all []*prompt.Tool
	for _, d := range in.Docs {
		all = append(all, sec.spec.Tools[d]...)
	}
	slices.SortStableFunc(all, func(a, b *prompt.Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(all); i++ {
		if all[i].Name == all[i-1].Name {
			sec.duplicateTool(all[i], all[i-1])
		}
	}
	return all
}

// selectTools gives the named tools in the order of the names; "*" stands
// for all that are not named, by name.
func selectTools(all []*prompt.Tool, only []prompt.Word) []*prompt.Tool {
	named := func(name string) bool {
		return slices.ContainsFunc(only, func(w prompt.Word) bool { return w.Str == name })
	}
	var out []*prompt.Tool
	for _, w := range only {
		for _, t := range all {
			if t.Name == w.Str || w.Str == "*" && !named(t.Name) {
				out = append(out, t)
			}
		}
	}
	return out
}
