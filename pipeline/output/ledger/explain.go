package ledger

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
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
func Explain(w io.Writer, r *prompt.Result, a *assembly.Artifact, with With, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	printLedger(p, r, a, Of(r, a, with, opt))
	return p.Print(w)
}

func printLedger(p *words.Printer, r *prompt.Result, a *assembly.Artifact, doc *Facts) {
	name := words.Clean(a.Variant.Name)
	what := ""
	if doc.WhatIf != nil {
		what = " (what if: budget " + words.Number(doc.WhatIf.Budget) + ")"
	}
	p.Line(p.Paint(words.Bold, name), strings.Repeat(" ", max(3, words.PlaceColumn-words.Columns(name))), size(r.Spec, a), what)
	p.Line()
	t, notes := sectionTable(p, r, a, doc), words.Table{Rows: doc.Notes(a)}
	t.Least = labelWidth
	for i, row := range slices.Concat(t.Rows, notes.Rows) {
		if !slices.Contains(t.Loose, i) {
			t.Least = max(t.Least, words.Columns(row[0]))
		}
	}
	notes.Least = t.Least
	t.Print(p, 2)
	notes.Print(p, 2)
	printTools(p, doc)
}

// sections is the table of what a variant emits, in order, with the cache
// breakpoints in between. Its tokens are those of the text; what slots may add
// stands beside them.
func sectionTable(p *words.Printer, r *prompt.Result, a *assembly.Artifact, doc *Facts) words.Table {
	t := words.Table{Align: []words.Side{words.ToLeft, words.ToLeft, words.ToLeft, words.ToRight, words.ToRight, words.ToRight, words.ToRight, words.ToRight, words.ToLeft}}
	var tier, phase, score, slots string // an empty column takes no room
	if len(doc.Choices) > 0 {
		phase, score = "phase", "score"
	}
	all := Entries(a)
	if slices.ContainsFunc(all, func(e Entry) bool { return e.Tier != "" }) {
		tier = "tier"
	}
	if slices.ContainsFunc(all, func(e Entry) bool { return e.Slots > 0 }) {
		slots = "slots"
	}
	t.Row("section", tier, phase, score, "tokens", slots, "share", "total", "from")
	points, turn := a.Cache.Points, 1
	for _, e := range all {
		for len(points) > 0 && points[0].Part <= e.From {
			breakpoint(&t, a, points[0])
			points = points[1:]
		}
		if e.Turn > turn {
			turn = e.Turn
			t.Loose = append(t.Loose, len(t.Rows))
			t.Row("── turn " + words.Number(turn) + " ──")
		}
		phase, score, slots = "", "", ""
		if e.Slots > 0 {
			slots = "+" + words.Number(e.Slots)
		}
		if c := doc.choice(e.id); c != nil {
			phase, score = c.phase(), scoreText(c.Score)
		}
		t.Row(words.Clean(e.Name()), words.Clean(e.Tier), phase, score, words.Number(e.Tokens), slots, words.Percent(e.Tokens, a.Tokens), words.Number(e.total), PlaceFrom(p, a, e, words.ManifestOf(r)))
	}
	for _, point := range points {
		breakpoint(&t, a, point)
	}
	t.Paint = func(row, _ int, text string) string {
		if row == 0 || slices.Contains(t.Loose, row) {
			return p.Paint(words.Dim, text)
		}
		return text
	}
	return t
}

// size says how much a variant is, of what it may be, and by whose count.
func size(spec *language.Spec, a *assembly.Artifact) string {
	limits := a.Variant.Budget
	var more []string
	tokens := words.Count(a.Use, "token")
	if limits.Tokens >= 0 {
		tokens = words.Number(a.Use) + " of " + words.Count(limits.Tokens, "token")
		more = append(more, words.Percent(a.Use, limits.Tokens))
		if limits.Default {
			more = append(more, "the default budget of phases")
		}
	}
	if a.Use != a.Tokens {
		more = append(more, "text "+words.Number(a.Tokens)+", slots "+words.Number(a.Use-a.Tokens))
	}
	if text := strings.Join(more, "; "); text != "" {
		tokens += " (" + text + ")"
	}
	out := []string{words.Approx(a.Variant.Estimated(spec), tokens)}
	if limits.Chars >= 0 {
		out = append(out, words.Number(a.Chars)+" of "+words.Count(limits.Chars, "character")+" ("+words.Percent(a.Chars, limits.Chars)+")")
	}
	if c := a.Variant.Context; c > 0 {
		share := words.Fraction(a.Use+a.ToolTokens, c) + " of a " + words.Number(c) + " context"
		if a.ToolTokens > 0 {
			share += " with tools"
		}
		out = append(out, share)
	}
	out = append(out, words.Clean(Counter(spec, a.Variant)))
	if name := Dialect(a); name != "" {
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// Notes are the lines below the ledger, each a label and what it says.
func (doc *Facts) Notes(a *assembly.Artifact) [][]string {
	var out [][]string
	add := func(label, text string) { out = append(out, []string{words.Clean(label), words.Clean(text)}) }
	for _, c := range doc.Choices {
		if !c.Kept {
			add("dropped", c.lacked())
		}
	}
	for _, o := range doc.Omitted {
		switch {
		case o.reason != assembly.OutBudget:
			add("omitted", o.Section+o.Content+"  "+o.says)
		case doc.choice(o.Section) == nil: // else it has a line with its figures
			add("dropped", o.Section+"  "+o.says)
		}
	}
	for _, s := range doc.Steps {
		add("steps", s.Section+"  "+doc.climbed(s))
	}
	for _, s := range doc.Sections {
		if s.Progress != nil {
			add(s.ID+" progress", s.Progress.words())
		}
	}
	for _, c := range doc.Cuts {
		add("cut", cmp.Or(c.File, "text")+"  "+words.Number(c.Included)+" of "+words.Count(c.Original, "character")+" (limit "+words.Number(c.Limit)+")")
	}
	for _, s := range doc.Slots {
		add("slot", s.words())
	}
	if doc.Tags > 0 {
		add("and", doc.tagged())
	}
	images := 0
	for _, m := range doc.Messages {
		images += len(m.Images)
	}
	if images > 0 {
		add("images", words.Number(images)+", not counted")
	}
	if len(a.Beside) > 0 {
		text := words.Count(len(a.Beside), "schema") + " beside the text, " + words.Count(a.ToolTokens, "token")
		if limit := a.Variant.Budget.ToolTokens; limit >= 0 {
			text += " of " + words.Number(limit) + " (" + words.Percent(a.ToolTokens, limit) + ")"
		}
		add("tools", text)
	}
	if text := stable(a); text != "" {
		add("cache", text)
	}
	if text := headroom(a); text != "" {
		add("headroom", text)
	}
	if doc.Shrink != nil {
		add("shrink", doc.Shrink.words())
	}
	return out
}

// words says how many checkpoints are completed.
func (p *jsonProgress) words() string {
	text := words.Number(p.Completed) + " of " + words.Number(p.Total)
	if share := words.Percent(p.Completed, p.Total); share != "" {
		text += " (" + share + ")"
	}
	return text
}

// tagged says how many placeholders and tags there are, and what they fill in.
func (doc *Facts) tagged() string {
	text := words.Count(doc.Tags, "placeholder") + ", not counted"
	if len(doc.Fields) > 0 {
		text += "; filled in: " + strings.Join(doc.Fields, ", ")
	}
	return text
}

func (s jsonSlot) words() string {
	text := s.Name + "  up to "
	if s.Places > 1 {
		text += words.Number(s.Places) + " × "
	}
	text += words.Count(s.MaxTokens, "token")
	var facts []string
	if s.Optional {
		facts = append(facts, "optional")
	}
	if s.Volatile {
		facts = append(facts, "volatile")
	}
	if len(facts) > 0 {
		text += " (" + strings.Join(facts, ", ") + ")"
	}
	return text
}

// headroom says what is left of each limit; of one that is passed, by how
// much.
func headroom(a *assembly.Artifact) string {
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
			parts = append(parts, "none: over by "+words.Count(-free, l.noun))
		default:
			parts = append(parts, words.Count(free, l.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// lacked says of a dropped section what it is, its size, what was left when it was
// its turn, and the budget that would bring it back.
func (c jsonChoice) lacked() string {
	out := []string{c.phase(), "score " + scoreText(c.Score), words.Count(c.Tokens, "token")}
	if c.SlotTokens > 0 {
		out = append(out, "+"+words.Number(c.SlotTokens)+" for slots")
	}
	switch {
	case c.Ended:
		out = append(out, "behind the stop")
	case c.Left != nil:
		out = append(out, words.Number(*c.Left)+" left")
	}
	if !c.Ended && c.Chars != nil && *c.Chars > *c.CharsLeft {
		out = append(out, words.Count(*c.Chars, "character"), words.Number(*c.CharsLeft)+" left")
	}
	if c.Window != nil {
		out = append(out, "back at "+words.Number(*c.Window))
	}
	return c.Section + "  " + strings.Join(out, ", ")
}

// phase names a section's phase, and whether it is in whatever happens.
func (c jsonChoice) phase() string {
	if c.Sticky {
		return words.Clean(c.Phase) + ", sticky"
	}
	return words.Clean(c.Phase)
}

// climbed says how far a section went down its ladder. Under the layout `phases` it
// says why the section does not stand on a fuller rung.
func (doc *Facts) climbed(s jsonSteps) string {
	text := "stepped down to " + strings.Join(s.Steps, ", then ")
	c := doc.choice(s.Section)
	if c == nil {
		return text
	}
	if !c.Kept {
		text = "no step fits"
	}
	var over []string
	for _, r := range c.Tried {
		over = append(over, overBy(r.Over, r.OverChars)+" over with "+cmp.Or(r.Step, "the fullest"))
	}
	switch {
	case over == nil:
		return text
	case c.Sticky:
		text += ": the sticky sections alone are "
	default:
		text += ": "
	}
	return text + strings.Join(over, ", ")
}

// words says it in a line.
func (s *jsonShrink) words() string {
	var sizes []string
	for _, one := range s.Sections {
		text := one.ID + " " + words.Number(one.Tokens)
		if one.SlotTokens > 0 {
			text += " (+" + words.Number(one.SlotTokens) + " for slots)"
		}
		sizes = append(sizes, text)
	}
	return "the sticky sections by " + overBy(s.Tokens, s.Characters) + ": " + strings.Join(sizes, ", ")
}

// overBy says how many tokens and characters are too many.
func overBy(tokens, chars int) string {
	var out []string
	if tokens > 0 {
		out = append(out, words.Count(tokens, "token"))
	}
	if chars > 0 {
		out = append(out, words.Count(chars, "character"))
	}
	return strings.Join(out, " and ")
}

// maxObjections is how many objections are written out below the table of
// tools.
const maxObjections = 20

// notSent stands for the tokens of what is only declared.
const notSent = "–"

// tools is the table of a variant's tools, with a column for each that may take
// them: a tick, or what it has against the tool in a word, with a question mark
// where only some refuse it. Below it each objection stands once.
func printTools(p *words.Printer, doc *Facts) {
	if doc.Toolset == nil {
		return
	}
	t := words.Table{Align: []words.Side{words.ToLeft, words.ToRight}}
	t.Row(append([]string{"tool", "tokens"}, ground.ToolTakers()...)...)
	levels := map[[2]int]diag.Level{} // of the cells with an objection
	rows := doc.toolRows()
	for i, tool := range rows {
		cells := []string{tool.Name, notSent}
		if tool.Tokens > 0 {
			cells[1] = words.Number(tool.Tokens)
		}
		refused := false
		for _, taker := range tool.Takers {
			text := "✓"
			if o := taker.worst(); o != nil {
				levels[[2]int{len(t.Rows), len(cells)}] = o.level
				text, refused = o.word(), true
			}
			cells = append(cells, text)
		}
		if refused || i < len(doc.Tools) {
			t.Row(cells...)
		}
	}
	t.Paint = func(row, column int, text string) string {
		level, against := levels[[2]int{row, column}]
		switch {
		case row == 0:
			return p.Paint(words.Dim, text)
		case against && level == diag.Error:
			return p.Paint(words.Red, text)
		case against:
			return p.Paint(words.Yellow, text)
		case column > 1:
			return p.Paint(words.Green, text)
		default:
			return text
		}
	}
	p.Line()
	t.Print(p, 2)
	printObjections(p, rows)
}

// toolRows gives the tools with their names for people, and behind them all together.
func (doc *Facts) toolRows() []jsonTool {
	var out []jsonTool
	for _, t := range doc.Tools {
		t.Name = words.Clean(t.Name)
		out = append(out, t)
	}
	return append(out, jsonTool{Name: "all " + words.Number(doc.Toolset.Tools), Tokens: doc.Toolset.Tokens, Takers: doc.Toolset.Takers})
}

// objection is what some have against a tool in the same words.
type objection struct {
	jsonObjection
	tool   string
	takers []string
}

// objected joins what is against the tools by its words, in the order of the
// tools; what is against all together, advice too, is last.
func objected(rows []jsonTool) []objection {
	var out []objection
	for i, tool := range rows {
		first := len(out)
		for _, taker := range tool.Takers {
			for _, o := range taker.Objections {
				if o.level == diag.Note && i < len(rows)-1 {
					continue
				}
				same := slices.IndexFunc(out[first:], func(x objection) bool {
					return x.level == o.level && x.Reason == o.Reason && x.says == o.says
				})
				if same += first; same < first {
					same = len(out)
					out = append(out, objection{o, tool.Name, nil})
				}
				out[same].takers = append(out[same].takers, taker.Name)
			}
		}
	}
	return out
}

// objections writes out what is against the tools, and who has it.
func printObjections(p *words.Printer, rows []jsonTool) {
	all := objected(rows)
	if len(all) == 0 {
		return
	}
	var t words.Table
	for _, o := range all[:min(maxObjections, len(all))] {
		t.Row(o.tool, o.word(), strings.Join(o.takers, ", "), words.Clean(words.Shorten(o.says)))
	}
	p.Line()
	t.Print(p, 2)
	if left := len(all) - maxObjections; left > 0 {
		p.Line("and ", words.Count(left, "more objection"), " (--format json has all)")
	}
}

// word gives the reason as a cell shows it: with a question mark where only some
// refuse the tool.
func (o jsonObjection) word() string {
	if o.level == diag.Warning {
		return words.Clean(o.Reason) + "?"
	}
	return words.Clean(o.Reason)
}

// costs counts the tools that a model gets: as they stand beside the text, or in
// it. One that is only declared is not in the result.
func (w *ToolsWith) costs(a *assembly.Artifact) map[*language.Tool]int {
	out := map[*language.Tool]int{}
	for _, r := range a.Used {
		if r == nil {
			continue
		}
		for _, item := range r.Items {
			i := slices.IndexFunc(r.Tools, func(t *language.Tool) bool { return t.Name == item.Name })
			if i >= 0 {
				out[r.Tools[i]] = w.Count(r.Text.Str[item.Start:item.End])
			}
		}
	}
	for _, t := range a.Beside {
		out[t] = w.Count(canon.Sent(t.Canonical))
	}
	return out
}

// worst gives the most serious objection, nil for none. Advice is none.
func (t jsonTaker) worst() *jsonObjection {
	var out *jsonObjection
	for i := range t.Objections {
		if o := &t.Objections[i]; o.level != diag.Note && (out == nil || o.level < out.level) {
			out = o
		}
	}
	return out
}

type jsonTaker struct {
	Name string `json:"name"`
	// Taken says that nothing is against it that ends in an error.
	Taken      bool            `json:"taken"`
	Objections []jsonObjection `json:"objections"`
}

type jsonObjection struct {
	Code  diag.Code `json:"code"`
	Level string    `json:"level"`
	*words.Place
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	level   diag.Level
	says    string // the message where the tool and who has it are named already
}

// jsonToolset is all tools of a variant, if they went with one request.
type jsonToolset struct {
	Tools  int         `json:"tools"`
	Tokens int         `json:"tokens"`
	Takers []jsonTaker `json:"takers"`
}

func (doc *Facts) tools(a *assembly.Artifact, with *ToolsWith, opt words.Options) {
	for _, t := range a.Toolset {
		doc.Tools = append(doc.Tools, jsonTool{Name: t.Name, Beside: slices.Contains(a.Beside, t), Takers: []jsonTaker{}})
	}
	if with == nil || len(a.Toolset) == 0 {
		return
	}
	doc.Toolset = &jsonToolset{Tools: len(a.Toolset), Takers: takersOf(opt, nil, with)}
	costs := with.costs(a)
	for i, t := range a.Toolset {
		doc.Tools[i].Tokens, doc.Tools[i].Takers = costs[t], takersOf(opt, t, with)
		doc.Toolset.Tokens += costs[t]
	}
}

// takers says who takes a tool; no tool is all together.
func takersOf(o words.Options, tool *language.Tool, with *ToolsWith) []jsonTaker {
	var out []jsonTaker
	for _, name := range ground.ToolTakers() {
		made := jsonTaker{Name: name, Taken: true, Objections: []jsonObjection{}}
		for _, x := range with.Objections {
			if x.Taker != name || x.Tool != tool {
				continue
			}
			f := x.Finding
			made.Taken = made.Taken && f.Level != diag.Error
			made.Objections = append(made.Objections, jsonObjection{
				f.Code, f.Level.String(), o.Place(f.Span), x.Reason, wording.Message(f), wording.Hint(f), f.Level, wording.Text(x.Says),
			})
		}
		out = append(out, made)
	}
	return out
}
