package assembly

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// Templates gives the files of a rendering that name others, by path: its text has
// such a tag of theirs. The names are those of Includes.
func (r *Rendering) Templates(names map[string][]templates.Name) []string {
	if !templates.MayName(r.Text.Str) {
		return nil
	}
	var out []string
	for _, in := range r.Unit.Inputs {
		for _, d := range in.Docs {
			named := slices.ContainsFunc(names[d.File.Path], func(n templates.Name) bool {
				return !n.Defines && strings.Contains(r.Text.Str, n.Tag)
			})
			if named && !slices.Contains(out, d.File.Path) {
				out = append(out, d.File.Path)
			}
		}
	}
	return out
}
