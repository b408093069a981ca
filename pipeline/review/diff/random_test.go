package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/promptc-build/promptc/tests/testproject"
)

// sketch is a random project of sections, and what random edits work on.
type sketch struct {
	random   *rand.Rand
	axes     []sketchAxis
	exclude  string
	settings []string // of the prompt
	phases   bool
	sections []sketchSection
	files    map[string][]string // by lines
	skills   map[string]string   // descriptions
	tools    map[string]string   // types of their parameter
	serial   int
}

type sketchAxis struct {
	name    string
	values  []string
	initial bool // the first value is the default
}

type sketchSection struct {
	id, body string
	when     string
	marks    string
}

func newSketch(seed uint64) *sketch {
	s := &sketch{
		random: rand.New(rand.NewPCG(seed, 5)), files: map[string][]string{},
		skills: map[string]string{"commit": "Commits.", "review": "Reviews."},
		tools:  map[string]string{"exec": "string", "read": "string"},
	}
	s.axes = []sketchAxis{{"mode", []string{"ask", "code", "plan"}, s.maybe(2)}, {"tier", []string{"1", "2"}, s.maybe(2)}}
	for _, name := range []string{"soul.md", "ask.md", "code.md", "plan.md", "default.md", "list.md"} {
		s.files[name] = s.lines()
	}
	s.phases = s.maybe(4)
	for range 3 + s.random.IntN(4) {
		s.addSection()
	}
	s.set()
	return s
}

func (s *sketch) maybe(n int) bool { return s.random.IntN(n) == 0 }

func (s *sketch) pick(from ...string) string { return from[s.random.IntN(len(from))] }

func (s *sketch) lines() []string {
	var out []string
	for range 1 + s.random.IntN(6) {
		out = append(out, s.line())
	}
	return out
}

func (s *sketch) line() string {
	return s.pick("Be", "Do", "Say", "## On", "- Take", "") + " " + s.pick("a", "bb", "ccc", "dddd") + s.pick(" x", " y", " `exec`", ".")
}

// set chooses the settings of the prompt.
func (s *sketch) set() {
	s.settings = []string{"join: " + s.pick(`"\n\n"`, `"\n"`, `"\n---\n"`)}
	if s.maybe(2) {
		s.settings = append(s.settings, "dialect: "+s.pick("openai-chat", "openai-responses", "anthropic", "gemini"))
	}
	if s.phases {
		s.settings = append(s.settings, "layout: {name: phases, notice: true}", fmt.Sprintf("budget: {tokens: %d, over: warn}", 20+s.random.IntN(120)))
	}
	s.exclude = s.pick("", "", "{mode: ask, tier: 2}")
}

func (s *sketch) addSection() {
	s.serial++
	one := sketchSection{id: fmt.Sprintf("s%d", s.serial)}
	one.body = s.pick(
		"path: soul.md", "path: '{mode}.md'", "source: template", "source: skills", "{source: skills, form: compact",
		"text: It is {{clock}}., expand: true", "text: 'Plain. {{word}}', expand: true", "path: list.md, before: <L>, after: </L>",
	)
	one.body = strings.TrimPrefix(one.body, "{")
	if s.maybe(4) && !strings.Contains(fmt.Sprint(s.sections), "source: tools") {
		one.body = "source: tools, form: " + s.pick("native", "fallback", "schemas")
	}
	s.turn(&one)
	s.sections = slices.Insert(s.sections, s.random.IntN(len(s.sections)+1), one)
}

// turn gives a section other conditions and marks.
func (s *sketch) turn(one *sketchSection) {
	one.when = s.pick("", "", "{mode: ask}", "{mode: {not: plan}}", "{tier: 2}")
	one.marks = s.pick("", "", `, join: "\n"`, ", heading: '# H'")
	if s.phases {
		one.marks = fmt.Sprintf(", phase: %s, priority: %d, sticky: %v", s.pick("task", "memory", "user"), s.random.IntN(3), s.maybe(3))
	} else {
		one.marks += s.pick("", "", "", ", breakpoint: true")
	}
}

// edit changes something, and says what.
func (s *sketch) edit() string {
	names := []string{"soul.md", "ask.md", "code.md", "plan.md", "default.md", "list.md"}
	file := s.pick(names...)
	n := s.random.IntN(len(s.sections))
	switch s.random.IntN(12) {
	case 0:
		s.files[file] = s.lines()
		return "rewrite " + file
	case 1, 2:
		s.files[file] = slices.Insert(s.files[file], s.random.IntN(len(s.files[file])+1), s.line())
		return "a line in " + file
	case 3:
		s.files[file][s.random.IntN(len(s.files[file]))] = s.line()
		return "another line in " + file
	case 4:
		one := s.sections[n]
		s.sections = slices.Delete(s.sections, n, n+1)
		s.sections = slices.Insert(s.sections, s.random.IntN(len(s.sections)+1), one)
		return "move " + one.id
	case 5:
		s.addSection()
		return "add a section"
	case 6:
		if len(s.sections) > 1 {
			s.sections = slices.Delete(s.sections, n, n+1)
		}
		return "delete a section"
	case 7:
		s.turn(&s.sections[n])
		return "turn " + s.sections[n].id
	case 8:
		s.set()
		return "set"
	case 9:
		s.skills[s.pick("commit", "merge", "review")] = s.line()
		return "a skill"
	case 10:
		s.tools[s.pick("exec", "read", "write")] = s.pick("string", "array", "integer")
		return "a tool"
	default:
		a := &s.axes[s.random.IntN(len(s.axes))]
		if s.maybe(2) && len(a.values) > 2 {
			a.values = a.values[:len(a.values)-1]
		} else if !slices.Contains(a.values, "9") {
			a.values = append(a.values, "9")
		}
		return "axis " + a.name
	}
}

func (s *sketch) fsys() fstest.MapFS {
	files := map[string]string{"prompts.yaml": s.manifest()}
	for name, lines := range s.files {
		files[name] = strings.Join(lines, "\n") + "\nEnd.\n"
	}
	files["9.md"] = "Nine.\n"
	for name, words := range s.skills {
		files["skills/"+name+"/SKILL.md"] = "---\nname: " + name + "\ndescription: '" + words + "'\n---\nHow.\n"
	}
	for name, kind := range s.tools {
		files["tools/"+name+".json"] = `{"name": "` + name + `", "description": "Does ` + name + `.", "inputSchema": {"type": "object", "properties": {"x": {"type": "` +
			kind + `"}}, "required": ["x"]}}`
	}
	return testproject.From(files)
}

func (s *sketch) manifest() string {
	var b strings.Builder
	b.WriteString(`version: 1
slots: {clock: {example: noon, max_tokens: 8, volatile: true}}
fragments: {word: [{when: {mode: ask}, value: Ask}, {value: Act}]}
sources:
  skills: {kind: skills, path: "skills/*/SKILL.md"}
  tools: {kind: tools, path: "tools/*.json"}
  template: {kind: text, path: "none/{mode}.md", fallback: ["{mode}.md", default.md]}
prompts:
  p:
    axes:
`)
	for _, a := range s.axes {
		fmt.Fprintf(&b, "      %s: {values: [%s]", a.name, strings.Join(a.values, ", "))
		if a.initial {
			b.WriteString(", default: " + a.values[0])
		}
		b.WriteString("}\n")
	}
	if s.exclude != "" {
		b.WriteString("    exclude: [" + s.exclude + "]\n")
	}
	for _, line := range s.settings {
		b.WriteString("    " + line + "\n")
	}
	b.WriteString("    sections:\n")
	for _, one := range s.sections {
		b.WriteString("      - {id: " + one.id + ", " + one.body + one.marks)
		if one.when != "" {
			b.WriteString(", when: " + one.when)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
