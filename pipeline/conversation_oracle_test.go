package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// said is one message: who says what, and whether a breakpoint follows.
type said struct {
	Role, Text string
	Images     int
	Marked     bool
}

// messages says what the layout makes of a fixture, by the documented rules
// and by nothing that the program has.
func (w *world) messages(f *fixture, flat bool) []said {
	o := oracle{w: w, f: f, full: map[string]bool{}, keyed: map[string]bool{}, blocks: map[string]string{}}
	for _, s := range f.symbols {
		o.blocks[s.name] = s.text
	}
	for _, key := range slices.Concat(f.tiers[:]...) {
		kind, p, _ := strings.Cut(key, ":")
		if kind == "file" && w.empty(f, p) {
			continue
		}
		o.full[p] = o.full[p] || kind == "file"
		o.keyed[p] = o.keyed[p] || kind != "history"
	}
	working := map[string]bool{}
	for p := range o.full {
		working[p] = flat && o.full[p]
	}
	selected := slices.DeleteFunc(slices.Clone(f.selected), func(p string) bool { return w.empty(f, p) })
	for _, p := range selected {
		working[p] = flat || !o.full[p]
	}
	for _, p := range selected {
		o.full[p] = true
	}
	o.system(flat)
	if !flat {
		o.tiers()
		o.pair("# Repository Structure (continued)", o.symbols(o.rest(func(p string) bool { return !o.keyed[p] })), "\n\n", "Ok.")
	}
	o.pairs(chosen(working))
	for n, h := range f.history {
		if flat || !slices.Contains(slices.Concat(f.tiers[:]...), "history:"+strconv.Itoa(n)) {
			o.say(h.name, h.text)
		}
	}
	prompt := f.prompt
	if w.reminder != "" {
		prompt += w.join + w.reminder
	}
	o.say("user", prompt)
	o.out[len(o.out)-1].Images = len(f.images)
	return o.out
}

// empty reports whether a file of the workspace has no text: it is left out.
func (w *world) empty(f *fixture, path string) bool {
	return asRead(w.workspaces[f.workspace][path]) == ""
}

type oracle struct {
	w      *world
	f      *fixture
	out    []said
	full   map[string]bool // paths shown in full
	keyed  map[string]bool // paths that a tier names
	blocks map[string]string
}

func chosen(set map[string]bool) []string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(set)) {
		if set[p] {
			out = append(out, p)
		}
	}
	return out
}

func (o *oracle) say(role, text string) { o.out = append(o.out, said{Role: role, Text: text}) }

func (o *oracle) pair(heading string, pieces []string, glue, answer string) {
	if len(pieces) > 0 {
		o.say("user", heading+"\n\n"+strings.Join(pieces, glue))
		o.say("assistant", answer)
	}
}

// rest gives the paths with symbols whose file is not there in full.
func (o *oracle) rest(want func(string) bool) []string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(o.blocks)) {
		if !o.full[p] && want(p) {
			out = append(out, p)
		}
	}
	return out
}

func (o *oracle) symbols(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, o.blocks[p])
	}
	return out
}

func (o *oracle) files(list []string) []string {
	var out []string
	for _, p := range list {
		text := asRead(o.w.workspaces[o.f.workspace][p])
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		fence := fenceFor(text)
		out = append(out, p+"\n"+fence+"\n"+text+fence)
	}
	return out
}

// fenceFor gives the shortest fence that no run of backticks is as long as.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// keysOf gives what the keys of one kind name in a tier, sorted.
func (o *oracle) keysOf(tier int, kind string) []string {
	var out []string
	for _, key := range o.f.tiers[tier] {
		if p, ok := strings.CutPrefix(key, kind+":"); ok && (kind != "symbol" || !o.full[p]) && (kind != "file" || o.full[p]) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if kind == "history" {
			m, _ := strconv.Atoi(a)
			n, _ := strconv.Atoi(b)
			return m - n
		}
		return strings.Compare(a, b)
	})
	return out
}

// stack joins blocks, each under its heading.
func stack(headed ...[]string) string {
	var out []string
	for _, h := range headed {
		if len(h) > 1 {
			out = append(out, strings.Join(h, "\n\n"))
		}
	}
	return strings.Join(out, "\n\n")
}

func (o *oracle) system(flat bool) {
	structure := []string{"# Repository Structure\n\nBelow is a map of the repository showing classes, functions, and their relationships.\n" +
		"Use this to understand the codebase structure and find relevant code."}
	if o.f.legend != "" {
		structure = append(structure, o.f.legend)
	}
	files := []string{"# Reference Files (Stable)\n\nThese files are included for reference:"}
	if flat {
		structure = append(structure, o.symbols(o.rest(func(string) bool { return true }))...)
	} else {
		structure = append(structure, o.symbols(o.keysOf(0, "symbol"))...)
		files = append(files, o.files(o.keysOf(0, "file"))...)
	}
	sections := strings.Join(o.w.system, o.w.join)
	o.say("system", strings.TrimSuffix(sections+"\n\n"+stack(structure, files), "\n\n"))
	o.out[0].Marked = !flat && len(o.keysOf(0, "history")) == 0
}

func (o *oracle) tiers() {
	for n := range o.f.tiers {
		before := len(o.out)
		if n > 0 {
			heading := "# Reference Files"
			if n > 1 {
				heading = fmt.Sprintf("# Reference Files (L%d)", n)
			}
			text := stack(append([]string{"# Repository Structure (continued)"}, o.symbols(o.keysOf(n, "symbol"))...),
				append([]string{heading + "\n\nThese files are included for reference:"}, o.files(o.keysOf(n, "file"))...))
			if text != "" {
				o.say("user", text)
				o.say("assistant", "Ok.")
			}
		}
		for _, key := range o.keysOf(n, "history") {
			i, _ := strconv.Atoi(key)
			o.say(o.f.history[i].name, o.f.history[i].text)
		}
		if len(o.out) > before {
			o.out[len(o.out)-1].Marked = true
		}
	}
}

// pairs says what stands outside the tiers and is not said by anybody.
func (o *oracle) pairs(working []string) {
	if tree := slices.Sorted(maps.Keys(o.w.workspaces[o.f.workspace])); len(tree) > 0 {
		o.pair("# Repository Files\n\nComplete list of files in the repository:",
			[]string{fmt.Sprintf("# File Tree (%d files)\n\n", len(tree)) + strings.Join(tree, "\n")}, "", "Ok.")
	}
	var pages []string
	for _, p := range o.f.urls {
		var parts []string
		for _, part := range []string{strings.TrimSuffix("## "+p.title, "## "), p.url, p.content, p.symbols} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		pages = append(pages, strings.Join(parts, "\n\n"))
	}
	o.pair("# URL Context\n\nThe following content was fetched from URLs mentioned in the conversation:", pages, "\n---\n", "Ok, I've reviewed the URL content.")
	if r := o.f.codeReview; r != nil {
		var parts []string
		for _, part := range []string{r.summary, r.commits, r.stats, r.symbols} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		for _, d := range r.diffs {
			fence := fenceFor(d.text)
			parts = append(parts, fence+"diff\n"+d.text+"\n"+fence)
		}
		o.pair("# Code Review Context", parts, "\n\n", "Ok, I've reviewed the code changes.")
	}
	o.pair("# Working Files\n\nHere are the files:", o.files(working), "\n\n", "Ok.")
}
