package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"
)

// history is a project as teams have them, over twelve families of models and
// four sizes of context, and what becomes of it: each commit edits it once or
// twice.
type history struct {
	random *rand.Rand
	serial int

	families, contexts []string
	role, rules        []string            // of all variants
	closing            []string            // of all but the smallest context
	templates          map[string][]string // by family
	notes              map[string][]string // by context
	tools              []replayTool
	fallback           []string // the families that get tools as text
	order              []string
	extra              []string // sections that came later
	budget             int
}

// sharedLines is how many lines the templates of all families begin with.
const sharedLines = 10

type replayTool struct {
	name, about string
	arguments   []replayArgument
}

type replayArgument struct{ name, kind string }

func newHistory(seed uint64) *history {
	h := &history{
		random: rand.New(rand.NewPCG(seed, 50)), budget: 4000,
		families: strings.Fields("generic next-gen devstral gpt-5 trinity glm hermes xs nova opus r2 mini"),
		contexts: strings.Fields("basic wide deep full"),
		order:    strings.Fields("role template rules notes tools closing"),
		fallback: strings.Fields("glm hermes xs"),
		notes:    map[string][]string{}, templates: map[string][]string{},
	}
	h.role, h.rules, h.closing = h.sentences(6), h.sentences(30), h.sentences(4)
	style := h.sentences(sharedLines)
	for _, f := range h.families {
		h.templates[f] = append(slices.Clone(style), h.sentences(6)...)
	}
	for _, c := range h.contexts {
		h.notes[c] = h.sentences(8)
	}
	for range 6 {
		h.addTool()
	}
	return h
}

// sentence is a line that no other line equals.
func (h *history) sentence() string {
	verbs := strings.Fields("Read Keep Ask Write Prefer Run Check Name Show Leave")
	nouns := strings.Fields("files tests branches answers commands notes plans errors limits")
	ends := strings.Fields("first briefly before-you-act in-one-line without-guessing when-asked at-the-end")
	h.serial++
	return fmt.Sprintf("%s the %s of step %d %s.", verbs[h.random.IntN(len(verbs))], nouns[h.random.IntN(len(nouns))],
		h.serial, strings.ReplaceAll(ends[h.random.IntN(len(ends))], "-", " "))
}

func (h *history) sentences(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "- " + h.sentence()
	}
	return out
}

func (h *history) addTool() {
	h.serial++
	t := replayTool{name: fmt.Sprintf("tool_%d", h.serial), about: h.sentence()}
	for i := range 2 + h.random.IntN(3) {
		t.arguments = append(t.arguments, replayArgument{fmt.Sprintf("argument_%d", i), "string"})
	}
	h.tools = append(h.tools, t)
}

// files writes the project down.
func (h *history) files() fstest.MapFS {
	out := fstest.MapFS{}
	write := func(name string, lines []string) {
		out[name] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
	}
	write("role.md", h.role)
	write("rules.md", append([]string{"## Rules", ""}, h.rules...))
	write("closing.md", h.closing)
	for f, lines := range h.templates {
		write("families/"+f+".md", lines)
	}
	for c, lines := range h.notes {
		write("contexts/"+c+".md", lines)
	}
	for _, name := range h.extra {
		write(name+".md", []string{"## " + name, "", "- This is about " + name + ".", "- Nothing else is."})
	}
	for _, t := range h.tools {
		var arguments []string
		for _, a := range t.arguments {
			arguments = append(arguments, fmt.Sprintf("%q: {\"type\": %q}", a.name, a.kind))
		}
		write("tools/"+t.name+".json", []string{fmt.Sprintf(
			`{"name": %q, "description": %q, "inputSchema": {"type": "object", "properties": {%s}}}`,
			t.name, t.about, strings.Join(arguments, ", "))})
	}
	write("prompts.yaml", h.manifest())
	return out
}

func (h *history) manifest() []string {
	sections := map[string]string{
		"role":     "path: role.md",
		"template": `path: "families/{family}.md"`,
		"rules":    "path: rules.md",
		"notes":    `path: "contexts/{context}.md"`,
		"tools":    "source: tools, form: [{when: {family: [" + strings.Join(h.fallback, ", ") + "]}, value: fallback}, {value: native}]",
		"closing":  "path: closing.md, when: {context: {not: basic}}",
	}
	out := []string{
		"version: 1", "sources:", `  tools: {kind: tools, path: "tools/*.json"}`, "prompts:", "  agent:", "    axes:",
		"      family: [" + strings.Join(h.families, ", ") + "]",
		"      context: [" + strings.Join(h.contexts, ", ") + "]",
		fmt.Sprintf("    budget: {tokens: %d}", h.budget), "    sections:",
	}
	for _, id := range h.order {
		what, ok := sections[id]
		if !ok {
			what = "path: " + id + ".md"
		}
		out = append(out, "      - {id: "+id+", "+what+"}")
	}
	return out
}

// replayEdit is one thing that replayedCommits do, as often as its weight says.
type replayEdit struct {
	weight int
	what   string
	text   bool // it edits lines of text, and nothing else
	do     func()
}

func (h *history) edits() []replayEdit {
	return []replayEdit{
		{12, "a sentence of the rules", true, func() { h.reword(h.rules) }},
		{5, "a sentence of the role", true, func() { h.reword(h.role) }},
		{5, "a rule more", true, func() { h.rules = slices.Insert(h.rules, h.random.IntN(len(h.rules)), h.sentences(1)...) }},
		{3, "a rule less", true, func() { i := h.random.IntN(len(h.rules)); h.rules = slices.Delete(h.rules, i, i+1) }},
		{3, "the closing", true, func() { h.reword(h.closing) }},
		{7, "a family's template", true, func() { h.reword(h.templates[anyOf(h.random, h.families)]) }},
		{2, "a sentence of all templates", true, h.rewordTemplates},
		{5, "a context's notes", true, func() { h.reword(h.notes[anyOf(h.random, h.contexts)]) }},
		{4, "what a tool is for", false, func() { h.tools[h.random.IntN(len(h.tools))].about = h.sentence() }},
		{3, "a parameter's type", false, func() { h.retype(h.random.IntN(len(h.tools))) }},
		{2, "a tool more", false, h.addTool},
		{1, "a tool less", false, func() { i := h.random.IntN(len(h.tools)); h.tools = slices.Delete(h.tools, i, i+1) }},
		{3, "a section moves", false, h.move},
		{2, "the budget", false, func() { h.budget += 100 }},
		{2, "a section more", false, h.addSection},
		{1, "a family gets tools as text", false, h.moreFallback},
	}
}

// commit edits the project, and says how, and whether only lines of text did
// change.
func (h *history) commit() (string, bool) {
	table := h.edits()
	var what []string
	text := true
	for range 1 + h.random.IntN(2) {
		total := 0
		for _, e := range table {
			total += e.weight
		}
		at := h.random.IntN(total)
		for _, e := range table {
			if at -= e.weight; at < 0 {
				e.do()
				what, text = append(what, e.what), text && e.text
				break
			}
		}
	}
	return strings.Join(what, ", "), text
}

func anyOf(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

func (h *history) reword(lines []string) { lines[h.random.IntN(len(lines))] = "- " + h.sentence() }

// rewordTemplates changes a sentence that every family's template has.
func (h *history) rewordTemplates() {
	shared := h.templates[h.families[0]]
	old, line := shared[h.random.IntN(sharedLines)], "- "+h.sentence()
	for _, f := range h.families {
		if i := slices.Index(h.templates[f], old); i >= 0 {
			h.templates[f][i] = line
		}
	}
}

func (h *history) retype(tool int) {
	a := &h.tools[tool].arguments[h.random.IntN(len(h.tools[tool].arguments))]
	a.kind = map[string]string{"string": "integer", "integer": "array", "array": "string"}[a.kind]
}

func (h *history) move() {
	from := h.random.IntN(len(h.order))
	id := h.order[from]
	h.order = slices.Delete(h.order, from, from+1)
	to := h.random.IntN(len(h.order))
	if to == from {
		to = (to + 1) % (len(h.order) + 1)
	}
	h.order = slices.Insert(h.order, to, id)
}

func (h *history) addSection() {
	h.serial++
	id := fmt.Sprintf("topic-%d", h.serial)
	h.extra = append(h.extra, id)
	h.order = append(h.order, id)
}

func (h *history) moreFallback() {
	for _, f := range h.families {
		if !slices.Contains(h.fallback, f) {
			h.fallback = append(h.fallback, f)
			return
		}
	}
}
