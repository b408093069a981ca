package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
)

// thing is a sort of things that a variant may have and a text may name.
type thing int

// The sorts of things.
const (
	aTool thing = iota
	aSkill
	aFile
)

// things has for each sort the code and the keys of the finding about a variant
// that lacks such a thing: the sentence, and the hint.
var things = []struct {
	code           diag.Code
	what, whatHint string
}{
	aTool:  {diag.MissingTool, "tool-not-in-toolset", "say-in-section-that-needs"},
	aSkill: {diag.MissingSkill, "skill-not-listed", "put-under-condition-of-list"},
	aFile:  {diag.MissingFile, "file-not-in-text", "put-under-condition-of-file"},
}

// subject is a thing that some variant has.
type subject struct {
	thing
	name string
}

// names are what to look for: what a word may mean.
type names map[string][]subject

func (n names) add(s subject) {
	if !slices.Contains(n[s.name], s) {
		n[s.name] = append(n[s.name], s)
	}
}

// mention is a place at which a text names a thing.
type mention struct {
	subject
	start, end int
}

// mentions finds the names in a text, in order: in backticks, or called with
// brackets, since a name may be a word of any sentence. Blocks of code are left
// alone, and so are files where the line points at one on the disk.
func mentions(s string, lines []markdown.Line, known names) []mention {
	if len(known) == 0 {
		return nil
	}
	var out []mention
	for _, line := range lines {
		if line.Fenced || line.Indented {
			continue
		}
		text := s[line.Start:line.End]
		for start := 0; start < len(text); {
			end := nameEnd(text, start)
			if end == start {
				start++
				continue
			}
			coded := strings.HasPrefix(text[end:], "(") || strings.HasSuffix(text[:start], "`") && strings.HasPrefix(text[end:], "`")
			for _, m := range meanings(text, start, end, known) {
				if coded && (m.thing != aFile || !onDisk(text, m.name, line)) {
					m.start, m.end = line.Start+m.start, line.Start+m.end
					out = append(out, m)
				}
			}
			start = end
		}
	}
	return out
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-./:", c) >= 0
}

// nameEnd gives the end of the run of the bytes of names that begins at a place.
func nameEnd(s string, start int) int {
	for start < len(s) && nameByte(s[start]) {
		start++
	}
	return start
}

// qualifiers stand before the names of tools where programs list them.
var qualifiers = []string{"functions.", "default_api."}

// meanings gives what a run of the bytes of names says, without what a sentence
// or a path puts around it.
func meanings(line string, start, end int, known names) []mention {
	end = start + len(strings.TrimRight(line[start:end], ".-:"))
	for strings.HasPrefix(line[start:end], "./") {
		start += len("./")
	}
	run := line[start:end]
	subjects, whole := known[run]
	if folder, ok := strings.CutSuffix(run, "/SKILL.md"); ok && !whole {
		subjects = known[path.Base(folder)]
	}
	for _, q := range qualifiers {
		if name, ok := strings.CutPrefix(run, q); ok && !whole {
			subjects, start = known[name], start+len(q)
		}
	}
	var out []mention
	for _, s := range subjects {
		out = append(out, mention{s, start, end})
	}
	return out
}

// onDisk reports whether a line points at a file on the disk, which need not be in
// the prompt: a heading, a link, an item or a row that begins with its name.
func onDisk(text, name string, line markdown.Line) bool {
	item := strings.TrimLeft(text, " \t>-*+|0123456789.)")
	return line.Heading+line.Underlined > 0 || strings.Contains(text, "](") || item != text && strings.HasPrefix(item, "`"+name)
}

// owners say which variants have a thing.
type owners = sets[subject]

func (c *promptView) owners() *owners { return &owners{size: len(c.artifacts)} }

// inventory is what the variants of a prompt have.
type inventory struct {
	had *owners
	// known are the names of what a text may name.
	known names
	// from are the sections that bring a thing.
	from map[subject][]int
}

func (k *inventory) note(s *sectionText, t thing, name string, look bool) {
	if name == "" || name == "." || name == "/" {
		return
	}
	it := subject{t, name}
	k.had.Of(it).Union(s.users)
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
func (c *promptView) inventory() *inventory {
	k := &inventory{had: c.owners(), known: names{}, from: map[subject][]int{}}
	for _, s := range c.texts {
		for _, t := range s.Tools {
			k.note(s, aTool, t.Name, true)
		}
		for _, in := range s.Unit.Inputs {
			for _, doc := range in.Docs {
				file := doc.File.Path
				if in.Kind.Skills {
					k.note(s, aSkill, strings.TrimSpace(doc.Front.Field("name").Scalar()), true)
				}
				if path.Base(file) == "SKILL.md" {
					k.note(s, aSkill, path.Base(path.Dir(file)), false)
					continue
				}
				k.note(s, aFile, path.Base(file), in.Kind.Shown)
				k.note(s, aFile, strings.TrimPrefix(strings.TrimPrefix(file, in.Base), "/"), in.Kind.Shown)
			}
		}
	}
	return k
}

// absentThings finds texts that name what their variants do not have, while
// others of the prompt do.
func absentThings(c *promptView) diag.List {
	f := &nameFinder{promptView: c, inventory: c.inventory(), unknown: c.unknownToolsets()}
	for name, subjects := range f.known {
		everywhere := func(s subject) bool { return f.had.has(s).Len() == len(c.artifacts) }
		if f.known[name] = slices.DeleteFunc(subjects, everywhere); len(f.known[name]) == 0 {
			delete(f.known, name)
		}
	}
	if len(f.known) == 0 {
		return nil
	}
	described := sets[*language.Tool]{size: len(c.artifacts)}
	for _, s := range c.texts {
		f.section(s)
		for _, t := range s.Tools {
			if s.Beside || s.Text.Str != "" {
				described.Of(t).Union(s.users)
			}
		}
	}
	for t, users := range described.All() {
		f.tool(t, *users)
	}
	return f.list()
}

// unknownToolsets gives the variants of a rendered prompt that have no file with
// tools: the program that renders it may send some all the same.
func (c *promptView) unknownToolsets() ground.Set {
	out := ground.NewSet(len(c.artifacts))
	if c.build.Prompt.Rendered == nil {
		return out
	}
	isTools := func(in *assembly.Input) bool { return in.Kind.Tools }
	for v, a := range c.artifacts {
		if !slices.ContainsFunc(a.Variant.Uses, func(u assembly.Use) bool {
			return u.Unit >= 0 && slices.ContainsFunc(c.requests.plan.Units[u.Unit].Inputs, isTools)
		}) {
			out.Add(v)
		}
	}
	return out
}

// nameFinder finds names of what is not there.
type nameFinder struct {
	*promptView
	*inventory
	unknown ground.Set // the variants whose tools nobody knows
	found   ordered.Map[nameKey, nameUsers]
}

// nameKey is a finding before its variants are known: one text may be part of
// several renderings.
type nameKey struct {
	subject
	at diag.Span
	// who is the key of what names the thing, and section, tool or parameter of
	// which.
	who, section, tool, parameter string
	// hint replaces that of the sort, where it is not empty.
	hint string
}

// nameUsers are the variants that a finding is about, and how many further places
// name the thing.
type nameUsers struct {
	users ground.Set
	more  int
}

// namingText is a text in which names are looked for.
type namingText struct {
	nameKey // of what it is a part
	text    string
	lines   []markdown.Line
	users   ground.Set
	// origin gives where a part of the text comes from.
	origin func(start, end int) diag.Span
	// counts reports whether a mention counts.
	counts func(mention) bool
}

// look finds the things that a text names and some of its variants are without,
// each once.
func (f *nameFinder) look(t namingText) {
	met := map[subject]*nameUsers{}
	for _, n := range mentions(t.text, t.lines, f.known) {
		out := t.users.Minus(f.had.has(n.subject))
		if n.thing == aTool {
			out = out.Minus(f.unknown)
		}
		if out.First() < 0 || !t.counts(n) {
			continue
		}
		if first := met[n.subject]; first != nil {
			first.more++
			continue
		}
		key := t.nameKey
		key.subject, key.at = n.subject, t.origin(n.start, n.end)
		found := f.found.Of(key)
		union(&found.users, out)
		met[n.subject] = found
	}
}

// section looks at what a section says. What stands there from a tool's
// definition is looked at by itself.
func (f *nameFinder) section(s *sectionText) {
	if listsTools(s) {
		return
	}
	t := namingText{
		nameKey: nameKey{who: "section-names", section: f.id(s)},
		text:    s.Text.Str, lines: s.lines, users: s.users,
		origin: func(start, end int) diag.Span { return f.origin(s, start, end) },
		counts: func(mention) bool { return true },
	}
	if s.Unit.Exact {
		t.hint = "program-has-to-leave-out"
	}
	f.look(t)
}

// listsTools reports whether a text is made of the definitions of tools.
func listsTools(s *sectionText) bool {
	return len(s.Tools) > 0 && !slices.ContainsFunc(s.Unit.Inputs, func(in *assembly.Input) bool { return !in.Kind.Tools })
}

// tool looks at what a tool says of itself and of its parameters, which reaches
// the model, too.
func (f *nameFinder) tool(t *language.Tool, users ground.Set) {
	look := func(who, parameter string, text ground.Text) {
		f.look(namingText{
			nameKey: nameKey{who: who, tool: t.Name, parameter: parameter, hint: "say-in-other-words"},
			text:    text.Str, lines: markdown.Lines(text.Str), users: users,
			origin: func(start, end int) diag.Span { return at(text.Span(start, end), t.DescAt, t.NameAt, t.At) },
			counts: func(n mention) bool { return n.thing == aTool && n.name != t.Name },
		})
	}
	text := t.DescText
	if text.Str != t.Description {
		text = ground.Derived(t.Description, t.DescAt)
	}
	look("tool-names", "", text)
	for _, schema := range schemas(t.Input) {
		if said := schema.node.Field("description"); said != nil && said.Kind == ground.String {
			who := "schema-names"
			if schema.name != "" {
				who = "parameter-names"
			}
			look(who, schema.name, said.Text)
		}
	}
}

// list gives the findings.
func (f *nameFinder) list() diag.List {
	var out diag.List
	id := f.build.Prompt.ID.Str
	for key, found := range f.found.All() {
		t := things[key.thing]
		who := diag.Say(key.who, id, key.section, key.tool, key.parameter)
		d := morePlaces(f.find(t.code, key.at, found.users, t.what, who, key.name), found.more)
		if section := f.dropped(key.subject, found.users); section != "" {
			d = d.WithHint("raise-budget-leaves-out", section)
		} else if key.hint != "" {
			d = d.WithHint(key.hint)
		} else {
			d = d.WithHint(t.whatHint, key.name)
		}
		out = append(out, d)
	}
	return out
}

// dropped gives the section that would bring a thing, where the budget leaves
// it out in all of some variants.
func (f *nameFinder) dropped(s subject, users ground.Set) string {
	id := ""
	for v, a := range f.artifacts {
		if !users.Has(v) {
			continue
		}
		at := slices.IndexFunc(a.Out, func(o assembly.Omission) bool {
			return o.Reason == assembly.OutBudget && slices.Contains(f.from[s], o.Section)
		})
		if at < 0 {
			return ""
		}
		id = f.build.Prompt.Sections[a.Out[at].Section].ID.Str
	}
	return id
}

// unnamedTools finds tools that a variant has without a schema beside the text, and
// never speaks of, while others of the prompt do: the model cannot know them.
func unnamedTools(c *promptView) diag.List {
	known := names{}
	silent := sets[*language.Tool]{size: len(c.artifacts)}
	by := map[*language.Tool]*sectionText{}
	for _, s := range c.texts {
		if s.Beside {
			continue
		}
		for _, t := range s.Tools {
			if silent.Of(t).Union(s.users); by[t] == nil {
				by[t] = s
			}
			known.add(subject{aTool, t.Name})
		}
	}
	if len(known) == 0 {
		return nil
	}
	surely, maybe := c.owners(), c.owners()
	for _, s := range c.texts {
		for _, m := range mentions(s.Text.Str, s.lines, known) {
			surely.Of(m.subject).Union(s.users)
		}
		for _, m := range wordsOf(s.Text.Str, known) {
			maybe.Of(m).Union(s.users)
		}
	}
	var out diag.List
	for t, all := range silent.All() {
		name := subject{aTool, t.Name}
		if surely.Get(name) == nil {
			continue
		}
		users := all.Minus(maybe.has(name))
		for _, s := range c.texts { // native elsewhere in the variant
			if s.Beside && users.First() >= 0 && slices.ContainsFunc(s.Tools, func(its *language.Tool) bool { return its.Name == t.Name }) {
				users = users.Minus(s.users)
			}
		}
		if users.First() < 0 {
			continue
		}
		out = append(out, c.find(diag.UnnamedTool, c.build.Prompt.Sections[by[t].section].ID.At, users,
			"text-never-names-tool", c.build.Prompt.ID.Str, t.Name).
			WithHint("say-too-how-called"))
	}
	return out
}

// wordsOf gives the names that stand in a text, whatever they mean there.
func wordsOf(s string, known names) []subject {
	var out []subject
	s = strings.ReplaceAll(s, `\_`, "_") // Markdown may have escapes before them
	for start := 0; start < len(s); {
		end := nameEnd(s, start)
		if end == start {
			start++
			continue
		}
		for _, m := range meanings(s, start, end, known) {
			out = append(out, m.subject)
		}
		for part := range strings.FieldsFuncSeq(s[start:end], func(r rune) bool { return r == '/' || r == ':' }) {
			out = append(out, known[strings.Trim(part, ".-")]...)
		}
		start = end
	}
	return out
}
