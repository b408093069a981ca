package lint

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unseenNames finds names that are not what they look like: those that take
// other characters than ASCII. Names that do not are refused before.
func unseenNames(plan *prompt.Plan) diag.List {
	tree := plan.Spec.Tree
	if tree == nil {
		return nil
	}
	users, skills := usersOf(plan), skillsOf(tree)
	var out diag.List
	judge := func(what, name string, place diag.Span, f *diag.File) {
		odd, ok := chars.InName(name)
		if !ok || odd.Like == 0 && !odd.Mixed { // what is not seen is found as that
			return
		}
		d := diag.New(diag.Lookalike, at(place, diag.Whole(f)), "the %s %q holds %s", what, brief(name), odd.Says()).
			WithHint("write the name with the letters of one alphabet")
		if !odd.Mixed {
			d.Level = diag.Warning
		}
		d.Prompts = users[f.Path]
		out = append(out, d)
	}
	for _, d := range documents(tree) {
		if name := d.Front.Field("name"); skills[d] && name.IsScalar() {
			judge("skill", name.Text.Str, name.At, d.File)
		}
		for _, e := range plan.Spec.Entries[d] {
			judge("registry id", e.ID.Str, e.ID.At, d.File)
		}
		for _, t := range plan.Spec.Tools[d] {
			for _, p := range properties(t.Input, nil) {
				judge("argument", p.Key, p.KeyAt, d.File)
			}
		}
	}
	return out
}

// skillsOf gives the files that were read as skills.
func skillsOf(tree *prompt.Tree) map[*prompt.Doc]bool {
	out := map[*prompt.Doc]bool{}
	for key, docs := range tree.Matches {
		for _, d := range docs {
			if key.Kind == "skills" {
				out[d] = true
			}
		}
	}
	return out
}

// properties gives the arguments that a schema names, also below others.
func properties(schema *prompt.Node, out []prompt.Field) []prompt.Field {
	if schema == nil {
		return out
	}
	if p := schema.Field("properties"); p != nil {
		out = append(out, p.Fields...)
	}
	for _, item := range schema.Items {
		out = properties(item, out)
	}
	for _, f := range schema.Fields {
		out = properties(f.Value, out)
	}
	return out
}
