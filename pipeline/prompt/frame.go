package prompt

import (
	"slices"
	"strconv"
	"strings"
)

// Holder is one rendering of a section, and the variants that have it.
type Holder struct {
	Rendering *Rendering
	Users     Set
}

// Holders gives for each section of a prompt its renderings, in the order of
// the first variants that have them. The artifacts are by variant, nil where
// there is none.
func (b *Build) Holders(artifacts []*Artifact) [][]Holder {
	out := make([][]Holder, len(b.Prompt.Sections))
	for section := range out {
		known := map[*Rendering]int{} // the index in the section's list
		for v, a := range artifacts {
			if a == nil || section >= len(a.Used) || a.Used[section] == nil {
				continue
			}
			i, ok := known[a.Used[section]]
			if !ok {
				i = len(out[section])
				known[a.Used[section]] = i
				out[section] = append(out[section], Holder{a.Used[section], NewSet(len(artifacts))})
			}
			out[section][i].Users.Add(v)
		}
	}
	return out
}

// NamedItems gives the items that lie in the text, in order, each under a name
// that no other has: the second `a` is `a#2`.
func (r *Rendering) NamedItems() []Item {
	var out []Item
	seen := map[string]int{}
	end := 0
	for _, item := range r.Items {
		if item.Start < end || item.End < item.Start || item.End > len(r.Text.Str) {
			continue
		}
		end = item.End
		if seen[item.Name]++; seen[item.Name] > 1 {
			item.Name += "#" + strconv.Itoa(seen[item.Name])
		}
		out = append(out, item)
	}
	return out
}

// Separates reports whether a text between two items only joins them. Words
// would be text that a reviewer wants to see.
func Separates(s string) bool {
	return len(s) <= 8 && strings.Trim(s, " \t\n,;|-") == ""
}

// Sources gives the files that a unit reads, each once, in order.
func (u *Unit) Sources() []string {
	var out []string
	for _, in := range u.Inputs {
		var paths []string
		for _, d := range in.Docs {
			paths = append(paths, d.File.Path)
		}
		for _, t := range in.Tools {
			if t.File != nil {
				paths = append(paths, t.File.Path)
			}
		}
		if in.StyleDoc != nil {
			paths = append(paths, in.StyleDoc.File.Path)
		}
		for _, p := range paths {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
