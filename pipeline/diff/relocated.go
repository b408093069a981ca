package diff

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// relocation are the files that went from one folder to another, or one file
// that is called otherwise.
type relocation struct{ from, to string }

// relocated makes one row of each source that stands elsewhere now with the
// same text, and one of all those that moved with their folder.
func relocated(idle []prompt.Idle, was, is map[string]*diag.File) []prompt.Idle {
	gone := map[string][]string{} // the paths by text, in order
	for _, i := range idle {
		if i.Removed {
			gone[was[i.Path].Text] = append(gone[was[i.Path].Text], i.Path)
		}
	}
	left := map[string]bool{}
	rows := map[relocation][]prompt.Idle{}
	var order []relocation
	for _, i := range idle {
		if !i.Added {
			continue
		}
		text := is[i.Path].Text
		old := gone[text]
		if len(old) == 0 || text == "" {
			continue
		}
		n := max(slices.IndexFunc(old, func(p string) bool { return path.Base(p) == path.Base(i.Path) }), 0)
		key := folders(old[n], i.Path)
		left[old[n]], left[i.Path] = true, true
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], prompt.Idle{Path: i.Path, Was: old[n], Files: 1, At: i.At})
		gone[text] = slices.Delete(old, n, n+1)
	}
	if len(order) == 0 {
		return idle
	}
	out := slices.DeleteFunc(slices.Clone(idle), func(i prompt.Idle) bool { return (i.Added || i.Removed) && left[i.Path] })
	for _, key := range order {
		row := rows[key][0]
		if n := len(rows[key]); n > 1 {
			row.Path, row.Was, row.Files = key.to, key.from, n
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// folders gives what differs between two paths: they end alike from there on.
func folders(from, to string) relocation {
	for path.Base(from) == path.Base(to) && path.Dir(from) != path.Dir(to) {
		from, to = path.Dir(from), path.Dir(to)
		if from == "." || to == "." {
			break
		}
	}
	return relocation{from, to}
}
