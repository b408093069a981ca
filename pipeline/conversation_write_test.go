package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing/fstest"
	"unicode"
)

// manifest writes the manifest of a project.
func (w *world) manifest() string {
	var b strings.Builder
	b.WriteString("version: 1\nartifacts: dist\n" +
		"slots: {clock: {example: noon, max_tokens: 9, volatile: true}, who: {example: Ann, max_tokens: 5, optional: true}}\n" +
		"sources:\n  chat: {kind: conversation, path: \"fx/{state}.*\"}\n")
	if w.tools > 0 {
		b.WriteString("  tools: {kind: tools, path: \"tools/*.json\"}\n")
	}
	states := make([]string, 0, len(w.fixtures))
	for _, f := range w.fixtures {
		states = append(states, f.name)
	}
	fmt.Fprintf(&b, "prompts:\n  talk:\n    axes: {assembly: [tiered, flat], state: [%s], dialect: [%s]}\n", strings.Join(states, ", "), strings.Join(w.dialects, ", "))
	reminder := ""
	if w.reminder != "" {
		reminder = ", reminder: reminder"
	}
	fmt.Fprintf(&b, "    dialect: \"{dialect}\"\n    cache_minimum: 0\n    layout: {name: messages, conversation: chat, assembly: \"{assembly}\"%s}\n    sections:\n", reminder)
	for i, text := range w.system {
		join := ""
		if i > 0 {
			join = ", join: " + quoted(w.join)
		}
		fmt.Fprintf(&b, "      - {id: s%d, text: %s%s}\n", i, quoted(text), join)
	}
	if w.reminder != "" {
		fmt.Fprintf(&b, "      - {id: reminder, text: %s, join: %s}\n", quoted(w.reminder), quoted(w.join))
	}
	if w.tools > 0 {
		b.WriteString("      - {id: tools, source: tools, form: schemas}\n")
	}
	b.WriteString("  plain:\n    axes: {dialect: [text, openai-chat, openai-responses, anthropic, gemini]}\n" +
		"    dialect: \"{dialect}\"\n    cache_minimum: 0\n    sections:\n")
	for i, s := range w.plain {
		fmt.Fprintf(&b, "      - {id: p%d, text: %s, breakpoint: %t%s}\n", i, quoted(s.whole()), s.breakpoint, map[bool]string{true: ", expand: true"}[s.slot != ""])
	}
	if w.tools > 0 {
		b.WriteString("      - {id: tools, source: tools, form: native}\n")
	}
	return b.String()
}

// whole gives the text as the manifest has it. A name that nobody declared may
// only stand where nothing is expanded.
func (s plainSection) whole() string {
	if s.slot == "" {
		return s.text
	}
	return strings.ReplaceAll(s.text, "{{other}}", "other") + " {{" + s.slot + "}}."
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// pair is a key with its value: a text, a list or pairs.
type pair struct {
	key   string
	value any
}

// write gives the bytes of a fixture, its keys in any order: JSON, or YAML in
// which a text may be a block.
func (w *world) write(f *fixture) string {
	doc := w.tree(f)
	w.shuffle(len(doc), func(i, j int) { doc[i], doc[j] = doc[j], doc[i] })
	if strings.HasSuffix(f.file, ".json") {
		return flow(doc) + "\n"
	}
	var b strings.Builder
	b.WriteString("# a comment\n")
	w.block(&b, "", doc)
	return b.String()
}

func (w *world) tree(f *fixture) []pair {
	out := []pair{{"prompt", f.prompt}}
	add := func(key string, value any, there bool) {
		if there {
			out = append(out, pair{key, value})
		}
	}
	add("workspace", f.workspace, f.workspace != "")
	add("legend", f.legend, f.legend != "")
	add("selected", anyWords(f.selected), len(f.selected) > 0)
	var tiers []pair
	for i, t := range f.tiers {
		if len(t) > 0 || w.maybe(4) {
			tiers = append(tiers, pair{fmt.Sprintf("L%d", i), anyWords(t)})
		}
	}
	add("tiers", tiers, len(tiers) > 0)
	add("symbols", fields(f.symbols), len(f.symbols) > 0)
	var history, urls []any
	for _, h := range f.history {
		history = append(history, []pair{{"role", h.name}, {"content", h.text}})
	}
	add("history", history, len(history) > 0)
	for _, p := range f.urls {
		urls = append(urls, fields([]named{{"title", p.title}, {"url", p.url}, {"content", p.content}, {"symbols", p.symbols}}))
	}
	add("urls", urls, len(urls) > 0)
	add("images", anyWords(f.images), len(f.images) > 0)
	if r := f.codeReview; r != nil {
		inner := fields([]named{{"summary", r.summary}, {"commits", r.commits}, {"stats", r.stats}, {"symbols", r.symbols}})
		var list []any
		for _, d := range r.diffs {
			list = append(list, d.text)
		}
		if len(list) > 0 && r.diffs[0].name == "" {
			inner = append(inner, pair{"diffs", list})
		} else if len(list) > 0 {
			inner = append(inner, pair{"diffs", fields(r.diffs)})
		}
		add("review", inner, true)
	}
	return out
}

func anyWords(list []string) []any {
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// fields gives pairs without those that say nothing.
func fields(list []named) []pair {
	out := []pair{}
	for _, n := range list {
		if n.text != "" {
			out = append(out, pair{n.name, n.text})
		}
	}
	return out
}

func flow(value any) string {
	var parts []string
	switch v := value.(type) {
	case string:
		return quoted(v)
	case []any:
		for _, item := range v {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []pair:
		for _, p := range v {
			parts = append(parts, quoted(p.key)+": "+flow(p.value))
		}
		return "{" + strings.Join(parts, ",\n ") + "}"
	}
	return "null"
}

// block writes a mapping as YAML, one key a line.
func (w *world) block(b *strings.Builder, indent string, doc []pair) {
	for _, p := range doc {
		b.WriteString(indent + quoted(p.key) + ":")
		inner, isPairs := p.value.([]pair)
		text, isText := p.value.(string)
		switch {
		case isPairs && len(inner) > 0:
			b.WriteString("\n")
			w.block(b, indent+"  ", inner)
		case isText && plainLines(text) && w.maybe(2):
			b.WriteString(" |2\n")
			for line := range strings.SplitSeq(text, "\n") {
				b.WriteString(indent + "  " + line + "\n")
			}
		default:
			b.WriteString(" " + flow(p.value) + []string{"", " # why"}[w.random.IntN(2)] + "\n")
		}
	}
}

// plainLines reports whether a text can stand in a block as it is.
func plainLines(text string) bool {
	return strings.HasSuffix(text, "§") && !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (!unicode.IsPrint(r) || r > 0xFFFF) })
}

// built applies what a result wants to a tree.
func built(fsys fstest.MapFS, wanted map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	maps.Copy(out, fsys)
	for name, text := range wanted {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}
