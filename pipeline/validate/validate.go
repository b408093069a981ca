// Package validate turns a Tree into a Spec: the manifest and every source
// file are checked against their JSON Schemas, and what the schemas cannot
// say is checked while values become typed.
package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Run checks a tree and gives its typed form, with everything that is wrong.
// The Spec is complete where there are no errors; otherwise it holds what
// could be understood.
func Run(tree *prompt.Tree) (*prompt.Spec, diag.List) {
	var spec *prompt.Spec
	var docs documents
	// The two halves need different schemas, where they need any.
	found := par.Map([]func() diag.List{
		func() (out diag.List) {
			spec, out = manifest(tree)
			return out
		},
		func() diag.List {
			docs = newDocuments()
			docs.tree(tree)
			return docs.found
		},
	}, func(half func() diag.List) diag.List { return half() })
	spec.Tools, spec.Goals, spec.Markers, spec.Entries = docs.tools, docs.goals, docs.markers, docs.entries
	spec.Conversations = docs.talks
	return spec, slices.Concat(found...).Sorted()
}

// manifest checks the manifest alone.
func manifest(tree *prompt.Tree) (*prompt.Spec, diag.List) {
	var found diag.List
	if tree.Manifest != nil { // else load has said why
		for _, v := range check(manifestRef, tree.Manifest) {
			found = append(found, v.diagnostics()...)
		}
	}
	d := decoder{}
	spec := d.manifest(tree)
	return spec, append(found, d.found...)
}
