// Package pairing puts two compiled states of a project side by side: their
// prompts, and for each variant the one that it is compared with.
package pairing

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
)

// Counters gives the counter of a tokenizer's name.
type Counters func(name string) *token.Counter

// Two are two states, each compiled by itself; nil where a state has no
// manifest.
type Two struct {
	Base, Head *prompt.Result
	// Pairs has a row for each prompt: the head's in declared order, then those
	// that only the base has.
	Pairs    []*review.Pair
	Counters Counters
	// Worths is what the slot of each name may grow to: in the head, else in the
	// base. What a slot is declared to be is an edit of its own.
	Worths map[string]int

	artifacts map[*assembly.Build][]*assembly.Artifact
	graph     *templates.Graph // made when somebody asks, of names
	names     map[string][]templates.Name
	templates map[*assembly.Rendering][]string
}

// Twin is a variant of the head with the one of the base that it is compared
// with; either may be nil.
type Twin struct {
	Pair       *review.Pair
	Base, Head *assembly.Artifact
}

// Both reports whether there is something to compare.
func (t Twin) Both() bool { return t.Base != nil && t.Head != nil }

// Of pairs the prompts of two states and their variants.
func Of(base, head *prompt.Result, counters Counters) *Two {
	two := &Two{Base: base, Head: head, Counters: counters, artifacts: map[*assembly.Build][]*assembly.Artifact{}, Worths: map[string]int{}}
	was, is := two.builds(base), two.builds(head)
	like := func(all []*assembly.Build, b *assembly.Build) *assembly.Build {
		for _, o := range all {
			if o.Prompt.ID.Str == b.Prompt.ID.Str {
				return o
			}
		}
		return nil
	}
	for _, b := range is {
		two.Pairs = append(two.Pairs, &review.Pair{ID: b.Prompt.ID.Str, Base: like(was, b), Head: b})
	}
	for _, b := range was {
		if like(is, b) == nil {
			two.Pairs = append(two.Pairs, &review.Pair{ID: b.Prompt.ID.Str, Base: b})
		}
	}
	for _, p := range two.Pairs {
		two.pairVariants(p)
	}
	for _, s := range slices.Concat(Slots(base), Slots(head)) {
		two.Worths[s.Name.Str] = s.MaxTokens
	}
	return two
}

// builds gives the prompts of a state, and notes their artifacts.
func (two *Two) builds(r *prompt.Result) []*assembly.Build {
	if r == nil || r.Plan == nil || r.Stopped {
		return nil
	}
	maps.Copy(two.artifacts, r.Plan.ByBuild(r.Artifacts))
	return r.Plan.Builds
}

// Artifacts gives the artifacts of a prompt by Variant.Index, nil for no prompt.
func (two *Two) Artifacts(b *assembly.Build) []*assembly.Artifact { return two.artifacts[b] }

// Twins gives the variants of the head in their order, then those of the base
// that none of them is compared with.
func (two *Two) Twins(p *review.Pair) []Twin {
	was, is := two.artifacts[p.Base], two.artifacts[p.Head]
	var out []Twin
	for i, a := range is {
		t := Twin{Pair: p, Head: a}
		if p.Was[i] >= 0 {
			t.Base = was[p.Was[i]]
		}
		out = append(out, t)
	}
	for i, a := range was {
		if p.Gone.Has(i) {
			out = append(out, Twin{Pair: p, Base: a})
		}
	}
	return out
}

// toolsBeside is the id of the section that has the tools beside a text that
// another program wrote.
const toolsBeside = "tools.json"

// Sections gives the sections of a prompt by their indices in the base and in
// the head, -1 where a side does not declare one: in the order of the head, and
// those that only the base has behind the one that they followed. With apart they
// have nothing in common but the tools beside them, whatever their ids: so texts
// are compared that are split otherwise than before. Limits go by ids.
func Sections(p *review.Pair, apart bool) [][2]int {
	var out [][2]int
	at := map[string]int{}
	if p.Head != nil {
		for i, s := range p.Head.Prompt.Sections {
			at[s.ID.Str] = i
			out = append(out, [2]int{-1, i})
		}
	}
	if p.Base == nil {
		return out
	}
	follow := map[int][][2]int{} // by the place that they follow, -1 for the start
	last := -1
	for i, s := range p.Base.Prompt.Sections {
		if k, ok := at[s.ID.Str]; ok && (!apart || s.ID.Str == toolsBeside) {
			out[k][0], last = i, k
			continue
		}
		follow[last] = append(follow[last], [2]int{i, -1})
	}
	merged := follow[-1]
	for k, s := range out {
		merged = append(append(merged, s), follow[k]...)
	}
	return merged
}

// Resplit reports whether the sections of the two sides have nothing to do with
// each other: only one of them is assembled by another program, or its texts
// are split at other marks.
func Resplit(p *review.Pair) bool {
	if p.Base == nil || p.Head == nil {
		return false
	}
	was, is := p.Base.Prompt.Rendered, p.Head.Prompt.Rendered
	if was == nil || is == nil {
		return was != is
	}
	return !slices.Equal(was.Split, is.Split)
}

// Used gives what a section says on both sides; nil where it is out.
func (t Twin) Used(section [2]int) (was, is *assembly.Rendering) {
	if t.Base != nil && section[0] >= 0 {
		was = t.Base.Used[section[0]]
	}
	if t.Head != nil && section[1] >= 0 {
		is = t.Head.Used[section[1]]
	}
	return was, is
}

// pairVariants finds for each variant of the head the one that it is compared
// with, and says which variants send other bytes.
func (two *Two) pairVariants(p *review.Pair) {
	was, is := two.artifacts[p.Base], two.artifacts[p.Head]
	if p.Base != nil {
		p.Gone = ground.NewSet(len(was))
		for i := range was {
			p.Gone.Add(i)
		}
	}
	if p.Head == nil {
		return
	}
	p.Affected, p.Includers = ground.NewSet(len(is)), ground.NewSet(len(is))
	p.Was = counterparts(p)
	met := ground.NewSet(p.Gone.Size())
	for i, n := range p.Was {
		if n >= 0 {
			met.Add(n)
		}
		if n < 0 || was[n] == nil || is[i] == nil || !sameRequest(was[n], is[i]) {
			p.Affected.Add(i)
		}
	}
	p.Gone = p.Gone.Minus(met)
}

// counterparts finds for each variant of the head the one of the base that it
// is compared with, -1 for none: the one of its name, else the one with its
// values on the base's axes. An axis that only the base has counts at its
// default, else at the first value that is built. Where the axes are the same,
// values count before names, in which a default is not written.
func counterparts(p *review.Pair) []int {
	out := make([]int, len(p.Head.Variants))
	if p.Base == nil {
		for i := range out {
			out[i] = -1
		}
		return out
	}
	shared := SharedAxes(p.Base.Prompt, p.Head.Prompt)
	byName, byValues := map[string]int{}, map[string]int{}
	for _, atDefault := range []bool{true, false} {
		for i, v := range p.Base.Variants {
			byName[v.Name] = i
			key := valuesKey(p.Base.Prompt, v, shared, 0)
			if _, taken := byValues[key]; !taken && (!atDefault || othersAtDefault(p.Base.Prompt, v, shared)) {
				byValues[key] = i
			}
		}
	}
	same := len(shared) == len(p.Base.Prompt.Axes) && len(shared) == len(p.Head.Prompt.Axes)
	claimed := map[int]bool{} // by the values of some variant of the head
	for i, v := range p.Head.Variants {
		n, known := byValues[valuesKey(p.Head.Prompt, v, shared, 1)]
		if !known {
			n = -1
		}
		out[i] = n
		claimed[n] = same
	}
	for i, v := range p.Head.Variants {
		if n, known := byName[v.Name]; known && !claimed[n] && (!same || out[i] < 0) {
			out[i] = n
		}
	}
	return out
}

// SharedAxes gives the axes that both sides have: for each the index in the
// base and in the head.
func SharedAxes(base, head *language.Prompt) [][2]int {
	var out [][2]int
	for i := range base.Axes {
		if j := AxisLike(base, i, head); j >= 0 {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// AxisLike finds the axis of another side that one is there, -1 for none: the
// one of its name or, where neither side has the other's name, the one at its
// place with its values.
func AxisLike(p *language.Prompt, i int, other *language.Prompt) int {
	axis := p.Axes[i]
	if j := other.Axis(axis.Name.Str); j >= 0 {
		return j
	}
	if len(p.Axes) != len(other.Axes) || p.Axis(other.Axes[i].Name.Str) >= 0 {
		return -1
	}
	if !slices.EqualFunc(axis.Values, other.Axes[i].Values, func(a, b ground.Word) bool { return a.Str == b.Str }) {
		return -1
	}
	return i
}

// valuesKey gives the values of a variant on the shared axes of one side.
func valuesKey(p *language.Prompt, v *assembly.Variant, shared [][2]int, side int) string {
	var b strings.Builder
	for _, s := range shared {
		b.WriteString(ValueOn(p, v, s[side]))
		b.WriteByte(0)
	}
	return b.String()
}

// ValueOn gives the value of a variant on an axis.
func ValueOn(p *language.Prompt, v *assembly.Variant, axis int) string {
	return p.Axes[axis].Values[v.Values[axis]].Str
}

// othersAtDefault reports whether a variant has the default on every axis that
// is not shared and has one.
func othersAtDefault(p *language.Prompt, v *assembly.Variant, shared [][2]int) bool {
	for i, a := range p.Axes {
		isShared := slices.ContainsFunc(shared, func(s [2]int) bool { return s[0] == i })
		if !isShared && a.Default.Str != "" && ValueOn(p, v, i) != a.Default.Str {
			return false
		}
	}
	return true
}
