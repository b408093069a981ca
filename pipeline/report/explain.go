package report

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
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
	p.dropped(a, with, t.least)
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
		if limits.Default {
			more = append(more, "the default budget of phases")
		}
	}
	if a.Use != a.Tokens {
		more = append(more, "text "+number(a.Tokens)+", slots "+number(a.Use-a.Tokens))
	}
	if text := strings.Join(more, "; "); text != "" {
		tokens += " (" + text + ")"
	}
	out := []string{approx(spec.Estimates(a.Variant), tokens)}
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
	out = append(out, clean(counter(spec, a.Variant)))
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
	if s := refused(a); s != nil {
		out = append(out, []string{"shrink", s.words()})
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

// maxObjections is how many objections are written out below the table of
// tools.
const maxObjections = 20

// toolsWidth is what the lines of tools keep to, so that no terminal breaks them.
const toolsWidth = 80

// notSent stands for the tokens of what is only declared.
const notSent = "–"

// tools is the table of a variant's tools, with a column for each that may take
// them: a tick, or what it has against the tool in a word, with a question mark
// where only some refuse it. Below it each objection stands once.
func (p *page) tools(a *prompt.Artifact, with *ToolsWith) {
	if with == nil || len(a.Toolset) == 0 {
		return
	}
	takers, known := prompt.ToolTakers(), with.index()
	t := table{align: []side{toLeft, toRight}}
	t.rows = takerHeads(takers)
	heads := len(t.rows)
	levels := map[[2]int]diag.Level{} // of the cells with an objection
	add := func(first, tokens string, tool *prompt.Tool) {
		cells := []string{first, tokens}
		for _, taker := range takers {
			text := "✓"
			if o := worst(known[taken{taker, tool}]); o != nil {
				levels[[2]int{len(t.rows), len(cells)}] = o.Finding.Level
				text = o.Reason
				if o.Finding.Level == diag.Warning {
					text += "?"
				}
			}
			cells = append(cells, text)
		}
		t.row(cells...)
	}
	total, costs := 0, with.costs(a)
	for _, tool := range a.Toolset {
		tokens := notSent
		if n, sent := costs[tool]; sent {
			total, tokens = total+n, number(n)
		}
		add(clean(tool.Name), tokens, tool)
	}
	if slices.ContainsFunc(takers, func(taker string) bool { return worst(known[taken{taker, nil}]) != nil }) {
		tokens := notSent
		if len(costs) > 0 {
			tokens = number(total)
		}
		add(allTools(a), tokens, nil)
	}
	t.shorten(toolsWidth, 2)
	t.paint = func(row, column int, text string) string {
		level, against := levels[[2]int{row, column}]
		switch {
		case row < heads:
			return p.paint(dim, text)
		case against && level == diag.Error:
			return p.paint(red, text)
		case against:
			return p.paint(yellow, text)
		case column > 1:
			return p.paint(green, text)
		default:
			return text
		}
	}
	p.line()
	t.print(p, 2)
	p.objections(a, known)
}

// taken is a tool for one of prompt.ToolTakers; no tool is all together.
type taken struct {
	taker string
	tool  *prompt.Tool
}

// index finds objections, each list in its order.
func (w *ToolsWith) index() map[taken][]prompt.Objection {
	out := map[taken][]prompt.Objection{}
	for _, o := range w.Objections {
		key := taken{o.Taker, o.Tool}
		out[key] = append(out[key], o)
	}
	return out
}

// takerHeads names the columns. What several have before a dash stands once,
// above them.
func takerHeads(takers []string) [][]string {
	above, names := []string{"", ""}, []string{"tool", "tokens"}
	several := func(family string) bool {
		n := 0
		for _, t := range takers {
			if strings.HasPrefix(t, family+"-") {
				n++
			}
		}
		return n > 1
	}
	for _, t := range takers {
		family, name, _ := strings.Cut(t, "-")
		if several(family) {
			above, names = append(above, family+"-"), append(names, name)
		} else {
			above, names = append(above, ""), append(names, t)
		}
	}
	return [][]string{above, names}
}

// objection is what some have against a tool in the same words.
type objection struct {
	tool   *prompt.Tool
	level  diag.Level
	reason string
	says   string
	takers []string
}

// objected joins what is against the tools by its words, in the order of the
// tools; what is against all together, advice too, is last.
func objected(a *prompt.Artifact, known map[taken][]prompt.Objection) []objection {
	var out []objection
	for _, tool := range append(slices.Clone(a.Toolset), nil) {
		first := len(out)
		for _, taker := range prompt.ToolTakers() {
			for _, o := range known[taken{taker, tool}] {
				one := objection{tool, o.Finding.Level, o.Reason, wording.Text(o.Says), nil}
				if o.Finding.Level == diag.Note && tool != nil {
					continue
				}
				i := slices.IndexFunc(out[first:], func(x objection) bool {
					return x.level == one.level && x.reason == one.reason && x.says == one.says
				})
				if i += first; i < first {
					i = len(out)
					out = append(out, one)
				}
				out[i].takers = append(out[i].takers, taker)
			}
		}
	}
	return out
}

// objections writes out what is against the tools, below the whole name of each,
// and who has it.
func (p *page) objections(a *prompt.Artifact, known map[taken][]prompt.Objection) {
	all := objected(a, known)
	left := max(0, len(all)-maxObjections)
	all = all[:len(all)-left]
	if len(all) == 0 {
		return
	}
	reason, who := 0, 0
	for _, o := range all {
		reason = max(reason, columns(o.word()))
		who = max(who, columns(whose(o.takers)))
	}
	p.line()
	for i, o := range all {
		if i == 0 || all[i-1].tool != o.tool {
			name := allTools(a)
			if o.tool != nil {
				name = clean(o.tool.Name)
			}
			p.line(name)
		}
		head := "  " + padded(o.word(), reason) + "  " + padded(whose(o.takers), who) + "  "
		for j, line := range wrapped(clean(shorten(o.says)), 0, max(20, toolsWidth-columns(head))) {
			if j > 0 {
				head = strings.Repeat(" ", columns(head))
			}
			p.line(head, line)
		}
	}
	if left > 0 {
		p.line("and ", count(left, "more objection"))
	}
}

// word gives the reason as a cell shows it: with a question mark where only some
// refuse the tool.
func (o objection) word() string {
	if o.level == diag.Warning {
		return clean(o.reason) + "?"
	}
	return clean(o.reason)
}

// whose names takers. A family that has all of its own is named alone.
func whose(takers []string) string {
	var out []string
	for _, t := range takers {
		family, _, parted := strings.Cut(t, "-")
		own := func(x string) bool { return strings.HasPrefix(x, family+"-") }
		whole := parted && !slices.ContainsFunc(prompt.ToolTakers(), func(x string) bool { return own(x) && !slices.Contains(takers, x) })
		if whole {
			t = family
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return strings.Join(out, ", ")
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-columns(text)))
}

func allTools(a *prompt.Artifact) string { return "all " + number(len(a.Toolset)) }

// costs counts the tools that a model gets: as they stand beside the text, or in
// it. One that is only declared is not in the result.
func (w *ToolsWith) costs(a *prompt.Artifact) map[*prompt.Tool]int {
	out := map[*prompt.Tool]int{}
	for _, r := range a.Used {
		if r == nil {
			continue
		}
		for _, item := range r.Items {
			i := slices.IndexFunc(r.Tools, func(t *prompt.Tool) bool { return t.Name == item.Name })
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
func worst(all []prompt.Objection) *prompt.Objection {
	var out *prompt.Objection
	for i := range all {
		level := all[i].Finding.Level
		if level != diag.Note && (out == nil || level < out.Finding.Level) {
			out = &all[i]
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
	*jsonPlace
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// jsonToolset is all tools of a variant, if they went with one request.
type jsonToolset struct {
	Tools  int         `json:"tools"`
	Tokens int         `json:"tokens"`
	Takers []jsonTaker `json:"takers"`
}

func (doc *ledger) tools(a *prompt.Artifact, with *ToolsWith, opt Options) {
	beside := map[*prompt.Tool]bool{}
	for _, t := range a.Beside {
		beside[t] = true
	}
	for _, t := range a.Toolset {
		doc.Tools = append(doc.Tools, jsonTool{Name: t.Name, Beside: beside[t], Takers: []jsonTaker{}})
	}
	if with == nil || len(a.Toolset) == 0 {
		return
	}
	costs, known := with.costs(a), with.index()
	doc.Toolset = &jsonToolset{Tools: len(a.Toolset)}
	for i, t := range a.Toolset {
		doc.Tools[i].Tokens = costs[t]
		doc.Toolset.Tokens += costs[t]
		for _, taker := range prompt.ToolTakers() {
			doc.Tools[i].Takers = append(doc.Tools[i].Takers, opt.taker(taker, known[taken{taker, t}]))
		}
	}
	for _, taker := range prompt.ToolTakers() {
		doc.Toolset.Takers = append(doc.Toolset.Takers, opt.taker(taker, known[taken{taker, nil}]))
	}
}

func (o Options) taker(name string, all []prompt.Objection) jsonTaker {
	out := jsonTaker{Name: name, Taken: true, Objections: []jsonObjection{}}
	for _, x := range all {
		f := x.Finding
		out.Taken = out.Taken && f.Level != diag.Error
		out.Objections = append(out.Objections, jsonObjection{f.Code, f.Level.String(), o.place(f.Span), x.Reason, wording.Message(f), wording.Hint(f)})
	}
	return out
}
