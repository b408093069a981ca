// Package compose turns a Plan and its Renderings into Artifacts: it decides
// what each variant emits, in which order and form, and keeps the ledger.
package compose

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

// Counters gives the counter of a tokenizer's name; it has one for every name
// that resolve let through.
type Counters func(name string) *token.Counter

// Run composes every variant of every build, in their order.
func Run(plan *prompt.Plan, renderings []*prompt.Rendering, counters Counters) ([]*prompt.Artifact, diag.List) {
	c := &composer{renderings: renderings, schemas: map[*prompt.Tool]string{}}
	var out []*prompt.Artifact
	for _, b := range plan.Builds {
		for _, v := range b.Variants {
			a := c.variant(b, v, counters(v.Tokenizer))
			c.judge(a, counters(v.Tokenizer))
			out = append(out, a)
		}
	}
	return out, c.diags.Sorted()
}

// composer is the state of one Run.
type composer struct {
	renderings []*prompt.Rendering
	diags      diag.List
	schemas    map[*prompt.Tool]string // compact canonical JSON
}

// variant composes one variant in its layout.
func (c *composer) variant(b *prompt.Build, v *prompt.Variant, count *token.Counter) *prompt.Artifact {
	d := &draft{composer: c, build: b, variant: v, count: count, steps: make([]int, len(v.Uses))}
	if v.Layout.On {
		return d.phases()
	}
	return d.sequence()
}

// draft is one variant while it is composed.
type draft struct {
	*composer
	build   *prompt.Build
	variant *prompt.Variant
	count   *token.Counter
	steps   []int // rungs taken, by section
}

// sequence lays out the declared order. Nothing is dropped; sections with a
// ladder step down while the prompt is over its budget.
func (d *draft) sequence() *prompt.Artifact {
	for {
		a := d.assemble(d.variant.Order, "")
		d.measure(a)
		if !over(a) {
			return a
		}
		section, ok := d.lastWithSteps()
		if !ok {
			return a
		}
		d.steps[section]++
	}
}

// over reports whether the emitted text exceeds the variant's budget.
func over(a *prompt.Artifact) bool {
	l := a.Variant.Budget
	return l.Tokens >= 0 && a.Use > l.Tokens || l.Chars >= 0 && a.Chars > l.Chars
}

// canStep reports whether a section has a rung left.
func (d *draft) canStep(section int) bool {
	u := d.variant.Uses[section]
	return u.Unit >= 0 && d.steps[section] < len(u.Steps)
}

// lastWithSteps gives the last declared section that can still go down.
func (d *draft) lastWithSteps() (int, bool) {
	for i := len(d.steps) - 1; i >= 0; i-- {
		if d.canStep(i) {
			return i, true
		}
	}
	return 0, false
}

// rendering gives what a section says on its present rung; nil where it is
// out.
func (d *draft) rendering(section int) *prompt.Rendering {
	u := d.variant.Uses[section]
	switch {
	case u.Unit < 0:
		return nil
	case d.steps[section] > 0:
		return d.renderings[u.Steps[d.steps[section]-1].Unit]
	default:
		return d.renderings[u.Unit]
	}
}

// assemble lays the sections of an order one after another with their joins,
// and the notice, if any, behind them. A section that is out takes its join
// with it.
func (d *draft) assemble(order []int, notice string) *prompt.Artifact {
	a := &prompt.Artifact{Build: d.build, Variant: d.variant, Notice: notice != ""}
	for _, i := range order {
		use, r := d.variant.Uses[i], d.rendering(i)
		if r == nil {
			a.Out = append(a.Out, prompt.Omission{Section: i, Reason: use.Out, Why: use.Why})
			continue
		}
		a.Toolset = append(a.Toolset, r.Tools...)
		if r.Beside {
			a.Beside = append(a.Beside, r.Tools...)
		}
		if r.Text.Str == "" {
			if len(r.Tools) == 0 {
				a.Out = append(a.Out, prompt.Omission{Section: i, Reason: prompt.OutEmpty})
			}
			continue
		}
		join := d.variant.Join.Str
		if use.Join != nil {
			join = use.Join.Str
		}
		glue(a, join, prompt.Part{Section: i, Text: r.Text.Str, Rendering: r})
	}
	if notice != "" {
		glue(a, d.variant.Join.Str, prompt.Part{Section: -1, Text: notice})
	}
	if len(a.Parts) > 0 {
		place(a, prompt.Part{Section: -1, Text: "\n"})
	}
	return a
}

// glue appends a part behind its join; the first part has none.
func glue(a *prompt.Artifact, join string, p prompt.Part) {
	if len(a.Parts) > 0 {
		place(a, prompt.Part{Section: -1, Text: join})
	}
	place(a, p)
}

// place appends a part that has bytes.
func place(a *prompt.Artifact, p prompt.Part) {
	if p.Text == "" {
		return
	}
	p.Start = a.Bytes()
	a.Parts = append(a.Parts, p)
}
