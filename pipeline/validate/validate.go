// Package validate turns a Tree into a Spec: the manifest and every source
// file are checked against their JSON Schemas, and what the schemas cannot
// say is checked while values become typed.
package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Run checks a tree and gives its typed form, with everything that is wrong.
// The Spec is complete where there are no errors; otherwise it holds what
// could be understood.
func Run(tree *prompt.Tree) (*prompt.Spec, diag.List) {
	var found diag.List
	checker := newChecker()

	if tree.Manifest != nil { // else load has said why
		for _, v := range checker.check(manifestRef, tree.Manifest) {
			found = append(found, v.diagnostics()...)
		}
	}
	d := decoder{}
	spec := d.manifest(tree)
	found = append(found, d.found...)

	docs := newDocuments(checker)
	docs.tree(tree)
	spec.Tools, spec.Goals, spec.Markers, spec.Entries = docs.tools, docs.goals, docs.markers, docs.entries
	spec.Conversations = docs.talks
	found = append(found, docs.found...)

	return spec, found.Sorted()
}
