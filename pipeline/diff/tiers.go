package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// tiered finds the pieces of a conversation that stand in another tier. That
// says more than their places do, so those count for the others alone.
func (c *change) tiered() {
	for i := range c.after.items {
		now := &c.after.items[i]
		if k, there := c.before.index[now.name]; there && c.before.items[k].tier != now.tier {
			c.retiered = append(c.retiered, now.name)
		}
	}
	if len(c.retiered) == 0 {
		return
	}
	others := func(f *frame) []string {
		return slices.DeleteFunc(f.names(), func(name string) bool { return slices.Contains(c.retiered, name) })
	}
	c.moved = movedOf(others(c.before), others(c.after), nil)
}

// tierChanged adds the pieces that stand in another tier, at the place where
// the fixture says so.
func (r *run) tierChanged(c *change) {
	for _, name := range c.retiered {
		was, is := &c.before.items[c.before.index[name]], &c.after.items[c.after.index[name]]
		from, to := tierWords(was.tier), tierWords(is.tier)
		for _, u := range c.uses {
			key := itemKey{kind: prompt.Moved, name: name, file: from + " " + to, pair: u.pair, section: u.id()}
			e := r.group(key, func() *prompt.Edit {
				at := namedIn(c.head.Unit.Dialogue, is.file)
				if !at.Known() {
					at = is.place()
				}
				return &prompt.Edit{Kind: prompt.Moved, Section: u.id(), Item: name, At: at, From: from, To: to}
			})
			c.note(e)
			for _, t := range u.twins {
				reach(e, t)
			}
		}
	}
}

func tierWords(tier string) string {
	if tier == "" {
		return "no tier"
	}
	return tier
}

// namedIn gives the place where a fixture names a file of the workspace that a
// conversation shows in full.
func namedIn(d *prompt.Dialogue, file *diag.File) diag.Span {
	if d == nil || file == nil {
		return diag.Span{}
	}
	files := slices.Clone(d.Working)
	for i := range d.Tiers {
		files = append(files, d.Tiers[i].Files...)
	}
	for i := range files {
		if files[i].Doc != nil && files[i].Doc.File == file {
			return files[i].At
		}
	}
	return diag.Span{}
}
