package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// laidOutAnew reports whether a variant emits other sections than before, in
// other forms or in another order.
func laidOutAnew(t twin) bool { return !slices.Equal(laidOut(t.base), laidOut(t.head)) }

// laidOut gives the sections that an artifact emits, with their forms.
func laidOut(a *prompt.Artifact) []string {
	var out []string
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, a.Build.Prompt.Sections[p.Section].ID.Str+"\n"+formOf(p.Rendering))
		}
	}
	return out
}

// notice says of the key that asks for it that a variant names now what was
// dropped, or no longer does.
func (r *run) notice(e *prompt.Edit, t twin) {
	was, is := t.base.NoticePart(), t.head.NoticePart()
	if was < 0 && is < 0 {
		r.holds(e, t)
		return
	}
	r.owners[ownerKey{t, nil}] = e
	reachBy(e, t, noticeCost(t.head, is)-noticeCost(t.base, was))
}

// noticeCost gives what a notice adds to a text with the join before it.
func noticeCost(a *prompt.Artifact, part int) int {
	if part < 0 {
		return 0
	}
	before := part - 1
	for before >= 0 && a.Parts[before].Section < 0 {
		before--
	}
	if before < 0 {
		return a.Parts[part].Total
	}
	return a.Parts[part].Total - a.Parts[before].Total
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
