package diff

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// overruns judges the variants of the head, and their sections, by the budgets
// of the head and by those that the policy has stricter. There are findings about
// the latter: the head's own are those of its compilation.
func (r *run) overruns() diag.List {
	g := &growths{byKey: map[growthKey]*grown{}}
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if t.head == nil {
				continue
			}
			v := t.head.Variant
			r.over(g, t, "", &v.Budget, measure(t.head), false)
			r.over(g, t, "", r.stricter[limitOf{v, -1}], measure(t.head), true)
			for i, used := range t.head.Used {
				own, stricter := v.Uses[i].Budget, r.stricter[limitOf{v, i}]
				if used == nil || own == nil && stricter == nil {
					continue
				}
				id, size := p.Head.Prompt.Sections[i].ID.Str, sizes.of(v.Tokenizer, used)
				r.over(g, t, id, own, size, false)
				r.over(g, t, id, stricter, size, true)
			}
		}
	}
	return g.findings(r.d.Policy)
}

// over judges one variant, or a section in it, by one budget.
func (r *run) over(g *growths, t twin, section string, l *prompt.Limits, is measured, ofPolicy bool) {
	if l == nil {
		return
	}
	for i := range limits {
		row := &limits[i]
		if row.most == nil || row.most(l) < 0 || row.use(is) <= row.most(l) {
			continue
		}
		_, at := row.of(l)
		r.d.Over = append(r.d.Over, prompt.Overrun{Variant: t.head.Variant, At: at, Warn: l.Warn})
		if ofPolicy {
			unit := map[string]string{"tokens": "tokens", "chars": "characters", "tool_tokens": "tool tokens"}[row.name]
			key := growthKey{t.pair, section, float64(row.most(l)), at, l.Warn, false, true, unit}
			g.add(key, t.head.Variant, row.most(l), row.use(is))
		}
	}
}

// overrun gives what there is to say of a group that is over a budget.
func (o *grown) overrun(subject diag.Words) diag.Diagnostic {
	use, limit := diag.Count(o.to), diag.Count(int(o.key.limit))
	d := diag.New(diag.OverPolicy, o.key.at, "over-the-limit", subject, use, o.key.unit, limit)
	if in := o.among(); !in.None() {
		d.What = diag.Say("over-the-limit-in-variants", subject, limit, o.key.unit, in, o.most.Name, use)
	}
	d.Variant = o.most.Name
	if o.key.warn {
		d.Level = diag.Warning
	}
	return d
}
