package language

import (
	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// Includes adds what each file of a tree names of others, by path: the files that
// are read, and those beside them.
func (t *Tree) Includes(to map[string][]templates.Name) {
	for _, d := range t.Docs() {
		to[d.File.Path] = templates.Names(d.File.Path, d.File.Text)
	}
	for _, u := range t.Unread {
		for _, f := range u.Files {
			to[f.Path] = f.Includes
		}
	}
}
