// Package surely tells most valid documents from the rest, at once.
//
// Nearly every document is valid, and then nobody needs to hear why. To find
// that out with the library of JSON Schema takes longer than all the rest of a
// run: it parses our schemas, holds them against their metaschema and compiles
// them first. So documents are looked at here before. Where this package is sure
// that one is valid, the library is not asked; in any doubt, and whenever
// something is wrong, the library decides, and says what.
//
// It never takes for valid what the library refuses: the tests hold the one
// against the other.
package surely

import (
	"math"
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

//go:generate go run gen.go

// Valid reports that a value surely obeys a schema of ours, or a definition of
// one: "prompts", "tools#/definitions/mcp".
func Valid(ref string, n *prompt.Node) bool {
	r, ok := find(ref)
	return ok && r.judge(n) == yes
}

// Keys gives the keys that a schema of ours for a mapping names, sorted.
func Keys(ref string) []string {
	if c := entries(ref); c != nil {
		return slices.Clone(c.words[:c.limit])
	}
	return nil
}

// Named reports that a schema of ours surely speaks of a key, by its name or by
// a pattern.
func Named(ref, key string) bool {
	c := entries(ref)
	return c != nil && (slices.Contains(c.words[:c.limit], key) ||
		slices.ContainsFunc(c.words[c.limit:], func(pattern string) bool { return matches(pattern, key) == yes }))
}

// entries gives what a schema says of the entries of a mapping.
func entries(ref string) *condition {
	if r, ok := find(ref); ok {
		for i := range conditions[r] {
			if c := &conditions[r][i]; c.is == mappingOf {
				return c
			}
		}
	}
	return nil
}

func find(ref string) (rule, bool) {
	for _, s := range schemas {
		if s.ref == ref {
			return s.rule, true
		}
	}
	return 0, false
}

// verdict says whether a value obeys a rule.
type verdict int

const (
	no verdict = iota
	maybe
	yes
)

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// rule is a schema, or one within a schema: its position in the generated table
// of conditions.
type rule int

// judge says whether a value obeys a rule. A number that is not plain may be
// text to the library, or a very long fraction.
func (r rule) judge(n *prompt.Node) verdict {
	if n == nil || n.Kind == prompt.Number && !plain(n.Text.Str) {
		return maybe
	}
	all := yes
	for i := range conditions[r] {
		if all = min(all, conditions[r][i].judge(n)); all == no {
			break
		}
	}
	return all
}

// plain reports whether a number has so few digits that computing with it is
// exact.
func plain(number string) bool {
	const digits = 15 // that a 64-bit float holds
	if len(number) > digits {
		return false
	}
	for i := range len(number) {
		if c := number[i]; c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}

func float(number string) float64 {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN() // which nothing is equal to: no kind of Number is one
	}
	return f
}
