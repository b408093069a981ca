package lint

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/internal/transient"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fleeting is a text of one moment or run, at its place.
type fleeting struct {
	at   diag.Span
	kind transient.Kind
	text string
}

// moments are the keys of what is found, by its kind.
var moments = [...]string{
	transient.Time:    "date-with-time",
	transient.Planned: "date-with-time",
	transient.Today:   "current-date-or-time",
	transient.Epoch:   "seconds-since-1970",
	transient.UUID:    "random-identifier",
}

// volatileContent finds what belongs to one moment or run in text that is meant
// to stay the same: neither its section nor a source of it is declared volatile.
// It is judged as it is emitted, each rendering once.
func (s *requestSet) volatileContent() diag.List {
	emitted := stable(s.artifacts)
	var renderings []*prompt.Rendering
	for _, e := range emitted.keys {
		renderings = append(renderings, e.rendering)
	}
	var all ordered[fleeting, ordered[*prompt.Build, prompt.Set]]
	for i, found := range par.Map(renderings, fleetings) {
		e := emitted.keys[i]
		for _, f := range found {
			union(all.of(f).of(e.build), *emitted.values[e])
		}
	}
	slices.SortStableFunc(all.keys, func(a, b fleeting) int {
		return cmp.Or(cmp.Compare(a.at.File.Path, b.at.File.Path), cmp.Compare(a.at.Start, b.at.Start))
	})
	var out diag.List
	for _, f := range all.keys {
		d := diag.New(diag.VolatileContent, f.at, "text-meant-stay-same", diag.Say(moments[f.kind]), f.text).
			WithHint("let-slot-give-text")
		if f.kind == transient.UUID || f.kind == transient.Planned {
			d.Level = diag.Note
		}
		users := all.values[f]
		for _, b := range users.keys {
			before := len(d.Detail)
			if d = s.among(d, b, *users.values[b]); len(users.keys) > 1 && len(d.Detail) > before {
				d.Detail[before] = diag.Say("of-prompt", d.Detail[before], b.Prompt.ID.Str)
			}
		}
		out = append(out, d)
	}
	return capFindings(out)
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
	for _, a := range artifacts {
		if a.Variant.Exact {
			continue
		}
		for _, p := range a.Parts {
			if p.Section < 0 || p.Rendering == nil || a.Variant.Uses[p.Section].Volatile {
				continue
			}
			set := out.of(emission{a.Build, p.Rendering})
			if set.Size() == 0 {
				*set = prompt.NewSet(len(a.Build.Variants))
			}
			set.Add(a.Variant.Index)
		}
	}
	return out
}

// fleetings finds the places of a rendering that count: somebody wrote them, as
// what is meant and not as an example of it.
func fleetings(r *prompt.Rendering) []fleeting {
	if r.Unit != nil && r.Unit.VolatileSource() != nil {
		return nil
	}
	text := r.Text.Str
	found := transient.Find(text)
	if len(found) == 0 {
		return nil
	}
	var out []fleeting
	lines := markdown.Lines(text)
	shown := shownLines(text, lines)
	row := -1
	var spans []markdown.Span
	for _, m := range found {
		if row < 0 || lines[row].End < m.Start {
			for row++; lines[row].End < m.Start; {
				row++
			}
			spans = markdown.CodeSpans(text[lines[row].Start:lines[row].End])
		}
		if shown[row] || within(spans, m.Start-lines[row].Start) || isValue(text, m) {
			continue
		}
		slotted := slices.ContainsFunc(r.Slots, func(s prompt.SlotAt) bool { return s.Start < m.End && m.Start < s.End })
		if place := r.Text.Span(m.Start, m.End); place.Known() && !slotted {
			out = append(out, fleeting{at(place), m.Kind, text[m.Start:m.End]})
		}
	}
	return out
}

// within reports whether a place is in one of some spans, which ascend.
func within(spans []markdown.Span, i int) bool {
	next := sort.Search(len(spans), func(k int) bool { return spans[k].End > i })
	return next < len(spans) && spans[next].Start <= i
}

// isValue reports whether a date with a time stands between quotes by itself.
func isValue(text string, m transient.Match) bool {
	return (m.Kind == transient.Time || m.Kind == transient.Planned) && m.Start > 0 && m.End < len(text) && text[m.Start-1] == text[m.End] && (text[m.End] == '"' || text[m.End] == '\'')
}

// showing are words with which a line, or a heading, says that it gives an
// example, or how something is written.
var showing = []string{"example", "e.g.", "for instance", "sample", "such as", "format", "placeholder", "looks like", "iso 8601", "rfc 3339"}

// shownLines says of each line of a text whether what stands there is shown and
// not said: code, comments, and what a heading, a tag, the line itself or the
// line above with its colon calls an example.
func shownLines(text string, lines []markdown.Line) []bool {
	out := make([]bool, len(lines))
	level := 0 // of the heading that speaks of examples, 0 for none
	tagged, comment, colon := false, false, false
	for i, line := range lines {
		s := strings.ToLower(text[line.Start:line.End])
		shows := slices.ContainsFunc(showing, func(w string) bool { return strings.Contains(s, w) })
		if own := line.Heading; own > 0 && (level == 0 || own <= level) {
			if level = 0; shows {
				level = own
			}
		}
		tagged = tagged || strings.Contains(s, "<example")
		comment = comment || strings.Contains(s, "<!--")
		out[i] = shows || level > 0 || tagged || comment || colon || line.Fenced || line.Indented
		tagged = tagged && !strings.Contains(s, "</example")
		comment = comment && !strings.Contains(s, "-->")
		colon = shows && strings.HasSuffix(strings.TrimRight(s, " *_"), ":")
	}
	return out
}
