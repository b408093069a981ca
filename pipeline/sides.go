package pipeline

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fit makes a result by a proposed manifest fit the state that it is of.
func (q Request) fit(r *prompt.Result) {
	if q.Patterns == nil {
		return
	}
	if !r.Stopped {
		withoutFiles(r)
	}
	if len(r.Lacks) > 0 { // a proposal fits no state for certain
		r.Findings, r.Lacks, r.Stopped = append(r.Findings, r.Lacks...).Sorted(), nil, true
	}
}

// withoutFiles takes from a state by a proposed manifest the prompts that it has no
// file of, or only such as are excluded: the other state may have some.
func withoutFiles(r *prompt.Result) {
	r.Lacks = slices.DeleteFunc(r.Lacks, func(d diag.Diagnostic) bool {
		none := d.Code == diag.NoFile || d.Code == diag.NoVariant
		if none {
			r.Unrendered = append(r.Unrendered, d)
		}
		return none
	})
	gone := map[diag.Span]bool{}
	r.Plan.Builds = slices.DeleteFunc(r.Plan.Builds, func(b *assembly.Build) bool {
		gone[b.Prompt.ID.At] = !reads(r, b.Prompt.ID.Str)
		return gone[b.Prompt.ID.At]
	})
	r.Artifacts = slices.DeleteFunc(r.Artifacts, func(a *assembly.Artifact) bool { return gone[a.Build.Prompt.ID.At] })
	r.Findings = slices.DeleteFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == diag.NothingComposed && gone[d.Span] })
}

// reads reports whether a prompt of a result has a source.
func reads(r *prompt.Result, id string) bool {
	return slices.ContainsFunc(r.Plan.Units, func(u *assembly.Unit) bool { return u.Prompt.ID.Str == id && len(u.Sources()) > 0 })
}

// emptied gives the variants of a state with a borrowed manifest that would emit nothing:
// it has no file of theirs.
func emptied(r *prompt.Result) map[string]bool {
	out := map[string]bool{}
	for _, a := range r.Artifacts {
		if compose.EmitsNothing(a) {
			out[a.Variant.Name] = true
		}
	}
	return out
}

// refuseUnread ends a comparison by a proposed manifest with a prompt that
// neither side has a text of: no change would be said of what nobody read.
func refuseUnread(base, head *prompt.Result) {
	has := func(r *prompt.Result, id string) bool {
		return r.Stopped || r.Plan.Build(id) != nil
	}
	for _, p := range head.Spec.Prompts {
		if !has(base, p.ID.Str) && !has(head, p.ID.Str) {
			head.Findings, head.Stopped = append(head.Findings, head.Unrendered...).Sorted(), true
		}
	}
}

// withoutUnread takes the prompts from a side with a borrowed manifest of which it has
// no file and the other side has some: they are new, or gone.
func withoutUnread(side, other *prompt.Result) {
	if side.Stopped || other.Stopped {
		return
	}
	lacks := func(b *assembly.Build) bool {
		id := b.Prompt.ID.Str
		return !reads(side, id) && reads(other, id)
	}
	side.Artifacts = slices.DeleteFunc(side.Artifacts, func(a *assembly.Artifact) bool { return lacks(a.Build) })
	side.Plan.Builds = slices.DeleteFunc(side.Plan.Builds, lacks)
}

// lacking keeps of a stage's findings those that are wrong about a state with a
// borrowed manifest. An error in the manifest, which fits the state that it is
// from, is no mistake but something that this one does not have.
func lacking(r *prompt.Result, found diag.List) diag.List {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		if d.Level != diag.Error || d.Span.File != r.Tree.File {
			return false
		}
		if d.Code == diag.RenderedNothing || d.Code == diag.RenderedMissing {
			r.Unrendered = append(r.Unrendered, d)
		} else {
			r.Lacks = append(r.Lacks, d)
		}
		return true
	})
}
