package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// choice says which case counts in each variant; nil is the first one in all
// of them.
type choice []int

func (c choice) at(variant int) int {
	if c == nil {
		return 0
	}
	return c[variant]
}

// choose decides a value's cases for the variants of a domain. Where none
// holds, the choice is -1 and the fact is reported: what is the value's name.
func choose[T any](s *scope, cases language.Cases[T], domain ground.Set, what any) choice {
	if len(cases) == 0 || len(cases) == 1 && len(cases[0].When) == 0 {
		return nil
	}
	out := make(choice, s.all.Size())
	left, before := domain, len(s.diags)
	for i := range out {
		out[i] = -1
	}
	for i, c := range cases {
		now := s.holds(c.When)
		for _, v := range s.build.Variants {
			if left.Has(v.Index) && now.Has(v.Index) {
				out[v.Index] = i
			}
		}
		left = left.Minus(now)
	}
	if left.Len() > 0 && len(s.diags) == before { // a wrong condition is finding enough
		s.diags = append(s.diags, diag.New(diag.NoCase, cases[0].At, "no-case-holds-variants",
			what, left.Len(), s.all.Size(), s.prompt.ID.Str, setcover.NewCover(s.build).InWords(left)).
			WithHint("add-last-case-without"))
	}
	return out
}

// pick gives the value that counts in a variant, and whether there is one.
func pick[T any](cases language.Cases[T], c choice, variant int) (T, bool) {
	i := c.at(variant)
	if i < 0 || i >= len(cases) {
		var zero T
		return zero, false
	}
	return cases[i].Value, true
}

// put sets what counts in a variant, and its place, where there is something.
func put[T any](cases language.Cases[T], c choice, variant int, to *T, at *diag.Span) {
	if value, ok := pick(cases, c, variant); ok {
		*to, *at = value, cases[c.at(variant)].At
	}
}

// placeOf gives the place of a case, of the first where none holds; none for a
// value that is not set.
func placeOf[T any](cases language.Cases[T], i int) diag.Span {
	if len(cases) == 0 {
		return diag.Span{}
	}
	return cases[max(0, i)].At
}

// having gives the variants of a domain for which something is so.
func (s *scope) having(domain ground.Set, is func(variant int) bool) ground.Set {
	out := ground.NewSet(s.all.Size())
	for _, v := range s.build.Variants {
		if domain.Has(v.Index) && is(v.Index) {
			out.Add(v.Index)
		}
	}
	return out
}

// settings decides the prompt's own values for every variant.
func (s *scope) settings() {
	p := s.prompt
	tokenizer := choose(s, p.Tokenizer, s.all, "tokenizer")
	for _, c := range p.Tokenizer {
		s.tokenizer(c.Value, s.tokenizers)
	}
	join := choose(s, p.Join, s.all, "join")
	clear(s.read)
	s.decideLayouts()
	s.shapes = slices.Clone(s.read)
	minimum := choose(s, p.Cache, s.all, "cache_minimum")
	budget := s.limits(p.Budget, s.all)
	for _, v := range s.build.Variants {
		v.Tokenizer, v.Undeclared = s.plan.Tokenizer, s.binder.spec.Tokenizer.Str == ""
		if w, ok := pick(p.Tokenizer, tokenizer, v.Index); ok {
			v.Tokenizer, v.Undeclared = w.Str, false
		}
		v.Join = ground.Literal("\n\n")
		if t, ok := pick(p.Join, join, v.Index); ok {
			v.Join = t
		}
		v.Budget = budget(v.Index)
		if v.Layout.On && v.Budget.Tokens < 0 && v.Budget.Chars < 0 {
			v.Budget.Tokens, v.Budget.Default = assembly.DefaultWindow, true
			if !v.Budget.At.Known() {
				v.Budget.At = s.layouts[v.Index].name.At
			}
		}
		s.phased = s.phased || v.Layout.On
		v.CacheMinimum = ground.MinimumPrefix
		if n, ok := pick(p.Cache, minimum, v.Index); ok {
			v.CacheMinimum = n
		}
	}
	s.dialects()
}

// unlimited is a budget that limits nothing.
var unlimited = language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1, Growth: -1, GrowthTokens: -1}

// limits prepares a budget for the variants of a domain: what it gives
// decides one variant.
func (s *scope) limits(cases language.Cases[language.Budget], domain ground.Set) func(variant int) language.Limits {
	chosen := choose(s, cases, domain, "budget")
	inner := make([]func(int) language.Limits, len(cases))
	for i, c := range cases {
		inner[i] = s.budget(c.Value, s.having(domain, func(v int) bool { return chosen.at(v) == i }))
	}
	return func(variant int) language.Limits {
		i := chosen.at(variant)
		if i < 0 || i >= len(inner) {
			return unlimited
		}
		return inner[i](variant)
	}
}

func (s *scope) budget(b language.Budget, domain ground.Set) func(int) language.Limits {
	tokens := choose(s, b.Tokens, domain, "tokens")
	chars := choose(s, b.Chars, domain, "chars")
	tools := choose(s, b.ToolTokens, domain, "tool_tokens")
	warnAt := choose(s, b.WarnAt, domain, "warn_at")
	warn := choose(s, b.Warn, domain, "over")
	growth := choose(s, b.Growth, domain, "growth")
	growthTokens := choose(s, b.GrowthTokens, domain, "growth_tokens")
	plus := make([]ground.Set, len(b.Plus))
	for i, p := range b.Plus {
		plus[i] = s.holds(p.When)
	}
	return func(v int) language.Limits {
		out := unlimited
		out.At = b.At
		put(b.Tokens, tokens, v, &out.Tokens, &out.At)
		put(b.Chars, chars, v, &out.Chars, &out.CharsAt)
		put(b.ToolTokens, tools, v, &out.ToolTokens, &out.ToolTokensAt)
		put(b.Growth, growth, v, &out.Growth, &out.GrowthAt)
		put(b.GrowthTokens, growthTokens, v, &out.GrowthTokens, &out.GrowthTokensAt)
		put(b.WarnAt, warnAt, v, &out.WarnAt, &out.WarnAtAt)
		put(b.Warn, warn, v, &out.Warn, &out.OverAt)
		for i, p := range b.Plus {
			if plus[i].Has(v) {
				out.Tokens = raise(out.Tokens, p.Tokens)
				out.Chars = raise(out.Chars, p.Chars)
				out.Raised = append(out.Raised, p)
			}
		}
		return out
	}
}

// raise adds to a limit; what is not limited stays so.
func raise(limit, by int) int {
	if limit < 0 {
		return limit
	}
	return limit + by
}

// order decides the order of the sections of every variant.
func (s *scope) order() {
	p := s.prompt
	declared, ids := make([]int, len(p.Sections)), sectionIDs(p)
	for i := range declared {
		declared[i] = i
	}
	chosen := choose(s, p.Order, s.all, "order")
	for _, v := range s.build.Variants {
		if i := chosen.at(v.Index); v.Layout.On && i >= 0 && i < len(p.Order) {
			s.diags = append(s.diags, diag.New(diag.UselessOption, p.Order[i].At, "prompt-sets-order-layout", p.ID.Str).
				WithHint("remove-layouts-own-order"))
		}
	}
	told := map[forgotten]bool{}
	orders := make([][]int, len(p.Order))
	for i, c := range p.Order {
		orders[i] = s.sequence(c.Value, ids)
	}
	for _, v := range s.build.Variants {
		v.Order = declared
		i := chosen.at(v.Index)
		if i < 0 || i >= len(orders) {
			continue
		}
		v.Order = s.complete(orders[i], v, p.Order[i].At, told)
	}
}

// sequence turns a list of ids into indices, without the unknown ones. That
// none stands there twice was checked before.
func (s *scope) sequence(order []ground.Word, ids []string) []int {
	var out []int
	for _, w := range order {
		if !s.known(diag.UnknownSection, w, ids, "prompt-no-section", s.prompt.ID.Str, w.Str) {
			continue
		}
		out = append(out, slices.Index(ids, w.Str))
	}
	return out
}

// forgotten is a section that an order leaves out.
type forgotten struct {
	order   diag.Span
	section int
}

// complete appends the sections that a variant does not have anyway, and
// reports those that it has and the order forgot, once for all variants.
func (s *scope) complete(order []int, v *assembly.Variant, at diag.Span, told map[forgotten]bool) []int {
	out := slices.Clone(order)
	for i, sec := range s.prompt.Sections {
		if slices.Contains(order, i) {
			continue
		}
		out = append(out, i)
		if v.Messages != nil && v.Messages.Reminder == i {
			continue // it has a place of its own
		}
		if key := (forgotten{at, i}); v.Uses[i].Out != assembly.OutWhen && !told[key] {
			told[key] = true
			s.diags = append(s.diags, diag.New(diag.IncompleteOrder, at, "order-leaves-out-section", sec.ID.Str, s.prompt.ID.Str).
				WithHint("name-where-belongs-say"))
		}
	}
	return out
}

func sortUnique(names *[]string) {
	slices.Sort(*names)
	*names = slices.Compact(*names)
}

// memory is what a section was for variants before. What a section is depends
// on the values of the axes that are asked for on the way there, and on nothing
// else of a variant: variants alike in these are decided once.
type memory struct {
	read      []bool // the axes that were asked for, by conditions and paths
	decided   map[string]decided
	fallbacks []*language.Source // that stood in for the variant at hand
}

// decided is what one variant does with a section, for all that are like it.
type decided struct {
	use       assembly.Use
	fallbacks []*language.Source
}

// remember starts a section's memory. The layout counts with what it asks for
// itself: it decides what a section says of its place.
func (sec *section) remember() {
	sec.memory = memory{read: make([]bool, len(sec.axes)), decided: map[string]decided{}}
	copy(sec.memory.read, sec.shapes)
	sec.scope.read = sec.memory.read
}

// use decides what a variant does with the section.
func (sec *section) use(v *assembly.Variant) {
	m := &sec.memory
	sec.scope.read = m.read
	key := m.key(v)
	if was, ok := m.decided[key]; ok {
		v.Uses[sec.index] = was.use
		for _, src := range was.fallbacks {
			sec.binder.fallbacks.Of(src).stoodIn(sec.scope, v)
		}
		return
	}
	m.fallbacks = nil
	sec.decide(v)
	now := m.key(v)
	if len(now) > len(key) {
		clear(m.decided) // by fewer axes than count
	}
	m.decided[now] = decided{v.Uses[sec.index], m.fallbacks}
}

// key tells variants apart by the values of the axes that were asked for.
func (m *memory) key(v *assembly.Variant) string {
	key := make([]byte, 0, 3*len(m.read))
	for axis, read := range m.read {
		if read {
			key = append(key, byte(v.Values[axis]), byte(v.Values[axis]>>8), byte(v.Values[axis]>>16))
		}
	}
	return string(key)
}
