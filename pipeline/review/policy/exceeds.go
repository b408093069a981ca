package policy

import (
	"math"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
)

// excess is what variants, or a section in several, have in common that exceed
// one limit.
type excess struct {
	pair    *review.Pair
	section string
	limit   *limit
	allowed float64
	at      diag.Span
	warn    bool
	// ofPolicy says that the limit is not the head's, but stricter.
	ofPolicy bool
	// before says that the base exceeds it already, and by as much.
	before bool
}

// group are the variants of an excess, and the one that exceeds most.
type group struct {
	excess
	in       ground.Set
	most     *assembly.Variant
	from, to int
}

// exceeds judges a subject by the limits of the head and by those that the
// policy has stricter: how much it grew against what it is compared with, and
// how much it is.
func (j *judge) exceeds(s subject) {
	_, own := s.limits()
	stricter := j.stricter[limitOf{s.Head.Variant, s.is}]
	if !s.emitted(s.Head, s.is) || own == nil && stricter == nil {
		return
	}
	tokenizer := s.Head.Variant.Tokenizer
	is := j.measure(s, s.Head, s.is, tokenizer)
	for _, l := range []*language.Limits{own, stricter} {
		if l == nil {
			continue
		}
		for i := range limits {
			r := &limits[i]
			allowed := r.of(l)
			if allowed < 0 {
				continue
			}
			made := excess{pair: s.Pair, section: s.section, limit: r, allowed: allowed, at: *r.at(l), warn: l.Warn, ofPolicy: l == stricter}
			switch {
			case (r.name == growth || r.name == growthTokens) && s.compared():
				from := j.before(s)
				if made.grewTooMuch(from, is.tokens) {
					j.exceed(made, s, from, is.tokens)
				}
			case r.use != nil && float64(r.use(is)) > allowed:
				made.before = j.overBefore(s, made, r.use(is))
				j.out.Over = append(j.out.Over, review.Overrun{Variant: s.Head.Variant, At: made.at, Warn: l.Warn, Before: made.before})
				if l == stricter {
					j.exceed(made, s, int(allowed), r.use(is))
				}
			}
		}
	}
}

// overBefore reports whether the base exceeds a limit already, its own or the
// policy's, and the head exceeds it by no more: then no change of the head's does.
func (j *judge) overBefore(s subject, e excess, used int) bool {
	if !s.compared() {
		return false
	}
	before := e.limit.use(j.measure(s, s.Base, s.was, s.Base.Variant.Tokenizer))
	allowed := math.Inf(1)
	if was, _ := s.limits(); was != nil {
		allowed = e.limit.allows(was)
	}
	if e.ofPolicy {
		allowed = min(allowed, e.allowed)
	}
	return float64(before) > allowed && used <= before
}

// before gives the size of the base of a subject, as the head counts.
func (j *judge) before(s subject) int {
	if s.section == "" {
		return j.Two.Before(s.Twin)
	}
	return j.measure(s, s.Base, s.was, s.Head.Variant.Tokenizer).tokens
}

// leastGrowth is how many tokens make growth that a share limits, unless it allows
// none.
const leastGrowth = 12

// grewTooMuch reports whether something grew by more than a limit allows. A share is
// a decimal number, and its binary form may be a little less.
// Less than leastGrowth is no growth by a share: of a short text, a word is much.
func (e excess) grewTooMuch(from, to int) bool {
	if e.limit.name == growth {
		if e.allowed > 0 && to-from < leastGrowth {
			return false
		}
		hair := 1e-9 * math.Max(1, float64(from))
		return float64(to-from) > e.allowed*float64(from)+hair
	}
	return float64(to-from) > e.allowed
}

// exceed adds a variant to the group of what it exceeds.
func (j *judge) exceed(key excess, s subject, from, to int) {
	g := j.groups[key]
	if g == nil {
		g = &group{excess: key, in: ground.NewSet(len(key.pair.Head.Variants))}
		j.groups[key] = g
		j.found = append(j.found, g)
	}
	v := s.Head.Variant
	g.in.Add(v.Index)
	if g.most == nil || g.less(from, to) {
		g.most, g.from, g.to = v, from, to
	}
}

// less reports whether the most that a group grew by is less than another
// growth, as its limit compares them.
func (g *group) less(from, to int) bool {
	if g.limit.name == growth {
		return int64(to-from)*int64(g.from) > int64(g.to-g.from)*int64(from)
	}
	return to-from > g.to-g.from
}

// findings says of each group who exceeds what.
func (j *judge) findings() diag.List {
	var out diag.List
	for _, g := range j.found {
		d := g.finding()
		if d.Variant = g.most.Name; g.warn || g.before {
			d.Level = diag.Warning
		}
		if g.limit.use == nil {
			d = d.WithHint("shorten-or-raise-limit")
		}
		if g.ofPolicy {
			d = d.WithDetail(diag.Say("limit-is-that-of", j.Policy.Name))
		}
		if g.before {
			d = d.WithDetail(diag.Say("over-at-base"))
		}
		if j.Policy.Result != nil {
			d = d.WithHint("shorten-or-raise-limit-first")
		}
		out = append(out, d)
	}
	return out.Sorted()
}

func (g *group) finding() diag.Diagnostic {
	id := g.pair.Head.Prompt.ID.Str
	subject := diag.Say("prompt", id)
	if g.section != "" {
		subject = diag.Say("section-of-prompt", g.section, id)
	}
	in := g.among()
	if g.limit.use != nil {
		use, allowed := diag.Count(g.to), diag.Count(int(g.allowed))
		d := diag.New(diag.OverPolicy, g.at, "over-the-limit", subject, use, g.limit.unit, allowed)
		if !in.None() {
			d.What = diag.Say("over-the-limit-in-variants", subject, allowed, g.limit.unit, in, g.most.Name, use)
		}
		return d
	}
	allowed := diag.Counted(int(g.allowed), "one-token", "tokens")
	if g.limit.name == growth {
		allowed = diag.Say("percent", percent(g.allowed))
	}
	by := diag.Say("by-from-to", diag.Counted(g.to-g.from, "one-token", "tokens"), diag.Count(g.from), diag.Count(g.to))
	if g.from > 0 {
		by = diag.Say("with-share", by, float64(g.to-g.from)*100/float64(g.from))
	}
	d := diag.New(diag.GrowthExceeded, g.at, "grew", subject, by, allowed)
	if !in.None() {
		d.What = diag.Say("grew-in-variants", subject, allowed, in, g.most.Name, by)
	}
	return d
}

// among says which variants a group has, nothing for the only one of a prompt.
func (g *group) among() diag.Words {
	build := g.pair.Head
	switch n, of := g.in.Len(), len(build.Variants); {
	case of == 1:
		return diag.Words{}
	case n < of:
		return diag.Say("some-variants", n, of, setcover.NewCover(build).InWords(g.in))
	default:
		return diag.Say("all-variants", of)
	}
}
