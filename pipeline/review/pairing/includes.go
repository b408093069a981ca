package pairing

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Includer gives a file that a variant of the head sends and that includes one of
// some files, through others, too; "" for none. Unsure says that it may.
func (two *Two) Includer(a *assembly.Artifact, files []string) (by string, unsure bool) {
	if two.graph == nil {
		two.names = map[string][]templates.Name{}
		for _, r := range []*prompt.Result{two.Base, two.Head} {
			if r != nil && r.Tree != nil {
				r.Tree.Includes(two.names)
			}
		}
		two.graph, two.templates = templates.NewGraph(two.names), map[*assembly.Rendering][]string{}
	}
	if two.graph.Empty() {
		return "", false
	}
	found := templates.None
	for _, x := range a.Used {
		if x == nil {
			continue
		}
		from, known := two.templates[x]
		if !known {
			from = x.Templates(two.names)
			two.templates[x] = from
		}
		for _, to := range files {
			if slices.Contains(from, to) {
				continue
			}
			if file, link := two.graph.Link(from, to); link > found {
				by, found = file, link
			}
		}
	}
	return by, found == templates.Unsure
}
