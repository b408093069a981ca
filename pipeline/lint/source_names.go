package lint

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// name is what somebody calls something.
type name struct {
	what, text string
	at         diag.Span
}

// names finds names that are not what they look like, of the things whose names
// need not be ASCII. Of a file it names some, and counts the others.
func (l *library) names() diag.List {
	skills := skillsOf(l.plan.Spec.Tree)
	var out diag.List
	for _, d := range l.docs {
		n := 0
		for _, w := range l.namesIn(d, skills[d]) {
			odd, ok := chars.InName(w.text)
			if !ok || odd.Like == 0 && !odd.Mixed { // what is not seen is found as that
				continue
			}
			if n++; n > single {
				continue
			}
			found := diag.New(diag.Lookalike, at(w.at, diag.Whole(d.File)), "the %s %q holds %s", w.what, brief(w.text), odd.Says()).
				WithHint("write the name with the letters of one alphabet")
			if !odd.Mixed || odd.Like == 0 {
				found.Level = diag.Warning
			}
			found.Prompts = l.users[d.File.Path]
			out = append(out, found)
		}
		if n > single {
			last := &out[len(out)-1]
			*last = last.WithDetail("and " + number(n-single, "more such name") + " in the file")
		}
	}
	return out
}

// namesIn gives the names in a file.
func (l *library) namesIn(d *prompt.Doc, isSkill bool) []name {
	var out []name
	if n := d.Front.Field("name"); isSkill && n.IsScalar() {
		out = append(out, name{"skill", n.Text.Str, n.At})
	}
	for _, e := range l.plan.Spec.Entries[d] {
		out = append(out, name{"registry id", e.ID.Str, e.ID.At})
	}
	for _, t := range l.plan.Spec.Tools[d] {
		for _, p := range properties(t.Input, nil) {
			out = append(out, name{"argument", p.Key, p.KeyAt})
		}
	}
	return out
}

// skillsOf gives the files that were read as skills.
func skillsOf(tree *prompt.Tree) map[*prompt.Doc]bool {
	out := map[*prompt.Doc]bool{}
	for key, docs := range tree.Matches {
		for _, d := range docs {
			if key.Kind == prompt.SkillsKind {
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
