package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// owners say which variants have a thing.
type owners = sets[subject]

func (c *census) owners() *owners { return &owners{size: len(c.artifacts)} }

// inventory gives what each variant has: the tools of its toolset, the skills
// that it lists, and the files that it shows; and of these what a text may name.
// A skill or file that is there as a mere text is had, and not looked for.
func (c *census) inventory() (had *owners, known names) {
	had, known = c.owners(), names{}
	for _, s := range c.said {
		note := func(t thing, name string, look bool) {
			if name == "" || name == "." || name == "/" {
				return
			}
			had.of(subject{t, name}).Union(s.users)
			if look {
				known.add(subject{t, name})
			}
		}
		for _, t := range s.Tools {
			note(aTool, t.Name, true)
		}
		for _, in := range s.Unit.Inputs {
			for _, doc := range in.Docs {
				file, skills := doc.File.Path, in.Kind.Name == "skills"
				shows := slices.Contains([]string{"context", "workspace", "rules"}, in.Kind.Name)
				if skills {
					note(aSkill, strings.TrimSpace(doc.Front.Field("name").Scalar()), true)
				}
				if path.Base(file) == "SKILL.md" {
					note(aSkill, path.Base(path.Dir(file)), false)
					continue
				}
				note(aFile, path.Base(file), shows)
				note(aFile, strings.TrimPrefix(strings.TrimPrefix(file, in.Base), "/"), shows)
			}
		}
	}
	return had, known
}

// missing finds texts that name what their variants do not have, while others
// of the prompt do.
func missing(c *census) diag.List {
	had, known := c.inventory()
	m := &missed{census: c, owners: had, found: sets[lacking]{size: len(c.artifacts)}}
	looked := false
	for name, subjects := range known {
		everywhere := func(s subject) bool { return had.has(s).Len() == len(c.artifacts) }
		known[name] = slices.DeleteFunc(subjects, everywhere) // a name stays one
		looked = looked || len(known[name]) > 0
	}
	if !looked {
		return nil
	}
	described := sets[*prompt.Tool]{size: len(c.artifacts)}
	for _, s := range c.said {
		m.text(s, known)
		for _, t := range s.Tools {
			described.of(t).Union(s.users)
		}
	}
	for _, t := range described.keys {
		m.description(t, *described.values[t], known)
	}
	return m.list()
}

// lacking is a finding before its variants are known: one text may be part of
// several renderings.
type lacking struct {
	subject
	at  diag.Span
	who string // and what it does with the thing
}

type missed struct {
	*census
	owners *owners
	found  sets[lacking]
}

// note adds variants that have a text and not what it names.
func (m *missed) note(l lacking, users prompt.Set) {
	lack := users.Minus(m.owners.has(l.subject))
	if lack.First() >= 0 {
		m.found.of(l).Union(lack)
	}
}

// text looks at what a section says; each thing once. What stands there from a
// tool's definition is looked at by itself.
func (m *missed) text(s *entry, known names) {
	if listsTools(s) {
		return
	}
	met := map[subject]bool{}
	for _, n := range mentions(s.Text.Str, s.lines, known) {
		if met[n.subject] || n.hedged() || n.thing == aFile && n.opened() {
			continue
		}
		met[n.subject] = true
		m.note(lacking{n.subject, m.place(s, n.start, n.end), fmt.Sprintf("%s of %q names", m.id(s), m.build.Prompt.ID.Str)}, s.users)
	}
}

// listsTools reports whether a text is made of the definitions of tools.
func listsTools(s *entry) bool {
	return len(s.Tools) > 0 && !slices.ContainsFunc(s.Unit.Inputs, func(in *prompt.Input) bool { return in.Kind.Name != "tools" })
}

// description looks at what a tool says of itself, which reaches the model,
// too.
func (m *missed) description(t *prompt.Tool, users prompt.Set, known names) {
	met := map[subject]bool{}
	for _, n := range mentions(t.Description, mdLines(t.Description), known) {
		if n.thing != aTool || n.name == t.Name || met[n.subject] || n.hedged() {
			continue
		}
		met[n.subject] = true
		m.note(lacking{n.subject, at(t.DescAt, t.NameAt, t.At), fmt.Sprintf("the description of the tool %q in %q names", t.Name, m.build.Prompt.ID.Str)}, users)
	}
}

// list gives the findings.
func (m *missed) list() diag.List {
	var out diag.List
	for _, l := range m.found.keys {
		t := things[l.thing]
		d := m.find(t.code, l.at, *m.found.values[l], "%s the %s %q, which is %s", l.who, t.word, l.name, t.lack)
		out = append(out, d.WithHint(t.hint, l.name))
	}
	return out
}
