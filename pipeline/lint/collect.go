package lint

import (
	"fmt"
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

// number writes an amount of something.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return diag.Number(n) + " " + noun + "s"
}

// dialectOf gives the shape of an artifact.
func dialectOf(a *prompt.Artifact) *prompt.Dialect {
	if a.Variant.Dialect == nil {
		return &prompt.Dialects[0]
	}
	return a.Variant.Dialect
}

// converted reports whether an artifact has another dialect than the manifest
// gives its variant.
func converted(a *prompt.Artifact) bool {
	declared := a.Build.Variants[a.Variant.Index].Dialect
	return declared != nil && declared.Name != dialectOf(a).Name
}

// at gives the first of some places that is known, its first line.
func at(places ...diag.Span) diag.Span {
	for _, p := range places {
		if !p.Known() {
			continue
		}
		if i := strings.IndexByte(p.File.Text[p.Start:p.End], '\n'); i >= 0 {
			p.End = p.Start + i
		}
		return p
	}
	return diag.Span{}
}

// named joins quoted words, the first few of them.
func named(words []string) string {
	var quoted []string
	for _, w := range words[:min(len(words), namedPairs)] {
		quoted = append(quoted, diag.Quote(w))
	}
	if more := len(words) - namedPairs; more > 0 {
		return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", more)
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " and " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}
