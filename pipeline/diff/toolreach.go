package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolReach says for the edits of tools of one prompt whom they reach, and whom
// they could have reached.
func (r *run) toolReach(p *pair, x *toolText, diffs []toolDiff) {
	if len(diffs) == 0 {
		return
	}
	var edits []*prompt.Edit
	byEdit := map[*prompt.Edit][]toolDiff{}
	for _, d := range diffs {
		if byEdit[d.edit] == nil {
			edits = append(edits, d.edit)
		}
		byEdit[d.edit] = append(byEdit[d.edit], d)
	}
	at := holders(p)
	for _, e := range edits {
		of := byEdit[e]
		told := slices.DeleteFunc(slices.Clone(of), func(d toolDiff) bool { return !x.tells(&d) })
		if len(told) == 0 {
			told = of // nothing that is sent says so: it is declared, and that is all
		}
		for _, d := range told {
			reachBy(e, d.t, x.tokens(&d))
		}
		in := row(e, p, false).In
		for _, d := range of {
			switch {
			case in.Has(d.t.head.Variant.Index):
			case e.Kind == prompt.ToolAdded && x.mentions.in(d.t.head, d.name): // as it did before
			default:
				cause, why := unheard(e, &d)
				miss(e, d.t, cause, why)
			}
		}
		x.unnamed(e, told)
		x.missed(e, p, of[0], at[e.Tool])
	}
}

// tells reports whether a variant sends something of a difference. Of a tool
// that came or went, that the text names it is enough, unless it does so on
// both sides.
func (x *toolText) tells(d *toolDiff) bool {
	if x.sends(d) {
		return true
	}
	if d.edit.Kind == prompt.ToolChanged {
		return false
	}
	return x.mentions.in(d.t.head, d.name) != x.mentions.in(d.t.base, d.name)
}

// unnamed notes, of the variants that send the schema of a new tool, those
// whose text does not name it where the text of others does. Only texts that
// name tools at all could have.
func (x *toolText) unnamed(e *prompt.Edit, told []toolDiff) {
	if e.Kind != prompt.ToolAdded {
		return
	}
	var without []toolDiff
	for _, d := range told {
		if !x.mentions.in(d.t.head, d.name) {
			without = append(without, d)
		}
	}
	if len(without) == len(told) {
		return
	}
	for _, d := range without {
		names := func(t *prompt.Tool) bool { return t != d.after && x.mentions.in(d.t.head, t.Name) }
		if slices.ContainsFunc(d.t.head.Toolset, names) {
			miss(e, d.t, prompt.CauseUnnamed, "")
		}
	}
}

// unheard says why a variant whose toolset has an edit sends nothing of it.
func unheard(e *prompt.Edit, d *toolDiff) (prompt.Cause, string) {
	used, tool := d.t.head.Used, d.after
	switch e.Kind {
	case prompt.ToolAdded:
		return prompt.CauseUnnamed, ""
	case prompt.ToolRemoved:
		used, tool = d.t.base.Used, d.before
	default:
	}
	for _, u := range used {
		if u == nil || !slices.Contains(u.Tools, tool) {
			continue
		}
		for _, in := range u.Unit.Inputs {
			if slices.Contains(in.Tools, tool) {
				return prompt.CauseForm, in.Form
			}
		}
	}
	return prompt.CauseOther, ""
}

// missed says which other variants an edit of a tool does not reach. The
// sections are those that have the tool in some variant.
func (x *toolText) missed(e *prompt.Edit, p *pair, of toolDiff, sections []int) {
	reached := row(e, p, false)
	had := prompt.NewSet(reached.In.Size())
	had.Union(reached.In)
	for _, m := range reached.Missed {
		had.Union(m.Set)
	}
	for _, t := range p.twins {
		if !t.both() || had.Has(t.head.Variant.Index) {
			continue
		}
		has := x.side(t.head).byName[e.Tool]
		switch {
		case has == nil && e.Kind == prompt.ToolRemoved: // nor had it before
		case has == nil:
			cause, why := lacks(t.head, sections)
			miss(e, t, cause, why)
		case of.after == nil:
			cause, why := keeps(t.head, has)
			miss(e, t, cause, why)
		case has.Canonical != of.after.Canonical:
			miss(e, t, prompt.CauseFile, fileOf(t.head, has))
		}
	}
}

// keeps says by what a variant keeps a tool that others lost: it selects it, or
// reads a file that has it.
func keeps(a *prompt.Artifact, tool *prompt.Tool) (prompt.Cause, string) {
	for i, u := range a.Used {
		if u != nil && slices.Contains(u.Tools, tool) && a.Build.Prompt.Sections[i].Only.Set() {
			return prompt.CauseOnly, ""
		}
	}
	return prompt.CauseFile, fileOf(a, tool)
}

// fileOf names the file of a tool, unless every variant has one of its own,
// which says nothing.
func fileOf(a *prompt.Artifact, tool *prompt.Tool) string {
	if a.Build.Prompt.Rendered != nil || tool.File == nil {
		return ""
	}
	return tool.File.Path
}

// lacks says why a variant does not have a tool of some sections. Of several
// the first that is in counts, else the first.
func lacks(a *prompt.Artifact, sections []int) (prompt.Cause, string) {
	for _, i := range sections {
		switch u := a.Used[i]; {
		case u == nil:
		case a.Build.Prompt.Sections[i].Only.Set():
			return prompt.CauseOnly, ""
		case a.Build.Prompt.Rendered != nil:
			return prompt.CauseFile, ""
		default:
			return prompt.CauseFile, toolFiles(u)
		}
	}
	if len(sections) == 0 {
		return prompt.CauseAbsent, ""
	}
	return outCause(a, sections[0])
}

// toolFiles names the files that the tools of a rendering come from: the first,
// and that there are more.
func toolFiles(x *prompt.Rendering) string {
	var paths []string
	for _, t := range x.Tools {
		if t.File != nil && !slices.Contains(paths, t.File.Path) {
			paths = append(paths, t.File.Path)
		}
	}
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return paths[0]
	default:
		return paths[0] + ", …"
	}
}

// holders gives for each tool of the head the sections that have it in some
// variant.
func holders(p *pair) map[string][]int {
	out := map[string][]int{}
	seen := map[*prompt.Rendering]bool{}
	for _, a := range p.head {
		for i, u := range a.Used {
			if u == nil || len(u.Tools) == 0 || seen[u] {
				continue
			}
			seen[u] = true
			for _, t := range u.Tools {
				if !slices.Contains(out[t.Name], i) {
					out[t.Name] = append(out[t.Name], i)
				}
			}
		}
	}
	return out
}
