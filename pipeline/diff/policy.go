package diff

import (
	"fmt"
	"math"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pairing"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Policy is what a head is judged by beside its own limits: whoever changes a
// limit is not to be the one who sets it.
type Policy struct {
	// Side has the limits and the expectations; without a Result the head's
	// count alone.
	Side prompt.Side
	// Lowered are the checks that count for less in the head.
	Lowered []prompt.Lowered
}

// weakening compares a policy with the head. by pairs the two: it is the run
// itself where the policy is the base's.
type weakening struct {
	*run
	by *run
}

// limitOf says what a limit is about: a variant of the head or, in it, the
// section of that index in Prompt.Sections, -1 for the variant as a whole.
type limitOf struct {
	variant *prompt.Variant
	section int
}

const (
	settingFamilies  = "families"
	settingLimits    = "limits"
	settingTokenizer = "tokenizer"
)

// weakened finds where the head's policy is weaker than another.
func (r *run) weakened(policy Policy) {
	r.d.Policy = policy.Side
	if policy.Side.Result == nil || r.d.Head.Result == nil {
		return
	}
	w := weakening{r, r}
	if policy.Side.Result != r.d.Base.Result {
		w.by = newRun(policy.Side, r.d.Head, pairing.Of(policy.Side.Result, r.d.Head.Result, r.two.Counters))
	}
	for _, p := range w.by.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		for _, t := range p.twins {
			if t.both() {
				w.limits(t)
			}
		}
		w.expectations(p)
	}
	w.checks(policy.Lowered)
	w.narrowed(policy.Side.Result.Spec, r.d.Head.Result.Spec)
}

// allowance is how much a limit lets through; nothing limits infinity. keep
// takes the limit over from another budget.
type allowance struct {
	of   func(*prompt.Limits) float64
	keep func(to, from *prompt.Limits)
}

// allowances are those of limits, by name.
var allowances = map[string]allowance{
	"tokens":        {func(l *prompt.Limits) float64 { return most(l.Tokens) }, func(to, from *prompt.Limits) { to.Tokens = from.Tokens }},
	"chars":         {func(l *prompt.Limits) float64 { return most(l.Chars) }, func(to, from *prompt.Limits) { to.Chars = from.Chars }},
	"tool_tokens":   {func(l *prompt.Limits) float64 { return most(l.ToolTokens) }, func(to, from *prompt.Limits) { to.ToolTokens = from.ToolTokens }},
	"growth":        {func(l *prompt.Limits) float64 { return most(l.Growth) }, func(to, from *prompt.Limits) { to.Growth = from.Growth }},
	"growth_tokens": {func(l *prompt.Limits) float64 { return most(l.GrowthTokens) }, func(to, from *prompt.Limits) { to.GrowthTokens = from.GrowthTokens }},
	"warn_at": {func(l *prompt.Limits) float64 {
		if l.WarnAt <= 0 {
			return math.Inf(1)
		}
		return l.WarnAt
	}, func(_, _ *prompt.Limits) {}},
	"over": {func(l *prompt.Limits) float64 {
		if l.Warn {
			return 1
		}
		return 0
	}, func(to, from *prompt.Limits) { *to = *from }},
}

func most[N int | float64](n N) float64 {
	if n < 0 {
		return math.Inf(1)
	}
	return float64(n)
}

// limits compares the budgets of a variant and of its sections, and what they
// are counted with.
func (w weakening) limits(t twin) {
	was, is := t.base.Variant, t.head.Variant
	w.weaker(t, nil, &was.Budget, &is.Budget)
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		a, b := &was.Uses[s.base], &is.Uses[s.head]
		switch {
		case a.Unit < 0 || b.Unit < 0 || a.Budget == nil:
		case b.Budget == nil:
			w.weaker(t, s, a.Budget, unlimited())
		default:
			w.weaker(t, s, a.Budget, b.Budget)
		}
	}
	l := &was.Budget
	if (l.Tokens >= 0 || l.ToolTokens >= 0 || l.GrowthTokens >= 0) && !w.by.two.SameTokenizer(t.paired()) && w.by.two.Recounted(t.paired()) < 0 {
		at := caseAt(t.pair.Head.Prompt.Tokenizer)
		if !at.Known() {
			at = w.d.Head.Result.Spec.Tokenizer.At
		}
		w.add(weak{name: settingTokenizer, from: counted(w.by.d.Base.Result, was), to: counted(w.d.Head.Result, is), at: at}, t)
	}
}

// counted names a variant's tokenizer with what decides its counts.
func counted(r *prompt.Result, v *prompt.Variant) string {
	if e := pairing.Estimator(r, v.Tokenizer); e != nil {
		return fmt.Sprintf("%s (%s × %g)", v.Tokenizer, e.Base.Str, e.Factor)
	}
	return v.Tokenizer
}

// weaker compares the budgets of a variant, or of a section in it. What the
// head has higher, or not at all, it is judged by, too.
func (w weakening) weaker(t twin, s *section, was, is *prompt.Limits) {
	stricter := unlimited()
	stricter.Warn = was.Warn
	key := limitOf{t.head.Variant, -1}
	if s != nil {
		key.section = s.head
	}
	limited := func(l *prompt.Limits) bool { return emission(l) || l.Growth >= 0 || l.GrowthTokens >= 0 }
	bare := func(l *prompt.Limits) *prompt.Limits { out := *l; out.Raised = nil; return &out }
	for i := range limits {
		l := &limits[i]
		a := allowances[l.name]
		if a.of(was) >= a.of(is) || l.name == "over" && !(limited(was) && limited(is)) {
			continue
		}
		a.keep(stricter, was)
		w.stricter[key] = stricter
		from, before := l.of(bare(was))
		to, after := l.of(bare(is))
		found := weak{section: idOf(s), name: l.name, from: from, to: to, at: after}
		if to == "" && w.by == w.run && before.Known() {
			found.at, found.inBase = before, true
		}
		w.add(found, t)
	}
	place := func(at diag.Span) diag.Span {
		switch {
		case at.Known():
			return at
		case s != nil:
			return s.spec().ID.At
		default:
			return t.pair.Head.Prompt.ID.At
		}
	}
	stricter.At, stricter.CharsAt, stricter.ToolTokensAt = place(is.At), place(is.CharsAt), place(is.ToolTokensAt)
	stricter.GrowthAt, stricter.GrowthTokensAt = place(is.GrowthAt), place(is.GrowthTokensAt)
}

// checks adds the checks that count for less.
func (w weakening) checks(lowered []prompt.Lowered) {
	for _, l := range lowered {
		found := weak{name: settingChecks, from: string(l.Code) + " " + l.From, to: string(l.Code) + " " + l.To, at: l.At, row: true}
		if l.OfPolicy {
			found.inBase = w.by == w.run
			if !found.inBase {
				found.at = diag.Span{}
			}
		}
		for _, p := range w.by.pairs {
			if l.Prompts == nil || slices.Contains(l.Prompts, p.ID) {
				w.add(found, p.twins...)
			}
		}
	}
}

// narrowed finds checks that look at less: for fewer model families, and for
// fewer of the programs that read a source.
func (w weakening) narrowed(was, is *prompt.Spec) {
	all := func(found weak) {
		for _, p := range w.by.pairs {
			w.add(found, p.twins...)
		}
	}
	if is.Families != nil && (was.Families == nil || anyMissing(was.Families, is.Families)) {
		all(weak{name: settingFamilies, from: listOrAll(was.Families), to: list(is.Families), at: is.Families[0].At})
	}
	now := map[string]*prompt.Source{}
	for _, s := range is.Sources {
		now[s.ID.Str] = s
	}
	for _, s := range was.Sources {
		if x := now[s.ID.Str]; x != nil && anyMissing(s.Limits, x.Limits) {
			all(weak{name: settingLimits, from: s.ID.Str + ": " + list(s.Limits), to: s.ID.Str + ": " + list(x.Limits), at: x.ID.At})
		}
	}
}

// anyMissing reports whether a word is missing among others.
func anyMissing(was, is []prompt.Word) bool {
	return slices.ContainsFunc(was, func(a prompt.Word) bool {
		return !slices.ContainsFunc(is, func(b prompt.Word) bool { return a.Str == b.Str })
	})
}

func listOrAll(words []prompt.Word) string {
	if words == nil {
		return "all"
	}
	return list(words)
}

// weak is one way in which the head's policy is weaker.
type weak struct {
	section, name, from, to string
	at                      diag.Span
	inBase                  bool
	// row says that the edit of the row at that place shows it, whatever it
	// says.
	row bool
}

// add says that the policy is weaker in some variants. The edit that shows the
// change already becomes that, so that it is said once.
func (w weakening) add(found weak, twins ...twin) {
	for _, t := range twins {
		if !t.both() {
			continue
		}
		own := w.pairs[t.pair.n] // the policy is paired with the same head
		reach(w.edit(found, own), twin{pair: own, head: t.head})
	}
}

func (w weakening) edit(found weak, p *pair) *prompt.Edit {
	if e, ok := w.groups[found]; ok {
		return e
	}
	i := slices.IndexFunc(w.d.Edits, func(e *prompt.Edit) bool { return found.shownBy(e, p) })
	if i >= 0 {
		e := w.d.Edits[i]
		e.Kind = prompt.PolicyWeakened
		w.groups[found] = e
		return e
	}
	return w.group(found, func() *prompt.Edit {
		e := &prompt.Edit{Kind: prompt.PolicyWeakened, Section: found.section, Name: found.name, From: found.from, To: found.to, At: found.at, InBase: found.inBase}
		return placed(e, p)
	})
}

// shownBy reports whether an edit of a prompt is the same change.
func (k weak) shownBy(e *prompt.Edit, p *pair) bool {
	switch e.Kind {
	case prompt.BudgetChanged, prompt.SettingChanged, prompt.PolicyWeakened:
	default:
		return false
	}
	reaches := func(r prompt.Reach) bool { return r.Pair == p.Pair }
	if e.Name != k.name || e.Section != k.section || !slices.ContainsFunc(e.Reach, reaches) {
		return false
	}
	switch {
	case k.row:
		return k.at.Known() && e.At == k.at && e.InBase == k.inBase
	case k.name == settingExpect:
		return e.From == k.from
	default:
		return e.From == k.from && e.To == k.to && e.At == k.at
	}
}

// expectations finds what the policy expects of a prompt's variants and the
// head does not.
func (w weakening) expectations(p *pair) {
	entries := expectations(p.Base.Prompt)
	asked := map[demand]prompt.Set{} // of which variants of the head
	for _, e := range p.Head.Expect {
		key := demandOf(e.Expectation)
		if asked[key].Size() == 0 {
			asked[key] = prompt.NewSet(len(p.head))
		}
		asked[key].Union(e.On)
	}
	for i, e := range p.Base.Expect {
		on, still := prompt.NewSet(len(p.head)), asked[demandOf(e.Expectation)]
		var lost []twin
		for _, t := range p.twins {
			if !t.both() || !e.On.Has(t.base.Variant.Index) {
				continue
			}
			if v := t.head.Variant.Index; still.Size() == 0 || !still.Has(v) {
				on.Add(v)
				lost = append(lost, t)
			}
		}
		if len(lost) == 0 {
			continue
		}
		found := weak{name: settingExpect, from: entries[i].words, at: e.At, inBase: true}
		if w.by != w.run {
			found.at, found.inBase = diag.Span{}, false
		}
		w.add(found, lost...)
		bound := prompt.Expected{Expectation: e.Expectation, On: on}
		for _, s := range e.Sections {
			id := p.Base.Prompt.Sections[s].ID.Str
			bound.Sections = append(bound.Sections, slices.IndexFunc(p.Head.Prompt.Sections, func(x *prompt.Section) bool { return x.ID.Str == id }))
		}
		w.d.Lost = append(w.d.Lost, prompt.LostExpectation{Build: p.Head, Expected: bound})
	}
}

// demand is what an expectation asks for, of whatever variants.
type demand struct{ key, text string }

func demandOf(e *prompt.Expectation) demand {
	switch {
	case e.Contains != nil:
		return demand{"contains", e.Contains.Str}
	case e.Lacks != nil:
		return demand{"lacks", e.Lacks.Str}
	case e.Section.Str != "":
		return demand{"section", e.Section.Str}
	case e.Tool.Str != "":
		return demand{"tool", e.Tool.Str}
	default:
		return demand{"order", list(e.Order)}
	}
}

// placed gives an edit the place of its prompt where it has none.
func placed(e *prompt.Edit, p *pair) *prompt.Edit {
	if !e.At.Known() {
		e.At, e.InBase = p.Head.Prompt.ID.At, false
	}
	return e
}
