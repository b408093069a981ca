package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"
)

// Still gives a view of a folder of [Dir] that takes it to stand still: what
// was found at a name once, a file, a folder or a link, is not asked about
// again, and each folder is opened once. Nearly all of what reading a tree asks
// of the system is that, name by name from the top. The view answers as the
// folder does, and never leaves it either, whatever is moved meanwhile. Other
// file systems are their own view. The function ends the view.
func Still(fsys fs.FS) (view fs.FS, end func()) {
	f, ok := fsys.(*folder)
	if !ok || f.still != nil {
		return fsys, func() {}
	}
	s := &still{plain: map[string]bool{}, kinds: map[string]fs.FileMode{}, handles: map[string]*os.Root{}}
	return &folder{root: f.root, still: s}, s.forget
}

// still is what a view remembers. Without one nothing is.
type still struct {
	mu    sync.Mutex
	plain map[string]bool // folders to which no link leads
	// kinds are the types of what stands in those folders.
	kinds map[string]fs.FileMode
	// handles are those of the folders that were looked into.
	handles map[string]*os.Root
}

// maxHandles is how many folders a view keeps open. The system allows a process
// some hundred or thousand.
const maxHandles = 100

// forget gives the handles back.
func (s *still) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *still) drop() {
	for _, handle := range s.handles {
		_ = handle.Close() // it was only opened to look things up
	}
	clear(s.handles)
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

// list notes what is in a folder without links.
func (s *still) list(dir string, entries []fs.DirEntry) {
	if s == nil {
		return
	}
	s.learn(path.Join(dir, "entry"))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		s.kinds[path.Join(dir, e.Name())] = e.Type()
	}
}

// kind gives the type of what stands at a name in a folder without links.
func (f *folder) kind(name string) (fs.FileMode, error) {
	if f.still != nil {
		f.still.mu.Lock()
		kind, ok := f.still.kinds[name]
		f.still.mu.Unlock()
		if ok {
			return kind, nil
		}
	}
	info, err := f.lstat(name)
	if err != nil {
		return 0, err
	}
	if f.still.knows(name) {
		f.still.mu.Lock()
		f.still.kinds[name] = info.Mode().Type()
		f.still.mu.Unlock()
	}
	return info.Mode().Type(), nil
}

// look asks about a name: from its own folder where that is known, else from
// the top.
func look[T any](f *folder, name string, ask func(root *os.Root, name string) (T, error)) (T, error) {
	dir := path.Dir(name)
	if dir == "." || !f.still.knows(name) {
		return ask(f.root, name)
	}
	handle, err := f.still.open(f.root, dir)
	if err != nil {
		return ask(f.root, name)
	}
	out, err := ask(handle, path.Base(name))
	if errors.Is(err, fs.ErrClosed) { // others needed so many meanwhile
		return ask(f.root, name)
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Path = name
	}
	return out, err
}

// open gives the handle of a folder that is known to be one.
func (s *still) open(top *os.Root, dir string) (*os.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.handles) >= maxHandles {
		s.drop()
	}
	return s.descend(top, dir)
}

// descend opens a folder from the one that it is in.
func (s *still) descend(top *os.Root, dir string) (*os.Root, error) {
	if dir == "." {
		return top, nil
	}
	if handle, ok := s.handles[dir]; ok {
		return handle, nil
	}
	above, err := s.descend(top, path.Dir(dir))
	if err != nil {
		return nil, err
	}
	handle, err := above.OpenRoot(path.Base(dir))
	if err == nil {
		s.handles[dir] = handle
	}
	return handle, err
}
