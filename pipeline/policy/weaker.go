package policy

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pairing"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// weakening compares a policy with the head.
type weakening struct {
	*judge
	by *pairing.Two // the policy and the head
	// ofBase says that the policy is the base's, so that its places can be said.
	ofBase bool
}

// weakened finds where the head's policy is weaker than another.
func (j *judge) weakened() {
	w := weakening{j, j.Two, j.Policy.Result == j.Two.Base}
	if !w.ofBase {
		w.by = pairing.Of(j.Policy.Result, j.Two.Head, j.Two.Counters)
	}
	each(w.by, w.limits)
	for _, p := range w.by.Pairs {
		if p.Base != nil && p.Head != nil {
			w.expectations(p)
		}
	}
	w.checks()
	w.narrowed(j.Policy.Result.Spec, j.Two.Head.Spec)
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
func (w weakening) add(found weak, twins ...pairing.Twin) {
	for _, t := range twins {
		if t.Both() {
			n := slices.IndexFunc(w.Two.Pairs, func(p *prompt.Pair) bool { return p.Head == t.Pair.Head })
			t.Pair = w.Two.Pairs[n]
			reach(w.weaker(found, t.Pair), t)
		}
	}
}

// weaker gives the edit of what is weaker, which is made where no edit of the
// prompt shows the same change.
func (w weakening) weaker(found weak, p *prompt.Pair) *prompt.Edit {
	if e, known := w.made[found]; known {
		return e
	}
	if i := slices.IndexFunc(w.out.Edits, func(e *prompt.Edit) bool { return found.shownBy(e, p) }); i >= 0 {
		w.out.Edits[i].Kind = prompt.PolicyWeakened
		w.made[found] = w.out.Edits[i]
		return w.out.Edits[i]
	}
	e := &prompt.Edit{Kind: prompt.PolicyWeakened, Section: found.section, Name: found.name, From: found.from, To: found.to, At: found.at, InBase: found.inBase}
	if !e.At.Known() {
		e.At, e.InBase = p.Head.Prompt.ID.At, false
	}
	w.made[found] = e
	w.out.Edits = append(w.out.Edits, e)
	return e
}

// shownBy reports whether an edit of a prompt is the same change.
func (k weak) shownBy(e *prompt.Edit, p *prompt.Pair) bool {
	reaches := func(r prompt.Reach) bool { return r.Pair == p }
	switch {
	case e.Kind == prompt.BudgetCrossed || e.Name != k.name || e.Section != k.section || !slices.ContainsFunc(e.Reach, reaches):
		return false
	case k.row:
		return k.at.Known() && e.At == k.at && e.InBase == k.inBase
	default:
		return e.From == k.from && (k.name == settingExpect || e.To == k.to && e.At == k.at)
	}
}

// limits compares the budgets of a subject and, of a variant as a whole, what
// they are counted with. What the head has higher, or not at all, it is judged
// by, too.
func (w weakening) limits(s subject) {
	was, is := s.limits()
	if !s.Both() || was == nil || s.section != "" && (s.Base.Variant.Uses[s.was].Unit < 0 || s.Head.Variant.Uses[s.is].Unit < 0) {
		return
	}
	if is == nil {
		is = unlimited()
	}
	stricter, weaker := unlimited(), false
	stricter.Warn = was.Warn
	for i := range limits {
		r := &limits[i]
		if r.allows(was) >= r.allows(is) || !r.applies(was, is) {
			continue
		}
		weaker = true
		r.keep(stricter, was)
		found := weak{section: s.section, name: r.name, from: r.words(r.of(was)), to: r.words(r.of(is)), at: *r.at(is)}
		switch before := *r.at(was); {
		case found.to == "" && w.ofBase && before.Known():
			found.at, found.inBase = before, true
		case found.to == "" && r.name == warnAt:
			found.at = diag.Span{} // it stands at the limit that it warns of
		}
		w.add(found, s.Twin)
	}
	if weaker {
		for i := range limits {
			at := limits[i].at
			if *at(stricter) = *at(is); !at(is).Known() {
				*at(stricter) = s.at()
			}
		}
		w.stricter[limitOf{s.Head.Variant, s.is}] = stricter
	}
	if s.section == "" {
		w.counts(s.Twin)
	}
}

// counts finds a tokenizer that finds fewer tokens in what the policy's variant
// sends, where anything is limited in tokens.
func (w weakening) counts(t pairing.Twin) {
	l := &t.Base.Variant.Budget
	if l.Tokens < 0 && l.ToolTokens < 0 && l.GrowthTokens < 0 || w.by.SameTokenizer(t) || w.by.Recounted(t) >= 0 {
		return
	}
	named := func(r *prompt.Result, v *prompt.Variant) string {
		if e := pairing.Estimator(r, v.Tokenizer); e != nil {
			return fmt.Sprintf("%s (%s × %g)", v.Tokenizer, e.Base.Str, e.Factor)
		}
		return v.Tokenizer
	}
	at := w.by.Head.Spec.Tokenizer.At
	if own := t.Pair.Head.Prompt.Tokenizer; len(own) > 0 {
		at = own[0].At
	}
	w.add(weak{name: "tokenizer", from: named(w.by.Base, t.Base.Variant), to: named(w.by.Head, t.Head.Variant), at: at}, t)
}

// checks adds the checks that count for less.
func (w weakening) checks() {
	for _, l := range w.Lowered {
		found := weak{name: settingChecks, from: string(l.Code) + " " + l.From, to: string(l.Code) + " " + l.To, at: l.At, row: true}
		if l.OfPolicy {
			if found.inBase = w.ofBase; !found.inBase {
				found.at = diag.Span{}
			}
		}
		w.everywhere(found, l.Prompts)
	}
}

// everywhere adds what is weaker in all variants of some prompts, nil for all.
func (w weakening) everywhere(found weak, prompts []string) {
	for _, p := range w.by.Pairs {
		if prompts == nil || slices.Contains(prompts, p.ID) {
			w.add(found, w.by.Twins(p)...)
		}
	}
}

// narrowed finds checks that look at less: for fewer model families, and for
// fewer of the programs that read a source.
func (w weakening) narrowed(was, is *prompt.Spec) {
	anyMissing := func(was, is []prompt.Word) bool {
		return slices.ContainsFunc(was, func(a prompt.Word) bool {
			return !slices.ContainsFunc(is, func(b prompt.Word) bool { return a.Str == b.Str })
		})
	}
	if is.Families != nil && (was.Families == nil || anyMissing(was.Families, is.Families)) {
		from := "all"
		if was.Families != nil {
			from = list(was.Families)
		}
		w.everywhere(weak{name: "families", from: from, to: list(is.Families), at: is.Families[0].At}, nil)
	}
	now := map[string]*prompt.Source{}
	for _, s := range is.Sources {
		now[s.ID.Str] = s
	}
	for _, s := range was.Sources {
		if x := now[s.ID.Str]; x != nil && anyMissing(s.Limits, x.Limits) {
			w.everywhere(weak{name: "limits", from: s.ID.Str + ": " + list(s.Limits), to: s.ID.Str + ": " + list(x.Limits), at: x.ID.At}, nil)
		}
	}
}

// expectations finds what the policy expects of a prompt's variants and the
// head does not.
func (w weakening) expectations(p *prompt.Pair) {
	asked := map[string]prompt.Set{} // of which variants of the head
	for _, e := range p.Head.Expect {
		key := demand(e.Expectation)
		if asked[key].Size() == 0 {
			asked[key] = prompt.NewSet(len(p.Head.Variants))
		}
		asked[key].Union(e.On)
	}
	for _, e := range p.Base.Expect {
		on, still := prompt.NewSet(len(p.Head.Variants)), asked[demand(e.Expectation)]
		var lost []pairing.Twin
		for _, t := range w.by.Twins(p) {
			if !t.Both() || !e.On.Has(t.Base.Variant.Index) {
				continue
			}
			if v := t.Head.Variant.Index; still.Size() == 0 || !still.Has(v) {
				on.Add(v)
				lost = append(lost, t)
			}
		}
		if len(lost) == 0 {
			continue
		}
		found := weak{name: settingExpect, from: expectation(e.Expectation).words}
		if w.ofBase {
			found.at, found.inBase = e.At, true
		}
		w.add(found, lost...)
		bound := prompt.Expected{Expectation: e.Expectation, On: on}
		for _, s := range e.Sections {
			bound.Sections = append(bound.Sections, sectionOf(p.Head, p.Base.Prompt.Sections[s].ID.Str))
		}
		w.out.Lost = append(w.out.Lost, prompt.LostExpectation{Build: p.Head, Expected: bound})
	}
}
