package diff

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/review"
)

// alikeTools makes one edit of those of tools that changed in the same way, in the
// same variants.
func (r *run) alikeTools() {
	known := map[string][]*review.Edit{}
	into := map[*review.Edit]*review.Edit{}
	for _, e := range r.d.Edits {
		if e.Kind != review.ToolChanged {
			continue
		}
		key := fmt.Sprintf("%s %#v", e.Event, e.Leaves)
		i := slices.IndexFunc(known[key], func(o *review.Edit) bool { return r.quiet[o] == r.quiet[e] && alike(o, e) })
		if i < 0 {
			known[key] = append(known[key], e)
			continue
		}
		into[e] = known[key][i]
		unite(known[key][i], e)
	}
	if len(into) == 0 {
		return
	}
	r.d.Edits = slices.DeleteFunc(r.d.Edits, func(e *review.Edit) bool { return into[e] != nil })
	for _, e := range r.d.Edits {
		if first := into[e.Follows]; first != nil {
			e.Follows = first
		}
	}
}

// alike reports whether two edits reach the same variants, and miss the same.
func alike(a, b *review.Edit) bool {
	return slices.EqualFunc(a.Reach, b.Reach, func(x, y review.Reach) bool {
		return x.Pair == y.Pair && x.OfBase == y.OfBase && x.In.Equal(y.In) && (x.Tokens == nil) == (y.Tokens == nil) &&
			slices.EqualFunc(x.Missed, y.Missed, func(m, n review.Missed) bool { return m.SameCause(n) && m.Set.Equal(n.Set) })
	})
}

// unite adds the tool of one edit to another, with its places and its size.
func unite(into, e *review.Edit) {
	if len(into.Tools) == 0 {
		into.Tools = []string{into.Tool}
	}
	into.Tools = append(into.Tools, e.Tool)
	if e.At.Known() && into.InBase == e.InBase {
		into.Also = append(into.Also, e.At)
	}
	into.Also = append(into.Also, e.Also...)
	for i := range into.Reach {
		at := &into.Reach[i]
		for v, n := range e.Reach[i].Tokens {
			at.Tokens[v] += n
		}
	}
}
