package policy

import (
	"math"
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// limit is one of the amounts of a budget, as a variant has it. It is an amount
// or a share; negative is for none.
type limit struct {
	name   string
	amount func(l *prompt.Limits) *int
	share  func(l *prompt.Limits) *float64
	at     func(l *prompt.Limits) *diag.Span
	// plus gives what an entry of `plus` adds to it; nil for what none does.
	plus func(p *prompt.Plus) int
	// use gives what is compared with it, and unit is what that counts; nil for
	// what is no limit of what is emitted.
	use  func(m measured) int
	unit string
}

// limits are the amounts of a budget, in the order of the documentation.
var limits = []limit{
	{
		name: "tokens", unit: "tokens",
		amount: func(l *prompt.Limits) *int { return &l.Tokens }, at: func(l *prompt.Limits) *diag.Span { return &l.At },
		use: func(m measured) int { return m.tokens }, plus: func(p *prompt.Plus) int { return p.Tokens },
	},
	{
		name: "chars", unit: "characters",
		amount: func(l *prompt.Limits) *int { return &l.Chars }, at: func(l *prompt.Limits) *diag.Span { return &l.CharsAt },
		use: func(m measured) int { return m.chars }, plus: func(p *prompt.Plus) int { return p.Chars },
	},
	{
		name: "tool_tokens", unit: "tool tokens",
		amount: func(l *prompt.Limits) *int { return &l.ToolTokens }, at: func(l *prompt.Limits) *diag.Span { return &l.ToolTokensAt },
		use: func(m measured) int { return m.tools },
	},
	{name: growth, share: func(l *prompt.Limits) *float64 { return &l.Growth }, at: func(l *prompt.Limits) *diag.Span { return &l.GrowthAt }},
	{name: growthTokens, amount: func(l *prompt.Limits) *int { return &l.GrowthTokens }, at: func(l *prompt.Limits) *diag.Span { return &l.GrowthTokensAt }},
	{name: warnAt, share: func(l *prompt.Limits) *float64 { return &l.WarnAt }, at: func(l *prompt.Limits) *diag.Span { return &l.At }},
	{name: over, at: func(l *prompt.Limits) *diag.Span { return &l.At }},
}

const (
	growth       = "growth"
	growthTokens = "growth_tokens"
	warnAt       = "warn_at"
	over         = "over"
)

// of gives a limit; of what happens beyond one, whether it only warns.
func (r *limit) of(l *prompt.Limits) float64 {
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
func (r *limit) keep(to, from *prompt.Limits) {
	switch {
	case r.amount != nil:
		*r.amount(to) = *r.amount(from)
	case r.name == growth:
		to.Growth = from.Growth
	case r.name == over:
		*to = *from
	}
}

// words writes it as manifests do.
func (r *limit) words(n float64) string {
	switch {
	case n < 0:
		return ""
	case r.amount != nil:
		return strconv.Itoa(int(n))
	case r.share != nil:
		return share(n)
	default:
		return [...]string{"error", "warn"}[int(n)]
	}
}

func share(f float64) string {
	return strconv.FormatFloat(math.Round(f*100*1e6)/1e6, 'f', -1, 64) + "%"
}

// bare gives it as it stands in the manifest, without what raises it.
func (r *limit) bare(l *prompt.Limits) string {
	n := r.of(l)
	for i := range l.Raised {
		if r.plus != nil && n >= 0 {
			n -= float64(r.plus(&l.Raised[i]))
		}
	}
	return r.words(n)
}

// allows gives how much a limit lets through; nothing limits infinity.
func (r *limit) allows(l *prompt.Limits) float64 {
	if n := r.of(l); n >= 0 {
		return n
	}
	return math.Inf(1)
}

// applies reports whether a limit means something in two budgets: what happens
// beyond a limit does where both have one.
func (r *limit) applies(was, is *prompt.Limits) bool {
	return r.name != over || limited(was, 5) && limited(is, 5)
}

// limited reports whether a budget has one of the first n limits; of the first
// three, whether anything that is emitted is limited.
func limited(l *prompt.Limits, n int) bool {
	return slices.ContainsFunc(limits[:n], func(r limit) bool { return r.of(l) >= 0 })
}

func unlimited() *prompt.Limits {
	return &prompt.Limits{Tokens: -1, Chars: -1, ToolTokens: -1, Growth: -1, GrowthTokens: -1}
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
	for i := range limits {
		r := &limits[i]
		if from, to := r.bare(was), r.bare(is); from != to && r.applies(was, is) {
			j.changed(s, r.name, from, to, *r.at(was), *r.at(is))
		}
	}
	j.raised(s, was, is)
	if limited(was, 3) || limited(is, 3) {
		j.crossed(s, was, is)
	}
}

// changed adds a figure of a budget that is another now; "" is for none. One
// place of the manifest is one edit, whoever shares it.
func (j *judge) changed(s subject, name, from, to string, before, after diag.Span) {
	e := prompt.Edit{Kind: prompt.BudgetChanged, Section: s.section, Name: name, From: from, To: to, At: after}
	if !after.Known() || to == "" {
		e.At, e.InBase = before, true
	}
	reach(j.edit(e), s.Twin)
}

// raised adds the edits of what raises the limits of a variant: each entry of
// `plus` is compared with the one of the same condition, else with the next
// that nothing else is.
func (j *judge) raised(s subject, was, is *prompt.Limits) {
	gone, came := slices.Clone(was.Raised), slices.Clone(is.Raised)
	sameAmounts := func(a, b *prompt.Plus) bool { return a.Tokens == b.Tokens && a.Chars == b.Chars }
	sameWhen := func(a, b *prompt.Plus) bool { return condition(a.When) == condition(b.When) }
	for _, same := range []func(a, b *prompt.Plus) bool{
		func(a, b *prompt.Plus) bool { return sameAmounts(a, b) && sameWhen(a, b) },
		sameWhen, sameAmounts,
		func(_, _ *prompt.Plus) bool { return true },
	} {
		gone = slices.DeleteFunc(gone, func(a prompt.Plus) bool {
			n := slices.IndexFunc(came, func(b prompt.Plus) bool { return same(&a, &b) })
			if n >= 0 {
				j.raisedBy(s, &a, &came[n])
				came = slices.Delete(came, n, n+1)
			}
			return n >= 0
		})
	}
	for i := range gone {
		j.raisedBy(s, &gone[i], &prompt.Plus{})
	}
	for i := range came {
		j.raisedBy(s, &prompt.Plus{}, &came[i])
	}
}

// raisedBy adds the edits of one entry. What adds nothing is no entry.
func (j *judge) raisedBy(s subject, was, is *prompt.Plus) {
	for _, r := range limits[:2] {
		if from, to := r.plus(was), r.plus(is); from != to {
			j.changed(s, "plus."+r.name, strconv.Itoa(from), strconv.Itoa(to), was.At, is.At)
		}
	}
}

// crossed adds the edits of limits that are exceeded on one side only, with
// what one more variant uses, and may.
func (j *judge) crossed(s subject, was, is *prompt.Limits) {
	before := j.measure(s, s.Base, s.was, s.Base.Variant.Tokenizer)
	after := j.measure(s, s.Head, s.is, s.Head.Variant.Tokenizer)
	for i := range limits[:3] {
		r := &limits[i]
		used := [2]int{r.use(before), r.use(after)}
		isOver := float64(used[1]) > r.allows(is)
		if float64(used[0]) > r.allows(was) == isOver {
			continue
		}
		made := prompt.Edit{Kind: prompt.BudgetCrossed, Section: s.section, Name: r.name, Over: isOver, At: *r.at(is)}
		if !made.At.Known() || r.of(is) < 0 {
			made.At, made.InBase = *r.at(was), true
		}
		e := j.edit(made)
		for side, l := range []*prompt.Limits{was, is} {
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
