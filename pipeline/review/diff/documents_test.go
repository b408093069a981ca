package diff_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// document is a random text of sections, and what can become of one.
type document struct {
	parts     []part
	separator string
	end       string // "\n", "\r\n" at the ends of lines
	open      bool   // without a line break at the end
}

type part struct {
	heading string
	lines   []string
}

// writer makes random documents and changes them.
type writer struct {
	*rand.Rand
	sentences int
}

func (w *writer) maybe(n int) bool { return w.IntN(n) == 0 }

func (w *writer) pick(from ...string) string { return from[w.IntN(len(from))] }

// line gives one of a few lines that are there many times, or a sentence of its
// own.
func (w *writer) line() string {
	if w.maybe(3) {
		w.sentences++
		return fmt.Sprintf("Sentence %d says what number %[1]d is about.", w.sentences)
	}
	return w.pick("", "- stop", "</tool>", "```", "Use it.", "Be brief and be kind.", "## User", "\ttab ", "a b c")
}

func (w *writer) lines() []string {
	var out []string
	for range w.IntN(6) {
		out = append(out, w.line())
	}
	if w.maybe(12) {
		out = append(out, slices.Repeat([]string{w.pick("again", "", "the same line again")}, 3+w.IntN(30))...)
	}
	return out
}

func (w *writer) part() part {
	return part{w.pick("### User", "### User", "## Rules", "# Tools", "<env>", "1. First", "2. Second", fmt.Sprint("# Of ", w.IntN(5))), w.lines()}
}

func (w *writer) document() document {
	d := document{separator: w.pick("", "====", "---"), end: w.pick("\n", "\n", "\n", "\r\n"), open: w.maybe(4)}
	for range 1 + w.IntN(6) {
		d.parts = append(d.parts, w.part())
	}
	return d
}

// changed gives a document after some edits.
func (w *writer) changed(d document) document {
	d.parts = slices.Clone(d.parts)
	for i := range d.parts {
		d.parts[i].lines = slices.Clone(d.parts[i].lines)
	}
	for range 1 + w.IntN(3) {
		w.edit(&d)
	}
	return d
}

func (w *writer) edit(d *document) {
	n := w.IntN(len(d.parts))
	p := &d.parts[n]
	at := w.IntN(len(p.lines) + 1)
	switch w.IntN(11) {
	case 0: // another place
		one := *p
		d.parts = slices.Delete(d.parts, n, n+1)
		d.parts = slices.Insert(d.parts, w.IntN(len(d.parts)+1), one)
	case 1: // another name
		p.heading = w.part().heading
	case 2: // two of one
		rest := part{w.part().heading, slices.Clone(p.lines[at:])}
		p.lines = p.lines[:at]
		d.parts = slices.Insert(d.parts, n+1, rest)
	case 3: // one of two
		if n+1 < len(d.parts) {
			p.lines = append(p.lines, d.parts[n+1].lines...)
			d.parts = slices.Delete(d.parts, n+1, n+2)
		}
	case 4:
		d.parts = slices.Insert(d.parts, n, w.part())
	case 5:
		if len(d.parts) > 1 {
			d.parts = slices.Delete(d.parts, n, n+1)
		}
	case 6:
		d.separator = w.pick("", "====", "---", "* * *")
	case 7:
		d.end = w.pick("\n", "\r\n")
	case 8:
		d.open = !d.open
	case 9:
		p.lines = slices.Insert(p.lines, at, w.lines()...)
	default:
		if at < len(p.lines) {
			p.lines[at] = w.line()
		}
	}
}

func (d document) text() string {
	var lines []string
	for i, p := range d.parts {
		if i > 0 {
			lines = append(lines, "", d.separator, "")
		}
		lines = append(append(lines, p.heading, ""), p.lines...)
	}
	out := strings.Join(lines, d.end) + d.end
	if d.open {
		out = strings.TrimRight(out, "\r\n")
	}
	return out
}

// elsewhereOf writes documents as the files of rendered prompts; each is of a
// variant and, after the slash, of a prompt.
func elsewhereOf(w *writer, docs map[string]document) fstest.MapFS {
	files := map[string]string{}
	prompts := map[string]bool{}
	for name, d := range docs {
		files[name+".md"] = d.text()
		id, _, _ := strings.Cut(name, "/")
		prompts[id] = true
	}
	manifest := "version: 1\ntokenizer: chars/4\nprompts:\n"
	for _, id := range slices.Sorted(maps.Keys(prompts)) {
		manifest += fmt.Sprintf("  %s: {rendered: '%[1]s/{f}.md', axes: {f: auto}%s}\n", id, w.pick("", "", ", split: [rules]"))
	}
	files["prompts.yaml"] = manifest
	return testproject.From(files)
}

// compiledOf writes the parts of documents as sections, which the values of an
// axis have; a conversation shows the first.
func compiledOf(w *writer, docs map[string]document) fstest.MapFS {
	files := map[string]string{}
	of := map[string][]string{}
	for name := range docs {
		id, value, _ := strings.Cut(name, "/")
		of[id] = append(of[id], value)
	}
	join := w.pick(`"\n\n"`, `"\n"`, `"\n---\n"`)
	manifest := "version: 1\ntokenizer: chars/4\nsources:\n  chat: {kind: conversation, path: chat.yaml}\nprompts:\n"
	for _, id := range slices.Sorted(maps.Keys(of)) {
		slices.Sort(of[id])
		manifest += fmt.Sprintf("  %s:\n    axes: {f: [%s]}\n    join: %s\n", id, strings.Join(of[id], ", "), join)
		if w.maybe(3) {
			manifest += "    dialect: " + w.pick("openai-chat", "anthropic") + "\n    layout: {name: messages, conversation: chat}\n"
		}
		manifest += "    sections:\n      - {id: first, text: You help.}\n"
		for _, value := range of[id] {
			for i, p := range docs[id+"/"+value].parts {
				file := fmt.Sprintf("%s-%s-%d.md", id, value, i)
				files[file] = strings.Join(append([]string{p.heading, "x"}, p.lines...), docs[id+"/"+value].end) + "\n"
				manifest += fmt.Sprintf("      - {id: %s%d, path: %s, when: {f: %s}}\n", value, i, file, value)
			}
		}
	}
	files["prompts.yaml"] = manifest
	var selected, history []string
	for i := range 1 + w.IntN(3) {
		name := string(rune('a' + i))
		files["ws/"+name] = strings.Join(w.lines(), "\n") + w.pick("x", "x\n")
		selected = append(selected, name)
		history = append(history, fmt.Sprintf("{role: %s, content: %q}", []string{"user", "assistant"}[i%2], "Said. "+w.line()))
	}
	files["chat.yaml"] = fmt.Sprintf("workspace: ws\nselected: [%s]\nhistory: [%s]\nprompt: Go on.\n", strings.Join(selected, ", "), strings.Join(history[:len(history)/2*2], ", "))
	return testproject.From(files)
}

// TestTheLawsHoldOverRandomDocuments holds the laws of a difference over random
// projects, rendered elsewhere and compiled: variants and prompts stay, come and
// go, and their texts change in every way that is known to mislead.
func TestTheLawsHoldOverRandomDocuments(t *testing.T) {
	rounds := uint64(400)
	if testing.Short() {
		rounds = 60
	}
	texts, moves := 0, 0
	for seed := range rounds {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 15))}
		was, is := map[string]document{}, map[string]document{}
		shared := w.document()
		for _, id := range []string{"p", "q"} {
			for _, value := range []string{"a", "b", "c"} {
				doc := shared
				if w.maybe(2) {
					doc = w.changed(shared)
				}
				now := doc
				if !w.maybe(4) {
					now = w.changed(doc)
				}
				if !w.maybe(6) {
					was[id+"/"+value] = doc
				}
				if !w.maybe(6) {
					is[id+"/"+value] = now
				}
			}
			if w.maybe(8) { // the prompt comes or goes
				side := []map[string]document{was, is}[w.IntN(2)]
				maps.DeleteFunc(side, func(name string, _ document) bool { return strings.HasPrefix(name, id+"/") })
			}
		}
		if len(was) == 0 || len(is) == 0 {
			continue
		}
		write := elsewhereOf
		if seed%3 == 0 {
			write = compiledOf
		}
		base, head := stateOf(t, "base", write(w, was)), stateOf(t, "head", write(w, is))
		for _, sides := range [][2]review.Side{{base, head}, {head, base}} {
			d, _ := pipeline.Compare(sides[0], sides[1], sides[0])
			mustHold(t, d)
			for _, p := range d.Texts {
				texts, moves = texts+1, moves+len(p.Moves)
			}
			if t.Failed() {
				t.Fatalf("seed %d: %s", seed, strings.Join(told(d), "\n"))
			}
		}
	}
	if texts < 5*int(rounds) || moves < int(rounds) {
		t.Errorf("only %d texts differ, %d moves", texts, moves)
	}
}
