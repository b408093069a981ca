package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// single is how many findings of one kind in one file stand each by itself: of
// a megabyte that is wrong throughout nobody reads more.
const single = 20

// few makes findings of things of one kind in a file: one of each of the first,
// and one more for the others, whose words have their number.
func few[T any](all []T, find func(T) diag.Diagnostic, others func(n int) string) diag.List {
	var out diag.List
	for i, x := range all[:min(len(all), single+1)] {
		d := find(x)
		if i == single {
			d.What, d.Detail = diag.Verbatim(others(len(all)-single)), nil
		}
		out = append(out, d)
	}
	return out
}

// moreOf makes words for the others.
func moreOf(noun string) func(int) string {
	return func(n int) string { return "and " + number(n, "more "+noun) + " in this file" }
}

// kind is what findings are counted by.
type kind struct {
	code diag.Code
	file *diag.File
}

// fewest is few for findings that were made, of each kind.
func fewest(all diag.List) diag.List {
	var kinds ordered[kind, diag.List]
	for _, d := range all {
		same := kinds.of(kind{d.Code, d.Span.File})
		*same = append(*same, d)
	}
	var out diag.List
	for _, k := range kinds.keys {
		out = append(out, few(*kinds.values[k], itself, func(n int) string {
			return "and " + diag.Number(n) + " more like it in this file"
		})...)
	}
	return out
}

func itself(d diag.Diagnostic) diag.Diagnostic { return d }

// namedPairs is how many of its things a finding names before it counts the
// rest.
const namedPairs = 5

// number writes an amount of something.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return diag.Number(n) + " " + noun + "s"
}

// named joins quoted words, the first few of them.
func named(words []string) string {
	if more := len(words) - namedPairs; more > 0 {
		return strings.Join(quotedAll(words[:namedPairs]), ", ") + fmt.Sprintf(" and %d more", more)
	}
	return namedAll(words)
}

// namedAll joins all of some words.
func namedAll(words []string) string {
	all := quotedAll(words)
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

func quotedAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = diag.Quote(w)
	}
	return out
}

// brief gives the start of a text that would make no line of a message.
func brief(s string) string { return firstOf(s, 80) }

// firstOf gives so many characters of a text.
func firstOf(s string, most int) string {
	if r := []rune(s[:min(len(s), 4*most+4)]); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
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

// places are further places of what a finding points to, each line once.
type places struct {
	first diag.Span
	lines []string // in the file of the first
	files []string // with their lines
	// looked is how many were added, of which several may share a line.
	looked int
}

// manyPlaces is how many places are looked at.
const manyPlaces = 100

// full reports whether no more are looked at.
func (p *places) full() bool {
	return len(p.lines)+len(p.files) > namedPairs || p.looked >= manyPlaces
}

// add notes one more place.
func (p *places) add(at diag.Span) {
	if p.looked++; p.full() || !at.Known() || !p.first.Known() {
		return
	}
	line := at.File.LineAt(at.Start)
	said, list := strconv.Itoa(line), &p.lines
	if first := p.first.File.LineAt(p.first.Start); at.File != p.first.File {
		said, list = fmt.Sprintf("%s:%d", at.File.Path, line), &p.files
	} else if line == first {
		return
	}
	if !slices.Contains(*list, said) {
		*list = append(*list, said)
	}
}

// String names them, the first few, as "also at line 4"; it is empty where
// there are none.
func (p *places) String() string {
	all := slices.Concat(p.lines, p.files)
	if len(all) == 0 {
		return ""
	}
	out := "also at "
	if len(p.lines) > 0 {
		out += "line"
		if len(p.lines) > 1 {
			out += "s"
		}
		out += " "
	}
	last := len(all) - 1
	switch {
	case last >= namedPairs:
		return out + strings.Join(all[:namedPairs], ", ") + " and more"
	case last > 0:
		return out + strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return out + all[0]
}
