package git

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// Tree is a commit's tree or the index as a file system. Its root is the folder
// that was opened. It implements fs.StatFS, fs.ReadDirFS and fs.ReadLinkFS, and may be used by several goroutines.
//
// Symbolic links are followed within it, as in the file system of a folder:
// one that leads out is load.ErrEscapes. A submodule is an empty folder. Files
// have no time. An error that comes from git is an *[Error] inside the
// *fs.PathError.
type Tree struct {
	name    string
	objects *objects
	// nodes has everything by its path, the root as ".".
	nodes      map[string]*node
	submodules []string
	unreadable []string

	// whole gives the files of the whole repository, in which at is where these
	// stand; top is what it gave, to be closed.
	whole func() (*Tree, error)
	at    string
	top   *Tree

	mu sync.Mutex
	// targets are the links that were read, by id.
	targets map[string]string
}

// node is a file, link or folder.
type node struct {
	name string
	mode fs.FileMode
	id   string // of a file or link
	// below are the nodes in a folder, sorted by name.
	below     []*node
	submodule bool
}

// maxPath is how long a path may be, in bytes. No disk could hold a longer one.
const maxPath = 4096

// The modes that git gives its entries, as texts.
const (
	modeTree      = "040000"
	modeLink      = "120000"
	modeSubmodule = "160000"
	modeProgram   = "100755"
)

// The modes that they have here. Nothing can be written.
const (
	folderMode = fs.ModeDir | 0o555
	linkMode   = fs.ModeSymlink | 0o777
)

// entry is a line of git's listings.
type entry struct {
	mode, id, path string
}

// treeEntries reads what ls-tree prints: MODE TYPE ID, a tab, the path.
func treeEntries(listing string) []entry {
	var out []entry
	for line := range strings.SplitSeq(listing, "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		if words := strings.Fields(about); ok && len(words) == 3 {
			out = append(out, entry{mode: words[0], id: words[2], path: name})
		}
	}
	return out
}

// indexEntries reads what ls-files prints: MODE ID STAGE, a tab, the path. The
// paths of conflicts, which have a stage, are apart, each once.
func indexEntries(listing string) (entries []entry, unmerged []string) {
	for line := range strings.SplitSeq(listing, "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(about)
		switch {
		case !ok || len(words) != 3:
		case words[2] != "0":
			unmerged = append(unmerged, name)
		default:
			entries = append(entries, entry{mode: words[0], id: words[1], path: name})
		}
	}
	slices.Sort(unmerged)
	return entries, slices.Compact(unmerged)
}

func newTree(git program, name string) *Tree {
	return &Tree{
		name: name, objects: &objects{git: git}, targets: map[string]string{},
		nodes: map[string]*node{".": {name: ".", mode: folderMode}},
	}
}

// add takes an entry. One whose name is no path, or stands where another
// already does, cannot be reached: only what was made by hand has such.
func (t *Tree) add(e entry) {
	var dir *node
	if len(e.path) <= maxPath && fs.ValidPath(e.path) && t.nodes[e.path] == nil {
		dir = t.folder(path.Dir(e.path))
	}
	if dir == nil {
		t.unreadable = append(t.unreadable, e.path)
		return
	}
	n := &node{name: path.Base(e.path), mode: 0o444, id: e.id}
	switch e.mode {
	case modeProgram:
		n.mode = 0o555
	case modeLink:
		n.mode = linkMode
	case modeSubmodule, modeTree:
		n.mode, n.id, n.submodule = folderMode, "", true
		t.submodules = append(t.submodules, e.path)
	}
	t.nodes[e.path] = n
	dir.below = append(dir.below, n)
}

// folder gives the folder of a path, and makes it and those above it where
// they are not there; nil where something else is in the way.
func (t *Tree) folder(name string) *node {
	var lacking []string
	for t.nodes[name] == nil {
		lacking = append(lacking, name)
		name = path.Dir(name)
	}
	at := t.nodes[name]
	if !at.mode.IsDir() || at.submodule {
		return nil
	}
	for _, name := range slices.Backward(lacking) {
		n := &node{name: path.Base(name), mode: folderMode}
		t.nodes[name] = n
		at.below = append(at.below, n)
		at = n
	}
	return at
}

// sort puts everything into the order of the names.
func (t *Tree) sort() {
	for _, n := range t.nodes {
		slices.SortFunc(n.below, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	}
	slices.Sort(t.submodules)
	slices.Sort(t.unreadable)
}

// Name gives the short id of the commit, or of the tree where there is none;
// "" for the index.
func (t *Tree) Name() string { return t.name }

// Submodules gives the paths of the submodules, sorted. What is in them is
// kept by other repositories.
func (t *Tree) Submodules() []string { return slices.Clone(t.submodules) }

// Unreadable gives the paths that are not in the file system, sorted, byte for
// byte: they are not UTF-8, too long, or name no place below the root.
func (t *Tree) Unreadable() []string { return slices.Clone(t.unreadable) }

// Beside implements [load.Neighbour] by the same commit or index.
func (t *Tree) Beside(folder string) (fs.FS, error) {
	top, err := t.whole()
	if err != nil {
		return nil, err
	}
	return load.BesideIn(top, t.at, folder)
}

// Whole implements [load.Part] by the same commit or index. It is closed with the
// tree.
func (t *Tree) Whole() (top fs.ReadLinkFS, own string, err error) {
	if t.at == "." {
		return t, t.at, nil
	}
	whole, err := t.whole()
	if err != nil {
		return nil, "", err
	}
	return whole, t.at, nil
}

// Close ends the git that hands the objects over. What was not read by then
// cannot be read any more.
func (t *Tree) Close() error {
	if t.top != nil {
		return errors.Join(t.top.Close(), t.objects.close())
	}
	return t.objects.close()
}

var (
	_ fs.StatFS     = (*Tree)(nil)
	_ fs.ReadDirFS  = (*Tree)(nil)
	_ fs.ReadLinkFS = (*Tree)(nil)
)

// maxRead is how much is given of one file, in bytes. No stage reads more than
// that before it knows that a file is too long; git is not asked for the rest.
const maxRead = 16 << 20

// maxTarget is how long the target of a link may be, in bytes, as on Linux.
const maxTarget = 4095

// info describes a node, also as an entry of its folder.
type info struct {
	name string
	node *node
}

// Name gives the last element of the path.
func (i info) Name() string { return i.name }

// IsDir reports whether it is a folder.
func (i info) IsDir() bool { return i.node.mode.IsDir() }

// Mode gives what it is; nobody may write.
func (i info) Mode() fs.FileMode { return i.node.mode }

// Type gives what it is.
func (i info) Type() fs.FileMode { return i.node.mode.Type() }

// ModTime gives no time: git keeps none.
func (i info) ModTime() time.Time { return time.Time{} }

// Sys gives nothing.
func (i info) Sys() any { return nil }

// Info gives itself.
func (i info) Info() (fs.FileInfo, error) { return i, nil }

// Size gives 0: git lists no sizes.
func (i info) Size() int64 { return 0 }

func (i info) String() string { return fs.FormatFileInfo(i) }

func infoOf(name string, n *node) info { return info{name: path.Base(name), node: n} }

// find gives what a name's links lead to.
func (t *Tree) find(op, name string) (*node, error) {
	dest, err := t.follow(op, name)
	if err != nil {
		return nil, err
	}
	n := t.nodes[dest]
	if n == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

func (t *Tree) follow(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	dest, err := load.Follow(t, name)
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = &fs.PathError{Op: op, Path: name, Err: p.Err}
	}
	return dest, err
}

// lfind gives what a name itself stands for, link or not.
func (t *Tree) lfind(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if n := t.nodes[name]; n != nil {
		return n, nil
	}
	dir, err := t.follow(op, path.Dir(name))
	if err != nil {
		return nil, err
	}
	if n := t.nodes[path.Join(dir, path.Base(name))]; n != nil {
		return n, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file or folder. A file is read at once.
func (t *Tree) Open(name string) (fs.File, error) {
	n, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	if n.mode.IsDir() {
		return &openFolder{name: name, node: n}, nil
	}
	data, whole, err := t.objects.read(n.id, maxRead)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f := &openFile{info: infoOf(name, n), Reader: bytes.NewReader(data)}
	if !whole {
		f.Reader = io.MultiReader(f.Reader, tooLarge{name})
	}
	return f, nil
}

// Stat describes what a name's links lead to.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	n, err := t.find("stat", name)
	if err != nil {
		return nil, err
	}
	return infoOf(name, n), nil
}

// Lstat describes a name itself, link or not.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	n, err := t.lfind("lstat", name)
	if err != nil {
		return nil, err
	}
	return infoOf(name, n), nil
}

// ReadLink gives the target of a link as it is written.
func (t *Tree) ReadLink(name string) (string, error) {
	n, err := t.lfind("readlink", name)
	if err != nil {
		return "", err
	}
	if n.mode.Type() != fs.ModeSymlink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	target, err := t.target(n)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return target, nil
}

// target reads a link, once: every path through it asks.
func (t *Tree) target(n *node) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if target, ok := t.targets[n.id]; ok {
		return target, nil
	}
	data, whole, err := t.objects.read(n.id, maxTarget)
	if err != nil {
		return "", err
	}
	if !whole || len(data) == 0 {
		return "", fs.ErrNotExist // no disk could hold it
	}
	t.targets[n.id] = string(data)
	return string(data), nil
}

// ReadDir lists a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := t.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: load.ErrNotFolder}
	}
	return list(n), nil
}

func list(n *node) []fs.DirEntry {
	out := make([]fs.DirEntry, len(n.below))
	for i, child := range n.below {
		out[i] = infoOf(child.name, child)
	}
	return out
}

// tooLarge stands behind the first bytes of a file that is longer than anything
// that is read.
type tooLarge struct{ name string }

func (l tooLarge) Read([]byte) (int, error) {
	err := &Error{TooLarge, diag.Failure{Fact: diag.Say("git-file-too-large"), Hint: diag.Say("right-file")}}
	return 0, &fs.PathError{Op: "read", Path: l.name, Err: err}
}

// openFile is a regular file.
type openFile struct {
	info
	io.Reader
}

// Stat describes the file.
func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close does nothing.
func (f *openFile) Close() error { return nil }

// openFolder is a folder.
type openFolder struct {
	name string
	node *node
	read int // entries given so far
}

// Stat describes the folder.
func (f *openFolder) Stat() (fs.FileInfo, error) { return infoOf(f.name, f.node), nil }

// Read refuses: a folder has no bytes.
func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: load.ErrFolder}
}

// ReadDir gives the next entries, at most count where that is not 0 or less.
func (f *openFolder) ReadDir(count int) ([]fs.DirEntry, error) {
	all := list(f.node)[f.read:]
	if count > 0 && len(all) == 0 {
		return nil, io.EOF
	}
	if count > 0 {
		all = all[:min(count, len(all))]
	}
	f.read += len(all)
	return all, nil
}

// Close does nothing.
func (f *openFolder) Close() error { return nil }
