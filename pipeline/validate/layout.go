package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// layoutKeys are the keys of a layout's mapping, beside its name.
var layoutKeys = []struct {
	layout string
	keys   []string
	needed []string // of keys, those that cannot be left out
}{
	{layout: "sequence"},
	{layout: "phases", keys: []string{"order", "place", "fill", "notice"}},
	{layout: "messages", keys: []string{"conversation", "assembly", "reminder"}, needed: []string{"conversation"}},
}

// layout decodes a layout: its name alone, or a mapping with its settings.
func (d *decoder) layout(n *prompt.Node) (prompt.Layout, bool) {
	name, ok := d.word(n)
	if !ok {
		name, ok = d.word(n.Field("name"))
	}
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
	out.Conversation, _ = d.word(n.Field("conversation"))
	out.Assembly, _ = d.word(n.Field("assembly"))
	out.Reminder, _ = d.word(n.Field("reminder"))
	d.layoutKeys(n, name)
	return out, true
}

// layoutKeys reports the keys of a layout that belong to another one, and
// those that are missing.
func (d *decoder) layoutKeys(n *prompt.Node, name prompt.Word) {
	var needed []string
	for _, own := range layoutKeys {
		if own.layout == name.Str {
			needed = own.needed
			continue
		}
		for _, f := range n.Fields {
			if slices.Contains(own.keys, f.Key) && isLayout(name.Str) {
				d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "the layout %s takes no %q", quote(name.Str), f.Key).
					WithHint("the key belongs to the layout %q", own.layout))
			}
		}
	}
	for _, key := range needed {
		if n.Field(key) == nil && !meantBy(n, key, allLayoutKeys()) {
			d.found = append(d.found, diag.New(diag.MissingKey, name.At, "the layout %s lacks the key %q", quote(name.Str), key).
				WithHint("write `layout: {name: %s, %s: …}` with the id of a source of kind %q", name.Str, key, "conversation"))
		}
	}
}

// allLayoutKeys gives the keys of all layouts.
func allLayoutKeys() []string {
	all := []string{"name"}
	for _, l := range layoutKeys {
		all = append(all, l.keys...)
	}
	return all
}

func isLayout(name string) bool {
	for _, l := range layoutKeys {
		if l.layout == name {
			return true
		}
	}
	return false
}
