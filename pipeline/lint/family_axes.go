package lint

import (
	"fmt"
	"slices"

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
		var pairs []string
		compared := 0
		for _, row := range f.rows(i) {
			for k, next := range row[1:] {
				last := row[k]
				if !likeSized(last, next) {
					continue
				}
				compared++
				if next.Tokens < last.Tokens {
					pairs = append(pairs, fmt.Sprintf("%s has %s, %s has %d",
						last.Variant.Name, count(last.Tokens, "token"), next.Variant.Name, next.Tokens))
				}
			}
		}
		if n := len(pairs); n > 0 {
			if n > namedPairs {
				pairs = append(pairs[:namedPairs], fmt.Sprintf("and %d more", n-namedPairs))
			}
			out = append(out, diag.New(diag.SizesShrink, axis.Name.At, "%q is ordered, but %q gets shorter in %d of its %s",
				axis.Name.Str, f.build.Prompt.ID.Str, n, count(compared, "step")).
				WithDetail(pairs...).
				WithHint("give the later value at least what the earlier one has, or leave ordered out"))
		}
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
func (c *census) deadAxes() diag.List {
	var out diag.List
	for i, axis := range c.build.Prompt.Axes {
		if !c.dead()[i] {
			continue
		}
		hint := "remove it, or name it where its values are to differ: in when, a path, a form, a budget"
		if c.build.Prompt.Rendered != nil {
			hint = "the rendered texts are equal: render one and remove the axis, or look whether the program heeds it"
		}
		out = append(out, diag.New(diag.DeadAxis, axis.Name.At, "axis %q changes nothing in any variant of %q",
			axis.Name.Str, c.build.Prompt.ID.Str).WithHint("%s", hint))
	}
	return out
}

// dead says which axes change nothing.
func (c *census) dead() []bool {
	if c.deadAxis == nil {
		c.deadAxis = make([]bool, len(c.build.Prompt.Axes))
		for i := range c.deadAxis {
			rows := c.rows(i)
			c.deadAxis[i] = len(rows) > 0 && !slices.ContainsFunc(rows, differ)
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
func differ(row []*prompt.Artifact) bool {
	return slices.ContainsFunc(row[1:], func(a *prompt.Artifact) bool { return !same(row[0], a) })
}

// same reports whether two variants emit the same in the same shape, with the
// same tools, and are held to the same budget by the same count.
func same(a, b *prompt.Artifact) bool {
	return a.Variant.Tokenizer == b.Variant.Tokenizer && sameBudget(a.Variant, b.Variant) &&
		dialectOf(a).Name == dialectOf(b).Name && a.Variant.CacheMinimum == b.Variant.CacheMinimum &&
		slices.EqualFunc(a.Toolset, b.Toolset, sameTool) && slices.EqualFunc(a.Beside, b.Beside, sameTool) &&
		sameText(a, b) && sameMessages(a, b)
}

// sameMessages compares who says what, and where breakpoints are.
func sameMessages(a, b *prompt.Artifact) bool {
	sameBlock := func(x, y prompt.Block) bool {
		if x.Marked != y.Marked || (x.Image == nil) != (y.Image == nil) {
			return false
		}
		return x.Image == y.Image || x.Image.URL == y.Image.URL
	}
	return slices.EqualFunc(a.Messages, b.Messages, func(x, y prompt.Message) bool {
		return x.Role == y.Role && x.Tier == y.Tier && slices.EqualFunc(x.Blocks, y.Blocks, func(p, q prompt.Block) bool {
			return sameBlock(p, q) && (p.Image != nil || a.BlockText(p) == b.BlockText(q))
		})
	})
}

func sameBudget(a, b *prompt.Variant) bool {
	if !sameLimits(&a.Budget, &b.Budget) {
		return false
	}
	return slices.EqualFunc(a.Uses, b.Uses, func(x, y prompt.Use) bool { return sameLimits(x.Budget, y.Budget) })
}

// sameLimits compares amounts; where they are declared is no difference.
func sameLimits(a, b *prompt.Limits) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Tokens == b.Tokens && a.Chars == b.Chars && a.ToolTokens == b.ToolTokens && a.WarnAt == b.WarnAt &&
		a.Growth == b.Growth && a.GrowthTokens == b.GrowthTokens && a.Warn == b.Warn
}

func sameTool(a, b *prompt.Tool) bool {
	return a == b || a.Name == b.Name && a.Canonical == b.Canonical
}

// sameText compares what is emitted: nearly always the first pair of parts
// tells, since variants share renderings.
func sameText(a, b *prompt.Artifact) bool {
	if a.Bytes() != b.Bytes() {
		return false
	}
	samePart := func(x, y prompt.Part) bool {
		return x.Rendering != nil && x.Rendering == y.Rendering || x.Text == y.Text
	}
	return slices.EqualFunc(a.Parts, b.Parts, samePart) || a.Text() == b.Text()
}
