package report

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

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
		for j, line := range wrapped(clean(shorten(o.says, 0)), 0, max(20, toolsWidth-columns(head))) {
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

// jsonTaker says whether one takes a tool.
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
