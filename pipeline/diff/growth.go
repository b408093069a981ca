package diff

import (
	"math"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// growthKey groups variants, or a section in several, that grew by more than
// one limit lets them grow.
type growthKey struct {
	pair    *pair
	section string
	// limit is a share of what there was, or an amount.
	limit float64
	at    diag.Span
	warn  bool
	share bool // the limit is a share of what there was
	// policy says that the limit is not the head's, but stricter.
	policy bool
	// unit is, of a budget and no limit on growth, what it counts.
	unit string
}

// grown is one group: who grew, and who did the most.
type grown struct {
	key      growthKey
	in       prompt.Set
	most     *prompt.Variant
	from, to int
}

// growths collects the groups in the order of their first variants.
type growths struct {
	keys  []growthKey
	byKey map[growthKey]*grown
}

// growth judges how much variants, and sections of them, grew: by the limits
// of the head and by those that the policy has stricter, against the variants that
// they are compared with.
func (r *run) growth() diag.List {
	g := &growths{byKey: map[growthKey]*grown{}}
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			own, stricter := &t.head.Variant.Budget, r.stricter[limitOf{t.head.Variant, -1}]
			if limitsGrowth(own) || limitsGrowth(stricter) {
				before := r.before(t)
				g.judge(t, "", own, before, t.head.Use, false)
				g.judge(t, "", stricter, before, t.head.Use, true)
			}
			for _, s := range p.sections {
				g.section(sizes, t, s)
			}
		}
	}
	return g.findings(r.d.Policy)
}

// findings puts the groups into words.
func (g *growths) findings(policy prompt.Side) diag.List {
	var out diag.List
	for _, key := range g.keys {
		d := g.byKey[key].finding()
		if key.policy {
			d = d.WithDetail(diag.Say("limit-is-that-of", policy.Name))
		}
		if policy.Result != nil {
			d = d.WithHint("make it smaller, or raise the limit in a change of its own first")
		}
		out = append(out, d)
	}
	return out
}

// section judges a section that says something on both sides.
func (g *growths) section(sizes *sizes, t twin, s *section) {
	before, after := t.used(s)
	if before == nil || after == nil {
		return
	}
	own, stricter := t.head.Variant.Uses[s.head].Budget, sizes.run.stricter[limitOf{t.head.Variant, s.head}]
	if !limitsGrowth(own) && !limitsGrowth(stricter) {
		return
	}
	tokenizer := t.head.Variant.Tokenizer // for both
	from, to := sizes.of(tokenizer, before).tokens, sizes.of(tokenizer, after).tokens
	g.judge(t, s.id, own, from, to, false)
	g.judge(t, s.id, stricter, from, to, true)
}

func limitsGrowth(l *prompt.Limits) bool { return l != nil && (l.Growth >= 0 || l.GrowthTokens >= 0) }

// before gives what the base of a variant takes, as the head counts.
func (r *run) before(t twin) int {
	if r.sameTokenizer(t) {
		return t.base.Use
	}
	count := r.count(t.head.Variant.Tokenizer)
	slots := t.base.Use - t.base.Tokens
	if !t.base.Variant.Dialect.JSON {
		return count(t.base.Text()) + slots
	}
	n := 0
	for _, m := range t.base.Messages {
		for _, b := range m.Blocks {
			n += count(t.base.BlockText(b))
		}
	}
	return n + slots
}

// sameTokenizer reports whether both sides of a variant are counted alike: by
// the same name, which the same estimator has where it is one.
func (r *run) sameTokenizer(t twin) bool {
	name := t.head.Variant.Tokenizer
	if t.base.Variant.Tokenizer != name {
		return false
	}
	a, b := estimator(r.d.Base.Result, name), estimator(r.d.Head.Result, name)
	return a == nil && b == nil || a != nil && b != nil && a.Base.Str == b.Base.Str && a.Factor == b.Factor
}

func estimator(r *prompt.Result, name string) *prompt.Estimator {
	if r == nil || r.Spec == nil {
		return nil
	}
	for _, e := range r.Spec.Tokenizers {
		if e.Name.Str == name {
			return e
		}
	}
	return nil
}

// judge compares one growth with both limits, each by itself.
func (g *growths) judge(t twin, section string, l *prompt.Limits, from, to int, ofPolicy bool) {
	if l == nil {
		return
	}
	if l.Growth >= 0 && tooMuch(from, to, l.Growth) {
		g.add(growthKey{t.pair, section, l.Growth, l.GrowthAt, l.Warn, true, ofPolicy, ""}, t.head.Variant, from, to)
	}
	if l.GrowthTokens >= 0 && to-from > l.GrowthTokens {
		g.add(growthKey{t.pair, section, float64(l.GrowthTokens), l.GrowthTokensAt, l.Warn, false, ofPolicy, ""}, t.head.Variant, from, to)
	}
}

// tooMuch reports whether something grew by more than a share of what it was.
// Shares are decimal numbers, of which binary ones fall short by a hair.
func tooMuch(from, to int, share float64) bool {
	hair := 1e-9 * math.Max(1, float64(from))
	return float64(to-from) > share*float64(from)+hair
}

func (g *growths) add(key growthKey, v *prompt.Variant, from, to int) {
	one := g.byKey[key]
	if one == nil {
		one = &grown{key: key, in: prompt.NewSet(len(key.pair.head))}
		g.byKey[key] = one
		g.keys = append(g.keys, key)
	}
	one.in.Add(v.Index)
	if one.most == nil || one.less(from, to) {
		one.most, one.from, one.to = v, from, to
	}
}

// less reports whether the most that a group grew by is less than another
// growth, as its limit compares them.
func (o *grown) less(from, to int) bool {
	if o.key.share {
		return int64(to-from)*int64(o.from) > int64(o.to-o.from)*int64(from)
	}
	return to-from > o.to-o.from
}

// allowed says what the limit is.
func (k growthKey) allowed() diag.Words {
	if k.share {
		return diag.Say("percent", strings.TrimSuffix(share(k.limit), "%"))
	}
	return diag.Counted(int(k.limit), "one-token", "tokens")
}

// finding gives what there is to say of one group.
func (o *grown) finding() diag.Diagnostic {
	build := o.key.pair.Head
	subject := diag.Say("prompt", build.Prompt.ID.Str)
	if o.key.section != "" {
		subject = diag.Say("section-of-prompt", o.key.section, build.Prompt.ID.Str)
	}
	if o.key.unit != "" {
		return o.overrun(subject)
	}
	by := diag.Say("by-from-to", diag.Counted(o.to-o.from, "one-token", "tokens"), diag.Count(o.from), diag.Count(o.to))
	if o.from > 0 {
		by = diag.Say("with-share", by, float64(o.to-o.from)*100/float64(o.from))
	}
	d := diag.New(diag.GrowthExceeded, o.key.at, "grew", subject, by, o.key.allowed())
	if in := o.among(); !in.None() {
		d.What = diag.Say("grew-in-variants", subject, o.key.allowed(), in, o.most.Name, by)
	}
	d.Variant = o.most.Name
	if o.key.warn {
		d.Level = diag.Warning
	}
	return d.WithHint("shorten-or-raise-limit")
}

// among says which variants a group has, nothing for the only one of a prompt.
func (o *grown) among() diag.Words {
	build := o.key.pair.Head
	switch n, of := o.in.Len(), len(build.Variants); {
	case of == 1:
		return diag.Words{}
	case n < of:
		return diag.Say("some-variants", n, of, build.Describe(o.in))
	default:
		return diag.Say("all-variants", of)
	}
}
