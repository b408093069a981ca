package report

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxObjections is how many objections are written out below the table of
// tools.
const maxObjections = 20

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
	total := 0
	for _, tool := range a.Toolset {
		n := with.Count(canon.Sent(tool.Canonical))
		total += n
		add(clean(tool.Name), number(n), tool)
	}
	if slices.ContainsFunc(takers, func(taker string) bool { return worst(known[taken{taker, nil}]) != nil }) {
		add("all "+number(len(a.Toolset)), number(total), nil)
	}
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

// objections writes out what is against the tools, once for all who have it.
func (p *page) objections(a *prompt.Artifact, known map[taken][]prompt.Objection) {
	var t table
	type objected struct {
		tool         *prompt.Tool
		reason, says string
	}
	met := map[objected]bool{}
	left := 0
	for _, tool := range append(slices.Clone(a.Toolset), nil) {
		name := "all " + number(len(a.Toolset))
		if tool != nil {
			name = tool.Name
		}
		for _, taker := range prompt.ToolTakers() {
			for _, o := range known[taken{taker, tool}] {
				key := objected{tool, o.Reason, o.Says}
				if met[key] || o.Finding.Level == diag.Note {
					continue
				}
				met[key] = true
				if len(t.rows) == maxObjections {
					left++
					continue
				}
				t.row(clean(name), clean(o.Reason), clean(shorten(o.Says, 0)))
				name = "" // once is enough
			}
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.line()
	t.print(p, 2)
	if left > 0 {
		p.line("and ", count(left, "more objection"))
	}
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
	Code    diag.Code `json:"code"`
	Level   string    `json:"level"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
}

func toolsJSON(a *prompt.Artifact, with *ToolsWith) []jsonTool {
	out := []jsonTool{}
	beside := map[*prompt.Tool]bool{}
	for _, t := range a.Beside {
		beside[t] = true
	}
	for _, t := range a.Toolset {
		out = append(out, jsonTool{Name: t.Name, Beside: beside[t], Takers: []jsonTaker{}})
	}
	if with == nil {
		return out
	}
	known := with.index()
	for i, t := range a.Toolset {
		out[i].Tokens = with.Count(canon.Sent(t.Canonical))
		for _, taker := range prompt.ToolTakers() {
			out[i].Takers = append(out[i].Takers, takerJSON(taker, known[taken{taker, t}]))
		}
	}
	return out
}

func takerJSON(name string, all []prompt.Objection) jsonTaker {
	out := jsonTaker{Name: name, Taken: true, Objections: []jsonObjection{}}
	for _, o := range all {
		out.Taken = out.Taken && o.Finding.Level != diag.Error
		out.Objections = append(out.Objections, jsonObjection{o.Finding.Code, o.Finding.Level.String(), o.Reason, o.Finding.Message})
	}
	return out
}
