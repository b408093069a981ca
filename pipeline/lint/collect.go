package lint

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ordered keeps one value for each key, in the order in which the keys came.
type ordered[K comparable, V any] struct {
	keys   []K
	values map[K]*V
}

// of gives the value of a key, the zero value where it is new.
func (o *ordered[K, V]) of(key K) *V {
	if v, ok := o.values[key]; ok {
		return v
	}
	if o.values == nil {
		o.values = map[K]*V{}
	}
	v := new(V)
	o.keys = append(o.keys, key)
	o.values[key] = v
	return v
}

// sets keeps a set of variants for each key, in the order in which the keys came.
type sets[K comparable] struct {
	ordered[K, prompt.Set]
	size int // variants that the prompt has
}

// of gives the set of a key, an empty one where it is new.
func (s *sets[K]) of(key K) *prompt.Set {
	set := s.ordered.of(key)
	if set.Size() == 0 {
		*set = prompt.NewSet(s.size)
	}
	return set
}

// has gives the set of a key, which stays out where it is new.
func (s *sets[K]) has(key K) prompt.Set {
	if set, ok := s.values[key]; ok {
		return *set
	}
	return prompt.NewSet(s.size)
}

// tally collects the variants of a prompt that a finding is about, and the
// range of an amount over them.
type tally struct {
	users     prompt.Set
	any       bool
	low, high int
}

// add notes a variant with its amount and says whether that is the largest so
// far.
func (t *tally) add(a *prompt.Artifact, amount int) bool {
	if !t.any {
		t.users = prompt.NewSet(len(a.Build.Variants))
		t.any, t.low, t.high = true, amount, amount
		t.users.Add(a.Variant.Index)
		return true
	}
	larger := amount > t.high
	t.users.Add(a.Variant.Index)
	t.low, t.high = min(t.low, amount), max(t.high, amount)
	return larger
}

// amount writes the range, as "812 tokens" or "812 to 1,204 tokens".
func (t *tally) amount(noun string) string {
	if t.low == t.high {
		return number(t.low, noun)
	}
	return diag.Number(t.low) + " to " + number(t.high, noun)
}
