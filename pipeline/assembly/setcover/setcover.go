// Package setcover says in words which variants of a prompt a set holds, and reads
// such words: the smallest sum of products of axes and values.
package setcover

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Cover says which variants of one prompt a set holds, in the words of the
// outlines, and reads such words back. It keeps the words, so one Cover serves
// many sets of its prompt; it is not for use by several goroutines at once.
type Cover struct {
	build *assembly.Build
	all   ground.Set
	at    [][]ground.Set // by axis and value: the built variants there
	known map[string]string
}

// product is a choice of values on every axis; it stands for all built
// variants that have one of the chosen values on each.
type product struct {
	chosen [][]bool // by axis and value
	free   []bool   // by axis: every value is chosen
	set    ground.Set
}

// thorough is the number of products up to which a cover tries every order of
// widening. Sets that need more are no rule that anybody wrote down; they are
// covered by the first order alone, so that no set takes long.
const thorough = 48

// NewCover gives the cover of a prompt.
func NewCover(b *assembly.Build) *Cover {
	c := &Cover{build: b, all: ground.NewSet(len(b.Variants)), known: map[string]string{}}
	for i := range b.Variants {
		c.all.Add(i)
	}
	c.at = make([][]ground.Set, len(b.Prompt.Axes))
	for a, axis := range b.Prompt.Axes {
		c.at[a] = make([]ground.Set, len(axis.Values))
		for v := range axis.Values {
			c.at[a][v] = ground.NewSet(len(b.Variants))
		}
		for i, variant := range b.Variants {
			c.at[a][variant.Values[a]].Add(i)
		}
	}
	return c
}

// All gives the set of all built variants.
func (c *Cover) All() ground.Set { return c.all.Clone() }

// Describe gives a set in the outlines' words: "all", "none", products such
// as "family=generic+devstral,tier=1+2" joined by " | ", or "all but X" where
// that is shorter and no more products. A product names the axes that it
// restricts, values in declared order. It covers built variants only, so excluded
// variants need no mention. Select gives the same set back.
func (c *Cover) Describe(s ground.Set) string {
	key := s.Key()
	if c.known[key] == "" {
		c.known[key] = c.words(s)
	}
	return c.known[key]
}

func (c *Cover) words(s ground.Set) string {
	if s.First() < 0 {
		return noVariant
	}
	products := c.Products(s)
	words := strings.Join(products, unionSep)
	// A union of exceptions takes thought, so it has to save a product.
	rest := c.products(c.all.Minus(s), max(1, len(products)-1))
	if but := butPrefix + strings.Join(rest, unionSep); len(rest) > 0 && len(but) < len(words) {
		return but
	}
	return words
}

// InWords is Describe for a sentence, which has the names of the variants where the
// description is long.
func (c *Cover) InWords(s ground.Set) diag.Variants {
	out := diag.Variants{Described: c.Describe(s), Count: s.Len()}
	if len(out.Described) <= diag.MaxDescribed {
		return out
	}
	for i, v := range c.build.Variants {
		if s.Has(i) {
			out.Names = append(out.Names, v.Name)
		}
	}
	return out
}

// Products gives the products of a set one by one, without "all but".
func (c *Cover) Products(s ground.Set) []string {
	if s.Equal(c.all) {
		return []string{everyVariant}
	}
	return c.products(s, len(c.build.Variants))
}

// products covers a set greedily: the first variant not yet covered is
// widened to a product inside the set, in several fixed orders, and the
// product that covers most of what is left is taken. It gives up, with nil,
// when that takes more than limit products.
func (c *Cover) products(s ground.Set, limit int) []string {
	var taken []product
	left := s.Clone()
	for seed := left.First(); seed >= 0; seed = left.First() {
		if len(taken) == limit {
			return nil
		}
		p := c.best(seed, s, left, len(taken) < thorough)
		taken = append(taken, p)
		left = left.Minus(p.set)
	}
	taken = c.needed(taken)
	slices.SortStableFunc(taken, func(p, q product) int { return slices.Compare(p.rank(), q.rank()) })
	out := make([]string, 0, len(taken))
	for _, p := range taken {
		out = append(out, c.name(p))
	}
	return out
}

// best gives the product through a variant that covers most of left; of
// equals the one with fewer restricted axes, then fewer values, then the
// first in the order of trying.
func (c *Cover) best(seed int, s, left ground.Set, all bool) product {
	var best product
	var rank []int
	for _, order := range c.orders(all) {
		for _, whole := range []bool{true, false} {
			p := c.widen(seed, s, order, whole)
			if !all {
				return p
			}
			axes, values := p.size()
			r := []int{-p.set.Intersect(left).Len(), axes, values}
			if rank == nil || slices.Compare(r, rank) < 0 {
				best, rank = p, r
			}
		}
	}
	return best
}

// orders gives the orders in which axes are widened. The last axis comes
// first: of two ways to say the same, the one that restricts the axis declared
// earlier reads better. Then each axis gets its turn to be the first.
func (c *Cover) orders(all bool) [][]int {
	var last []int
	for a := len(c.at) - 1; a >= 0; a-- {
		last = append(last, a)
	}
	out := [][]int{last}
	for k := 1; all && k < len(last); k++ {
		out = append(out, slices.Concat(last[k:k+1], last[:k], last[k+1:]))
	}
	return out
}

// widen grows one variant to a product inside s. With whole, axes are freed
// altogether before single values are added.
func (c *Cover) widen(seed int, s ground.Set, order []int, whole bool) product {
	p := product{chosen: make([][]bool, len(c.at)), free: make([]bool, len(c.at))}
	for a := range c.at {
		p.chosen[a] = make([]bool, len(c.at[a]))
		p.chosen[a][c.build.Variants[seed].Values[a]] = true
	}
	if whole {
		for _, a := range order {
			p.free[a] = c.others(p, a).SubsetOf(s)
		}
	}
	for _, a := range order {
		if !p.free[a] {
			c.addValues(&p, a, s)
		}
	}
	p.set = c.others(p, -1)
	return p
}

// addValues adds to an axis every value that keeps the product inside s, and
// frees the axis when that is all that is built. Values that no built variant
// of the product has are left out.
func (c *Cover) addValues(p *product, a int, s ground.Set) {
	others := c.others(*p, a)
	if p.free[a] = others.SubsetOf(s); p.free[a] {
		return
	}
	for v := range c.at[a] {
		p.chosen[a][v] = p.chosen[a][v] || others.MeetsWithin(c.at[a][v], s)
	}
}

// others gives the built variants of a product with one axis freed; -1 frees
// none.
func (c *Cover) others(p product, but int) ground.Set {
	out := c.all.Clone()
	for a := range c.at {
		if a == but || p.free[a] {
			continue
		}
		chosen := ground.NewSet(c.all.Size())
		for v, in := range p.chosen[a] {
			if in {
				chosen.Union(c.at[a][v])
			}
		}
		out = out.Intersect(chosen)
	}
	return out
}

// needed leaves out the products that the others cover without them, the
// latest first.
func (c *Cover) needed(taken []product) []product {
	if len(taken) > thorough {
		return taken
	}
	for i := len(taken) - 1; i >= 0; i-- {
		rest := ground.NewSet(c.all.Size())
		for k, p := range taken {
			if k != i {
				rest.Union(p.set)
			}
		}
		if taken[i].set.SubsetOf(rest) {
			taken = slices.Delete(taken, i, i+1)
		}
	}
	return taken
}

// rank puts products in the order of their values, as declared, with those
// that leave the first axes free last.
func (p product) rank() []int {
	var out []int
	for a, chosen := range p.chosen {
		if p.free[a] {
			out = append(out, len(chosen))
			continue
		}
		for v, in := range chosen {
			if in {
				out = append(out, v)
			}
		}
	}
	return out
}

// size counts the axes that a product restricts, and the values on them.
func (p product) size() (axes, values int) {
	for a, chosen := range p.chosen {
		if p.free[a] {
			continue
		}
		axes++
		for _, in := range chosen {
			if in {
				values++
			}
		}
	}
	return axes, values
}

// name writes a product: the restricted axes with their values.
func (c *Cover) name(p product) string {
	var terms []string
	for a, axis := range c.build.Prompt.Axes {
		if p.free[a] {
			continue
		}
		var values []string
		for v, in := range p.chosen[a] {
			if in {
				values = append(values, axis.Values[v].Str)
			}
		}
		terms = append(terms, axis.Name.Str+"="+strings.Join(values, valueSep))
	}
	return cmp.Or(strings.Join(terms, termSep), everyVariant)
}

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

// Error is for developers; Fact is what people are told.
func (e *SelectError) Error() string { return "unknown " + e.What + " " + e.Word }

// Fact says what is wrong.
func (e *SelectError) Fact() diag.Words {
	switch {
	case e.Twice:
		return diag.Say("axis-named-twice", e.Word)
	case e.What == "value":
		return diag.Say("axis-lacks-value", e.Axis, e.Word)
	case e.What == "axis":
		return diag.Say("no-such-axis", e.Word)
	case e.What == "prompt":
		return diag.Say("no-such-prompt", e.Word)
	case e.What == "variant":
		return diag.Say("no-such-variant", e.Word)
	default:
		return diag.Say("not-axis-and-value", e.Word)
	}
}

// Select gives the variants that an expression names: "" or "all", "none",
// products such as "family=generic+devstral,tier=1" joined by "|", or
// "all but …" of these. Axes may stand in any order; one that a product does
// not name is not restricted, also when it has a default: what Describe says is
// read as it was meant. A variant's own name leaves axes at their default
// out; Named looks such names up. The error is a *SelectError.
func (c *Cover) Select(expr string) (ground.Set, error) {
	expr = strings.TrimSpace(expr)
	if rest, ok := strings.CutPrefix(expr, butPrefix); ok {
		s, err := c.union(rest)
		if err != nil {
			return ground.Set{}, err
		}
		return c.all.Minus(s), nil
	}
	if expr == "" {
		return c.All(), nil
	}
	return c.union(expr)
}

// Named gives the variant whose name has this part after "prompt/", its
// axes in any order; "" names a variant with every axis at its default, or the
// only variant of a prompt without axes.
func Named(b *assembly.Build, part string) (*assembly.Variant, bool) {
	wanted := b.Prompt.ID.Str
	if part != "" {
		wanted += "/" + part
	}
	terms := sortedTerms(part)
	for _, v := range b.Variants {
		if v.Name == wanted || slices.Equal(terms, sortedTerms(strings.TrimPrefix(v.Name[len(b.Prompt.ID.Str):], "/"))) {
			return v, true
		}
	}
	return nil, false
}

// sortedTerms gives what a name says of the axes.
func sortedTerms(part string) []string {
	terms := strings.Split(part, termSep)
	slices.Sort(terms)
	return terms
}

// CutName cuts what names variants into the id of their prompt and the rest. Of
// the ids that fit, it takes the longest: those of several projects have slashes.
func CutName(name string, ids []string) (id, rest string) {
	id, rest, _ = strings.Cut(name, "/")
	known := false
	for _, one := range ids {
		if left, ok := strings.CutPrefix(name+"/", one+"/"); ok && (!known || len(one) > len(id)) {
			id, rest, known = one, strings.TrimSuffix(left, "/"), true
		}
	}
	return id, rest
}

func (c *Cover) union(expr string) (ground.Set, error) {
	out := ground.NewSet(c.all.Size())
	for part := range strings.SplitSeq(expr, strings.TrimSpace(unionSep)) {
		s, err := c.product(strings.TrimSpace(part))
		if err != nil {
			return ground.Set{}, err
		}
		out.Union(s)
	}
	return out, nil
}

func (c *Cover) product(expr string) (ground.Set, error) {
	switch expr {
	case everyVariant:
		return c.All(), nil
	case noVariant:
		return ground.NewSet(c.all.Size()), nil
	}
	out, named := c.All(), make([]bool, len(c.at))
	for term := range strings.SplitSeq(expr, termSep) {
		term = strings.TrimSpace(term)
		name, values, ok := strings.Cut(term, "=")
		if !ok {
			return ground.Set{}, &SelectError{What: "expression", Word: term}
		}
		a := slices.Index(c.axisNames(), name)
		if a < 0 {
			return ground.Set{}, &SelectError{What: "axis", Word: name, Candidates: c.axisNames()}
		}
		if named[a] {
			return ground.Set{}, &SelectError{What: "axis", Word: name, Twice: true}
		}
		named[a] = true
		s, err := c.values(a, values)
		if err != nil {
			return ground.Set{}, err
		}
		out = out.Intersect(s)
	}
	return out, nil
}

func (c *Cover) values(axis int, expr string) (ground.Set, error) {
	names := ground.Strings(c.build.Prompt.Axes[axis].Values)
	out := ground.NewSet(c.all.Size())
	for value := range strings.SplitSeq(expr, valueSep) {
		v := slices.Index(names, value)
		if v < 0 {
			axisName := c.build.Prompt.Axes[axis].Name.Str
			return ground.Set{}, &SelectError{What: "value", Word: value, Axis: axisName, Candidates: names}
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
