package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxWalked is how many files Walk gives.
const maxWalked = 200_000

// Walk gives the files below the folder of a file system, sorted, but for those in
// folders that skip names by their path. A link to a folder is followed in hidden
// folders, where programs keep what they share, and once. others are neither files
// nor folders: links that lead nowhere or outside, pipes. all is false where there
// are more files.
func Walk(fsys fs.FS, skip func(folder string) bool) (files, others []string, all bool, err error) {
	w := &walker{disk: newDisk(fsys), skip: skip}
	err = w.folder(".", ".", false, 0)
	slices.Sort(w.files)
	slices.Sort(w.others)
	return w.files, w.others, !w.over, err
}

type walker struct {
	disk
	skip          func(folder string) bool
	files, others []string
	over          bool
}

// folder walks through a folder whose links lead to dest.
func (w *walker) folder(name, dest string, linked bool, depth int) error {
	entries, err := w.list(dest)
	if err != nil {
		if depth == 0 {
			return err
		}
		return nil // nobody may read it
	}
	for _, e := range entries {
		p := path.Join(name, e.Name())
		if w.over = w.over || len(w.files) == maxWalked || depth > maxDown; w.over {
			return nil
		}
		link := e.Type()&fs.ModeSymlink != 0
		if !utf8.ValidString(e.Name()) || link && linked {
			continue
		}
		stands := special
		if link {
			stands = w.standsFor(p)
		}
		switch {
		case e.Type().IsRegular() || stands == regular:
			w.files = append(w.files, p)
		case (e.IsDir() || stands == directory) && !w.skip(p):
			to, ok := path.Join(dest, e.Name()), true
			if link {
				to, ok = w.leadsTo(p)
			}
			if !ok {
				continue
			}
			if err := w.folder(p, to, linked || link, depth+1); err != nil {
				return err
			}
		case !e.IsDir() && stands != directory:
			w.others = append(w.others, p)
		}
	}
	return nil
}

// leadsTo gives the folder that a link leads to; false where it is not followed:
// only those of agents' own folders are, and none that leads above itself.
func (w *walker) leadsTo(link string) (string, bool) {
	to, err := w.real(link)
	return to, err == nil && strings.HasPrefix(link, ".") && !within(link, to)
}

// standsFor says what a link leads to; special where it leads nowhere.
func (w *walker) standsFor(link string) state {
	stands, err := w.inspect(link)
	if err != nil {
		return special
	}
	return stands
}
