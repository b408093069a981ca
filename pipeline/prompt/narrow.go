package prompt

import "strings"

// Select gives the difference as far as it concerns the variants that some
// patterns name: their prompts, and the edits that reach one of them. All sets
// hold named variants alone. A pattern is a prompt's id, or prompt/ and a set as
// the outlines write it, of the head or of the base; without a pattern everything
// stays.
//
// The error is a *SelectError with the names that would have been right.
func (d *Difference) Select(patterns []string) (*Difference, error) {
	if len(patterns) == 0 {
		return d, nil
	}
	named := map[*Pair]*selection{}
	for _, pattern := range patterns {
		if err := choose(d, named, pattern); err != nil {
			return nil, err
		}
	}
	out := &Difference{Base: d.Base, Head: d.Head, Policy: d.Policy}
	pairs := map[*Pair]*Pair{}
	for _, p := range d.Pairs {
		if s := named[p]; s != nil {
			pairs[p] = s.of(p)
			out.Pairs = append(out.Pairs, pairs[p])
		}
	}
	for _, o := range d.Over {
		for p, s := range named {
			if i := o.Variant.Index; p.Head != nil && i < len(p.Head.Variants) && p.Head.Variants[i] == o.Variant && s.head.Has(i) {
				out.Over = append(out.Over, o)
			}
		}
	}
	for _, s := range d.Stale {
		if pairs[s.Pair] != nil {
			s.Pair = pairs[s.Pair]
			out.Stale = append(out.Stale, s)
		}
	}
	for _, e := range d.Edits {
		if made := narrowed(e, named, pairs); made != nil {
			out.Edits = append(out.Edits, made)
		}
	}
	return out, nil
}

// selection are the named variants of a prompt on both sides.
type selection struct{ base, head Set }

// choose adds the variants that one pattern names.
func choose(d *Difference, named map[*Pair]*selection, pattern string) error {
	id, expr, _ := strings.Cut(pattern, "/")
	var ids []string
	for _, p := range d.Pairs {
		ids = append(ids, p.ID)
		if p.ID != id {
			continue
		}
		s := named[p]
		if s == nil {
			s = &selection{base: emptySet(p.Base), head: emptySet(p.Head)}
		}
		n, err := s.add(p, expr)
		if err == nil && n == 0 && expr != "" {
			err = &SelectError{What: "variant", Word: pattern}
		}
		named[p] = s
		return err
	}
	return &SelectError{What: "prompt", Word: id, Candidates: ids}
}

func emptySet(b *Build) Set {
	if b == nil {
		return Set{}
	}
	return NewSet(len(b.Variants))
}

// add adds what an expression names on either side, and counts it. It is wrong
// where it is on both; what the head says is wrong then counts.
func (s *selection) add(p *Pair, expr string) (int, error) {
	n := 0
	var wrong []error
	for _, side := range []struct {
		build *Build
		set   Set
	}{{p.Head, s.head}, {p.Base, s.base}} {
		if side.build == nil {
			continue
		}
		found, err := side.build.Select(expr)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		n += found.Len()
		side.set.Union(found)
		wrong = append(wrong, nil)
	}
	for _, err := range wrong {
		if err == nil {
			return n, nil
		}
	}
	if len(wrong) > 0 {
		return 0, wrong[0]
	}
	return 0, nil
}

// of gives a prompt with the named variants alone.
func (s *selection) of(p *Pair) *Pair {
	out := *p
	out.Affected, out.Gone = p.Affected.Intersect(s.head), p.Gone.Intersect(s.base)
	return &out
}

// narrowed gives an edit with what it reaches and misses of the named variants,
// nil where it reaches none of them. What reaches no variant at all stays with
// its
func narrowed(e *Edit, named map[*Pair]*selection, pairs map[*Pair]*Pair) *Edit {
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
		in := at.In.Intersect(set)
		if in.Len() == 0 && at.In.Len() > 0 {
			continue
		}
		out.Reach = append(out.Reach, Reach{
			Pair: pairs[at.Pair], OfBase: at.OfBase, In: in, Tokens: tokensIn(at.Tokens, in), Missed: missedIn(at.Missed, set),
		})
	}
	if len(out.Reach) == 0 {
		return nil
	}
	return &out
}

// tokensIn gives the sizes of an edit in the variants of a set.
func tokensIn(all map[int]int, in Set) map[int]int {
	if all == nil {
		return nil
	}
	out := map[int]int{}
	for i, n := range all {
		if in.Has(i) {
			out[i] = n
		}
	}
	return out
}

// missedIn gives what an edit misses of the variants of a set.
func missedIn(all []Missed, set Set) []Missed {
	var out []Missed
	for _, m := range all {
		if m.Set = m.Set.Intersect(set); m.Set.Len() > 0 {
			out = append(out, m)
		}
	}
	return out
}
