package review

import (
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
)

// selection are the named variants of a pair, on both sides, and the pair with
// these alone.
type selection struct {
	base, head ground.Set
	pair       *Pair
}

// Select gives the difference as far as it concerns the variants that some
// patterns name: their prompts, and the edits that reach one of them. All sets
// hold named variants alone. A pattern is a prompt's id, or prompt/ and a set as the outlines write
// it, of the head or of the base; without a pattern everything stays.
//
// The error is a *SelectError with the names that would have been right.
func (d *Difference) Select(patterns []string) (*Difference, error) {
	if len(patterns) == 0 {
		return d, nil
	}
	named := map[*Pair]*selection{}
	for _, pattern := range patterns {
		if err := d.choose(named, pattern); err != nil {
			return nil, err
		}
	}
	out := &Difference{Base: d.Base, Head: d.Head, Policy: d.Policy}
	chosen := map[*assembly.Variant]bool{}
	for _, p := range d.Pairs {
		s := named[p]
		if s == nil {
			continue
		}
		made := *p
		made.Affected, made.Gone = p.Affected.Intersect(s.head), p.Gone.Intersect(s.base)
		made.Includers = p.Includers.Intersect(s.head)
		s.pair = &made
		out.Pairs = append(out.Pairs, s.pair)
		for i := range s.head.Size() {
			chosen[p.Head.Variants[i]] = s.head.Has(i)
		}
	}
	for _, o := range d.Over {
		if chosen[o.Variant] {
			out.Over = append(out.Over, o)
		}
	}
	for _, s := range d.Stale {
		if of := named[s.Pair]; of != nil {
			s.Pair = of.pair
			out.Stale = append(out.Stale, s)
		}
	}
	for _, i := range d.Idle {
		if i.Reaches = slices.DeleteFunc(slices.Clone(i.Reaches), func(v *assembly.Variant) bool { return !chosen[v] }); len(i.Reaches) > 0 {
			out.Idle = append(out.Idle, i)
		}
	}
	for _, e := range d.Edits {
		if made := e.narrowed(named); made != nil {
			out.Edits = append(out.Edits, made)
		}
	}
	return out, nil
}

// choose adds the variants that one pattern names, on either side. It is wrong
// where it is on both; what the head says is wrong then counts.
func (d *Difference) choose(named map[*Pair]*selection, pattern string) error {
	var ids []string
	for _, p := range d.Pairs {
		ids = append(ids, p.ID)
	}
	id, expr := setcover.CutName(pattern, ids)
	i := slices.Index(ids, id)
	if i < 0 {
		return &setcover.SelectError{What: "prompt", Word: id, Candidates: ids}
	}
	p := d.Pairs[i]
	s := named[p]
	if s == nil {
		s = &selection{base: none(p.Base), head: none(p.Head)}
		named[p] = s
	}
	found, right := 0, false
	var wrong error
	add := func(b *assembly.Build, to ground.Set) {
		if b == nil {
			return
		}
		in, err := setcover.NewCover(b).Select(expr)
		if err != nil {
			if wrong == nil {
				wrong = err
			}
			return
		}
		right = true
		found += in.Len()
		to.Union(in)
	}
	add(p.Head, s.head)
	add(p.Base, s.base)
	switch {
	case !right:
		return wrong
	case found == 0 && expr != "":
		return &setcover.SelectError{What: "variant", Word: pattern}
	default:
		return nil
	}
}

// none gives the empty set of variants.
func none(b *assembly.Build) ground.Set {
	if b == nil {
		return ground.Set{}
	}
	return ground.NewSet(len(b.Variants))
}

// narrowed gives an edit with what it reaches and misses of the named variants,
// nil where it reaches none of them. What reaches no variant at all stays with
// its prompt.
func (e *Edit) narrowed(named map[*Pair]*selection) *Edit {
	out := *e
	out.Reach = nil
	for _, at := range e.Reach {
		s := named[at.Pair]
		if s == nil {
			continue
		}
		set := s.head
		if at.OfBase {
			set = s.base
		}
		reached := at.All().Len() > 0
		if reached && at.All().Intersect(set).Len() == 0 {
			continue
		}
		at.In = at.In.Intersect(set)
		at.Pair, at.Tokens = s.pair, maps.Clone(at.Tokens)
		maps.DeleteFunc(at.Tokens, func(i, _ int) bool { return !at.In.Has(i) })
		missed := at.Missed
		at.Missed = nil
		for _, m := range missed {
			if m.Set = m.Set.Intersect(set); m.Set.Len() > 0 {
				at.Missed = append(at.Missed, m)
			}
		}
		out.Reach = append(out.Reach, at)
	}
	if len(out.Reach) == 0 {
		return nil
	}
	return &out
}
