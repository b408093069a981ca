package resolve

import (
	"iter"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
)

// scope is one prompt while it is bound.
type scope struct {
	*binder
	prompt  *language.Prompt
	build   *assembly.Build
	axes    []string                  // names
	values  [][]string                // names, by axis
	with    [][]ground.Set            // the variants at each value, by axis
	all     ground.Set                // every variant
	tools   [][]*language.Tool        // the toolset of each variant
	lacks   ordered.Map[lackOf, lack] // the tools that selected entries miss
	layouts []layout                  // of each variant
	phased  bool                      // some variant has the layout `phases`
	read    []bool                    // the axes that were asked for, where somebody wants to know
	shapes  []bool                    // the axes that decide the layout
}

// scopeOf prepares the axes of a prompt; false where they or `exclude` cannot be
// used, which is reported.
func (b *binder) scopeOf(p *language.Prompt) (*scope, bool) {
	s := &scope{binder: b, prompt: p, build: &assembly.Build{Prompt: p}}
	product := 1
	for _, a := range p.Axes {
		s.axes = append(s.axes, a.Name.Str)
		s.values = append(s.values, ground.Strings(a.Values))
		s.read = append(s.read, false)
		product *= len(a.Values)
		if product > MaxProduct {
			b.diags = append(b.diags, diag.New(diag.TooManyVariants, p.ID.At, "axes-prompt-multiply-more", p.ID.Str, diag.Count(MaxProduct)).
				WithHint("take-values-away-split-prompt"))
			return nil, false
		}
	}
	if b.points += product; b.points > MaxPoints {
		b.diags = append(b.diags, diag.New(diag.TooManyVariants, p.ID.At, "axes-prompts-up-multiply", p.ID.Str, diag.Count(MaxPoints)).
			WithHint("take-values-away-split-manifest"))
		return nil, false
	}
	if !s.checkCondition(p.Exclude) {
		return nil, false
	}
	return s, true
}

// expand makes the variants of a prompt: the product of its axes in declared
// order, the last axis fastest, without the excluded points. has says for which
// of the others there is a text; nil takes all.
func (s *scope) expand(has func(point []int) bool) bool {
	for point := range s.points() {
		if has != nil && !has(point) {
			continue
		}
		if len(s.build.Variants) == MaxVariants {
			s.diags = append(s.diags, diag.New(diag.TooManyVariants, s.prompt.ID.At, "prompt-more-variants", s.prompt.ID.Str, diag.Count(MaxVariants)).
				WithHint("exclude-combinations-never-sent-split"))
			return false
		}
		s.add(point)
	}
	if len(s.build.Variants) == 0 && has == nil {
		s.noVariant(s.prompt)
	}
	s.index()
	return len(s.build.Variants) > 0
}

// built tells which variants are built; nil for all.
func (s *scope) built() func(point []int) bool {
	if len(s.without) == 0 {
		return nil
	}
	return func(point []int) bool { return !s.without[s.name(point)] }
}

func (b *binder) noVariant(p *language.Prompt) {
	b.diags = append(b.diags, diag.New(diag.NoVariant, p.ID.At, "exclude-leaves-prompt-without", p.ID.Str).
		WithHint("exclude-less"))
}

func (s *scope) add(point []int) {
	v := &assembly.Variant{Name: s.name(point), Index: len(s.build.Variants), Values: slices.Clone(point)}
	for i, a := range s.prompt.Axes {
		if limit := contextOf(a, point[i]); limit > 0 && (v.Context == 0 || limit < v.Context) {
			v.Context = limit
		}
	}
	s.build.Variants = append(s.build.Variants, v)
}

// name gives the name of the variant at a point.
func (s *scope) name(point []int) string {
	var parts []string
	for i, a := range s.prompt.Axes {
		if value := a.Values[point[i]].Str; value != a.Default.Str {
			parts = append(parts, a.Name.Str+"="+value)
		}
	}
	if len(parts) == 0 {
		return s.prompt.ID.Str
	}
	return s.prompt.ID.Str + "/" + strings.Join(parts, ",")
}

func contextOf(a *language.Axis, value int) int {
	if value < len(a.Context) {
		return a.Context[value]
	}
	return 0
}

// index prepares the sets that conditions are made of.
func (s *scope) index() {
	n := len(s.build.Variants)
	s.all = ground.NewSet(n)
	s.with = make([][]ground.Set, len(s.axes))
	for i := range s.axes {
		for range s.values[i] {
			s.with[i] = append(s.with[i], ground.NewSet(n))
		}
	}
	for _, v := range s.build.Variants {
		s.all.Add(v.Index)
		for axis, value := range v.Values {
			s.with[axis][value].Add(v.Index)
		}
	}
}

// checkCondition reports names that the prompt does not have.
func (s *scope) checkCondition(c language.Condition) bool {
	ok := true
	for _, clause := range c {
		for _, term := range clause {
			axis := slices.Index(s.axes, term.Axis.Str)
			if axis < 0 {
				s.known(diag.UnknownAxis, term.Axis, s.axes, "prompt-no-axis", s.prompt.ID.Str, term.Axis.Str)
				ok = false
				continue
			}
			for _, value := range term.Values {
				ok = s.checkValue(term.Axis, value, s.values[axis]) && ok
			}
		}
	}
	return ok
}

// checkValue reports a value that an axis does not have.
func (s *scope) checkValue(axis, value ground.Word, values []string) bool {
	if inner, negated := strings.CutPrefix(value.Str, "!"); negated && slices.Contains(values, inner) {
		s.diags = append(s.diags, diag.New(diag.UnknownValue, value.At, "axis-no-value", axis.Str, value.Str).
			WithHint("negation-written-not", inner))
		return false
	}
	return s.known(diag.UnknownValue, value, values, "axis-no-value", axis.Str, value.Str)
}

// holds gives the variants for which a condition holds: all for an empty
// one, none for one that is wrong (which is reported).
func (s *scope) holds(c language.Condition) ground.Set {
	if len(c) == 0 {
		return s.all
	}
	out := ground.NewSet(s.all.Size())
	if !s.checkCondition(c) {
		return out
	}
	for _, clause := range c {
		left := s.all.Minus(ground.NewSet(s.all.Size()))
		for _, term := range clause {
			axis := slices.Index(s.axes, term.Axis.Str)
			s.read[axis] = true
			some := ground.NewSet(s.all.Size())
			for _, v := range term.Values {
				some.Union(s.with[axis][slices.Index(s.values[axis], v.Str)])
			}
			outside := s.all.Minus(some)
			if term.Not {
				outside = some
			}
			left = left.Minus(outside)
		}
		out.Union(left)
	}
	return out
}

// axisIn replaces every `{axis}` of a word by the variant's value. Braces
// that hold a comma are alternatives of a glob and stay.
func (s *scope) axisIn(w ground.Word, v *assembly.Variant) (string, bool) {
	rest, ok := w.Str, true
	var out strings.Builder
	for {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if end < 0 {
			break
		}
		end += open
		name := rest[open+1 : end]
		out.WriteString(rest[:open])
		axis := slices.Index(s.axes, name)
		switch {
		case axis >= 0:
			s.read[axis] = true
			out.WriteString(s.values[axis][v.Values[axis]])
		case strings.Contains(name, ","):
			out.WriteString(rest[open : end+1])
		default:
			at := ground.Word{Str: name, At: w.At}
			s.known(diag.UnknownAxis, at, s.axes, "prompt-no-axis", s.prompt.ID.Str, name)
			ok = false
		}
		rest = rest[end+1:]
	}
	out.WriteString(rest)
	return out.String(), ok
}

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
	terms := func(use func(clause int, term language.Term, axis *excluding, values []string)) {
		for i, clause := range clauses {
			for _, term := range clause {
				axis := slices.Index(s.axes, term.Axis.Str)
				use(i, term, &out[axis], s.values[axis])
			}
		}
	}
	terms(func(clause int, term language.Term, axis *excluding, _ []string) {
		axis.other.put(clause, term.Not)
	})
	terms(func(clause int, term language.Term, axis *excluding, values []string) {
		for _, v := range ground.Strings(term.Values) {
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
