package report

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// labelWidth is the least width of the first column, so that the notes below
// a ledger of short names still stand in line.
const labelWidth = 11

// Explain writes the ledger of one variant: each section with its tokens, its
// share and its source lines, under the layout `phases` also with its phase and
// score; then what was dropped or left out and why, the steps taken, what was
// cut, the slots, the tools beside the text, and what is left of the budget;
// last each tool with who takes it.
func Explain(w io.Writer, r *prompt.Result, a *prompt.Artifact, with ExplainWith, opt Options) error {
	p := newPage(opt.of(r))
	p.explain(r, a, with)
	return p.print(w)
}

func (p *page) explain(r *prompt.Result, a *prompt.Artifact, with ExplainWith) {
	name := clean(a.Variant.Name)
	what := ""
	if with.Budget > 0 {
		what = " (what if: budget " + number(with.Budget) + ")"
	}
	p.line(p.paint(bold, name), strings.Repeat(" ", max(3, placeColumn-columns(name))), size(r.Spec, a), what)
	p.line()
	var manifest *diag.File
	if r.Spec != nil {
		manifest = r.Spec.File
	}
	notes := table{rows: p.notes(r, a)}
	t := p.sections(a, manifest)
	t.least = labelWidth
	for i, row := range slices.Concat(t.rows, notes.rows) {
		if !slices.Contains(t.loose, i) {
			t.least = max(t.least, columns(row[0]))
		}
	}
	t.print(p, 2)
	p.dropped(r, a, with, t.least)
	notes.least = t.least
	notes.print(p, 2)
	p.tools(a, with.Tools)
}

// sections is the table of what a variant emits, in order, with the cache
// breakpoints in between. Its tokens are those of the text; what slots may add
// stands beside them.
func (p *page) sections(a *prompt.Artifact, manifest *diag.File) table {
	t := table{align: []side{toLeft, toLeft, toLeft, toRight, toRight, toRight, toRight, toRight, toLeft}}
	var tier, phase, score, slots string // an empty column takes no room
	if len(a.Choices) > 0 {
		phase, score = "phase", "score"
	}
	all := entries(a)
	if slices.ContainsFunc(all, func(e entry) bool { return e.tier != "" }) {
		tier = "tier"
	}
	if slices.ContainsFunc(all, func(e entry) bool { return e.slots > 0 }) {
		slots = "slots"
	}
	t.row("section", tier, phase, score, "tokens", slots, "share", "total", "from")
	points := a.Cache.Points
	for _, e := range all {
		for len(points) > 0 && points[0].Part <= e.from {
			t.breakpoint(a, points[0])
			points = points[1:]
		}
		phase, score, slots = "", "", ""
		if e.slots > 0 {
			slots = "+" + number(e.slots)
		}
		if e.choice != nil {
			phase, score = phaseOf(e.choice), scoreText(e.choice.Score)
		}
		t.row(clean(e.name()), clean(e.tier), phase, score, number(e.tokens), slots, percent(e.tokens, a.Tokens), number(e.total), p.from(a, e, manifest))
	}
	for _, point := range points {
		t.breakpoint(a, point)
	}
	t.paint = func(row, _ int, text string) string {
		if row == 0 || slices.Contains(t.loose, row) {
			return p.paint(dim, text)
		}
		return text
	}
	return t
}

// size says how much a variant is, of what it may be, and by whose count.
func size(spec *prompt.Spec, a *prompt.Artifact) string {
	limits := a.Variant.Budget
	var more []string
	tokens := count(a.Use, "token")
	if limits.Tokens >= 0 {
		tokens = number(a.Use) + " of " + count(limits.Tokens, "token")
		more = append(more, percent(a.Use, limits.Tokens))
	}
	if a.Use != a.Tokens {
		more = append(more, "text "+number(a.Tokens)+", slots "+number(a.Use-a.Tokens))
	}
	if text := strings.Join(more, "; "); text != "" {
		tokens += " (" + text + ")"
	}
	out := []string{tokens}
	if limits.Chars >= 0 {
		out = append(out, number(a.Chars)+" of "+count(limits.Chars, "character")+" ("+percent(a.Chars, limits.Chars)+")")
	}
	if c := a.Variant.Context; c > 0 {
		share := fraction(a.Use+a.ToolTokens, c) + " of a " + number(c) + " context"
		if a.ToolTokens > 0 {
			share += " with tools"
		}
		out = append(out, share)
	}
	out = append(out, clean(tokenizer(spec, a.Variant.Tokenizer)))
	if name := dialect(a); name != "" {
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// notes are the lines below the ledger, each a label and its cells.
func (p *page) notes(r *prompt.Result, a *prompt.Artifact) [][]string {
	var out [][]string
	for _, o := range a.Out {
		label := "omitted"
		if o.Reason == prompt.OutBudget {
			if choiceOf(a, o.Section) != nil {
				continue // has a line with its figures
			}
			label = "dropped"
		}
		id := a.Build.Prompt.Sections[o.Section].ID.Str
		out = append(out, []string{label, clean(id) + "  " + clean(reason(a, o))})
	}
	for _, l := range leftOut(r, a) {
		out = append(out, []string{"omitted", clean(l.Content().Name()) + "  " + clean(l.Why)})
	}
	out = append(out, steps(a)...)
	out = append(out, goalProgress(a)...)
	for _, part := range a.Parts {
		if part.Rendering == nil {
			continue
		}
		for _, c := range part.Rendering.Cuts {
			out = append(out, []string{"cut", p.cut(c)})
		}
	}
	for _, s := range slots(a) {
		out = append(out, []string{"slot", slotText(s)})
	}
	if n := len(images(a)); n > 0 {
		out = append(out, []string{"images", number(n) + ", not counted"})
	}
	if len(a.Beside) > 0 {
		text := count(len(a.Beside), "schema") + " beside the text, " + count(a.ToolTokens, "token")
		if limit := a.Variant.Budget.ToolTokens; limit >= 0 {
			text += " of " + number(limit) + " (" + percent(a.ToolTokens, limit) + ")"
		}
		out = append(out, []string{"tools", text})
	}
	if text := stable(a); text != "" {
		out = append(out, []string{"cache", text})
	}
	if text := headroom(a); text != "" {
		out = append(out, []string{"headroom", text})
	}
	if e := refused(r, a); e != nil {
		out = append(out, []string{"shrink", shrink(e)})
	}
	return out
}

func (p *page) cut(c prompt.Cut) string {
	name := "text"
	if c.File != nil {
		name = p.path(c.File.Path)
	}
	return name + "  " + number(c.Included) + " of " + count(c.Original, "character") + " (limit " + number(c.Limit) + ")"
}

func slotText(s slotUse) string {
	text := clean(s.slot.Name.Str) + "  up to "
	if s.places > 1 {
		text += number(s.places) + " × "
	}
	text += count(s.slot.MaxTokens, "token")
	var facts []string
	if s.slot.Optional {
		facts = append(facts, "optional")
	}
	if s.slot.Volatile {
		facts = append(facts, "volatile")
	}
	if len(facts) > 0 {
		text += " (" + strings.Join(facts, ", ") + ")"
	}
	return text
}

// headroom says what is left of each limit; of one that is passed, by how
// much.
func headroom(a *prompt.Artifact) string {
	var parts []string
	for _, l := range []struct {
		limit, used int
		noun        string
	}{
		{a.Variant.Budget.Tokens, a.Use, "token"},
		{a.Variant.Budget.Chars, a.Chars, "character"},
	} {
		switch free := l.limit - l.used; {
		case l.limit < 0:
		case free < 0:
			parts = append(parts, "none: over by "+count(-free, l.noun))
		default:
			parts = append(parts, count(free, l.noun))
		}
	}
	return strings.Join(parts, ", ")
}
