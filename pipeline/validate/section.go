package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func (d *decoder) prompt(f prompt.Field) *prompt.Prompt {
	n := f.Value
	out := &prompt.Prompt{
		ID:          d.declared(f),
		Description: n.Field("description").Scalar(),
		Exclude:     d.condition(n.Field("exclude")),
		Tokenizer:   cases(d, n.Field("tokenizer"), d.word),
		Budget:      cases(d, n.Field("budget"), d.budget),
		Layout:      d.layouts(n.Field("layout")),
		Dialect:     cases(d, n.Field("dialect"), d.word),
		Cache:       cases(d, n.Field("cache_minimum"), d.amount),
		Join:        cases(d, n.Field("join"), d.text),
		Order:       cases(d, n.Field("order"), d.words),
		Expect:      mappings(n.Field("expect"), d.expectation),
	}
	out.Rendered = d.rendered(n)
	out.Axes = d.axes(n.Field("axes"), out.Rendered)
	ids := newDistinct("section")
	if sections := n.Field("sections"); sections != nil {
		for _, item := range sections.Items {
			if item.Kind != prompt.Mapping {
				continue
			}
			s := d.section(item)
			if s.ID.At.Known() {
				d.id(s.ID)
				d.once(ids, s.ID)
			}
			out.Sections = append(out.Sections, s)
		}
	}
	return out
}

func (d *decoder) section(n *prompt.Node) *prompt.Section {
	out := &prompt.Section{
		When:    d.condition(n.Field("when")),
		Needs:   d.needs(n.Field("needs")),
		Text:    cases(d, n.Field("text"), d.text),
		Path:    cases(d, n.Field("path"), d.words),
		Source:  cases(d, n.Field("source"), d.words),
		Heading: cases(d, n.Field("heading"), d.text),
		Before:  cases(d, n.Field("before"), d.text),
		After:   cases(d, n.Field("after"), d.text),
		Join:    cases(d, n.Field("join"), d.text),
		Form:    cases(d, n.Field("form"), d.word),
		Only:    cases(d, n.Field("only"), d.words),
		Select:  cases(d, n.Field("select"), d.selection),
		Options: d.options(n),
		Budget:  cases(d, n.Field("budget"), d.budget),
		Degrade: cases(d, n.Field("degrade"), d.steps),

		Breakpoint: cases(d, n.Field("breakpoint"), d.flag),
		Volatile:   cases(d, n.Field("volatile"), d.flag),

		Phase:    cases(d, n.Field("phase"), d.word),
		Priority: cases(d, n.Field("priority"), d.number),
		Weight:   cases(d, n.Field("weight"), d.number),
		Sticky:   cases(d, n.Field("sticky"), d.flag),
	}
	out.ID, _ = d.word(n.Field("id"))
	d.ownText(n, out)
	return out
}

// ownText reports keys that mean nothing to a section with a text or path of
// its own: it is of kind text, which has no forms and no options. Sections
// with a source are looked at when the source is known.
func (d *decoder) ownText(n *prompt.Node, s *prompt.Section) {
	if n.Field("source") != nil || n.Field("text") == nil && n.Field("path") == nil {
		return
	}
	text, _ := prompt.LookupKind("text")
	for _, f := range n.Fields {
		if slices.Contains(textKeys, f.Key) {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "a section with its own text takes no %q", f.Key).
				WithHint("it is of kind %q; the key belongs to a section with a `source`", text.Name))
		}
	}
	for _, c := range s.Degrade {
		for _, step := range c.Value {
			if step.Form.At.Known() && !step.Source.At.Known() { // both are refused by the schema
				d.found = append(d.found, diag.New(diag.KeyNotForKind, step.Form.At, "a section with its own text has no form %s", quote(step.Form.Str)).
					WithHint("step down to a `source` with a shorter text"))
			}
		}
	}
}

// needs decodes {tools: …}, in which the list may be one of cases as well.
func (d *decoder) needs(n *prompt.Node) prompt.Cases[prompt.Needs] {
	if tools := n.Field("tools"); isCases(tools) {
		var out prompt.Cases[prompt.Needs]
		for _, c := range cases(d, tools, d.words) {
			out = append(out, prompt.Case[prompt.Needs]{When: c.When, Value: prompt.Needs{Tools: c.Value}, At: c.At})
		}
		return out
	}
	return cases(d, n, func(n *prompt.Node) (prompt.Needs, bool) {
		tools, ok := d.words(n.Field("tools"))
		return prompt.Needs{Tools: tools}, ok
	})
}

func (d *decoder) steps(n *prompt.Node) ([]prompt.Step, bool) {
	if n.Kind != prompt.Sequence {
		return nil, false
	}
	var out []prompt.Step
	for _, item := range n.Items {
		step := prompt.Step{At: item.At}
		step.Form, _ = d.word(item.Field("form"))
		step.Source, _ = d.word(item.Field("source"))
		out = append(out, step)
	}
	return out, true
}
