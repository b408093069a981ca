package load

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"testing/fstest"
)

// Over gives the file system below with some files in memory over its own: a
// manifest that was not written yet, say. Without anything below, the files are
// all there is.
func Over(below fs.FS, files map[string][]byte) fs.FS {
	if below == nil {
		return inMemory(files)
	}
	return &over{below: below, memory: inMemory(files), hides: func(string) bool { return false }}
}

// Without gives the file system below as if it did not have some files.
func Without(below fs.FS, names map[string]bool) fs.FS {
	return &over{below: below, hides: func(name string) bool { return names[name] }}
}

// Replaced gives the file system below with some files instead of all that it has
// below a folder.
func Replaced(below fs.FS, folder string, files map[string][]byte) fs.FS {
	return &over{below: below, memory: inMemory(files), hides: func(name string) bool { return within(name, folder) }}
}

func inMemory(files map[string][]byte) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range files {
		out[name] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return out
}

// over is a file system with some files hidden and others added in memory.
type over struct {
	below  fs.FS
	memory fstest.MapFS
	hides  func(name string) bool // of what is below
}

var (
	_ fs.ReadDirFS  = (*over)(nil)
	_ fs.ReadLinkFS = (*over)(nil)
	_ Neighbour     = (*over)(nil)
)

// from gives the file system that has a name: a folder may stand in memory alone.
func (o *over) from(op, name string) (fs.FS, error) {
	hidden := o.hides(name)
	info, err := fs.Stat(o.memory, name)
	if err == nil && info.IsDir() && !hidden {
		if _, err := fs.Stat(o.below, name); !errors.Is(err, fs.ErrNotExist) {
			return o.below, nil
		}
	}
	switch {
	case err == nil:
		return o.memory, nil
	case hidden:
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	default:
		return o.below, nil
	}
}

// Open implements [fs.FS].
func (o *over) Open(name string) (fs.File, error) {
	from, err := o.from("open", name)
	if err != nil {
		return nil, err
	}
	return from.Open(name)
}

// ReadDir implements [fs.ReadDirFS]: it lists what either has.
func (o *over) ReadDir(name string) ([]fs.DirEntry, error) {
	from, err := o.from("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(from, name)
	added, none := fs.ReadDir(o.memory, name)
	if err != nil || none != nil {
		added = nil
	}
	out := slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool {
		return o.hides(path.Join(name, e.Name())) || slices.ContainsFunc(added, func(a fs.DirEntry) bool { return a.Name() == e.Name() })
	})
	out = append(out, added...)
	sortEntries(out)
	return out, err
}

// Lstat implements [fs.ReadLinkFS].
func (o *over) Lstat(name string) (fs.FileInfo, error) {
	from, err := o.from("lstat", name)
	if err != nil {
		return nil, err
	}
	return fs.Lstat(from, name)
}

// ReadLink implements [fs.ReadLinkFS].
func (o *over) ReadLink(name string) (string, error) {
	from, err := o.from("readlink", name)
	if err != nil {
		return "", err
	}
	return fs.ReadLink(from, name)
}

// Beside implements [Neighbour] by what is below.
func (o *over) Beside(name string) (fs.FS, error) {
	if n, ok := o.below.(Neighbour); ok {
		return n.Beside(name)
	}
	return nil, ErrNoRepository
}
