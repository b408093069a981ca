package policy

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
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
	w.unlocked(j.Policy.Result.Spec, j.Two.Head.Spec)
}

// add says that the policy is weaker in some variants. The edit that shows the
// change already becomes that, so that it is said once.
func (w weakening) add(found review.Edit, twins ...pairing.Twin) {
	found.Kind = review.PolicyWeakened
	for _, t := range twins {
		if !t.Both() {
			continue
		}
		// The policy is paired with the same head as the base.
		t.Pair = w.Two.Pairs[slices.IndexFunc(w.Two.Pairs, func(p *review.Pair) bool { return p.Head == t.Pair.Head })]
		e := w.made[sayingOf(found)]
		if e == nil {
			e = w.shownBy(found, t.Pair)
		}
		if e == nil {
			made := found
			if e = &made; !e.At.Known() {
				e.At, e.InBase = t.Pair.Head.Prompt.ID.At, false
			}
			w.out.Edits = append(w.out.Edits, e)
		}
		w.made[sayingOf(found)] = e
		reach(e, t)
	}
}

// shownBy gives the edit of a prompt that is the same change, with the kind of
// what is weaker.
func (w weakening) shownBy(found review.Edit, p *review.Pair) *review.Edit {
	for _, e := range w.out.Edits {
		same := e.Kind != review.BudgetCrossed && e.Name == found.Name && e.Section == found.Section &&
			slices.ContainsFunc(e.Reach, func(r review.Reach) bool { return r.Pair == p })
		switch found.Name {
		case settingChecks: // that of the row, whatever it says
			same = same && found.At.Known() && e.At == found.At && e.InBase == found.InBase
		case settingExpect:
			same = same && e.From == found.From
		default:
			same = same && e.From == found.From && e.To == found.To && e.Was == found.Was && e.Is == found.Is && e.At == found.At
		}
		if same {
			e.Kind = review.PolicyWeakened
			return e
		}
	}
	return nil
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
	stricter, weaker, all := unlimited(), false, figures(was, is)
	stricter.Warn = was.Warn
	for i := range limits {
		r := &limits[i]
		if r.allows(was) >= r.allows(is) || !r.applies(was, is) {
			continue
		}
		weaker = true
		r.keep(stricter, was)
		for _, f := range all {
			if f.of == r && f.raises() && (f.name == r.name || r.of(is) >= 0) {
				w.add(w.raised(&f, s.section), s.Twin)
			}
		}
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

// raised gives the edit of a figure that lets more pass: the one that shows the
// change where the policy is the base's.
func (w weakening) raised(f *figure, section string) review.Edit {
	e := f.edit(section)
	if e.InBase && (!w.ofBase || !e.At.Known()) {
		e.At, e.InBase = f.after, false
		if f.of.name == warnAt {
			e.At = diag.Span{} // it stands at the limit that it warns of
		}
	}
	return e
}

// counts finds a tokenizer that finds fewer tokens in what the policy's variant
// sends, where anything is limited in tokens.
func (w weakening) counts(t pairing.Twin) {
	l := &t.Base.Variant.Budget
	if l.Tokens < 0 && l.ToolTokens < 0 && l.GrowthTokens < 0 || w.by.SameTokenizer(t) || w.by.Recounted(t) >= 0 {
		return
	}
	counted := func(r *prompt.Result, v *assembly.Variant) review.Value {
		if e := r.Spec.Estimator(v.Tokenizer); e != nil {
			return review.CountedBy{Base: e.Base.Str, Factor: e.Factor}
		}
		return nil
	}
	at := w.by.Head.Spec.Tokenizer.At
	if own := t.Pair.Head.Prompt.Tokenizer; len(own) > 0 {
		at = own[0].At
	}
	was, is := t.Base.Variant, t.Head.Variant
	w.add(review.Edit{
		Name: settingTokenizer, From: was.Tokenizer, To: is.Tokenizer, Was: counted(w.by.Base, was), Is: counted(w.by.Head, is), At: at,
	}, t)
}

// checks adds the checks that count for less.
func (w weakening) checks() {
	for _, l := range w.Lowered {
		found := review.Edit{Name: settingChecks, Was: review.CheckLevel{Code: l.Code, Level: l.From}, Is: review.CheckLevel{Code: l.Code, Level: l.To}, At: l.At}
		if l.OfPolicy {
			if found.InBase = w.ofBase; !found.InBase {
				found.At = diag.Span{}
			}
		}
		w.everywhere(found, l.Prompts)
	}
}

func (w weakening) everywhere(found review.Edit, prompts []string) {
	for _, p := range w.by.Pairs {
		if prompts == nil || slices.Contains(prompts, p.ID) {
			w.add(found, w.by.Twins(p)...)
		}
	}
}

// narrowed finds checks that look at less: for fewer model families, and for
// fewer of the programs that read a source.
func (w weakening) narrowed(was, is *language.Spec) {
	anyMissing := func(was, is []ground.Word) bool {
		return slices.ContainsFunc(was, func(a ground.Word) bool {
			return !slices.ContainsFunc(is, func(b ground.Word) bool { return a.Str == b.Str })
		})
	}
	if is.Families != nil && (was.Families == nil || anyMissing(was.Families, is.Families)) {
		e := review.Edit{Name: "families", To: list(is.Families), At: is.Families[0].At}
		if was.Families != nil {
			e.From = list(was.Families)
		}
		w.everywhere(e, nil)
	}
	now := map[string]*language.Source{}
	for _, s := range is.Sources {
		now[s.ID.Str] = s
	}
	for _, s := range was.Sources {
		if x := now[s.ID.Str]; x != nil && anyMissing(s.Limits, x.Limits) {
			w.everywhere(review.Edit{Name: "limits", From: s.ID.Str + ": " + list(s.Limits), To: s.ID.Str + ": " + list(x.Limits), At: x.ID.At}, nil)
		}
	}
}

// expectations finds what the policy expects of a prompt's variants and the
// head does not.
func (w weakening) expectations(p *review.Pair) {
	asked := map[string]ground.Set{} // of which variants of the head
	for _, e := range p.Head.Expect {
		key := demand(e.Expectation)
		if asked[key].Size() == 0 {
			asked[key] = ground.NewSet(len(p.Head.Variants))
		}
		asked[key].Union(e.On)
	}
	for _, e := range p.Base.Expect {
		on, still := ground.NewSet(len(p.Head.Variants)), asked[demand(e.Expectation)]
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
		found := review.Edit{Name: settingExpect, From: expectation(e.Expectation).words}
		if w.ofBase {
			found.At, found.InBase = e.At, true
		}
		w.add(found, lost...)
		bound := assembly.Expected{Expectation: e.Expectation, On: on}
		for _, s := range e.Sections {
			id := p.Base.Prompt.Sections[s].ID.Str
			bound.Sections = append(bound.Sections, slices.IndexFunc(p.Head.Prompt.Sections, func(x *language.Section) bool { return x.ID.Str == id }))
		}
		w.out.Lost = append(w.out.Lost, guard.LostExpectation{Build: p.Head, Expected: bound})
	}
}

// unlocked finds what is locked no longer: nothing keeps it from becoming weaker.
func (w weakening) unlocked(was, is *language.Spec) {
	for _, l := range was.Locks {
		covers := func(o *language.Lock) bool { return o.Key == l.Key || strings.HasPrefix(l.Key, o.Key+".") }
		if slices.ContainsFunc(is.Locks, covers) {
			continue
		}
		found := review.Edit{Name: settingLocked, From: l.Key}
		if w.ofBase {
			found.At, found.InBase = l.At, true
		}
		w.everywhere(found, nil)
	}
}
