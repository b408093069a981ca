package validate

import (
	"math"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// decoder makes typed values of the manifest's nodes. A value of the wrong
// shape is passed over without a word, because the schema has reported it;
// what the decoder finds is what a schema cannot say.
type decoder struct {
	found diag.List
	// patterns counts what those of all settings stand for.
	patterns int
}

// cases decodes a value that may be a list of cases. one decodes a single
// value and says whether it was of the right shape.
func cases[T any](d *decoder, n *prompt.Node, one func(*prompt.Node) (T, bool)) prompt.Cases[T] {
	if n == nil {
		return nil
	}
	if !isCases(n) {
		v, ok := one(n)
		if !ok {
			return nil
		}
		return prompt.Cases[T]{{Value: v, At: n.At}}
	}
	var out prompt.Cases[T]
	always := -1
	for i, item := range n.Items {
		value := item.Field("value")
		if value == nil {
			continue
		}
		if always >= 0 {
			d.found = append(d.found, diag.New(diag.UnreachableCase, firstLine(item.At), "case-never-reached-because", i+1, always+1).
				WithHint("move-before-case-remove", always+1))
		}
		when := item.Field("when")
		if when == nil && always < 0 && len(item.Fields) == 1 { // more keys are a misspelt `when`
			always = i
		}
		if v, ok := one(value); ok {
			out = append(out, prompt.Case[T]{When: d.condition(when), Value: v, At: value.At})
		}
	}
	return out
}

// isCases tells a list of cases from a list of values.
func isCases(n *prompt.Node) bool {
	if n == nil || n.Kind != prompt.Sequence || len(n.Items) == 0 {
		return false
	}
	first := n.Items[0]
	return first.Field("value") != nil || first.Field("when") != nil
}

func (d *decoder) text(n *prompt.Node) (prompt.Text, bool) {
	if !n.IsScalar() {
		return prompt.Text{}, false
	}
	return n.Text, true
}

func (d *decoder) word(n *prompt.Node) (prompt.Word, bool) {
	if !n.IsScalar() {
		return prompt.Word{}, false
	}
	return prompt.Word{Str: n.Text.Str, At: n.At}, true
}

// words decodes one word or a list of distinct ones.
func (d *decoder) words(n *prompt.Node) ([]prompt.Word, bool) {
	if w, ok := d.word(n); ok {
		return []prompt.Word{w}, true
	}
	if n == nil || n.Kind != prompt.Sequence {
		return nil, false
	}
	var out []prompt.Word
	names := newDistinct()
	for _, item := range n.Items {
		if w, ok := d.word(item); ok {
			d.found = append(d.found, names.once(w)...)
			out = append(out, w)
		}
	}
	return out, true
}

func (d *decoder) flag(n *prompt.Node) (bool, bool) {
	if n == nil || n.Kind != prompt.Bool {
		return false, false
	}
	return n.Text.Str == "true", true
}

// amount decodes a whole number. JSON Schema takes 4e3 and 4000.0 for whole
// numbers, so they are.
func (d *decoder) amount(n *prompt.Node) (int, bool) {
	f, ok := d.number(n)
	if !ok || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

func (d *decoder) number(n *prompt.Node) (float64, bool) {
	if n == nil || n.Kind != prompt.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text.Str, 64)
	return f, err == nil
}

// share decodes `90%` or 0.9 to 0.9.
func (d *decoder) share(n *prompt.Node) (float64, bool) {
	if f, ok := d.number(n); ok {
		return f, true
	}
	percent, ok := strings.CutSuffix(n.Scalar(), "%")
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(percent, 64)
	return f / 100, err == nil
}

// condition decodes `when`. Nil is a condition that always holds.
func (d *decoder) condition(n *prompt.Node) prompt.Condition {
	if n == nil {
		return nil
	}
	if n.Kind == prompt.Mapping {
		return prompt.Condition{d.clause(n)}
	}
	var out prompt.Condition
	for _, item := range n.Items {
		if item.Kind == prompt.Mapping {
			out = append(out, d.clause(item))
		}
	}
	return out
}

func (d *decoder) clause(n *prompt.Node) prompt.Clause {
	var out prompt.Clause
	for _, f := range n.Fields {
		term := prompt.Term{Axis: prompt.Word{Str: f.Key, At: f.KeyAt}}
		values := f.Value
		if not := f.Value.Field("not"); not != nil {
			term.Not, values = true, not
		}
		term.Values, _ = d.words(values)
		out = append(out, term)
	}
	return out
}
