package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	m := &mentions{}
	at := holders(p)
	for _, e := range edits {
		of := byEdit[e]
		told := slices.DeleteFunc(slices.Clone(of), func(d toolDiff) bool { return !tells(x, m, &d) })
		if len(told) == 0 {
			told = of // nothing that is sent says so: it is declared, and that is all
		}
		for _, d := range told {
			reachBy(e, d.t, x.tokens(&d, r.toolEdits[d.t.head]))
		}
		in := row(e, p, false).In
		for _, d := range of {
			if !in.Has(d.t.head.Variant.Index) {
				cause, why := unheard(e, &d)
				miss(e, d.t, cause, why)
			}
		}
		missTools(e, p, of[0], at[e.Tool])
	}
}

// tells reports whether a variant sends something of a difference. Of a tool
// that came, that its text names it is enough; one that went is gone anyway.
func tells(x *toolText, m *mentions, d *toolDiff) bool {
	switch d.edit.Kind {
	case prompt.ToolAdded:
		return slices.Contains(d.t.head.Beside, d.after) || m.in(d.t.head, d.name)
	case prompt.ToolRemoved:
		return true
	default:
		return x.sends(d)
	}
}

// unheard says why a variant whose toolset has an edit sends nothing of it.
func unheard(e *prompt.Edit, d *toolDiff) (prompt.Cause, string) {
	if e.Kind == prompt.ToolAdded {
		return prompt.CauseUnnamed, ""
	}
	for _, u := range d.t.head.Used {
		if u == nil || !slices.Contains(u.Tools, d.after) {
			continue
		}
		for _, in := range u.Unit.Inputs {
			if slices.Contains(in.Tools, d.after) {
				return prompt.CauseForm, in.Form
			}
		}
	}
	return prompt.CauseOther, ""
}

// missTools says which other variants an edit of a tool does not reach. The
// sections are those that have the tool in some variant.
func missTools(e *prompt.Edit, p *pair, of toolDiff, sections []int) {
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
		has := toolOf(t.head, e.Tool)
		switch {
		case has == nil && e.Kind == prompt.ToolRemoved: // nor had it before
		case has == nil:
			cause, why := without(t.head, sections)
			miss(e, t, cause, why)
		case of.after == nil:
			miss(e, t, selects(t.head, has), "")
		case has.Canonical != of.after.Canonical:
			miss(e, t, prompt.CauseFile, has.File.Path)
		}
	}
}

// selects says by what a variant keeps a tool that others lost.
func selects(a *prompt.Artifact, tool *prompt.Tool) prompt.Cause {
	for i, u := range a.Used {
		if u != nil && slices.Contains(u.Tools, tool) && a.Build.Prompt.Sections[i].Only.Set() {
			return prompt.CauseOnly
		}
	}
	return prompt.CauseFile
}

// without says why a variant does not have a tool of some sections.
func without(a *prompt.Artifact, sections []int) (prompt.Cause, string) {
	for _, i := range sections {
		u := a.Used[i]
		if u == nil {
			return outCause(a, i)
		}
		if a.Build.Prompt.Sections[i].Only.Set() {
			return prompt.CauseOnly, ""
		}
		return prompt.CauseFile, toolFiles(u)
	}
	return prompt.CauseAbsent, ""
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

// mentions knows which texts name a tool.
type mentions struct {
	name       string // the tool that the rest is about
	renderings map[*prompt.Rendering]bool
	texts      map[string]bool // of what is no section
}

// in reports whether the text of a variant names a tool.
func (m *mentions) in(a *prompt.Artifact, name string) bool {
	if m.name != name || m.texts == nil {
		*m = mentions{name: name, renderings: map[*prompt.Rendering]bool{}, texts: map[string]bool{}}
	}
	return slices.ContainsFunc(a.Parts, m.part)
}

func (m *mentions) part(p prompt.Part) bool {
	if len(p.Text) < len(m.name) {
		return false
	}
	if p.Rendering != nil {
		return known(m.renderings, p.Rendering, p.Text, m.name)
	}
	return known(m.texts, p.Text, p.Text, m.name)
}

func known[K comparable](all map[K]bool, key K, text, name string) bool {
	yes, ok := all[key]
	if !ok {
		yes = names(text, name)
		all[key] = yes
	}
	return yes
}

// names reports whether a text has a name as a word of its own. A hyphen ties
// words together: `web-fetch` does not name `fetch`.
func names(text, name string) bool {
	inWord := func(r rune, _ int) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(name)
		before, after := strings.TrimSuffix(text[:start], "-"), strings.TrimPrefix(text[end:], "-")
		if !inWord(utf8.DecodeLastRuneInString(before)) && !inWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		at = start + 1
	}
	return false
}
