package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// layout decodes a layout: its name alone, or a mapping with its settings.
func (d *decoder) layout(n *prompt.Node) (prompt.Layout, bool) {
	if w, ok := d.word(n); ok {
		return prompt.Layout{Name: w, At: n.At}, true
	}
	name, ok := d.word(n.Field("name"))
	if !ok {
		return prompt.Layout{}, false
	}
	out := prompt.Layout{
		Name:        name,
		StickyFirst: n.Field("place").Scalar() == "sticky-first",
		Stop:        n.Field("fill").Scalar() == "stop",
		At:          n.At,
	}
	out.Notice, _ = d.flag(n.Field("notice"))
	out.Order, _ = d.words(n.Field("order"))
	if name.Str == "sequence" {
		for _, f := range n.Fields {
			if f.Key != "name" {
				d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "the layout \"sequence\" takes no %q", f.Key).
					WithHint("the key belongs to the layout \"phases\""))
			}
		}
	}
	return out, true
}
