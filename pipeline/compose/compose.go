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
			out = append(out, c.variant(b, v, counters(v.Tokenizer)))
		}
		c.noteSteps(b, out[len(out)-len(b.Variants):])
	}
	return out, c.diags.Sorted()
}

// composer is the state of one Run.
type composer struct {
	renderings []*prompt.Rendering
	diags      diag.List
	schemas    map[*prompt.Tool]string // compact canonical JSON
}

// variant composes one variant in the layout `sequence`: declared order,
// nothing dropped; sections with a ladder step down while it is over budget.
func (c *composer) variant(b *prompt.Build, v *prompt.Variant, count *token.Counter) *prompt.Artifact {
	steps := make([]int, len(v.Uses)) // rungs taken, by section
	a := c.assemble(b, v, steps)
	c.measure(a, count)
	for over(a) {
		section, ok := nextStep(v, steps)
		if !ok {
			break
		}
		steps[section]++
		a = c.assemble(b, v, steps)
		c.measure(a, count)
	}
	c.judge(a, count)
	return a
}

// noteSteps says which sections stepped down, once for each section.
func (c *composer) noteSteps(b *prompt.Build, artifacts []*prompt.Artifact) {
	for i, sec := range b.Prompt.Sections {
		stepped := prompt.NewSet(len(b.Variants))
		for _, a := range artifacts {
			for _, p := range a.Parts {
				if p.Section == i && p.Rendering.Unit.Step != "" {
					stepped.Add(a.Variant.Index)
				}
			}
		}
		if n := stepped.Len(); n > 0 {
			c.diags.Add(diag.SteppedForms, sec.ID.At, "section %q stepped down to fit in %d of %d: %s", sec.ID.Str, n, len(b.Variants), b.Describe(stepped))
		}
	}
}

// over reports whether the emitted text exceeds the variant's budget.
func over(a *prompt.Artifact) bool {
	l := a.Variant.Budget
	return l.Tokens >= 0 && a.Use > l.Tokens || l.Chars >= 0 && a.Chars > l.Chars
}

// nextStep gives the last declared section that can still go down a rung.
func nextStep(v *prompt.Variant, steps []int) (int, bool) {
	for i := len(v.Uses) - 1; i >= 0; i-- {
		if v.Uses[i].Unit >= 0 && steps[i] < len(v.Uses[i].Steps) {
			return i, true
		}
	}
	return 0, false
}

// assemble lays the sections one after another with their joins.
func (c *composer) assemble(b *prompt.Build, v *prompt.Variant, steps []int) *prompt.Artifact {
	a := &prompt.Artifact{Build: b, Variant: v}
	for _, i := range v.Order {
		use := v.Uses[i]
		if use.Unit < 0 {
			a.Out = append(a.Out, prompt.Omission{Section: i, Reason: use.Out, Why: use.Why})
			continue
		}
		unit := use.Unit
		if steps[i] > 0 {
			unit = use.Steps[steps[i]-1].Unit
		}
		r := c.renderings[unit]
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
		if len(a.Parts) > 0 {
			join := v.Join.Str
			if use.Join != nil {
				join = use.Join.Str
			}
			place(a, prompt.Part{Section: -1, Text: join})
		}
		place(a, prompt.Part{Section: i, Text: r.Text.Str, Rendering: r})
	}
	if len(a.Parts) > 0 {
		place(a, prompt.Part{Section: -1, Text: "\n"})
	}
	return a
}

// place appends a part that has bytes.
func place(a *prompt.Artifact, p prompt.Part) {
	if p.Text == "" {
		return
	}
	p.Start = a.Bytes()
	a.Parts = append(a.Parts, p)
}
