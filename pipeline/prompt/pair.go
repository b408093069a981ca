package prompt

import (
	"slices"
	"strings"
)

// Pair is a prompt on both sides.
type Pair struct {
	ID string
	// Base and Head are nil where a side does not have the prompt.
	Base, Head *Build
	// Was gives for each variant of Head the index in Base.Variants of the one
	// that it is compared with, -1 for none.
	Was []int
	// Affected are the variants of Head that send other bytes, tools included,
	// than the one they are compared with, or have none to compare with. Gone
	// are the variants of Base that no variant of Head is compared with. Each
	// is the zero Set where its side does not have the prompt.
	Affected, Gone Set
}

// NewPair pairs a prompt of two sides, either of which may be nil, and its
// variants.
func NewPair(id string, base, head *Build) *Pair {
	p := &Pair{ID: id, Base: base, Head: head}
	if head == nil {
		return p
	}
	counterpart := p.counterparts()
	p.Was = make([]int, len(head.Variants))
	for i, v := range head.Variants {
		p.Was[i] = counterpart(v)
	}
	return p
}

// Came gives the variants of Head that have none to be compared with.
func (p *Pair) Came() Set {
	out := NewSet(len(p.Was))
	for i, was := range p.Was {
		if was < 0 {
			out.Add(i)
		}
	}
	return out
}

// counterparts gives the function that finds the variant of the base that one
// of the head is compared with, -1 for none: the one of its name, else the one
// with its values on the base's axes. An axis that only the base has counts at
// its default, else at the first value that is built. Where the axes are the
// same, values count before names, in which a default is not written.
func (p *Pair) counterparts() func(*Variant) int {
	if p.Base == nil {
		return func(*Variant) int { return -1 }
	}
	byName := map[string]int{}
	for i, v := range p.Base.Variants {
		byName[v.Name] = i
	}
	shared := p.Base.Prompt.SharedAxes(p.Head.Prompt)
	byValues := map[string]int{}
	for _, atDefault := range []bool{true, false} {
		for i, v := range p.Base.Variants {
			key := valuesKey(p.Base.Prompt, v, shared, 0)
			if _, taken := byValues[key]; !taken && (!atDefault || othersAtDefault(p.Base.Prompt, v, shared)) {
				byValues[key] = i
			}
		}
	}
	same := len(shared) == len(p.Base.Prompt.Axes) && len(shared) == len(p.Head.Prompt.Axes)
	claimed := map[int]bool{} // by the values of some variant of the head
	if same {
		for _, v := range p.Head.Variants {
			if i, ok := byValues[valuesKey(p.Head.Prompt, v, shared, 1)]; ok {
				claimed[i] = true
			}
		}
	}
	return func(v *Variant) int {
		values, known := byValues[valuesKey(p.Head.Prompt, v, shared, 1)]
		if same && known {
			return values
		}
		if i, ok := byName[v.Name]; ok && !claimed[i] {
			return i
		}
		if known {
			return values
		}
		return -1
	}
}

// SharedAxes gives the axes that another side has, too: for each the index here
// and there.
func (p *Prompt) SharedAxes(other *Prompt) [][2]int {
	var out [][2]int
	for i := range p.Axes {
		if j := p.AxisLike(i, other); j >= 0 {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// AxisLike gives the index of the axis of another side that an axis is there, -1
// for none: the one of its name or, where neither side has the other's name, the
// one at its place with its values.
func (p *Prompt) AxisLike(i int, other *Prompt) int {
	axis := p.Axes[i]
	if j := other.AxisNamed(axis.Name.Str); j >= 0 {
		return j
	}
	if i >= len(other.Axes) || len(p.Axes) != len(other.Axes) || p.AxisNamed(other.Axes[i].Name.Str) >= 0 {
		return -1
	}
	if !slices.EqualFunc(axis.Values, other.Axes[i].Values, func(a, b Word) bool { return a.Str == b.Str }) {
		return -1
	}
	return i
}

// AxisNamed gives the index of the axis of a name, -1 for none.
func (p *Prompt) AxisNamed(name string) int {
	return slices.IndexFunc(p.Axes, func(a *Axis) bool { return a.Name.Str == name })
}

// valuesKey gives the values of a variant on the shared axes of one side.
func valuesKey(p *Prompt, v *Variant, shared [][2]int, side int) string {
	var b strings.Builder
	for _, s := range shared {
		b.WriteString(p.ValueOn(v, s[side]))
		b.WriteByte(0)
	}
	return b.String()
}

// ValueOn gives the value of a variant on an axis, "" for none.
func (p *Prompt) ValueOn(v *Variant, axis int) string {
	if axis >= len(v.Values) || v.Values[axis] >= len(p.Axes[axis].Values) {
		return ""
	}
	return p.Axes[axis].Values[v.Values[axis]].Str
}

// othersAtDefault reports whether a variant has the default on every axis that
// is not shared and has one.
func othersAtDefault(p *Prompt, v *Variant, shared [][2]int) bool {
	own := map[int]bool{}
	for _, s := range shared {
		own[s[0]] = true
	}
	for i, a := range p.Axes {
		if !own[i] && a.Default.Str != "" && p.ValueOn(v, i) != a.Default.Str {
			return false
		}
	}
	return true
}
