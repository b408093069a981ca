package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/internal/transient"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fleeting is a text of one moment or machine, at its place.
type fleeting struct {
	at   diag.Span
	kind transient.Kind
	text string
}

// volatileContent finds what belongs to one moment, machine or run in text that
// is meant to stay the same: neither its section nor a source of it is declared
// volatile. It is judged as it is emitted, each rendering once.
func (s *scope) volatileContent() diag.List {
	emitted := stable(s.artifacts)
	var renderings []*prompt.Rendering
	for _, u := range emitted.keys {
		renderings = append(renderings, u.rendering)
	}
	var all ordered[fleeting, users]
	for i, found := range par.Map(renderings, fleetings) {
		for _, f := range found {
			all.of(f).join(emitted.keys[i].build, *emitted.values[emitted.keys[i]])
		}
	}
	slices.SortStableFunc(all.keys, func(a, b fleeting) int {
		return cmp.Or(cmp.Compare(a.at.File.Path, b.at.File.Path), cmp.Compare(a.at.Start, b.at.Start))
	})
	var out diag.List
	for keys := all.keys; len(keys) > 0; {
		n := 1
		for n < len(keys) && keys[n].at.File == keys[0].at.File {
			n++
		}
		own, times := sameFolders(keys[:n], all.values)
		out = append(out, few(own, func(f fleeting) diag.Diagnostic { return s.fleets(f, all.values[f], times[f]) }, moreOf("such text"))...)
		keys = keys[n:]
	}
	return out
}

// manyFolders is how often a file names somebody's folder where one finding says
// it of all.
const manyFolders = 3

// sameFolders leaves of somebody's folder that a file names that often the first
// place, with the variants of all, and how often it is.
func sameFolders(found []fleeting, by map[fleeting]*users) (left []fleeting, times map[fleeting]int) {
	var folders ordered[string, []fleeting]
	for _, f := range found {
		if f.kind == transient.Home {
			same := folders.of(f.text)
			*same = append(*same, f)
		}
	}
	times = map[fleeting]int{}
	gone := map[fleeting]bool{}
	for _, text := range folders.keys {
		same := *folders.values[text]
		if len(same) < manyFolders {
			continue
		}
		times[same[0]] = len(same)
		for _, f := range same[1:] {
			gone[f] = true
			for _, b := range by[f].keys {
				by[same[0]].join(b, *by[f].values[b])
			}
		}
	}
	for _, f := range found {
		if !gone[f] {
			left = append(left, f)
		}
	}
	return left, times
}

// fleets puts one into words, and how often its file has it, where that is often.
func (s *scope) fleets(f fleeting, u *users, times int) diag.Diagnostic {
	d := diag.New(diag.VolatileContent, f.at, "%s in text that is meant to stay the same: %q", f.kind.Says(), f.text)
	if times > 0 {
		d.Message += ", " + number(times, "time") + " in this file"
	}
	switch f.kind {
	case transient.Home:
		d = d.WithHint("write a path relative to something that the reader knows, or let a slot give it")
	case transient.UUID, transient.Host, transient.AsOf, transient.Planned:
		d.Level = diag.Note
		fallthrough
	default:
		d = d.WithHint("let a slot give it; what has to be in the text can be declared `volatile: true`, at its section or source")
	}
	for _, b := range u.keys {
		before := len(d.Detail)
		if d = s.among(d, b, *u.values[b]); len(u.keys) > 1 && len(d.Detail) > before {
			d.Detail[before] += fmt.Sprintf(", of %q", b.Prompt.ID.Str)
		}
	}
	return d
}

// emission is a text of a section in the variants of one prompt.
type emission struct {
	build     *prompt.Build
	rendering *prompt.Rendering
}

// stable gives the texts of sections that are not declared volatile, each with
// the variants that emit it. Prompts that another program rendered have none: it
// knows what its texts stand for.
func stable(artifacts []*prompt.Artifact) *ordered[emission, prompt.Set] {
	out := &ordered[emission, prompt.Set]{}
	last := map[int]emission{} // by section: neighbours most often have the same
	sets := map[int]*prompt.Set{}
	for _, a := range artifacts {
		if a.Variant.Exact {
			continue
		}
		for _, p := range a.Parts {
			if p.Section < 0 || p.Rendering == nil || a.Variant.Uses[p.Section].Volatile {
				continue
			}
			e := emission{a.Build, p.Rendering}
			if last[p.Section] != e {
				set := out.of(e)
				if set.Size() == 0 {
					*set = prompt.NewSet(len(a.Build.Variants))
				}
				last[p.Section], sets[p.Section] = e, set
			}
			sets[p.Section].Add(a.Variant.Index)
		}
	}
	return out
}

// users are the variants of some prompts.
type users struct {
	ordered[*prompt.Build, prompt.Set]
}

// join adds variants of a prompt.
func (u *users) join(b *prompt.Build, set prompt.Set) {
	own := u.of(b)
	if own.Size() == 0 {
		*own = prompt.NewSet(set.Size())
	}
	own.Union(set)
}

// fleetings finds the places of a rendering that count: somebody wrote them, as
// what is meant and not as an example of it.
func fleetings(r *prompt.Rendering) []fleeting {
	if r.Unit != nil && r.Unit.VolatileSource() != nil {
		return nil
	}
	found := transient.Find(r.Text.Str)
	if len(found) == 0 {
		return nil
	}
	var out []fleeting
	e := newExamples(r.Text.Str)
	for _, m := range found {
		place := r.Text.Span(m.Start, m.End)
		if !place.Known() || e.shows(m) || slotted(r, m) {
			continue
		}
		out = append(out, fleeting{at(place), m.Kind, r.Text.Str[m.Start:m.End]})
	}
	return out
}

// slotted reports whether a slot gives a part of a match.
func slotted(r *prompt.Rendering, m transient.Match) bool {
	for _, s := range r.Slots {
		if s.Start < m.End && m.Start < s.End {
			return true
		}
	}
	return false
}

// examples tells what of a text is shown and not said: code, and what is called
// an example.
type examples struct {
	text  string
	lines []mdLine
	line  int // the one that was asked about last, -1 before the first
	// level is that of a heading that speaks of examples, 0 for none; tagged
	// that a tag does.
	level  int
	tagged bool
	// whole says that the line is an example, and spans are its code spans.
	whole bool
	spans [][2]int
	// sentence is the one that was asked about last, and form that it speaks of
	// how dates are written.
	sentence [2]int
	form     bool
	// comments are those of the whole text.
	comments [][2]int
}

func newExamples(text string) *examples {
	return &examples{text: text, lines: mdLines(text), line: -1, comments: comments(text)}
}

// showing are words with which a line says that it gives an example, and forms
// those with which a sentence does, or says how something is written; small.
var (
	showing = []string{"example", "e.g.", "e.g ", "for instance", "sample"}
	forms   = []string{"such as", "format", "placeholder", "like `", "looks like", "iso 8601", "rfc 3339"}
)

// shows reports whether a match is only shown. It is asked in the order of the
// text.
func (e *examples) shows(m transient.Match) bool {
	if e.line < 0 || e.lines[e.line].end < m.Start {
		for e.line++; e.lines[e.line].end < m.Start; e.line++ {
			e.follow(e.lines[e.line])
		}
		text := e.of(e.line)
		e.follow(e.lines[e.line])
		before := strings.TrimRight(e.of(e.line-1), " *_")
		e.whole = e.lines[e.line].code || e.level > 0 || e.tagged || strings.Contains(text, "<example") ||
			speaksOf(showing, text) || strings.HasSuffix(before, ":") && speaksOfExamples(before)
		e.spans = codeSpans(text)
	}
	return e.whole || e.formed(m.Start) || within(e.comments, m.Start) || m.Kind != transient.Home && within(e.spans, m.Start-e.lines[e.line].start) || inQuotes(e.text, m)
}

// formed reports whether the sentence of a place says how something is written.
func (e *examples) formed(at int) bool {
	if at >= e.sentence[1] {
		line := e.lines[e.line]
		start, end := max(line.start, e.sentence[1]), 0
		for end <= at && start < line.end {
			n := sentenceEnd(e.text[start:line.end])
			if end = start + n; end <= at {
				start = end
			}
		}
		e.sentence, e.form = [2]int{start, end}, speaksOf(forms, e.text[start:end])
	}
	return e.form
}

// sentenceEnd gives where the first sentence of a line ends, and the next one
// begins.
func sentenceEnd(line string) int {
	for i := 1; i+2 < len(line); i++ {
		if line[i+1] == ' ' && strings.IndexByte(".!?", line[i]) >= 0 && line[i-1] != '.' && (i < 2 || line[i-2] != '.') && unicode.IsUpper(rune(line[i+2])) {
			return i + 2
		}
	}
	return len(line)
}

// inQuotes reports whether a date with a time stands between quotes by itself, as
// a value does.
func inQuotes(text string, m transient.Match) bool {
	if m.Kind != transient.Time && m.Kind != transient.Planned {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:m.Start])
	after, _ := utf8.DecodeRuneInString(text[m.End:])
	return strings.ContainsRune("\"'“„«「", before) && strings.ContainsRune("\"'”“»」", after)
}

// comments gives the comments of a text in HTML, which speak to those who write
// it.
func comments(text string) [][2]int {
	var out [][2]int
	for i := 0; ; {
		start := strings.Index(text[i:], "<!--")
		if start < 0 {
			return out
		}
		n := strings.Index(text[i+start:], "-->")
		if n < 0 {
			return out
		}
		out = append(out, [2]int{i + start, i + start + n})
		i += start + n
	}
}

// of gives the text of a line, "" before the first.
func (e *examples) of(line int) string {
	if line < 0 {
		return ""
	}
	return e.text[e.lines[line].start:e.lines[line].end]
}

// follow passes over a line.
func (e *examples) follow(line mdLine) {
	if line.code {
		return
	}
	text := e.text[line.start:line.end]
	if level := headingLevel(text); level > 0 && (e.level == 0 || level <= e.level) {
		e.level = 0
		if speaksOfExamples(text) {
			e.level = level
		}
	}
	switch {
	case strings.Contains(text, "</example"):
		e.tagged = false
	case strings.Contains(text, "<example"):
		e.tagged = true
	}
}

func speaksOfExamples(line string) bool { return speaksOf(showing, line) || speaksOf(forms, line) }

func speaksOf(words []string, line string) bool {
	line = strings.ToLower(line) + " "
	for _, w := range words {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}
