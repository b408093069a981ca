package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"
)

// Still gives a view of a folder of [Dir] that takes it to stand still: what
// was found to be a folder once, and no link, is not asked about again. Nearly
// all of what reading a tree asks of the system is that, name by name from the
// top. The view answers as the folder does, and never leaves it either, whatever
// is moved meanwhile. Other file systems are their own view. The function ends
// the view.
func Still(fsys fs.FS) (view fs.FS, end func()) {
	f, ok := fsys.(*folder)
	if !ok || f.still != nil {
		return fsys, func() {}
	}
	s := &still{plain: map[string]bool{}}
	return &folder{root: f.root, still: s}, s.forget
}

// still is what a view remembers.
type still struct {
	mu    sync.Mutex
	plain map[string]bool // folders to which no link leads
	// at is the folder of which the handle is kept: the next name is mostly in
	// the same one.
	at     string
	handle *os.Root
}

// forget gives the handle back.
func (s *still) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *still) drop() {
	if s.handle != nil {
		_ = s.handle.Close() // it was only opened to look things up
	}
	s.at, s.handle = "", nil
}

// knows reports whether a name is in a folder that is known to be one.
func (s *still) knows(name string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain[path.Dir(name)]
}

// learn notes the folders that a name without links is in.
func (s *still) learn(name string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for dir := path.Dir(name); !s.plain[dir]; dir = path.Dir(dir) {
		s.plain[dir] = true
	}
}

// look asks about a name: from its own folder where that is known, else from
// the top.
func look[T any](f *folder, name string, ask func(root *os.Root, name string) (T, error)) (T, error) {
	s, dir := f.still, path.Dir(name)
	if dir == "." || !s.knows(name) {
		return ask(f.root, name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at != dir {
		s.drop()
		handle, err := f.root.OpenRoot(dir)
		if err != nil {
			return ask(f.root, name)
		}
		s.at, s.handle = dir, handle
	}
	out, err := ask(s.handle, path.Base(name))
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Path = name
	}
	return out, err
}
