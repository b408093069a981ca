package diff

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// limit is one of the amounts of a budget, as a variant has it.
type limit struct {
	name string
	// of gives the limit as it is written, without what raises it, "" for none,
	// and its place.
	of func(l *prompt.Limits) (string, diag.Span)
	// most gives the limit and use what is compared with it; nil for what is
	// no limit of what is emitted.
	most func(l *prompt.Limits) int
	use  func(m measured) int
	// sized says that the use is in tokens.
	sized bool
}

// limits are the amounts of a budget, in the order of the documentation.
var limits = []limit{
	{
		name: "tokens", of: func(l *prompt.Limits) (string, diag.Span) { return amount(without(l.Tokens, l, plusTokens)), l.At },
		most: func(l *prompt.Limits) int { return l.Tokens }, use: func(m measured) int { return m.tokens }, sized: true,
	},
	{
		name: "chars", of: func(l *prompt.Limits) (string, diag.Span) { return amount(without(l.Chars, l, plusChars)), l.CharsAt },
		most: func(l *prompt.Limits) int { return l.Chars }, use: func(m measured) int { return m.chars },
	},
	{
		name: "tool_tokens", of: func(l *prompt.Limits) (string, diag.Span) { return amount(l.ToolTokens), l.ToolTokensAt },
		most: func(l *prompt.Limits) int { return l.ToolTokens }, use: func(m measured) int { return m.tools }, sized: true,
	},
	{name: "growth", of: func(l *prompt.Limits) (string, diag.Span) { return share(l.Growth), l.GrowthAt }},
	{name: "growth_tokens", of: func(l *prompt.Limits) (string, diag.Span) { return amount(l.GrowthTokens), l.GrowthTokensAt }},
	{name: "warn_at", of: func(l *prompt.Limits) (string, diag.Span) {
		if l.WarnAt <= 0 {
			return "", diag.Span{}
		}
		return share(l.WarnAt), l.At
	}},
	{name: "over", of: func(l *prompt.Limits) (string, diag.Span) { return either(l.Warn, "warn", "error"), l.At }},
}

// unlimited is the budget of what has none.
func unlimited() *prompt.Limits {
	return &prompt.Limits{Tokens: -1, Chars: -1, ToolTokens: -1, Growth: -1, GrowthTokens: -1}
}

func amount(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// share writes a share as manifests do.
func share(f float64) string {
	if f < 0 {
		return ""
	}
	return strconv.FormatFloat(float64(int(f*100*1e6+0.5))/1e6, 'f', -1, 64) + "%"
}

// limitKey groups edits of budgets: one place of the manifest is one edit,
// whoever shares it.
type limitKey struct {
	kind                    prompt.EditKind
	section, name, from, to string
	over                    bool
	at                      diag.Span
}

// budgets finds the limits that changed, and those that are exceeded now or no
// longer.
func (r *run) budgets() {
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			was, is := &t.base.Variant.Budget, &t.head.Variant.Budget
			r.limited(t, nil, was, is)
			r.crossed(t, nil, was, is, measure(t.base), measure(t.head))
			for _, s := range p.sections {
				r.sectionBudget(sizes, t, s)
			}
		}
	}
}

// sectionBudget looks at the budget of a section that says something on both
// sides.
func (r *run) sectionBudget(sizes *sizes, t twin, s *section) {
	before, after := t.used(s)
	if before == nil || after == nil {
		return
	}
	was, is := t.base.Variant.Uses[s.base].Budget, t.head.Variant.Uses[s.head].Budget
	if was == nil && is == nil {
		return
	}
	if was == nil {
		was = unlimited()
	}
	if is == nil {
		is = unlimited()
	}
	r.limited(t, s, was, is)
	if emission(was) || emission(is) {
		r.crossed(t, s, was, is, sizes.of(t.base.Variant.Tokenizer, before), sizes.of(t.head.Variant.Tokenizer, after))
	}
}

// limited adds the edits of limits that have other values than before.
func (r *run) limited(t twin, s *section, was, is *prompt.Limits) {
	declared := func(l *prompt.Limits) bool { return emission(l) || l.Growth >= 0 || l.GrowthTokens >= 0 }
	for i := range limits {
		l := &limits[i]
		from, before := l.of(was)
		to, after := l.of(is)
		if from == to || l.name == "over" && !(declared(was) && declared(is)) {
			continue
		}
		r.budgetChanged(t, s, l.name, [2]string{from, to}, before, after)
	}
	r.raised(t, s, was, is)
}

// budgetChanged adds a figure of a budget that is another now; "" is for none.
func (r *run) budgetChanged(t twin, s *section, name string, figures [2]string, before, after diag.Span) {
	key := limitKey{kind: prompt.BudgetChanged, section: idOf(s), name: name, from: figures[0], to: figures[1], at: after}
	inBase := false
	if !after.Known() || key.to == "" {
		key.at, inBase = before, true
	}
	reach(r.group(key, func() *prompt.Edit {
		return &prompt.Edit{Kind: key.kind, Section: key.section, Name: name, From: key.from, To: key.to, At: key.at, InBase: inBase}
	}), t)
}

// emission reports whether anything that is emitted is limited.
func emission(l *prompt.Limits) bool { return l.Tokens >= 0 || l.Chars >= 0 || l.ToolTokens >= 0 }

func idOf(s *section) string {
	if s == nil {
		return ""
	}
	return s.id
}
