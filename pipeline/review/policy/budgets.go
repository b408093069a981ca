package policy

import (
	"math"
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
)

// limit is one of the amounts of a budget, as a variant has it. It is an amount
// or a share; negative is for none.
type limit struct {
	name   string
	amount func(l *language.Limits) *int
	share  func(l *language.Limits) *float64
	at     func(l *language.Limits) *diag.Span
	// plus gives what an entry of `plus` adds to it; nil for what none does.
	plus func(p *language.Plus) int
	// use gives what is compared with it, and unit is what that counts; nil for
	// what is no limit of what is emitted.
	use  func(m measured) int
	unit string
}

// limits are the amounts of a budget, in the order of the documentation.
var limits = []limit{
	{
		name: "tokens", unit: "tokens",
		amount: func(l *language.Limits) *int { return &l.Tokens }, at: func(l *language.Limits) *diag.Span { return &l.At },
		use: func(m measured) int { return m.tokens }, plus: func(p *language.Plus) int { return p.Tokens },
	},
	{
		name: "chars", unit: "characters",
		amount: func(l *language.Limits) *int { return &l.Chars }, at: func(l *language.Limits) *diag.Span { return &l.CharsAt },
		use: func(m measured) int { return m.chars }, plus: func(p *language.Plus) int { return p.Chars },
	},
	{
		name: "tool_tokens", unit: "tool tokens",
		amount: func(l *language.Limits) *int { return &l.ToolTokens }, at: func(l *language.Limits) *diag.Span { return &l.ToolTokensAt },
		use: func(m measured) int { return m.tools },
	},
	{name: growth, share: func(l *language.Limits) *float64 { return &l.Growth }, at: func(l *language.Limits) *diag.Span { return &l.GrowthAt }},
	{name: growthTokens, amount: func(l *language.Limits) *int { return &l.GrowthTokens }, at: func(l *language.Limits) *diag.Span { return &l.GrowthTokensAt }},
	{name: warnAt, share: func(l *language.Limits) *float64 { return &l.WarnAt }, at: func(l *language.Limits) *diag.Span { return &l.At }},
	{name: over, at: func(l *language.Limits) *diag.Span { return &l.At }},
}

const (
	growth       = "growth"
	growthTokens = "growth_tokens"
	warnAt       = "warn_at"
	over         = "over"
)

// of gives a limit; of what happens beyond one, whether it only warns.
func (r *limit) of(l *language.Limits) float64 {
	switch {
	case r.amount != nil:
		return float64(*r.amount(l))
	case r.name == warnAt && l.WarnAt == 0:
		return -1
	case r.share != nil:
		return *r.share(l)
	case l.Warn:
		return 1
	default:
		return 0
	}
}

// keep takes a limit over from another budget. From when on it warns decides
// nothing about who is over it.
func (r *limit) keep(to, from *language.Limits) {
	switch {
	case r.amount != nil:
		*r.amount(to) = *r.amount(from)
	case r.name == growth:
		to.Growth = from.Growth
	case r.name == over:
		*to = *from
	}
}

// figure gives an amount, a share or what happens beyond a limit; nil for none.
func (r *limit) figure(n float64) review.Value {
	switch {
	case n < 0:
		return nil
	case r.amount != nil:
		return review.Amount(n)
	case r.share != nil:
		return review.Share(n)
	default:
		return review.OnlyWarns(n > 0)
	}
}

// percent gives a share in percent, rounded to the decimal number that the manifest
// has: a binary one is not exactly that.
func percent(share float64) float64 { return math.Round(share*100*1e6) / 1e6 }

// bare gives it as it stands in the manifest, without what raises it.
func (r *limit) bare(l *language.Limits) float64 {
	n := r.of(l)
	for i := range l.Raised {
		if r.plus != nil && n >= 0 {
			n -= float64(r.plus(&l.Raised[i]))
		}
	}
	return n
}

// allows gives how much a limit lets through; nothing limits infinity.
func (r *limit) allows(l *language.Limits) float64 {
	if n := r.of(l); n >= 0 {
		return n
	}
	return math.Inf(1)
}

// applies reports whether a limit means something in two budgets: what happens
// beyond a limit does where both have one.
func (r *limit) applies(was, is *language.Limits) bool {
	return r.name != over || limited(was, 5) && limited(is, 5)
}

// limited reports whether a budget has one of the first n limits; of the first
// three, whether anything that is emitted is limited.
func limited(l *language.Limits, n int) bool {
	return slices.ContainsFunc(limits[:n], func(r limit) bool { return r.of(l) >= 0 })
}

func unlimited() *language.Limits {
	return &language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1, Growth: -1, GrowthTokens: -1}
}

// budgets finds the limits of a subject that changed, and those that are
// exceeded now or no longer.
func (j *judge) budgets(s subject) {
	was, is := s.limits()
	if !s.compared() || was == nil && is == nil {
		return
	}
	if was == nil {
		was = unlimited()
	}
	if is == nil {
		is = unlimited()
	}
	for _, c := range figures(was, is) {
		reach(j.edit(c.edit(s.section)), s.Twin)
	}
	if limited(was, 3) || limited(is, 3) {
		j.crossed(s, was, is)
	}
}

// figure is a figure of a budget that is another now: that of a limit, or of what
// raises one.
type figure struct {
	of            *limit
	name          string
	from, to      float64 // negative for none
	before, after diag.Span
}

// edit gives the edit of a figure, at the line that declares it: in the base, for
// what is no more. One place of the manifest is one edit, whoever shares it.
func (f *figure) edit(section string) review.Edit {
	e := review.Edit{Kind: review.BudgetChanged, Section: section, Name: f.name, Was: f.of.figure(f.from), Is: f.of.figure(f.to), At: f.after}
	if !f.after.Known() || f.to < 0 {
		e.At, e.InBase = f.before, true
	}
	return e
}

// raises reports whether a figure lets more pass than before.
func (f *figure) raises() bool { return f.from >= 0 && (f.to < 0 || f.to > f.from) }

// figures gives the figures of two budgets that differ: of each limit, then of what
// raises them. Each entry of `plus` is compared with the one of the same condition,
// else with the next that nothing else is.
func figures(was, is *language.Limits) []figure {
	var out []figure
	for i := range limits {
		r := &limits[i]
		if from, to := r.bare(was), r.bare(is); from != to && r.applies(was, is) {
			out = append(out, figure{r, r.name, from, to, *r.at(was), *r.at(is)})
		}
	}
	gone, came := slices.Clone(was.Raised), slices.Clone(is.Raised)
	sameAmounts := func(a, b *language.Plus) bool { return a.Tokens == b.Tokens && a.Chars == b.Chars }
	sameWhen := func(a, b *language.Plus) bool { return condition(a.When) == condition(b.When) }
	for _, same := range []func(a, b *language.Plus) bool{
		func(a, b *language.Plus) bool { return sameAmounts(a, b) && sameWhen(a, b) },
		sameWhen, sameAmounts,
		func(_, _ *language.Plus) bool { return true },
	} {
		gone = slices.DeleteFunc(gone, func(a language.Plus) bool {
			n := slices.IndexFunc(came, func(b language.Plus) bool { return same(&a, &b) })
			if n >= 0 {
				out = append(out, raised(&a, &came[n])...)
				came = slices.Delete(came, n, n+1)
			}
			return n >= 0
		})
	}
	for i := range gone {
		out = append(out, raised(&gone[i], &language.Plus{})...)
	}
	for i := range came {
		out = append(out, raised(&language.Plus{}, &came[i])...)
	}
	return out
}

// raised gives the figures of one entry. What adds nothing is no entry.
func raised(was, is *language.Plus) []figure {
	var out []figure
	for i := range limits[:2] {
		r := &limits[i]
		if from, to := r.plus(was), r.plus(is); from != to {
			out = append(out, figure{r, "plus." + r.name, float64(from), float64(to), was.At, is.At})
		}
	}
	return out
}

// crossed adds the edits of limits that are exceeded on one side only, with
// what one more variant uses, and may.
func (j *judge) crossed(s subject, was, is *language.Limits) {
	before := j.measure(s, s.Base, s.was, s.Base.Variant.Tokenizer)
	after := j.measure(s, s.Head, s.is, s.Head.Variant.Tokenizer)
	for i := range limits[:3] {
		r := &limits[i]
		used := [2]int{r.use(before), r.use(after)}
		isOver := float64(used[1]) > r.allows(is)
		if float64(used[0]) > r.allows(was) == isOver {
			continue
		}
		made := review.Edit{Kind: review.BudgetCrossed, Section: s.section, Name: r.name, Over: isOver, At: *r.at(is)}
		if !made.At.Known() || r.of(is) < 0 {
			made.At, made.InBase = *r.at(was), true
		}
		e := j.edit(made)
		for side, l := range []*language.Limits{was, is} {
			e.Used[side].Add(used[side])
			if n := r.of(l); n >= 0 {
				e.Limit[side].Add(int(n))
			}
		}
		if isOver {
			e.Excess.Add(used[1] - int(r.of(is)))
		}
		row := reach(e, s.Twin)
		if r.name != "chars" { // the reach counts in tokens
			row.AddTokens(s.Head.Variant, used[1]-used[0])
		}
	}
}
