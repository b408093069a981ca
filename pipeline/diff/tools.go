package diff

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/leaf"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolKey groups edits of tools: what came, went or changed in the same way is
// one edit, wherever it stands.
type toolKey struct {
	kind          prompt.EditKind
	name          string
	before, after string // the definitions; "" for a tool that is not there
}

// toolDiff is a tool that differs in one variant; a side is nil where the
// variant does not have it.
type toolDiff struct {
	t             twin
	name          string
	before, after *prompt.Tool
	edit          *prompt.Edit
}

// tools finds the edits of tools, by the toolsets of variants and their
// counterparts.
func (r *run) tools() {
	r.toolEdits = map[*prompt.Artifact]map[string]*prompt.Edit{}
	x := newToolText(r)
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		var diffs []toolDiff
		for _, t := range p.twins {
			if t.both() {
				diffs = append(diffs, x.diffs(t)...)
			}
		}
		r.toolReach(p, x, diffs)
		r.reorderedTools(p)
	}
}

// diffs finds the tools that differ in a variant, in the order of the head,
// then those that are no more.
func (x *toolText) diffs(t twin) []toolDiff {
	was, is := x.side(t.base).byName, x.side(t.head).byName
	edits := map[string]*prompt.Edit{}
	x.run.toolEdits[t.head] = edits
	var out []toolDiff
	differs := func(name string, before, after *prompt.Tool) {
		d := toolDiff{t: t, name: name, before: before, after: after}
		key := d.key()
		if key.before == key.after {
			return
		}
		d.edit = x.run.group(key, func() *prompt.Edit { return x.made(&d, key) })
		x.also(&d)
		edits[name] = d.edit
		out = append(out, d)
	}
	for _, tool := range t.head.Toolset {
		differs(tool.Name, was[tool.Name], tool)
	}
	for _, tool := range t.base.Toolset {
		if is[tool.Name] == nil {
			differs(tool.Name, tool, nil)
		}
	}
	return out
}

// key says what the difference is.
func (d *toolDiff) key() toolKey {
	switch {
	case d.before == nil:
		return toolKey{kind: prompt.ToolAdded, name: d.name, after: d.after.Canonical}
	case d.after == nil:
		return toolKey{kind: prompt.ToolRemoved, name: d.name, before: d.before.Canonical}
	default:
		return toolKey{kind: prompt.ToolChanged, name: d.name, before: d.before.Canonical, after: d.after.Canonical}
	}
}

// made gives the edit of a difference that is the first of its kind.
func (x *toolText) made(d *toolDiff, key toolKey) *prompt.Edit {
	e := &prompt.Edit{Kind: key.kind, Tool: d.name}
	d.edit = e
	switch e.Kind {
	case prompt.ToolRemoved:
		e.At, e.InBase, e.Event = x.place(d), true, toolEvent(d.t.base, d.before)
		return e
	case prompt.ToolAdded:
		e.At, e.Event = x.place(d), toolEvent(d.t.head, d.after)
		return e
	default:
	}
	e.Leaves, x.steps[e] = leaf.Between(d.name, key.before, key.after)
	e.At, e.Event = x.place(d), toolEvent(d.t.head, d.after)
	return e
}

// place gives where a difference comes from.
func (x *toolText) place(d *toolDiff) diag.Span {
	switch d.edit.Kind {
	case prompt.ToolRemoved:
		return d.before.At
	case prompt.ToolAdded:
		return d.after.At
	default:
		return leaf.Place(d.after, x.steps[d.edit])
	}
}

// also notes where a difference comes from that is an edit already.
func (x *toolText) also(d *toolDiff) {
	at := x.place(d)
	here := alsoKey{d.edit, placeOf(at)}
	if !at.Known() || here.at == placeOf(d.edit.At) || x.places[here] {
		return
	}
	x.places[here] = true
	d.edit.Also = append(d.edit.Also, at)
}

// showsEdit reports whether an edit speaks of the tool of a name in a variant.
// Then the tool's item, or its line, is covered by that edit, and is none of
// its own.
func (r *run) showsEdit(t twin, name string) bool {
	return t.both() && r.toolEdits[t.head][name] != nil
}

// toolOf gives the tool of a name, nil where the variant has none.
func toolOf(a *prompt.Artifact, name string) *prompt.Tool {
	for _, t := range a.Toolset {
		if t.Name == name {
			return t
		}
	}
	return nil
}
