package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// auto stands for the values of an axis, or for all axes, that are found in the
// names of rendered files.
const auto = "auto"

// Keys of a prompt that say how it is assembled, and those that say what was
// assembled elsewhere.
var (
	assemblingKeys = []string{"layout", "dialect", "cache_minimum", "join", "order"}
	renderedKeys   = []string{"split", "tools"}
)

// rendered decodes where the texts of a prompt are that another program
// assembles; nil for a prompt of sections.
func (d *decoder) rendered(n *prompt.Node) *prompt.Rendered {
	value := n.Field("rendered")
	if value == nil {
		d.foreign(n, renderedKeys, "a prompt of sections takes no %q", "the key belongs to a prompt with `rendered`")
		return nil
	}
	if n.Field("sections") == nil { // else the one or the other is too much
		d.foreign(n, assemblingKeys, "a prompt that is rendered elsewhere takes no %q", "remove it: the bytes are those of the files")
	}
	out := &prompt.Rendered{Split: prompt.Splits(), At: value.At}
	path := value
	if value.Kind == prompt.Mapping {
		path = value.Field("path")
		out.Entry, _ = d.word(value.Field("entry"))
	}
	out.Path, _ = d.word(path)
	out.Tools, _ = d.word(n.Field("tools"))
	if split := n.Field("split"); split != nil && split.Kind == prompt.Sequence {
		named, _ := d.words(split)
		out.Split = slices.DeleteFunc(out.Split, func(s prompt.Split) bool {
			return !slices.ContainsFunc(named, func(w prompt.Word) bool { return w.Str == string(s) })
		})
	}
	return out
}

// foreign reports the keys of a mapping that have no meaning in it.
func (d *decoder) foreign(n *prompt.Node, keys []string, format, hint string) {
	for _, f := range n.Fields {
		if slices.Contains(keys, f.Key) {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, format, f.Key).WithHint("%s", hint))
		}
	}
}

// axes decodes the axes of a prompt. `auto` for all of them makes an axis of
// every name in the patterns.
func (d *decoder) axes(n *prompt.Node, rendered *prompt.Rendered) []*prompt.Axis {
	var out []*prompt.Axis
	for _, f := range entries(n) {
		axis := d.axis(f)
		out = append(out, axis)
		if axis.Auto && rendered == nil {
			d.autoElsewhere(f.Value.At)
		}
	}
	if !isAuto(n) {
		return out
	}
	if rendered == nil {
		d.autoElsewhere(n.At)
		return nil
	}
	for _, name := range slices.Concat(axesOf(rendered.Path, prompt.PathPattern), axesOf(rendered.Entry, prompt.NamePattern)) {
		if slices.ContainsFunc(out, func(a *prompt.Axis) bool { return a.Name.Str == name.Str }) {
			continue
		}
		d.id(name)
		out = append(out, &prompt.Axis{Name: name, Auto: true})
	}
	return out
}

// isAuto reports whether a value stands for what the files say.
func isAuto(n *prompt.Node) bool { return n.IsScalar() && n.Text.Str == auto }

func (d *decoder) autoElsewhere(at diag.Span) {
	d.found = append(d.found, diag.New(diag.BadAxis, at, "%q takes values from rendered files, which a prompt of sections has none of", auto).
		WithHint("list the values; a list of one value is [%s]", auto))
}

// axesOf gives the axes that a pattern names, each with its place.
func axesOf(w prompt.Word, parse func(string) *prompt.Pattern) []prompt.Word {
	var out []prompt.Word
	for _, name := range parse(w.Str).Axes {
		at := w.At
		if at.Known() {
			if i := strings.Index(at.File.Text[at.Start:at.End], "{"+name+"}"); i >= 0 {
				at.Start += i + 1
				at.End = at.Start + len(name)
			}
		}
		out = append(out, prompt.Word{Str: name, At: at})
	}
	return out
}
