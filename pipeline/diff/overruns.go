package diff

import (
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// overKey groups variants, or a section in several, that are over one limit of
// the policy.
type overKey struct {
	pair          *pair
	section, name string
	most          int
	at            diag.Span
	warn          bool
}

// over is one group: who is over, and who the most.
type over struct {
	in  prompt.Set
	top *prompt.Variant
	use int
}

// overruns collects the groups in the order of their first variants.
type overruns struct {
	*run
	keys  []overKey
	byKey map[overKey]*over
}

// overruns judges the variants of the head, and their sections, by the budgets
// of the head and by those that the policy has stricter. There are findings about
// the latter: the head's own are those of its compilation.
func (r *run) overruns() diag.List {
	o := &overruns{run: r, byKey: map[overKey]*over{}}
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if t.head == nil {
				continue
			}
			v := t.head.Variant
			o.judge(t, "", &v.Budget, measure(t.head), false)
			o.judge(t, "", r.stricter[limitOf{v, -1}], measure(t.head), true)
			for i, used := range t.head.Used {
				own, stricter := v.Uses[i].Budget, r.stricter[limitOf{v, i}]
				if used == nil || own == nil && stricter == nil {
					continue
				}
				id, size := p.Head.Prompt.Sections[i].ID.Str, sizes.of(v.Tokenizer, used)
				o.judge(t, id, own, size, false)
				o.judge(t, id, stricter, size, true)
			}
		}
	}
	var out diag.List
	for _, key := range o.keys {
		out = append(out, o.finding(key))
	}
	return out
}

func (o *overruns) judge(t twin, section string, l *prompt.Limits, is measured, ofPolicy bool) {
	if l == nil {
		return
	}
	for i := range limits {
		row := &limits[i]
		if row.most == nil || row.most(l) < 0 || row.use(is) <= row.most(l) {
			continue
		}
		_, at := row.of(l)
		o.d.Over = append(o.d.Over, prompt.Overrun{Variant: t.head.Variant, At: at, Warn: l.Warn})
		if ofPolicy {
			o.add(overKey{t.pair, section, row.name, row.most(l), at, l.Warn}, t.head.Variant, row.use(is))
		}
	}
}

func (o *overruns) add(key overKey, v *prompt.Variant, use int) {
	one := o.byKey[key]
	if one == nil {
		one = &over{in: prompt.NewSet(len(key.pair.head))}
		o.byKey[key] = one
		o.keys = append(o.keys, key)
	}
	one.in.Add(v.Index)
	if one.top == nil || use > one.use {
		one.top, one.use = v, use
	}
}

// finding puts one group into words.
func (o *overruns) finding(key overKey) diag.Diagnostic {
	one, build := o.byKey[key], key.pair.Head
	subject := fmt.Sprintf("prompt %q", build.Prompt.ID.Str)
	if key.section != "" {
		subject = fmt.Sprintf("section %q of %s", key.section, subject)
	}
	unit := map[string]string{"tokens": "tokens", "chars": "characters", "tool_tokens": "tool tokens"}[key.name]
	words := fmt.Sprintf("%s is %s %s, over the limit of %s", subject, diag.Number(one.use), unit, diag.Number(key.most))
	if n, of := one.in.Len(), len(build.Variants); of > 1 {
		in := fmt.Sprintf("all %d variants", of)
		if n < of {
			in = fmt.Sprintf("%d of %d variants (%s)", n, of, build.Describe(one.in))
		}
		words = fmt.Sprintf("%s is over the limit of %s %s in %s, most in %q: %s", subject, diag.Number(key.most), unit, in, one.top.Name, diag.Number(one.use))
	}
	d := diag.New(diag.OverPolicy, key.at, "%s", words).WithDetail(o.limitIsOf()).WithHint("%s", raiseFirst)
	if key.warn {
		d.Level = diag.Warning
	}
	return d
}

// limitIsOf says whose limit counts.
func (r *run) limitIsOf() string { return "the limit is that of " + r.d.Policy.Name }

// raiseFirst is what to do about a limit of the policy.
const raiseFirst = "make it smaller, or raise the limit in a change of its own first"
