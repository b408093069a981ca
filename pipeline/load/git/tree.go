package git

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
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

// Close ends the git that hands the objects over. What was not read by then
// cannot be read any more.
func (t *Tree) Close() error { return t.objects.close() }
