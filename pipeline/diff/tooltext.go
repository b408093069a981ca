package diff

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolText knows what texts say of tools. What it has worked out of a rendering
// it keeps: many variants share one.
type toolText struct {
	run   *run
	rests map[*prompt.Rendering]string
	shown map[toolShown]string
	// schemas are the sizes of definitions, in one line.
	schemas map[schemaKey]int
}

type schemaKey struct {
	tokenizer string
	tool      *prompt.Tool
}

func newToolText(r *run) *toolText {
	return &toolText{run: r, rests: map[*prompt.Rendering]string{}, shown: map[toolShown]string{}, schemas: map[schemaKey]int{}}
}

type toolShown struct {
	rendering *prompt.Rendering
	name      string
}

// of gives what a rendering says of one of its tools: its item or line, and
// what else comes from its definition. "" where it does not have the tool.
func (x *toolText) of(in *prompt.Rendering, name string) string {
	key := toolShown{in, name}
	if text, ok := x.shown[key]; ok {
		return text
	}
	var b strings.Builder
	i := slices.IndexFunc(in.Tools, func(t *prompt.Tool) bool { return t.Name == name })
	if i >= 0 {
		f := x.run.frame(in)
		if item := f.find(name); item != nil {
			b.WriteString(item.text.Str)
		}
		for _, s := range f.around.Segs {
			if inside(s.At, in.Tools[i].At) {
				b.WriteString(f.around.Str[s.Start:s.End])
			}
		}
	}
	x.shown[key] = b.String()
	return x.shown[key]
}

// rest gives what a rendering says apart from its tools.
func (x *toolText) rest(in *prompt.Rendering) string {
	if text, ok := x.rests[in]; ok {
		return text
	}
	var b strings.Builder
	around, at := x.run.frame(in).around, 0
	for _, s := range around.Segs {
		if slices.ContainsFunc(in.Tools, func(t *prompt.Tool) bool { return inside(s.At, t.At) }) {
			b.WriteString(around.Str[at:s.Start])
			at = s.End
		}
	}
	b.WriteString(around.Str[at:])
	x.rests[in] = b.String()
	return x.rests[in]
}

// sections gives the sections of a variant that have a tool, on either side,
// and that are in on both in the same form: of others another edit speaks.
func (x *toolText) sections(t twin, name string) [][2]*prompt.Rendering {
	has := func(in *prompt.Rendering) bool {
		return slices.ContainsFunc(in.Tools, func(tool *prompt.Tool) bool { return tool.Name == name })
	}
	var out [][2]*prompt.Rendering
	for _, s := range t.pair.sections {
		was, is := t.used(s)
		if was != nil && is != nil && (has(was) || has(is)) && sameForm(was, is) {
			out = append(out, [2]*prompt.Rendering{was, is})
		}
	}
	return out
}

// sameForm reports whether two renderings have the same forms, on the same rung
// of a ladder.
func sameForm(a, b *prompt.Rendering) bool {
	return a.Unit.Step == b.Unit.Step && slices.EqualFunc(a.Unit.Inputs, b.Unit.Inputs, func(x, y *prompt.Input) bool { return x.Form == y.Form })
}

// sends reports whether what a variant sends differs on account of a tool: its
// schema goes beside the text, or the text says something else of it.
func (x *toolText) sends(d *toolDiff) bool {
	if slices.Contains(d.t.head.Beside, d.after) || slices.Contains(d.t.base.Beside, d.before) {
		return true
	}
	for _, s := range x.sections(d.t, d.name) {
		if x.of(s[0], d.name) != x.of(s[1], d.name) {
			return true
		}
	}
	return false
}

// tokens gives the size of a difference: that of the text of its section, or
// of the tool's share where several tools of the section differ, and that of
// its schema beside the text.
func (x *toolText) tokens(d *toolDiff, edited map[string]*prompt.Edit) int {
	count := x.run.count(d.t.head.Variant.Tokenizer)
	n := 0
	for _, s := range x.sections(d.t, d.name) {
		was, is := s[0], s[1]
		others := func(t *prompt.Tool) bool { return t.Name != d.name && edited[t.Name] != nil }
		alone := !slices.ContainsFunc(was.Tools, others) && !slices.ContainsFunc(is.Tools, others)
		if alone && x.rest(was) == x.rest(is) {
			n += count(is.Text.Str) - count(was.Text.Str)
		} else {
			n += count(x.of(is, d.name)) - count(x.of(was, d.name))
		}
	}
	return n + x.beside(d)
}

// beside gives the size of a difference beside the text. Where nothing else
// differs there, it is that of the list as a whole.
func (x *toolText) beside(d *toolDiff) int {
	was, is := slices.Contains(d.t.base.Beside, d.before), slices.Contains(d.t.head.Beside, d.after)
	if !was && !is || was != is && d.before != nil && d.after != nil {
		return 0 // of another form, another edit speaks
	}
	if x.besides(d.t, d.name) && x.run.sameTokenizer(d.t) {
		return d.t.head.ToolTokens - d.t.base.ToolTokens
	}
	n := 0
	if is {
		n += x.schema(d.t, d.after)
	}
	if was {
		n -= x.schema(d.t, d.before)
	}
	return n
}

// schema counts a definition as the head of a variant does.
func (x *toolText) schema(t twin, tool *prompt.Tool) int {
	key := schemaKey{t.head.Variant.Tokenizer, tool}
	n, ok := x.schemas[key]
	if !ok {
		n = x.run.count(key.tokenizer)(schemaText(tool))
		x.schemas[key] = n
	}
	return n
}

// besides reports whether the schemas beside the text differ in one tool alone.
func (x *toolText) besides(t twin, name string) bool {
	others := func(all []*prompt.Tool) []*prompt.Tool {
		return slices.DeleteFunc(slices.Clone(all), func(t *prompt.Tool) bool { return t.Name == name })
	}
	return slices.EqualFunc(others(t.base.Beside), others(t.head.Beside), func(a, b *prompt.Tool) bool { return a.Canonical == b.Canonical })
}

// schemaText gives a definition as it is counted: in one line.
func schemaText(t *prompt.Tool) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(t.Canonical)); err != nil {
		return strings.TrimSpace(t.Canonical)
	}
	return b.String()
}
