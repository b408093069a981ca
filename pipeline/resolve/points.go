package resolve

import (
	"iter"
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// clauseSet is a set of the clauses of `exclude`, a bit for each.
type clauseSet []uint64

func (c clauseSet) put(clause int, in bool) {
	if c[clause/64] &^= 1 << (clause % 64); in {
		c[clause/64] |= 1 << (clause % 64)
	}
}

func (c clauseSet) empty() bool {
	return !slices.ContainsFunc(c, func(word uint64) bool { return word != 0 })
}

// excluding holds, for the values of one axis, the clauses of `exclude` that a
// variant with that value may still meet.
type excluding struct {
	named map[int]clauseSet // values that some clause names
	other clauseSet         // all other values
}

// excludings looks at every clause once, so that a point costs a few operations
// on words, however long `exclude` is. A clause has at most one term an axis.
func (s *scope) excludings() []excluding {
	clauses := s.prompt.Exclude
	out := make([]excluding, len(s.axes))
	for i := range out {
		out[i] = excluding{named: map[int]clauseSet{}, other: make(clauseSet, (len(clauses)+63)/64)}
		for clause := range clauses {
			out[i].other.put(clause, true)
		}
	}
	terms := func(use func(clause int, term prompt.Term, axis *excluding, values []string)) {
		for i, clause := range clauses {
			for _, term := range clause {
				axis := slices.Index(s.axes, term.Axis.Str)
				use(i, term, &out[axis], s.values[axis])
			}
		}
	}
	terms(func(clause int, term prompt.Term, axis *excluding, _ []string) {
		axis.other.put(clause, term.Not)
	})
	terms(func(clause int, term prompt.Term, axis *excluding, values []string) {
		for _, v := range words(term.Values) {
			value := slices.Index(values, v)
			if axis.named[value] == nil {
				axis.named[value] = slices.Clone(axis.other)
			}
			axis.named[value].put(clause, !term.Not)
		}
	})
	return out
}

// points gives the points of the axes that `exclude` leaves, the last axis
// fastest. A point is only good until the next.
func (s *scope) points() iter.Seq[[]int] {
	axes := s.excludings()
	point := make([]int, len(axes))
	met := make([]clauseSet, len(axes)+1) // by the first values of the point
	for i := range met {
		met[i] = make(clauseSet, (len(s.prompt.Exclude)+63)/64)
	}
	for clause := range s.prompt.Exclude {
		met[0].put(clause, true)
	}
	var walk func(axis int, yield func([]int) bool) bool
	walk = func(axis int, yield func([]int) bool) bool {
		if axis == len(axes) {
			return !met[axis].empty() || yield(point)
		}
		for value := range s.values[axis] {
			point[axis] = value
			with, named := axes[axis].named[value]
			if !named {
				with = axes[axis].other
			}
			for i, word := range met[axis] {
				met[axis+1][i] = word & with[i]
			}
			if !walk(axis+1, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func([]int) bool) { walk(0, yield) }
}
