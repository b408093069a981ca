// Package git shows what git keeps, a commit's tree or the index, as a file
// system.
//
// Nothing is checked out: the git program lists the tree, and hands over the
// objects that are read, one by one. It is told which repository it is about,
// and never asked to write, to reach the network, or to run what a repository's
// configuration names. What it has to say is worded here; see [Error].
package git

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// limit is how long git may take for one answer. Only a file that never ends
// takes longer, such as a pipe that a setting includes.
const limit = time.Minute

// Repository is the repository that a folder lies in, seen from that folder.
type Repository struct {
	git program
	// prefix is the path of the folder in the work tree, with a slash behind
	// it; "" at the top.
	prefix  string
	shallow bool
	notes   []diag.Words
}

// Open finds the repository of a folder, which has to lie in a work tree of
// it: the one whose `.git` is nearest. Errors are of the type *[Error].
//
// The variables by which git tells a hook where its repository and index are
// (GIT_DIR, GIT_INDEX_FILE and others) count where they are about that
// repository, and as they are meant: from the folder in which the process was
// started.
//
// The context ends what git does for the repository, and for what is read of it.
func Open(ctx context.Context, dir string) (*Repository, error) {
	if dir == "" {
		dir = "."
	}
	return open(ctx, dir, limit)
}

// Notes gives what is worth a line about the refs that were asked for so far:
// names that stand for several things, and times that nobody logged.
func (r *Repository) Notes() []diag.Words { return slices.Clone(r.notes) }

// Tree gives the files of a commit or tree, from the folder on that was opened.
// Where it does not have that folder, there are no files. The ref may have any
// form that names one commit or tree: a branch, a tag, an id or its start,
// HEAD~3, @{u}, v1^{}, :/text. Errors are of the type *[Error].
func (r *Repository) Tree(ref string) (*Tree, error) {
	id, err := r.resolve(ref)
	if err != nil {
		return nil, err
	}
	tree, err := r.git.line("rev-parse", "--verify", "--end-of-options", id+"^{tree}")
	if err != nil {
		return nil, r.noCommit(ref, id, err)
	}
	name, err := r.git.line("rev-parse", "--short", "--verify", "--end-of-options", id+"^{commit}")
	if err != nil { // a tree without a commit
		if name, err = r.git.line("rev-parse", "--short", "--verify", "--end-of-options", tree); err != nil {
			return nil, r.missing(ref, err)
		}
	}
	if tree, err = r.folder(tree); err != nil {
		return nil, r.missing(ref, err)
	}
	listing := ""
	if tree != "" {
		if listing, err = r.git.run("ls-tree", "-r", "-z", "--full-tree", tree); err != nil {
			return nil, r.missing(ref, err)
		}
	}
	t := newTree(r.git, name)
	for _, e := range treeEntries(listing) {
		t.add(e)
	}
	t.sort()
	r.beside(t, func(top *Repository) (*Tree, error) { return top.Tree(id) })
	return t, nil
}

// beside tells a tree how to find what lies beside it.
func (r *Repository) beside(t *Tree, read func(top *Repository) (*Tree, error)) {
	t.at = cmp.Or(strings.TrimSuffix(r.prefix, "/"), ".")
	t.whole = sync.OnceValues(func() (*Tree, error) {
		top := *r
		top.prefix, top.git.dir = "", r.git.top
		made, err := read(&top)
		t.top = made
		return made, err
	})
}

// Find gives the paths of the files in a commit or tree that have one of some
// names, wherever they are, from the top of the repository on and in git's
// order. Errors are of the type *[Error].
func (r *Repository) Find(ref string, names ...string) ([]string, error) {
	id, err := r.resolve(ref)
	if err != nil {
		return nil, err
	}
	listing, err := r.git.run("ls-tree", "-r", "-z", "--full-tree", id)
	if err != nil {
		return nil, r.missing(ref, err)
	}
	var out []string
	for _, e := range treeEntries(listing) {
		if slices.Contains(names, path.Base(e.path)) && e.mode != modeSubmodule {
			out = append(out, e.path)
		}
	}
	return out, nil
}

// folder gives the id of the tree that stands at the repository's prefix in
// another, "" where there is none.
func (r *Repository) folder(tree string) (string, error) {
	if r.prefix == "" {
		return tree, nil
	}
	listing, err := r.git.run("ls-tree", "-z", "--full-tree", tree, "--", strings.TrimSuffix(r.prefix, "/"))
	if err != nil {
		return "", err
	}
	for _, e := range treeEntries(listing) {
		if e.mode == modeTree {
			return e.id, nil
		}
	}
	return "", nil
}

// MergeBase gives the full id of the commit at which two refs parted. Errors are of
// the type *[Error].
func (r *Repository) MergeBase(of, ref string) (string, error) {
	head, err := r.commit(of)
	if err != nil {
		return "", err
	}
	other, err := r.commit(ref)
	if err != nil {
		return "", err
	}
	base, err := r.git.line("merge-base", head, other)
	if isID(base) && err == nil {
		return base, nil
	}
	if said, ok := saidBy(err); ok && said.status != noAnswer {
		return "", r.missing(ref, err)
	}
	return "", r.noMergeBase(of, ref)
}

// LastChange gives the full id of the last commit before and including HEAD that
// changed something at a path, which is seen from the folder that was opened; ""
// where none did. In a shallow clone the oldest commits stand for all before them.
// Errors are of the type *[Error].
func (r *Repository) LastChange(path string) (string, error) {
	head, err := r.commit("HEAD")
	if err != nil {
		return "", err
	}
	id, err := r.git.line("rev-list", "--max-count=1", head, "--", path)
	if err != nil {
		return "", r.missing("HEAD", err)
	}
	return id, nil
}

// commit gives the full id of the commit that a ref names.
func (r *Repository) commit(ref string) (string, error) {
	id, err := r.resolve(ref)
	if err != nil {
		return "", err
	}
	commit, err := r.git.line("rev-parse", "--verify", "--end-of-options", id+"^{commit}")
	if err != nil {
		return "", r.noCommit(ref, id, err)
	}
	return commit, nil
}

// Index gives what the next commit would hold, from the folder on that was
// opened. A file that was only announced (`git add --intent-to-add`) is not in
// it. Below the folder nothing may be in conflict. Errors are of the type
// *[Error].
func (r *Repository) Index() (*Tree, error) {
	listing, err := r.git.run("ls-files", "--stage", "-z")
	if err != nil {
		return nil, failed(diag.Say("read-index"), err)
	}
	entries, unmerged := indexEntries(listing)
	if len(unmerged) > 0 {
		return nil, errUnmerged(unmerged)
	}
	announced, err := r.announced(entries)
	if err != nil {
		return nil, err
	}
	t := newTree(r.git, "")
	for _, e := range entries {
		if !announced[e.path] {
			t.add(e)
		}
	}
	t.sort()
	r.beside(t, (*Repository).Index)
	return t, nil
}

// announced gives the entries that are in the index by name alone. They look
// like empty files in a listing, so that git is only asked where there are any.
func (r *Repository) announced(entries []entry) (map[string]bool, error) {
	out := map[string]bool{}
	tree := ""
	for _, e := range entries {
		for _, known := range emptyIDs {
			if e.id == known.blob {
				out[e.path] = true
				tree = known.tree
			}
		}
	}
	if len(out) == 0 {
		return out, nil
	}
	// Compared with nothing, all that a commit would hold is new.
	staged, err := r.git.run("diff-index", "--cached", "--ita-invisible-in-index", "--no-renames",
		"--no-ext-diff", "--relative", "--name-only", "-z", tree)
	if err != nil {
		return nil, failed(diag.Say("read-index"), err)
	}
	for name := range strings.SplitSeq(staged, "\x00") {
		delete(out, name)
	}
	return out, nil
}

// emptyIDs are the ids of the empty file and the empty tree, which git knows
// without having them, in both kinds of repositories.
var emptyIDs = []struct{ blob, tree string }{
	{"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
	{
		"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
		"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
	},
}

// local are the variables that tie git to one repository.
var local = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
}

// open finds the repository of a folder: the one whose `.git` is nearest, in
// the folder or above it.
//
// git is not left to look for it, since it takes every folder with HEAD,
// objects and refs for a repository, and a commit can contain such a folder. No
// commit can contain `.git`.
//
// The variables that git sets for its hooks are kept where they are about the
// same repository. Where there is no `.git`, GIT_DIR counts, as for a hook of a
// repository without a work tree.
func open(ctx context.Context, dir string, limit time.Duration) (*Repository, error) {
	at, err := realPath(dir)
	if err != nil {
		return nil, errNoFolder(dir, err)
	}
	env := environment()
	git := program{ctx: ctx, dir: at, env: without(env, local...), limit: limit}
	named := variable(env, "GIT_DIR")
	if named != "" {
		if named, err = git.kept(named); err != nil {
			return nil, err
		}
	}
	top, err := load.Repository(at)
	ours := top == "" && named != ""
	switch {
	case ours:
		git.gitDir = named
		top, err = realPath(cmp.Or(variable(env, "GIT_WORK_TREE"), at))
	case top != "" && err == nil:
		git.gitDir, err = git.trusted(top)
		ours = named == git.gitDir || named == "" && startedIn(top)
	}
	switch {
	case err != nil:
		return nil, errOpen(dir, err)
	case top == "" && load.InBare(at):
		return nil, errBare(dir)
	case top == "" || !contains(top, at):
		return nil, errNotRepository(dir, nil)
	case contains(git.gitDir, at):
		return nil, errNoWorkTree(dir)
	case ours:
		git.env = without(env, "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX")
	}
	git.top = top
	// Only the last of the answers can hold line breaks.
	out, err := git.run("rev-parse", "--is-shallow-repository", "--show-prefix")
	if err != nil {
		return nil, errOpen(dir, err)
	}
	shallow, prefix, _ := strings.Cut(out, "\n")
	return &Repository{git: git, prefix: strings.TrimSuffix(prefix, "\n"), shallow: shallow == "true"}, nil
}

// realPath gives a path without links, absolute.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// contains reports whether a path is a folder or lies below it.
func contains(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// startedIn reports whether the process runs in the repository with this top.
func startedIn(top string) bool {
	here, err := realPath(".")
	if err != nil {
		return false
	}
	found, err := load.Repository(here)
	return err == nil && found == top
}

// kept gives the repository that a path names, as git does.
func (p program) kept(path string) (string, error) {
	p.dir, p.gitDir = ".", path
	gitDir, err := p.line("rev-parse", "--absolute-git-dir")
	if _, ok := saidBy(err); ok {
		return "", errGitDir(path)
	}
	return filepath.FromSlash(gitDir), err
}

// trusted gives the repository of a folder that holds `.git`. git is not told
// which one it is: only then does it check that the repository belongs to the
// user, or is listed in safe.directory. Where `.git` is broken, it goes on
// looking in the folder itself and above it, for another one.
func (p program) trusted(top string) (string, error) {
	p.dir = top
	found, err := p.line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	gitDir, err := p.kept(filepath.Join(top, ".git"))
	if err != nil || gitDir != filepath.FromSlash(found) {
		return "", errBroken(top, err)
	}
	return gitDir, nil
}
