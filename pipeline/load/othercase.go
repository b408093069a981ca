package load

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// otherCase refuses a path that names a file but for the case of its letters:
// some machines would find it.
func (r *run) otherCase(p string, at diag.Span) error {
	found, same := ".", true
	for elem := range strings.SplitSeq(p, "/") {
		dest, err := r.disk.real(found)
		if err != nil {
			return nil // what is no folder has no file in it
		}
		if state, err := r.disk.inspect(dest); err != nil || state != directory {
			return err
		}
		entries, err := r.disk.list(dest)
		if err != nil {
			return err
		}
		name := entryNamed(entries, elem)
		if name == "" {
			return nil
		}
		found, same = path.Join(found, name), same && name == elem
	}
	if state, err := r.disk.inspect(found); err != nil || same || state != regular {
		return err
	}
	r.badPath(p, at, fault{fmt.Sprintf("differs from the file %q in case alone", found), "write path: " + found})
	return nil
}

// entryNamed gives the entry of a name, or else one that differs from it in
// case alone, or "".
func entryNamed(entries []fs.DirEntry, name string) string {
	other := ""
	for _, e := range entries {
		if e.Name() == name {
			return name
		}
		if other == "" && strings.EqualFold(e.Name(), name) {
			other = e.Name()
		}
	}
	return other
}
