package git

import (
	"errors"
	"strings"
)

// place is a folder in a repository.
type place struct {
	git     program
	gitDir  string // where the repository is kept, absolute
	inside  bool   // the folder is in a work tree
	shallow bool
	prefix  string // see Repository.prefix
}

// local are the variables that tie git to one repository.
var local = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
}

// locate finds the repository of a folder.
//
// git hands its hooks variables that mean something in the folder in which they
// are started, and for the repository that runs them: from a subfolder of it a
// relative path is wrong, and a GIT_DIR without a work tree would make that
// subfolder the top. So the folder is asked for its repository first, without
// the variables, and they are put back where they are about the same one.
func locate(dir string) (place, error) {
	env := environment()
	bare := without(env, local...)
	own, err := look(program{dir, bare})
	if len(bare) == len(env) || isKind(err, NoProgram) {
		return own, inWorkTree(dir, own, err)
	}
	named := variable(env, "GIT_DIR")
	here, hereErr := look(program{"", env})
	switch {
	case hereErr != nil && named != "":
		return place{}, errGitDir(named)
	case hereErr != nil:
	case err == nil && own.inside && own.gitDir == here.gitDir:
		own.git.env = without(env, "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX")
		return own, nil
	case here.inside && (err != nil || !own.inside || variable(env, "GIT_WORK_TREE") != ""):
		if at, ok := elsewhere(dir, here, env); ok {
			return at, nil
		}
	case err != nil && named != "":
		// A hook of a repository without a work tree, which says by -C where
		// its files are: the folder stands for the top.
		here.git = program{dir, append(without(env, "GIT_PREFIX"), "GIT_DIR="+here.gitDir)}
		return here, nil
	}
	return own, inWorkTree(dir, own, err)
}

// elsewhere finds a folder in the work tree that the variables name, which is
// not the one in which git would find it.
func elsewhere(dir string, here place, env []string) (place, bool) {
	top, err := here.git.line("rev-parse", "--show-toplevel")
	if err != nil {
		return place{}, false
	}
	env = append(without(env, "GIT_PREFIX"), "GIT_DIR="+here.gitDir, "GIT_WORK_TREE="+top)
	at, err := look(program{dir, env})
	return at, err == nil && at.inside
}

// look asks git where a folder is.
func look(git program) (place, error) {
	// Only the last of the answers can hold line breaks.
	out, err := git.run("rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-prefix")
	if err != nil {
		return place{}, errOpen(git.dir, err)
	}
	at := place{git: git}
	inside, rest, _ := strings.Cut(out, "\n")
	shallow, prefix, _ := strings.Cut(rest, "\n")
	at.inside, at.shallow = inside == "true", shallow == "true"
	if at.inside {
		at.prefix = strings.TrimSuffix(prefix, "\n")
	}
	if at.gitDir, err = git.line("rev-parse", "--absolute-git-dir"); err != nil {
		return place{}, errOpen(git.dir, err)
	}
	return at, nil
}

// inWorkTree gives the error of a folder that is in no work tree.
func inWorkTree(dir string, at place, err error) error {
	if err == nil && !at.inside {
		return errNoWorkTree(dir)
	}
	return err
}

func isKind(err error, kind Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == kind
}
