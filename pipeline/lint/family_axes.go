package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// shrinking finds the ordered axes along which the emitted text gets shorter:
// somebody who moves up expects more.
func (f family) shrinking() diag.List {
	var out diag.List
	for i, axis := range f.build.Prompt.Axes {
		if !axis.Ordered {
			continue
		}
		var pairs []diag.Words
		compared, shrunk := 0, 0
		for _, row := range f.rows(i) {
			for k, next := range row[1:] {
				last := row[k]
				if !likeSized(last, next) {
					continue
				}
				if compared++; next.Tokens >= last.Tokens {
					continue
				}
				if shrunk++; shrunk <= shown {
					pairs = append(pairs, diag.Say("has-then-has", last.Variant.Name, amount(last.Tokens, "token"), next.Variant.Name, diag.Count(next.Tokens)))
				}
			}
		}
		if shrunk == 0 {
			continue
		}
		if shrunk > shown {
			pairs = append(pairs, diag.Say("and-n-more", diag.Count(shrunk-shown)))
		}
		out = append(out, diag.New(diag.SizesShrink, axis.Name.At, "ordered-but-gets-shorter",
			axis.Name.Str, f.build.Prompt.ID.Str, diag.Count(shrunk), amount(compared, "step")).
			WithDetail(pairs...).WithHint("give-later-value-least"))
	}
	return out
}

// likeSized reports whether the sizes of two variants may be compared: they
// are counted alike, and neither was cut to fit a window of its own.
func likeSized(a, b *prompt.Artifact) bool {
	return a.Variant.Tokenizer == b.Variant.Tokenizer && !a.Variant.Layout.On && !b.Variant.Layout.On
}

// deadAxes finds the axes that change nothing in any variant. An axis is not
// judged where no two variants differ in it alone.
func (c *promptView) deadAxes() diag.List {
	var out diag.List
	for i, axis := range c.build.Prompt.Axes {
		if !c.dead()[i] {
			continue
		}
		hint := "remove-axis-or-name-it"
		if c.build.Prompt.Rendered != nil {
			hint = "render-one-remove-axis"
		}
		out = append(out, diag.New(diag.DeadAxis, axis.Name.At, "axis-changes-nothing-any", axis.Name.Str, c.build.Prompt.ID.Str).WithHint(hint))
	}
	return out
}

// dead says which axes change nothing.
func (c *promptView) dead() []bool {
	if c.deadAxis == nil {
		c.deadAxis = make([]bool, len(c.build.Prompt.Axes))
		for i := range c.deadAxis {
			rows := c.rows(i)
			c.deadAxis[i] = len(rows) > 0 && !slices.ContainsFunc(rows, c.differ)
		}
	}
	return c.deadAxis
}

// rows gives the artifacts that differ on one axis only, put together: each
// row in the order of the axis's values, the rows in that of their first
// variants. An artifact without a neighbour is in none.
func (f family) rows(axis int) [][]*prompt.Artifact {
	at := map[string]int{}
	var rows [][]*prompt.Artifact
	for _, a := range f.artifacts {
		key := make([]byte, 0, 2*len(a.Variant.Values))
		for i, value := range a.Variant.Values {
			if i != axis {
				key = append(key, byte(value), byte(value>>8))
			}
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(rows)
			at[string(key)] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return slices.DeleteFunc(rows, func(row []*prompt.Artifact) bool { return len(row) < 2 })
}

// differ reports whether two neighbours of a row differ.
func (c *promptView) differ(row []*prompt.Artifact) bool {
	return slices.ContainsFunc(row[1:], func(a *prompt.Artifact) bool {
		return sizesOf(row[0]) != sizesOf(a) || c.sends(row[0]) != c.sends(a)
	})
}

// sizes are those of an artifact: others of other sizes need no further look.
type sizes struct{ tokens, chars, bytes, tools int }

func sizesOf(a *prompt.Artifact) sizes { return sizes{a.Tokens, a.Chars, a.Bytes(), a.ToolTokens} }

// equalVariants finds variants that send the same, where no axis that changes
// nothing, no missing file and no file in place of another says why.
func equalVariants(c *promptView) diag.List {
	if len(c.artifacts) < 2 {
		return nil
	}
	alike := map[sizes]int{}
	for _, a := range c.artifacts {
		alike[sizesOf(a)]++
	}
	var groups ordered[string, []int]
	for v, a := range c.artifacts {
		if alike[sizesOf(a)] > 1 && !c.excused(a) {
			group := groups.of(c.sends(a))
			*group = append(*group, v)
		}
	}
	stated := c.stated()
	var lines []diag.Words
	found := 0
	users := prompt.NewSet(len(c.artifacts))
	for _, key := range groups.keys {
		group := *groups.values[key]
		if len(group) < 2 || !c.apart(group, stated) {
			continue
		}
		set := prompt.NewSet(len(c.artifacts))
		for _, v := range group {
			set.Add(v)
		}
		users.Union(set)
		if found++; found <= shown {
			lines = append(lines, diag.Say("variants-described", c.scope.describe(c.build, set)))
		}
	}
	if found == 0 {
		return nil
	}
	if found > shown {
		lines = append(lines, diag.Say("and-n-more", diag.Count(found-shown)))
	}
	hint := "exclude-all-but-one"
	if c.build.Prompt.Rendered != nil {
		hint = "render-one-of-each"
	}
	return diag.List{diag.New(diag.EqualVariants, c.build.Prompt.ID.At, "variants-send-same-another",
		diag.Count(users.Len()), diag.Count(users.Size()), c.build.Prompt.ID.Str).WithDetail(lines...).WithHint(hint)}
}

// excused reports whether a variant may be equal to another because a file of
// its own is not there, as the manifest allows.
func (c *promptView) excused(a *prompt.Artifact) bool {
	if slices.ContainsFunc(a.Out, func(o prompt.Omission) bool { return o.Reason == prompt.OutAbsent }) {
		return true
	}
	stands := func(in *prompt.Input) bool { return in.Origin != prompt.FromPath && in.Origin != prompt.FromInline }
	return slices.ContainsFunc(a.Used, func(r *prompt.Rendering) bool {
		return r != nil && slices.ContainsFunc(r.Unit.Inputs, stands)
	})
}

// stated gives the values, by axis, of which a case says which files they have:
// that these are those of another value is meant.
func (c *promptView) stated() []map[string]bool {
	p := c.build.Prompt
	out := make([]map[string]bool, len(p.Axes))
	for i := range out {
		out[i] = map[string]bool{}
	}
	note := func(when prompt.Condition) {
		for _, clause := range when {
			for _, term := range clause {
				axis := slices.IndexFunc(p.Axes, func(a *prompt.Axis) bool { return a.Name.Str == term.Axis.Str })
				if axis < 0 || term.Not {
					continue
				}
				for _, value := range term.Values {
					out[axis][value.Str] = true
				}
			}
		}
	}
	paths := func(cases prompt.Cases[[]prompt.Word]) {
		for _, one := range cases {
			note(one.When)
		}
	}
	sources := map[string]bool{}
	for _, s := range p.Sections {
		paths(s.Path)
		paths(s.Source)
		for _, one := range s.Source {
			for _, w := range one.Value {
				sources[w.Str] = true
			}
		}
	}
	for _, src := range c.scope.plan.Spec.Sources {
		if sources[src.ID.Str] {
			paths(src.Path)
		}
	}
	return out
}

// apart reports whether some of a group's variants differ on an axis for no
// reason that the manifest gives: an axis that changes nothing, or a value of
// which a case says what it has.
func (c *promptView) apart(group []int, stated []map[string]bool) bool {
	for axis, a := range c.build.Prompt.Axes {
		first := -1
		for _, v := range group {
			value := c.build.Variants[v].Values[axis]
			if c.dead()[axis] || stated[axis][a.Values[value].Str] {
				continue
			}
			if first >= 0 && value != first {
				return true
			}
			first = value
		}
	}
	return false
}

// sends gives a key that only variants have that send the same, in the same
// shape, counted alike and held to the same limits: texts as numbers.
func (c *promptView) sends(a *prompt.Artifact) string {
	if key, ok := c.sent[a]; ok {
		return key
	}
	var key strings.Builder
	word := func(s string) {
		if _, ok := c.words[s]; !ok {
			c.words[s] = len(c.words)
		}
		fmt.Fprintf(&key, "%d ", c.words[s])
	}
	limits := func(l *prompt.Limits) {
		if l == nil {
			l = &prompt.Limits{}
		}
		word(fmt.Sprint("limits", l.Tokens, l.Chars, l.ToolTokens, l.GrowthTokens, l.WarnAt, l.Growth, l.Warn))
	}
	word(fmt.Sprint(a.Variant.Tokenizer, dialectOf(a).Name, max(0, a.Variant.CacheMinimum)))
	limits(&a.Variant.Budget)
	for i := range a.Variant.Uses {
		limits(a.Variant.Uses[i].Budget)
	}
	for _, tools := range [][]*prompt.Tool{a.Toolset, a.Beside} {
		word(fmt.Sprint("tools", len(tools)))
		for _, t := range tools {
			word(t.Canonical)
		}
	}
	for _, m := range a.Messages {
		word(fmt.Sprint("message", m.Role, m.Tier, len(m.Blocks)))
		for _, b := range m.Blocks {
			word(fmt.Sprint("block", b.From, b.Marked))
			if b.Image != nil {
				word("image " + b.Image.URL)
			}
		}
	}
	for _, p := range a.Parts {
		word(p.Text)
	}
	c.sent[a] = key.String()
	return c.sent[a]
}
