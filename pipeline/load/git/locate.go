package git

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"github.com/promptc-build/promptc/pipeline/load"
)

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
func open(dir string, limit time.Duration) (*Repository, error) {
	at, err := realPath(dir)
	if err != nil {
		return nil, errNoFolder(dir, err)
	}
	env := environment()
	git := program{dir: at, env: without(env, local...), limit: limit}
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
		return "", errNotRepository(top, err)
	}
	return gitDir, nil
}
