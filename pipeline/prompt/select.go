package prompt

import (
	"fmt"
	"slices"
	"strings"
)

// The words and marks of an expression over variants. None can be part of an
// axis or a value.
const (
	everyVariant = "all"
	noVariant    = "none"
	butPrefix    = "all but "
	unionSep     = " | "
	termSep      = ","
	valueSep     = "+"
)

// SelectError says what in an expression names nothing.
type SelectError struct {
	// What is the sort of the word: "axis", "value", or "expression" for a term
	// without "="; "prompt" and "variant" where a pattern names none.
	What string
	// Word is the part of the expression that is wrong.
	Word string
	// Axis is the axis that the value was looked for on; "" for others.
	Axis string
	// Candidates are the names that would have been right, in declared order.
	Candidates []string
	// Twice says that an axis is restricted twice in one product.
	Twice bool
}

func (e *SelectError) Error() string {
	switch {
	case e.Twice:
		return fmt.Sprintf("axis %q is named twice", e.Word)
	case e.What == "value":
		return fmt.Sprintf("axis %q has no value %q", e.Axis, e.Word)
	case e.What == "axis":
		return fmt.Sprintf("there is no axis %q", e.Word)
	case e.What == "prompt":
		return fmt.Sprintf("there is no prompt %q", e.Word)
	case e.What == "variant":
		return fmt.Sprintf("no variant is %q", e.Word)
	default:
		return fmt.Sprintf("%q is not of the form axis=value", e.Word)
	}
}

// Select gives the variants that an expression names: "" or "all", "none",
// products such as "family=generic+devstral,tier=1" joined by "|", or
// "all but …" of these. Axes may stand in any order; one that a product does
// not name is not restricted, also when it has a default: what Describe says is
// read as it was meant. A variant's own name leaves axes at their default
// out; Named looks such names up. The error is a *SelectError.
func (c *Cover) Select(expr string) (Set, error) {
	expr = strings.TrimSpace(expr)
	if rest, ok := strings.CutPrefix(expr, butPrefix); ok {
		s, err := c.union(rest)
		if err != nil {
			return Set{}, err
		}
		return c.all.Minus(s), nil
	}
	if expr == "" {
		return c.All(), nil
	}
	return c.union(expr)
}

// Select is NewCover(b).Select(expr), for a single expression.
func (b *Build) Select(expr string) (Set, error) { return NewCover(b).Select(expr) }

// Named gives the variant whose name has this part after "prompt/", its
// axes in any order; "" names a variant with every axis at its default, or the
// only variant of a prompt without axes.
func (b *Build) Named(part string) (*Variant, bool) {
	wanted := b.Prompt.ID.Str
	if part != "" {
		wanted += "/" + part
	}
	terms := sortedTerms(wanted)
	for _, v := range b.Variants {
		if v.Name == wanted || slices.Equal(terms, sortedTerms(v.Name)) {
			return v, true
		}
	}
	return nil, false
}

func sortedTerms(name string) []string {
	id, part, _ := strings.Cut(name, "/")
	terms := strings.Split(part, termSep)
	slices.Sort(terms)
	return append([]string{id}, terms...)
}

func (c *Cover) union(expr string) (Set, error) {
	out := NewSet(c.all.size)
	for part := range strings.SplitSeq(expr, strings.TrimSpace(unionSep)) {
		s, err := c.product(strings.TrimSpace(part))
		if err != nil {
			return Set{}, err
		}
		out.Union(s)
	}
	return out, nil
}

func (c *Cover) product(expr string) (Set, error) {
	switch expr {
	case everyVariant:
		return c.All(), nil
	case noVariant:
		return NewSet(c.all.size), nil
	}
	out, named := c.All(), make([]bool, len(c.at))
	for term := range strings.SplitSeq(expr, termSep) {
		term = strings.TrimSpace(term)
		name, values, ok := strings.Cut(term, "=")
		if !ok {
			return Set{}, &SelectError{What: "expression", Word: term}
		}
		a := slices.Index(c.axisNames(), name)
		if a < 0 {
			return Set{}, &SelectError{What: "axis", Word: name, Candidates: c.axisNames()}
		}
		if named[a] {
			return Set{}, &SelectError{What: "axis", Word: name, Twice: true}
		}
		named[a] = true
		s, err := c.values(a, values)
		if err != nil {
			return Set{}, err
		}
		out = out.Intersect(s)
	}
	return out, nil
}

func (c *Cover) values(axis int, expr string) (Set, error) {
	names := wordStrings(c.build.Prompt.Axes[axis].Values)
	out := NewSet(c.all.size)
	for value := range strings.SplitSeq(expr, valueSep) {
		v := slices.Index(names, value)
		if v < 0 {
			axisName := c.build.Prompt.Axes[axis].Name.Str
			return Set{}, &SelectError{What: "value", Word: value, Axis: axisName, Candidates: names}
		}
		out.Union(c.at[axis][v])
	}
	return out, nil
}

func (c *Cover) axisNames() []string {
	var out []string
	for _, a := range c.build.Prompt.Axes {
		out = append(out, a.Name.Str)
	}
	return out
}

func wordStrings(words []Word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.Str)
	}
	return out
}
