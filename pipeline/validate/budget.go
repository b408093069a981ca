package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func (d *decoder) budget(n *prompt.Node) (prompt.Budget, bool) {
	if n.Kind != prompt.Mapping {
		return prompt.Budget{}, false
	}
	out := prompt.Budget{
		Tokens:     cases(d, n.Field("tokens"), d.amount),
		Chars:      cases(d, n.Field("chars"), d.amount),
		ToolTokens: cases(d, n.Field("tool_tokens"), d.amount),
		WarnAt:     cases(d, n.Field("warn_at"), d.share),

		Growth:       cases(d, n.Field("growth"), d.share),
		GrowthTokens: cases(d, n.Field("growth_tokens"), d.amount),

		Warn: cases(d, n.Field("over"), func(n *prompt.Node) (bool, bool) {
			return n.Scalar() == "warn", n.IsScalar()
		}),
		At: n.At,
	}
	if plus := n.Field("plus"); plus != nil {
		for _, item := range plus.Items {
			out.Plus = append(out.Plus, d.plus(item, n))
		}
	}
	return out, true
}

// plusUnits are the limits that an entry of `plus` may raise.
var plusUnits = []string{"tokens", "chars"}

func (d *decoder) plus(n, budget *prompt.Node) prompt.Plus {
	out := prompt.Plus{When: d.condition(n.Field("when")), At: n.At}
	out.Tokens, _ = d.amount(n.Field("tokens"))
	out.Chars, _ = d.amount(n.Field("chars"))
	for _, f := range n.Fields {
		for _, unit := range plusUnits {
			if f.Key == unit && budget.Field(unit) == nil {
				d.found = append(d.found, diag.New(diag.PlusOnNothing, f.KeyAt, "the budget sets no %q to add to", unit).
					WithHint("set `%s` beside `plus`, or remove this", unit))
			}
		}
	}
	return out
}

func (d *decoder) axis(f prompt.Field) *prompt.Axis {
	out := &prompt.Axis{Name: d.declared(f)}
	values := f.Value
	if values.Kind == prompt.Mapping {
		values = f.Value.Field("values")
		out.Default, _ = d.word(f.Value.Field("default"))
		out.Ordered, _ = d.flag(f.Value.Field("ordered"))
	}
	names := newDistinct("value")
	if out.Auto = isAuto(values); out.Auto {
		d.contextOfAuto(f.Value.Field("context"))
		return out
	}
	if values != nil {
		for _, item := range values.Items {
			if w, ok := d.word(item); ok {
				d.value(w)
				d.once(names, w)
				out.Values = append(out.Values, w)
			}
		}
	}
	d.sameButCase(out.Values)
	d.defaultValue(out)
	d.context(out, f.Value.Field("context"))
	return out
}

// contextOfAuto refuses sizes for values that nobody listed.
func (d *decoder) contextOfAuto(n *prompt.Node) {
	if n != nil {
		d.found = append(d.found, diag.New(diag.BadAxis, firstLine(n.At), "`context` has a size for each value, and the values are not listed").
			WithHint("list the values, or remove `context`"))
	}
}

func (d *decoder) defaultValue(axis *prompt.Axis) {
	if !axis.Default.At.Known() || len(axis.Values) == 0 {
		return
	}
	var values []string
	for _, w := range axis.Values {
		if w.Str == axis.Default.Str {
			return
		}
		values = append(values, w.Str)
	}
	found := diag.New(diag.BadAxis, axis.Default.At, "the default %s is none of the values of axis %q", quote(axis.Default.Str), axis.Name.Str)
	found = withNear(found, axis.Default.Str, values)
	if found.Hint == "" {
		found = found.WithHint("values: %s", list(values))
	}
	d.found = append(d.found, found)
}

func (d *decoder) context(axis *prompt.Axis, n *prompt.Node) {
	if n == nil || n.Kind != prompt.Sequence {
		return
	}
	for _, item := range n.Items {
		size, ok := d.amount(item)
		if !ok {
			continue
		}
		if k := len(axis.Context); k > 0 && size <= axis.Context[k-1] {
			d.found = append(d.found, diag.New(diag.BadAxis, item.At, "the context of axis %q does not ascend: %d follows %d", axis.Name.Str, size, axis.Context[k-1]).
				WithHint("list the values of the axis from the smallest context window to the largest"))
		}
		axis.Context = append(axis.Context, size)
	}
	if have, want := len(n.Items), len(axis.Values); have != want && have != want-1 {
		d.found = append(d.found, diag.New(diag.BadAxis, firstLine(n.At), "the context of axis %q has %d entries for %d values", axis.Name.Str, have, want).
			WithHint("give one for each value; the last may be left out, which is no limit"))
	}
}
