package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/load/git"
)

// stagedFlag makes a command look at what the next commit would hold.
func stagedFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "staged", Usage: usage}
}

// openStaged finds the manifest in the index. It is looked for there alone,
// by the same rules as on disk: what was not added is not part of the commit.
func openStaged(c *cli.Context) (*project, error) {
	start, config := location(c)
	if config != "" {
		dir, name := filepath.Split(config)
		p, err := indexAt(filepath.Join(dir, "."))
		if err != nil {
			return nil, err
		}
		p.name = name
		return p, p.readable(c.String("config"), " in the index")
	}
	dir, err := filepath.Abs(start)
	if err != nil {
		return nil, usage("%s", err)
	}
	top, err := load.Repository(dir)
	if err != nil {
		return nil, failed(err)
	}
	for {
		p, err := indexAt(dir)
		if err != nil {
			return nil, err
		}
		names, err := manifestsIn(p.fsys)
		switch {
		case err != nil:
			return nil, errors.Join(failed(err), p.close())
		case len(names) > 1:
			return nil, usage("the index holds both %s and %s in %q", names[0], names[1], near(dir)).withHint("git rm --cached one of them")
		case len(names) == 1:
			p.name = names[0]
			return p, p.readable(p.name, " in the index")
		case dir == top || filepath.Dir(dir) == dir:
			return nil, usage("no prompts.yaml in the index, in %q or a folder above it", start).withHint("git add prompts.yaml, or leave out --staged")
		}
		if err := p.close(); err != nil {
			return nil, failed(err)
		}
		dir = filepath.Dir(dir)
	}
}

// indexAt gives the index as a project, seen from a folder.
func indexAt(dir string) (*project, error) {
	repo, err := git.Open(near(dir))
	if said, ok := errors.AsType[*git.Error](err); ok && said.Kind == git.NotRepository {
		return nil, usage("%s", said.Message).withHint("only a repository has an index: leave out --staged")
	}
	if err != nil {
		return nil, gitError(err)
	}
	tree, err := repo.Index()
	if err != nil {
		return nil, gitError(err)
	}
	return &project{dir: dir, fsys: tree, tree: tree}, nil
}

// near gives a folder as seen from the working directory, for messages; as it
// is where that is not possible.
func near(dir string) string {
	here, err := os.Getwd()
	if err != nil {
		return dir
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(here, abs)
	if err != nil {
		return dir
	}
	return rel
}

// manifestsIn names the manifests at the top of a file system, the usual name
// first.
func manifestsIn(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the manifest's folder: %w", err)
	}
	var out []string
	for _, name := range load.ManifestNames() {
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
			out = append(out, name)
		}
	}
	return out, nil
}

// gitError words what package git could not do. Most of it is about how the
// command was called: no repository, no such ref.
func gitError(err error) error {
	said, ok := errors.AsType[*git.Error](err)
	if !ok {
		return failed(err)
	}
	out := &status{code: exitUsage, message: said.Message, hint: said.Hint}
	if slices.Contains([]git.Kind{git.Failed, git.MissingObject, git.TooLarge}, said.Kind) {
		out.code = exitFailed
	}
	return out
}
