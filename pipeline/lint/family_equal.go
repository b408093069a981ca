package lint

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// equalVariants finds variants that send the same, where no axis that changes
// nothing, no missing file and no file in place of another says why.
func equalVariants(c *census) diag.List {
	if len(c.artifacts) < 2 {
		return nil
	}
	var groups ordered[string, []int]
	texts := &interned{texts: map[string]uint64{}, renderings: map[*prompt.Rendering]uint64{}, tools: map[*prompt.Tool]uint64{}}
	type size struct{ tokens, chars, bytes, tools int }
	alike := map[size]int{} // variants of other sizes need no further look
	sized := func(a *prompt.Artifact) size { return size{a.Tokens, a.Chars, a.Bytes(), a.ToolTokens} }
	for _, a := range c.artifacts {
		alike[sized(a)]++
	}
	for v, a := range c.artifacts {
		if alike[sized(a)] > 1 && !c.excused(a) {
			group := groups.of(c.sends(a, texts))
			*group = append(*group, v)
		}
	}
	var known *unlike
	var lines []string
	found := 0
	users := prompt.NewSet(len(c.artifacts))
	for _, key := range groups.keys {
		group := *groups.values[key]
		if len(group) < 2 {
			continue
		}
		if known == nil {
			known = &unlike{c.dead(), c.stated(), c.build.Prompt.Axes}
		}
		if c.apart(group, known) {
			set := prompt.NewSet(len(c.artifacts))
			for _, v := range group {
				set.Add(v)
			}
			users.Union(set)
			if found++; found <= namedPairs {
				lines = append(lines, c.scope.describe(c.build, set))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if more := found - namedPairs; more > 0 {
		lines = append(lines, "and "+number(more, "more group"))
	}
	d := diag.New(diag.EqualVariants, c.build.Prompt.ID.At, "%d of the %d variants of %q send the same as another",
		users.Len(), users.Size(), c.build.Prompt.ID.Str).WithDetail(lines...)
	hint := "exclude all but one of each line, or look whether a condition or a path was forgotten"
	if c.build.Prompt.Rendered != nil {
		hint = "render one of each line, or look whether the program heeds what they differ in"
	}
	return diag.List{d.WithHint("%s", hint)}
}

// excused reports whether a variant may be equal to another because a file of
// its own is not there, as the manifest allows.
func (c *census) excused(a *prompt.Artifact) bool {
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
func (c *census) stated() []map[string]bool {
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

// unlike says on which axes a value makes no variant of its own: those that
// change nothing, and values of which the manifest says what they have.
type unlike struct {
	dead   []bool
	stated []map[string]bool
	axes   []*prompt.Axis
}

// apart reports whether some of a group's variants differ on an axis for no
// reason that the manifest gives.
func (c *census) apart(group []int, known *unlike) bool {
	var first []int
	for _, v := range group {
		values := slices.Clone(c.build.Variants[v].Values)
		for axis := range values {
			if known.dead[axis] || known.stated[axis][known.axes[axis].Values[values[axis]].Str] {
				values[axis] = -1
			}
		}
		if first == nil {
			first = values
		}
		for axis, value := range values {
			if value >= 0 && first[axis] >= 0 && value != first[axis] {
				return true
			}
			if first[axis] < 0 {
				first[axis] = value
			}
		}
	}
	return false
}

// interned gives texts a number each, the renderings by themselves so that none
// is compared twice.
type interned struct {
	texts      map[string]uint64
	renderings map[*prompt.Rendering]uint64
	tools      map[*prompt.Tool]uint64
}

func (t *interned) of(p prompt.Part) uint64 {
	if n, ok := t.renderings[p.Rendering]; ok && p.Rendering != nil {
		return n
	}
	n := number64(t.texts, p.Text)
	if p.Rendering != nil {
		t.renderings[p.Rendering] = n
	}
	return n
}

// tool numbers a tool by what its definition says.
func (t *interned) tool(tool *prompt.Tool) uint64 {
	n, ok := t.tools[tool]
	if !ok {
		n = number64(t.texts, tool.Canonical)
		t.tools[tool] = n
	}
	return n
}

// number64 gives a text its number.
func number64(known map[string]uint64, s string) uint64 {
	n, ok := known[s]
	if !ok {
		n = uint64(len(known))
		known[s] = n
	}
	return n
}

// sends gives a key that only variants have that send the same, in the same
// shape, counted alike and held to the same limits.
func (c *census) sends(a *prompt.Artifact, known *interned) string {
	var key []byte
	num := func(all ...uint64) {
		for _, n := range all {
			key = binary.AppendUvarint(key, n)
		}
	}
	word := func(s string) { num(number64(known.texts, s)) }
	limits := func(l *prompt.Limits) {
		if l == nil {
			num(0)
			return
		}
		warn := uint64(1)
		if l.Warn {
			warn = 2
		}
		num(warn, uint64(l.Tokens+1), uint64(l.Chars+1), uint64(l.ToolTokens+1), uint64(l.GrowthTokens+1), math.Float64bits(l.WarnAt), math.Float64bits(l.Growth))
	}
	word(a.Variant.Tokenizer)
	word(dialectOf(a).Name)
	num(uint64(max(0, a.Variant.CacheMinimum)))
	limits(&a.Variant.Budget)
	for i := range a.Variant.Uses {
		limits(a.Variant.Uses[i].Budget)
	}
	for _, tools := range [][]*prompt.Tool{a.Toolset, a.Beside} {
		num(uint64(len(tools)))
		for _, t := range tools {
			num(known.tool(t))
		}
	}
	num(uint64(len(a.Messages)))
	for _, m := range a.Messages {
		word(string(m.Role) + m.Tier)
		num(uint64(len(m.Blocks)))
		for _, b := range m.Blocks {
			mark, image := uint64(b.From)<<1, ""
			if b.Marked {
				mark |= 1
			}
			if b.Image != nil {
				image = b.Image.URL
			}
			num(mark)
			word(image)
		}
	}
	for _, p := range a.Parts {
		num(known.of(p))
	}
	return string(key)
}
