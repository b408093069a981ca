package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// sort is what stands at a path.
type sort int

const (
	isMissing sort = iota
	isFile
	isFolder
	isOther // a link or a special file
)

// state is what was found at a path or on the way to it.
type state struct {
	path string // where it stands
	what sort
	name string // in words
}

// lookup finds out what stands at paths, without following links.
type lookup struct {
	fsys  fs.FS
	known map[string]sort
}

// folder looks at a folder and all folders on the way to it. It gives the
// first that is none.
func (l *lookup) folder(p string) (state, error) {
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		s, err := l.at(p[:i])
		if err != nil || s.what != isFolder {
			return s, err
		}
	}
	return state{path: p, what: isFolder}, nil
}

// file looks at a file and all folders on the way to it. What stands in the
// way is given in its stead.
func (l *lookup) file(p string) (state, error) {
	s, err := l.folder(path.Dir(p))
	if err != nil || s.what != isFolder {
		return s, err
	}
	return l.at(p)
}

func (l *lookup) at(p string) (state, error) {
	if l.known[p] == isFolder {
		return state{path: p, what: isFolder}, nil
	}
	stat, err := fs.Lstat(l.fsys, p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state{path: p, what: isMissing}, nil
	case err != nil:
		return state{}, fmt.Errorf("read %s: %w", p, cause(err))
	}
	s := state{path: p, what: isOther, name: describeType(stat.Mode().Type())}
	if stat.IsDir() {
		s.what = isFolder
		l.known[p] = isFolder
	} else if stat.Mode().IsRegular() {
		s.what = isFile
	}
	return s, nil
}

// describeType names what a directory entry is.
func describeType(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a folder"
	case mode.IsRegular():
		return "a file"
	default:
		return "a special file"
	}
}
