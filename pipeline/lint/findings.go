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

// union adds variants to a set, which may be new.
func union(set *prompt.Set, more prompt.Set) {
	if set.Size() == 0 {
		*set = prompt.NewSet(more.Size())
	}
	set.Union(more)
}

// both gives the variants that are in two sets.
func both(a, b prompt.Set) prompt.Set { return a.Minus(a.Minus(b)) }

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

// amount gives the range, as "812 tokens" or "812 to 1,204 tokens".
func (t *tally) amount(noun string) diag.Words {
	if t.low == t.high {
		return amount(t.low, noun)
	}
	return diag.Say("amount-to-amount", diag.Count(t.low), amount(t.high, noun))
}

// amount gives a number of things. The keys are "one-character" and "characters".
func amount(n int, noun string) diag.Words { return diag.Counted(n, "one-"+noun, noun+"s") }

// shown is how many of its things a finding names before it counts the rest.
const shown = 5

// nameSome names the first few of some things.
func nameSome(names []string) any {
	if more := len(names) - shown; more > 0 {
		return diag.Say("names-and-n-more", diag.Names(names[:shown]), diag.Count(more))
	}
	return diag.Names(names)
}

// perFile is how many findings of one kind in one file stand each by itself: of
// a megabyte that is wrong throughout nobody reads more.
const perFile = 20

// capPerFile makes findings of things of one kind in a file: one of each of the
// first, and one more for the others, which has their number.
func capPerFile[T any](all []T, find func(T) diag.Diagnostic) diag.List {
	var out diag.List
	for i, x := range all[:min(len(all), perFile+1)] {
		d := find(x)
		if i == perFile {
			d.What, d.Detail = diag.Say("more-like-it", diag.Count(len(all)-perFile)), nil
		}
		out = append(out, d)
	}
	return out
}

// kind is what findings are counted by.
type kind struct {
	code diag.Code
	file *diag.File
}

// capFindings is capPerFile for findings that were made, of each kind.
func capFindings(all diag.List) diag.List {
	var kinds ordered[kind, diag.List]
	for _, d := range all {
		same := kinds.of(kind{d.Code, d.Span.File})
		*same = append(*same, d)
	}
	var out diag.List
	for _, k := range kinds.keys {
		out = append(out, capPerFile(*kinds.values[k], func(d diag.Diagnostic) diag.Diagnostic { return d })...)
	}
	return out
}

// at gives the first of some places that is known, its first line.
func at(places ...diag.Span) diag.Span {
	for _, p := range places {
		if p.Known() {
			return p.FirstLine()
		}
	}
	return diag.Span{}
}

// morePlaces adds how many further places a finding has.
func morePlaces(d diag.Diagnostic, n int) diag.Diagnostic {
	if n > 0 {
		d = d.WithDetail(amount(n, "more-place"))
	}
	return d
}
