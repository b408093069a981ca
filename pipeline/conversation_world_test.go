package pipeline_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/promptc-build/promptc/tests/testproject"
)

// world is a random project: a prompt with messages over some fixtures, and
// one of sections alone that is said in every dialect. It is the model that
// the properties compare the built with, so it knows nothing of the program.
type world struct {
	random     *rand.Rand
	serial     int
	fixtures   []*fixture
	workspaces map[string]map[string]string // folder → path → bytes
	dialects   []string                     // of the prompt with messages
	system     []string                     // its sections but the reminder
	reminder   string
	join       string // before each of them
	plain      []plainSection
	tools      int
}

// fixture is what one fixture file says. Every text ends in a mark of its own,
// so that it can be counted.
type fixture struct {
	name, file, workspace string
	selected              []string
	tiers                 [4][]string
	symbols               []named
	legend, prompt        string
	history               []named // role and content
	urls                  []page
	codeReview            *codeReview
	images                []string
}

type named struct{ name, text string }

type page struct{ title, url, content, symbols string }

type codeReview struct {
	summary, commits, stats, symbols string
	diffs                            []named // sorted by path; a list where the paths are ""
}

// plainSection is a section of the prompt without messages.
type plainSection struct {
	text       string
	breakpoint bool
	slot       string
}

// snippets are what layouts, YAML, JSON and Markdown may stumble over.
var snippets = []string{
	"word", "# Working Files", "# Repository Structure (continued)", "Ok.", "```", "````", "`````go", "{{other}}", "<&>", "\"", "\\", "'",
	"é🐦", "日本", "\t", "key: value", "- x", "---", "#c", "|", ">", "%", "@", "\n", "\n\n", "\n  ", "  ", "[", "}", "file:a.go", "\u2028", "/*",
}

// paths are names that have to be kept apart and written as they are.
var paths = []string{
	"a", "a.go", "a.go.txt", "a b.md", "app/[id]/page.tsx", "app/[id]/p.tsx", "app/x{1}.txt", "ünï/日本.md", "-dash", "--help.txt", "src/a.go",
	"src/a.go.bak", "src/A2.go", "src/deep/er/x.sql", "it's.py", "#hash.py", "%41.txt", "empty", "docs/🐦.md", "a~b", "lib/x", "lib/x.go", "@at.txt",
}

// newWorld makes the project of a seed.
func newWorld(seed uint64) *world {
	w := &world{random: rand.New(rand.NewPCG(seed, 77)), workspaces: map[string]map[string]string{}}
	w.dialects = []string{"openai-chat", "openai-responses", "anthropic", "gemini"}
	w.shuffle(len(w.dialects), func(i, j int) { w.dialects[i], w.dialects[j] = w.dialects[j], w.dialects[i] })
	w.dialects = w.dialects[:1+w.random.IntN(2)]
	for i := range 1 + w.random.IntN(2) {
		w.system = append(w.system, w.text(fmt.Sprintf("System %d.", i)))
	}
	w.join = []string{"\n\n", "\n---\n", ""}[w.random.IntN(3)]
	if w.maybe(2) {
		w.reminder = w.text("Remember.")
	}
	for range 1 + w.random.IntN(5) {
		w.plain = append(w.plain, plainSection{
			text: w.text("Plain."), breakpoint: w.maybe(3) && w.breakpoints() < 4,
			slot: []string{"", "", "clock", "who"}[w.random.IntN(4)],
		})
	}
	w.tools = w.random.IntN(3)
	w.workspace("ws")
	if w.maybe(3) {
		w.workspace("other/ws")
	}
	for i := range 1 + w.random.IntN(2) {
		w.fixtures = append(w.fixtures, w.fixture(fmt.Sprintf("state%d", i)))
	}
	return w
}

func (w *world) breakpoints() int {
	n := 0
	for _, s := range w.plain {
		if s.breakpoint {
			n++
		}
	}
	return n
}

func (w *world) shuffle(n int, swap func(i, j int)) { w.random.Shuffle(n, swap) }

// maybe is true once in n times.
func (w *world) maybe(n int) bool { return w.random.IntN(n) == 0 }

func (w *world) mark() string {
	w.serial++
	return fmt.Sprintf("§%d§", w.serial)
}

// text makes a text that begins and ends with what is no white space.
func (w *world) text(begin string) string {
	b := begin
	for range w.random.IntN(9) {
		b += snippets[w.random.IntN(len(snippets))]
		if w.maybe(2) {
			b += " "
		}
	}
	return b + w.mark()
}

// breaks gives the line breaks that what was said may end in.
func (w *world) breaks() string { return strings.Repeat("\n", w.random.IntN(3)*w.random.IntN(2)) }

func (w *world) line(begin string) string {
	return strings.Join(strings.FieldsFunc(w.text(begin), func(r rune) bool { return r == '\n' || r == '\u2028' }), " ")
}

func (w *world) workspace(dir string) {
	files := map[string]string{}
	for _, p := range paths {
		if w.maybe(2) {
			files[p] = w.fileBytes()
		}
	}
	files["src/always.go"] = w.fileBytes()
	w.workspaces[dir] = files
}

// fileBytes makes a file as it may lie on a disk.
func (w *world) fileBytes() string {
	begin := []string{"", "\n", "---\ntitle: x\n---\n", "<!-- c -->\n", "  ", "```\n"}[w.random.IntN(6)]
	text := w.text(begin) + []string{"", "\n", "\n\n", "\n```", " "}[w.random.IntN(5)]
	switch w.random.IntN(8) {
	case 0:
		return ""
	case 1:
		return strings.ReplaceAll(text, "\n", "\r\n")
	case 2:
		return "\uFEFF" + text
	case 3:
		return text + strings.Repeat("`", 3+w.random.IntN(5))
	default:
		return text
	}
}

// asRead gives the bytes of a file as text.
func asRead(file string) string {
	return strings.ReplaceAll(strings.TrimPrefix(file, "\uFEFF"), "\r\n", "\n")
}

// dot is a picture of one point.
const dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func (w *world) fixture(name string) *fixture {
	f := &fixture{name: name, file: "fx/" + name + []string{".yaml", ".json"}[w.random.IntN(2)], prompt: w.text("Do it.")}
	files := slices.Sorted(maps.Keys(w.workspaces))
	if f.workspace = files[w.random.IntN(len(files))]; w.maybe(8) {
		f.workspace = ""
	}
	if w.maybe(2) {
		f.legend = w.text("Legend.")
	}
	for range w.random.IntN(5) {
		f.history = append(f.history, named{"user", w.text("Q") + w.breaks()}, named{"assistant", w.text("A") + w.breaks()})
	}
	w.place(f)
	for range w.random.IntN(3) * w.random.IntN(2) {
		p := page{url: w.line("https://example.org/")}
		if w.maybe(2) {
			p.title, p.content = w.line("Title"), w.text("Content")
		}
		if w.maybe(2) {
			p.symbols = w.text("s")
		}
		f.urls = append(f.urls, p)
	}
	if w.maybe(3) {
		f.codeReview = w.reviewOf()
	}
	for i := range w.random.IntN(3) * w.random.IntN(2) {
		f.images = append(f.images, dot)
		if i > 0 {
			f.images[i] = "data:image/webp;base64," + base64.StdEncoding.EncodeToString([]byte("RIFF    WEBP"+w.mark()))
		}
	}
	return f
}

func (w *world) reviewOf() *codeReview {
	r := &codeReview{summary: w.text("Sum")}
	if w.maybe(2) {
		r.commits, r.stats, r.symbols = w.text("c1\nc2"), w.text("1 file"), w.text("f")
	}
	listed := w.maybe(2)
	for i := range w.random.IntN(3) {
		d := named{fmt.Sprintf("p%d.go", i), w.text("@@ -1 +1 @@\n-a\n+```")}
		if listed {
			d.name = ""
		}
		r.diffs = append(r.diffs, d)
	}
	return r
}

// place puts files, symbols and history into tiers, or leaves them out.
func (w *world) place(f *fixture) {
	tier := func() *[]string { return &f.tiers[w.random.IntN(4)] }
	for _, p := range slices.Sorted(maps.Keys(w.workspaces[f.workspace])) {
		if w.maybe(2) {
			f.symbols = append(f.symbols, named{p, w.text("S")})
			if w.maybe(2) {
				t := tier()
				*t = append(*t, "symbol:"+p)
			}
		}
		switch w.random.IntN(6) {
		case 0, 1:
			t := tier()
			*t = append(*t, "file:"+p)
			if w.maybe(4) {
				f.selected = append(f.selected, p)
			}
		case 2:
			f.selected = append(f.selected, p)
		}
	}
	if w.maybe(6) {
		f.symbols = append(f.symbols, named{"stray.go", w.text("S")})
	}
	for n := 0; n < len(f.history); n += 2 {
		if w.maybe(2) {
			t := tier()
			*t = append(*t, fmt.Sprintf("history:%d", n), fmt.Sprintf("history:%d", n+1))
		}
	}
	w.shuffle(len(f.symbols), func(i, j int) { f.symbols[i], f.symbols[j] = f.symbols[j], f.symbols[i] })
	w.shuffle(len(f.selected), func(i, j int) { f.selected[i], f.selected[j] = f.selected[j], f.selected[i] })
	for _, t := range f.tiers {
		w.shuffle(len(t), func(i, j int) { t[i], t[j] = t[j], t[i] })
	}
}

// fsys writes the project.
func (w *world) fsys() fstest.MapFS {
	out := testproject.Of("prompts.yaml", w.manifest())
	for dir, files := range w.workspaces {
		for name, text := range files {
			out[path.Join(dir, name)] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	for _, f := range w.fixtures {
		out[f.file] = &fstest.MapFile{Data: []byte(w.write(f))}
	}
	for i := range w.tools {
		out[fmt.Sprintf("tools/t%d.json", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			`{"name": "t%d", "description": "Does \"%d\" <&>.", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}`, i, i)}
	}
	return out
}
