package load

import (
	"io/fs"
	"path"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// otherCase refuses a path that names a file but for the case of its letters:
// some machines would find it.
func (r *run) otherCase(p string, at diag.Span) error {
	twin, err := r.caseTwin(p, regular)
	if err != nil || twin == "" {
		return err
	}
	r.badPath(p, at, fault{"differs from the file " + diag.Quote(twin) + " in case alone", "write path: " + twin})
	return nil
}

// caseTwin gives the path of what is there in a state and has the name p but
// for the case of its letters, or "".
func (r *run) caseTwin(p string, want state) (string, error) {
	found, same := ".", true
	for elem := range strings.SplitSeq(p, "/") {
		dest, err := r.disk.real(found)
		if err != nil {
			return "", nil // what is no folder has no file in it
		}
		if state, err := r.disk.inspect(dest); err != nil || state != directory {
			return "", err
		}
		entries, err := r.disk.list(dest)
		if err != nil {
			return "", err
		}
		name := entryNamed(entries, elem)
		if name == "" {
			return "", nil
		}
		found, same = path.Join(found, name), same && name == elem
	}
	if state, err := r.disk.inspect(found); err != nil || same || state != want {
		return "", err
	}
	return found, nil
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

// folded gives a text that is the same for all texts which differ in case
// alone.
func folded(s string) string {
	return strings.Map(func(c rune) rune {
		least := c
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, s)
}
