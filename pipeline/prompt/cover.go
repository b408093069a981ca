package prompt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Cover says which variants of one prompt a set holds, in the words of the
// outlines, and reads such words back. It keeps what it has worked out, so one
// Cover serves many sets of its prompt; it is not for use by several
// goroutines at once.
type Cover struct {
	build *Build
	all   Set
	at    [][]Set // by axis and value: the built variants there
	known map[string]described
}

// described is a set in words, and its products one by one.
type described struct {
	words    string
	products []string
}

// product is a choice of values on every axis; it stands for all built
// variants that have one of the chosen values on each.
type product struct {
	chosen [][]bool // by axis and value
	free   []bool   // by axis: every value is chosen
	set    Set
}

// thorough is the number of products up to which a cover tries every order of
// widening. Sets that need more are no rule that anybody wrote down; they are
// covered by the first order alone, so that no set takes long.
const thorough = 48

// NewCover gives the cover of a prompt.
func NewCover(b *Build) *Cover {
	c := &Cover{build: b, all: NewSet(len(b.Variants)), known: map[string]described{}}
	for i := range b.Variants {
		c.all.Add(i)
	}
	c.at = make([][]Set, len(b.Prompt.Axes))
	for a, axis := range b.Prompt.Axes {
		c.at[a] = make([]Set, len(axis.Values))
		for v := range axis.Values {
			c.at[a][v] = NewSet(len(b.Variants))
		}
		for i, variant := range b.Variants {
			if v := valueOn(variant, a); v < len(c.at[a]) {
				c.at[a][v].Add(i)
			}
		}
	}
	return c
}

// valueOn gives the index of a variant's value on an axis.
func valueOn(v *Variant, axis int) int {
	if axis >= len(v.Values) {
		return 0
	}
	return v.Values[axis]
}

// All gives the set of all built variants.
func (c *Cover) All() Set { return c.all.Clone() }

// Describe gives a set in the outlines' words: "all", "none", products such
// as "family=generic+devstral,tier=1+2" joined by " | ", or "all but X" where
// that is shorter and no more products. A product names the axes that it
// restricts, values in declared order. It covers built variants only, so excluded
// variants need no mention. Select gives the same set back.
func (c *Cover) Describe(s Set) string { return c.describe(s).words }

// Products gives the products of a set one by one, without "all but".
func (c *Cover) Products(s Set) []string { return slices.Clone(c.describe(s).products) }

// Describe is NewCover(b).Describe(s), for a single set.
func (b *Build) Describe(s Set) string { return NewCover(b).Describe(s) }

// Products is NewCover(b).Products(s), for a single set.
func (b *Build) Products(s Set) []string { return NewCover(b).Products(s) }

func (c *Cover) describe(s Set) described {
	key := s.key()
	if d, ok := c.known[key]; ok {
		return d
	}
	d := c.words(s)
	c.known[key] = d
	return d
}

func (c *Cover) words(s Set) described {
	switch {
	case s.Equal(c.all):
		return described{words: everyVariant, products: []string{everyVariant}}
	case s.First() < 0:
		return described{words: noVariant}
	}
	d := described{products: c.products(s, len(c.build.Variants))}
	d.words = strings.Join(d.products, unionSep)
	// A union of exceptions takes thought, so it has to save a product.
	rest := c.products(c.all.Minus(s), max(1, len(d.products)-1))
	if but := butPrefix + strings.Join(rest, unionSep); rest != nil && len(but) < len(d.words) {
		d.words = but
	}
	return d
}

// products covers a set greedily: the first variant not yet covered is
// widened to a product inside the set, in several fixed orders, and the
// product that covers most of what is left is taken. It gives up, with nil,
// when that takes more than limit products.
func (c *Cover) products(s Set, limit int) []string {
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
func (c *Cover) best(seed int, s, left Set, all bool) product {
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
func (c *Cover) widen(seed int, s Set, order []int, whole bool) product {
	p := product{chosen: make([][]bool, len(c.at)), free: make([]bool, len(c.at))}
	for a := range c.at {
		p.chosen[a] = make([]bool, len(c.at[a]))
		if v := valueOn(c.build.Variants[seed], a); v < len(p.chosen[a]) {
			p.chosen[a][v] = true
		}
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
func (c *Cover) addValues(p *product, a int, s Set) {
	others := c.others(*p, a)
	if p.free[a] = others.SubsetOf(s); p.free[a] {
		return
	}
	for v := range c.at[a] {
		if more := others.Intersect(c.at[a][v]); more.First() >= 0 && more.SubsetOf(s) {
			p.chosen[a][v] = true
		}
	}
}

// others gives the built variants of a product with one axis freed; -1 frees
// none.
func (c *Cover) others(p product, but int) Set {
	out := c.all.Clone()
	for a := range c.at {
		if a == but || p.free[a] {
			continue
		}
		chosen := NewSet(c.all.size)
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
		rest := NewSet(c.all.size)
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

// key gives a string that only equal sets have.
func (s Set) key() string {
	b := make([]byte, 0, 17*len(s.words))
	for _, w := range s.words {
		b = append(strconv.AppendUint(b, w, 16), ' ')
	}
	return string(b)
}
