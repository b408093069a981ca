package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
)

// holds says that an edit is there in a variant that sends nothing of it.
func (r *run) holds(e *review.Edit, t twin) {
	reach(e, t)
	if r.silent[e] == nil {
		r.silent[e] = map[twin]bool{}
	}
	r.silent[e][t] = true
}

// settle leaves to edits that change what is sent the variants that send
// something else. One that no variant sends anything of is a declaration: it
// holds for all that it reaches.
func (r *run) settle() {
	for _, e := range r.d.Edits {
		if sendsNothing(e) || slices.ContainsFunc(e.Reach, func(at review.Reach) bool { return at.OfBase }) {
			continue
		}
		sends := r.senders(e)
		any, had := false, false
		for i, in := range sends {
			any, had = any || in.Len() > 0, had || e.Reach[i].In.Len() > 0
		}
		if !any {
			r.quiet[e] = had
			sizeless(e)
			continue
		}
		left := e.Reach[:0]
		for i, at := range e.Reach {
			if at.In.Len() > 0 && sends[i].Len() == 0 {
				continue
			}
			for v := range at.Tokens {
				if !sends[i].Has(v) {
					delete(at.Tokens, v)
				}
			}
			at.In = sends[i]
			left = append(left, at)
		}
		e.Reach = left
	}
}

// sizeless takes from an edit sizes that are nothing everywhere.
func sizeless(e *review.Edit) {
	for i := range e.Reach {
		for _, n := range e.Reach[i].Tokens {
			if n != 0 {
				return
			}
		}
	}
	for i := range e.Reach {
		e.Reach[i].Tokens = nil
	}
}

// senders gives for each row of an edit's reach the variants that send
// something else, and something of it.
func (r *run) senders(e *review.Edit) []ground.Set {
	out := make([]ground.Set, len(e.Reach))
	for i, at := range e.Reach {
		out[i] = at.In.Intersect(at.Pair.Affected)
		none := ground.NewSet(at.In.Size())
		for t := range r.silent[e] {
			if t.pair.Pair == at.Pair {
				none.Add(t.Head.Variant.Index)
			}
		}
		out[i] = out[i].Minus(none)
	}
	return out
}

// addUp adds to what edits miss the variants that are compared with none, so
// that those of a prompt that are reached and those that are not are all.
func (r *run) addUp() {
	for _, e := range r.d.Edits {
		for _, p := range r.pairs {
			i := slices.IndexFunc(e.Reach, func(at review.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
			if i < 0 || !slices.ContainsFunc(e.Reach[i].Missed, func(m review.Missed) bool { return !m.Cause.OfTemplates() }) {
				continue
			}
			for _, t := range p.twins {
				if t.Base == nil && !e.Reach[i].In.Has(t.Head.Variant.Index) {
					miss(e, t, review.CauseNew, "")
				}
			}
		}
	}
}

// said gives the variants of a prompt's head that an edit reaches which changes
// what is sent.
func (r *run) said(p *pair) ground.Set {
	out := ground.NewSet(len(p.Was))
	for _, e := range r.d.Edits {
		if sendsNothing(e) {
			continue
		}
		for i := range e.Reach {
			if e.Reach[i].Pair == p.Pair && !e.Reach[i].OfBase {
				out.Union(e.Reach[i].In)
			}
		}
	}
	return out
}
