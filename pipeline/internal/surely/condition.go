package surely

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// condition is what a keyword asks of a value. The three keywords about the
// entries of mappings are one.
type condition struct {
	is     test
	limit  int // of a number or a length; the types; of mappingOf, how many words are keys
	words  []string
	values []value
	rules  []rule
}

// value is one that an enum allows: a scalar, or an empty list or mapping.
type value struct {
	kind prompt.NodeKind
	text string
}

// test tells the conditions apart.
type test int

const (
	unknown test = iota // a keyword that the generator does not know
	impossible
	ofType
	among
	atLeast
	atMost
	above
	longAtLeast
	longAtMost
	matching
	itemsAtLeast
	itemsAtMost
	distinctItems
	eachItem
	keysAtLeast
	having
	keysLike
	mappingOf
	never
	every
	either
	exactlyOne
)

// The types, as a set.
const (
	nullType = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType
)

// judge says whether a value meets a condition. What a condition does not speak
// of meets it: a list has no shortest length as a text.
func (c *condition) judge(n *prompt.Node) verdict {
	switch c.is {
	case impossible:
		return no
	case ofType:
		return verdictOf(typesOf(n)&c.limit != 0)
	case among:
		return c.among(n)
	case never:
		return yes - c.rules[0].judge(n)
	case every:
		return c.every(n)
	case either:
		return c.either(n)
	case exactlyOne:
		return c.exactlyOne(n)
	case unknown:
		return maybe
	default:
		return c.inside(n)
	}
}

// inside judges by a condition that speaks of the values of one type.
func (c *condition) inside(n *prompt.Node) verdict {
	switch n.Kind {
	case prompt.Number:
		return c.number(float(n.Text.Str))
	case prompt.String:
		return c.text(n.Text.Str)
	case prompt.Sequence:
		return c.sequence(n.Items)
	case prompt.Mapping:
		return c.mapping(n)
	default:
		return yes
	}
}

func typesOf(n *prompt.Node) int {
	switch n.Kind {
	case prompt.Null:
		return nullType
	case prompt.Bool:
		return booleanType
	case prompt.Number:
		if f := float(n.Text.Str); f == math.Trunc(f) {
			return numberType | integerType
		}
		return numberType
	case prompt.String:
		return stringType
	case prompt.Sequence:
		return arrayType
	default:
		return objectType
	}
}

func (c *condition) among(n *prompt.Node) verdict {
	for _, v := range c.values {
		if n.Kind == v.kind && same(n, v) {
			return yes
		}
	}
	return no
}

// same compares values of one kind.
func same(n *prompt.Node, v value) bool {
	switch v.kind {
	case prompt.Number:
		return float(n.Text.Str) == float(v.text)
	case prompt.Sequence, prompt.Mapping:
		return len(n.Items)+len(n.Fields) == 0
	case prompt.Null:
		return true
	default:
		return n.Text.Str == v.text
	}
}

func (c *condition) every(n *prompt.Node) verdict {
	all := yes
	for _, r := range c.rules {
		all = min(all, r.judge(n))
	}
	return all
}

func (c *condition) either(n *prompt.Node) verdict {
	best := no
	for _, r := range c.rules {
		if best = max(best, r.judge(n)); best == yes {
			break
		}
	}
	return best
}

func (c *condition) exactlyOne(n *prompt.Node) verdict {
	var of [yes + 1]int
	for _, r := range c.rules {
		of[r.judge(n)]++
	}
	switch {
	case of[yes] > 1 || of[maybe]+of[yes] == 0:
		return no
	case of[maybe] > 0:
		return maybe
	}
	return yes
}

func (c *condition) number(f float64) verdict {
	limit := float64(c.limit)
	switch c.is {
	case atLeast:
		return verdictOf(f >= limit)
	case atMost:
		return verdictOf(f <= limit)
	case above:
		return verdictOf(f > limit)
	default:
		return yes
	}
}

func (c *condition) text(s string) verdict {
	switch c.is {
	case longAtLeast:
		return verdictOf(utf8.RuneCountInString(s) >= c.limit)
	case longAtMost:
		return verdictOf(utf8.RuneCountInString(s) <= c.limit)
	case matching:
		return matches(c.words[0], s)
	default:
		return yes
	}
}

func (c *condition) sequence(items []*prompt.Node) verdict {
	switch c.is {
	case itemsAtLeast:
		return verdictOf(len(items) >= c.limit)
	case itemsAtMost:
		return verdictOf(len(items) <= c.limit)
	case distinctItems:
		return distinct(items)
	case eachItem:
		all := yes
		for _, item := range items {
			if all = min(all, c.rules[0].judge(item)); all == no {
				break
			}
		}
		return all
	default:
		return yes
	}
}

// distinct compares texts. Other values, and more than a few, are left to the
// library.
func distinct(items []*prompt.Node) verdict {
	const few = 40
	if len(items) > few {
		return maybe
	}
	for i, item := range items {
		if item == nil || item.Kind > prompt.String || item.Kind == prompt.Number && !plain(item.Text.Str) {
			return maybe
		}
		for _, other := range items[:i] {
			if item.Kind == other.Kind && same(item, value{other.Kind, other.Text.Str}) {
				return no
			}
		}
	}
	return yes
}

func (c *condition) mapping(n *prompt.Node) verdict {
	switch c.is {
	case keysAtLeast:
		return verdictOf(len(n.Fields) >= c.limit)
	case having:
		missing := func(key string) bool { return n.Field(key) == nil }
		return verdictOf(!slices.ContainsFunc(c.words, missing))
	case keysLike:
		all := yes
		for i := range n.Fields {
			all = min(all, c.rules[0].judge(&prompt.Node{Kind: prompt.String, Text: prompt.Literal(n.Fields[i].Key)}))
		}
		return all
	case mappingOf:
		all := yes
		for i := range n.Fields {
			if all = min(all, c.field(&n.Fields[i])); all == no {
				break
			}
		}
		return all
	default:
		return yes
	}
}

// field judges an entry: by its key, by the patterns that its key matches, and
// when there is neither by what holds for the rest.
func (c *condition) field(f *prompt.Field) verdict {
	all, told := yes, false
	if i, ok := slices.BinarySearch(c.words[:c.limit], f.Key); ok {
		all, told = c.rules[i].judge(f.Value), true
	}
	for i, pattern := range c.words[c.limit:] {
		if m := matches(pattern, f.Key); m == maybe {
			return maybe
		} else if m == yes {
			all, told = min(all, c.rules[c.limit+i].judge(f.Value)), true
		}
	}
	if !told && len(c.rules) > len(c.words) {
		return c.rules[len(c.words)].judge(f.Value)
	}
	return all
}
