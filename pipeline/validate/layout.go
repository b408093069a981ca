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

// layoutForm is a layout as it is written: each of its values may have cases.
type layoutForm struct {
	node *prompt.Node
	name prompt.Cases[prompt.Word]
}

// layout decodes a layout: its name alone, or a mapping with its settings.
func (d *decoder) layout(n *prompt.Node) (layoutForm, bool) {
	out := layoutForm{node: n}
	if name, ok := d.word(n); ok {
		out.name = prompt.Cases[prompt.Word]{{Value: name, At: n.At}}
	} else {
		out.name = cases(d, n.Field("name"), d.word)
	}
	if !out.name.Set() {
		return layoutForm{}, false
	}
	d.foreignKeys(out)
	d.neededKeys(out)
	return out, true
}

// foreignKeys reports the keys of a layout that belong to another one.
func (d *decoder) foreignKeys(l layoutForm) {
	var names []string
	for _, c := range l.name {
		if !isLayout(c.Value.Str) {
			return // which the schema has reported
		}
		if !slices.Contains(names, quote(c.Value.Str)) {
			names = append(names, quote(c.Value.Str))
		}
	}
	for _, own := range layoutKeys {
		if slices.Contains(names, quote(own.layout)) {
			continue
		}
		for _, f := range l.node.Fields {
			if !slices.Contains(own.keys, f.Key) {
				continue
			}
			found := diag.New(diag.KeyNotForKind, f.KeyAt, "the layout %s takes no %q", names[0], f.Key)
			if len(names) > 1 {
				found = diag.New(diag.KeyNotForKind, f.KeyAt, "the layouts %s take no %q", list(names), f.Key)
			}
			d.found = append(d.found, found.WithHint("the key belongs to the layout %q", own.layout))
		}
	}
}

// neededKeys reports the keys that a layout lacks.
func (d *decoder) neededKeys(l layoutForm) {
	for _, c := range l.name {
		for _, own := range layoutKeys {
			if own.layout != c.Value.Str {
				continue
			}
			for _, key := range own.needed {
				if l.node.Field(key) == nil && !meantBy(l.node, key, allLayoutKeys()) {
					d.found = append(d.found, diag.New(diag.MissingKey, c.Value.At, "the layout %s lacks the key %q", quote(own.layout), key).
						WithHint("write `layout: {name: %s, %s: …}` with the id of a source of kind %q", own.layout, key, "conversation"))
				}
			}
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

// keysOfLayout gives the keys that a layout takes.
func keysOfLayout(name string) []string {
	for _, l := range layoutKeys {
		if l.layout == name {
			return l.keys
		}
	}
	return nil
}

func isLayout(name string) bool {
	for _, l := range layoutKeys {
		if l.layout == name {
			return true
		}
	}
	return false
}
