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

// stock is what variants have.
type stock struct {
	had *owners
	// known are the names of what a text may name.
	known names
	// from are the sections that bring a thing.
	from map[subject][]int
}

func (k *stock) note(s *entry, t thing, name string, look bool) {
	if name == "" || name == "." || name == "/" {
		return
	}
	it := subject{t, name}
	k.had.of(it).Union(s.users)
	if !slices.Contains(k.from[it], s.section) {
		k.from[it] = append(k.from[it], s.section)
	}
	if look {
		k.known.add(it)
	}
}

// inventory gives what each variant has: the tools of its toolset, the skills
// that it lists, and the files that it shows; and of these what a text may name.
// A skill or file that is there as a mere text is had, and not looked for.
func (c *census) inventory() *stock {
	k := &stock{had: c.owners(), known: names{}, from: map[subject][]int{}}
	for _, s := range c.said {
		for _, t := range s.Tools {
			k.note(s, aTool, t.Name, true)
		}
		for _, in := range s.Unit.Inputs {
			for _, doc := range in.Docs {
				file, skills := doc.File.Path, in.Kind.Name == prompt.SkillsKind
				shows := slices.Contains([]string{"context", "workspace", "rules"}, in.Kind.Name)
				if skills {
					k.note(s, aSkill, strings.TrimSpace(doc.Front.Field("name").Scalar()), true)
				}
				if path.Base(file) == "SKILL.md" {
					k.note(s, aSkill, path.Base(path.Dir(file)), false)
					continue
				}
				k.note(s, aFile, path.Base(file), shows)
				k.note(s, aFile, strings.TrimPrefix(strings.TrimPrefix(file, in.Base), "/"), shows)
			}
		}
	}
	return k
}

// missing finds texts that name what their variants do not have, while others
// of the prompt do.
func missing(c *census) diag.List {
	m := &missed{census: c, stock: c.inventory()}
	looked := false
	for name, subjects := range m.known {
		everywhere := func(s subject) bool { return m.had.has(s).Len() == len(c.artifacts) }
		m.known[name] = slices.DeleteFunc(subjects, everywhere) // a name stays one
		looked = looked || len(m.known[name]) > 0
	}
	if !looked {
		return nil
	}
	described := sets[*prompt.Tool]{size: len(c.artifacts)}
	for _, s := range c.said {
		m.section(s)
		for _, t := range s.Tools {
			if s.Beside || s.Text.Str != "" {
				described.of(t).Union(s.users)
			}
		}
	}
	for _, t := range described.keys {
		m.tool(t, *described.values[t])
	}
	return m.list()
}

// lacking is a finding before its variants are known: one text may be part of
// several renderings.
type lacking struct {
	subject
	at  diag.Span
	who string // and what it does with the thing
	// hint replaces that of the sort, where it is not empty.
	hint string
}

// lack is what is known of it.
type lack struct {
	users prompt.Set
	also  places
}

type missed struct {
	*census
	*stock
	found ordered[lacking, lack]
}

// saying is a text in which names are looked for.
type saying struct {
	text  string
	lines []mdLine
	who   string
	hint  string
	users prompt.Set
	// place gives where a part of the text comes from.
	place func(start, end int) diag.Span
	// passes reports whether a mention means nothing.
	passes func(mention) bool
}

// look finds the things that a text names and some of its variants lack, each
// once.
func (m *missed) look(s saying) {
	met := map[subject]*lack{}
	for _, n := range mentions(s.text, s.lines, m.known) {
		l, again := met[n.subject]
		if again && (l == nil || l.also.full()) || s.passes(n) || n.hedged() {
			continue
		}
		at := s.place(n.start, n.end)
		if again {
			l.also.add(at)
			continue
		}
		met[n.subject] = nil
		if out := s.users.Minus(m.had.has(n.subject)); out.First() >= 0 {
			l := m.found.of(lacking{n.subject, at, s.who, s.hint})
			if l.users.Size() == 0 {
				l.users, l.also = prompt.NewSet(out.Size()), places{first: at}
			}
			l.users.Union(out)
			met[n.subject] = l
		}
	}
}

// section looks at what a section says. What stands there from a tool's
// definition is looked at by itself.
func (m *missed) section(s *entry) {
	if listsTools(s) {
		return
	}
	said := saying{
		text: s.Text.Str, lines: s.lines, users: s.users,
		who:    fmt.Sprintf("%s of %q names", m.id(s), m.build.Prompt.ID.Str),
		place:  func(start, end int) diag.Span { return m.place(s, start, end) },
		passes: func(n mention) bool { return n.thing == aFile && n.onDisk() },
	}
	if s.Unit.Exact {
		said.hint = "the program that renders the text has to leave it out there, or to give the tool, too"
	}
	m.look(said)
}

// listsTools reports whether a text is made of the definitions of tools.
func listsTools(s *entry) bool {
	return len(s.Tools) > 0 && !slices.ContainsFunc(s.Unit.Inputs, func(in *prompt.Input) bool { return !in.Kind.Tools })
}

// tool looks at what a tool says of itself and of its parameters, which reaches
// the model, too.
func (m *missed) tool(t *prompt.Tool, users prompt.Set) {
	look := func(what string, text prompt.Text) {
		m.look(saying{
			text: text.Str, lines: mdLines(text.Str), users: users,
			who:    fmt.Sprintf("the description of %s in %q names", what, m.build.Prompt.ID.Str),
			hint:   "say it in other words there, or bring the tool",
			place:  func(start, end int) diag.Span { return at(text.Span(start, end), t.DescAt, t.NameAt, t.At) },
			passes: func(n mention) bool { return n.thing != aTool || n.name == t.Name },
		})
	}
	text := t.DescText
	if text.Str != t.Description {
		text = prompt.Derived(t.Description, t.DescAt)
	}
	look(fmt.Sprintf("the tool %q", t.Name), text)
	descriptions(t.Input, "", func(parameter string, text prompt.Text) {
		what := fmt.Sprintf("the schema of the tool %q", t.Name)
		if parameter != "" {
			what = fmt.Sprintf("the parameter %q of the tool %q", parameter, t.Name)
		}
		look(what, text)
	})
}

// descriptions visits what a schema says in words of its parameters.
func descriptions(n *prompt.Node, parameter string, visit func(string, prompt.Text)) {
	if n == nil {
		return
	}
	for _, item := range n.Items {
		descriptions(item, parameter, visit)
	}
	for _, f := range n.Fields {
		switch f.Key {
		case "enum", "const", "default", "examples", "example", "required":
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			if f.Value == nil {
				continue
			}
			for _, p := range f.Value.Fields {
				descriptions(p.Value, p.Key, visit)
			}
		case "description":
			if f.Value != nil && f.Value.Kind == prompt.String {
				visit(parameter, f.Value.Text)
			}
		default:
			descriptions(f.Value, parameter, visit)
		}
	}
}

// list gives the findings.
func (m *missed) list() diag.List {
	var out diag.List
	for _, l := range m.found.keys {
		t, lack := things[l.thing], m.found.values[l]
		d := m.find(t.code, l.at, lack.users, "%s the %s %q, which is %s", l.who, t.word, l.name, t.lack)
		if also := lack.also.String(); also != "" {
			d = d.WithDetail(also)
		}
		dropped := m.dropped(l.subject, lack.users)
		switch {
		case dropped != "":
			d = d.WithHint("raise the budget, which leaves %q out there, or make that section sticky", dropped)
		case l.hint != "":
			d = d.WithHint("%s", l.hint)
		default:
			d = d.WithHint(t.hint, l.name)
		}
		out = append(out, d)
	}
	return out
}

// dropped gives the section that would bring a thing, where the budget leaves
// it out in all of some variants.
func (m *missed) dropped(s subject, users prompt.Set) string {
	id := ""
	for v, a := range m.artifacts {
		if !users.Has(v) {
			continue
		}
		at := slices.IndexFunc(a.Out, func(o prompt.Omission) bool {
			return o.Reason == prompt.OutBudget && slices.Contains(m.from[s], o.Section)
		})
		if at < 0 {
			return ""
		}
		id = m.build.Prompt.Sections[a.Out[at].Section].ID.Str
	}
	return id
}
