package language

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// FileSum is a file that is compared and not read.
type FileSum struct {
	Path string // relative to the manifest's folder
	// SHA256 is that of its bytes with LF line ends, of a file that is longer than
	// a source may be that of its beginning.
	SHA256 string
	// Includes are the files that it names.
	Includes []templates.Name
}

// InputKind stands for the kind of files that rendered texts are made from. They
// are compared and never read as texts.
const InputKind = "(input)"

// Unread are the files beside those that a pattern of the manifest matches, or
// that it names one by one: in the folder, with an extension that it reads, and
// read by nothing.
type Unread struct {
	// Path is the pattern, as written, and Kind reads what it matches.
	Path ground.Word
	Kind string
	// Folder is the part of the pattern without wildcards. Of a pattern that has
	// none, it is ".", and Within are the only folders that are looked at: those of
	// the files that it matches.
	Folder string
	Within []string
	// Extensions are those of the pattern, else of the files that it matches.
	Extensions []string
	// Files are sorted by path. A file below the folders of two patterns is one of
	// the longer folder's.
	Files []FileSum
	// Named says that Path is one of several files of the only folder Within, which
	// the manifest names one by one.
	Named bool
	// Partial says that not all could be looked at, so that there are no Files.
	Partial bool
}

// Covers reports whether a file at a path would be among Files, if it was there
// and nothing read it.
func (u *Unread) Covers(p string) bool {
	below := p
	if u.Folder != "." {
		rest, ok := strings.CutPrefix(p, u.Folder+"/")
		if !ok {
			return false
		}
		below = rest
	} else if !slices.Contains(u.Within, path.Dir(p)) {
		return false
	}
	folders := strings.Split(below, "/")
	return u.Reads(p) && (u.Folder == "." || !slices.ContainsFunc(folders[:len(folders)-1], PassedOver))
}

// Reads reports whether a file has one of the extensions.
func (u *Unread) Reads(p string) bool {
	return slices.Contains(u.Extensions, strings.ToLower(path.Ext(p)))
}

// PassedOver tells a folder that other programs fill: nobody looks for prompts
// that were forgotten in it.
func PassedOver(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

// InputsOf gives the files that the texts of a prompt are made from, by path and
// each once.
func (t *Tree) InputsOf(r *Rendered) []FileSum {
	if t == nil || r == nil {
		return nil
	}
	var out []FileSum
	for _, w := range r.From {
		out = append(out, t.Inputs[w.Str]...)
	}
	slices.SortFunc(out, func(a, b FileSum) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(out, func(a, b FileSum) bool { return a.Path == b.Path })
}
