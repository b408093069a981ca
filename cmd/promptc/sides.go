package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/load/git"
)

// side is one of the two states that diff compares. One without a manifest has
// no name for it.
type side struct {
	project
	// label is what people call it.
	label string
	// ref is what git calls it, "" where it is no tree of git's.
	ref string
	// notes are what git has to say about the ref.
	notes []string
	// moved is a manifest that it has elsewhere, and the head no longer has there.
	moved string
}

// headName is what people call the state that is looked at.
func headName(p *project) string {
	if p.tree != nil {
		return "the index"
	}
	return "the working tree"
}

// baseFlags say what the head is compared with. They exclude one another.
func baseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "base", Usage: "compare with the commit or tree `REF` (default: HEAD)"},
		&cli.StringFlag{Name: "merge-base", Usage: "compare with the commit at which HEAD left `REF`, as pull requests do"},
		&cli.StringFlag{Name: "against", Usage: "compare with the project in the folder `DIR`"},
	}
}

// openBase finds what the head is compared with: in git, at the same place in
// the repository, or in another folder.
func openBase(c *cli.Context, head *project) (*side, error) {
	var given []string
	for _, name := range []string{"base", "merge-base", "against"} {
		if c.IsSet(name) {
			given = append(given, name)
		}
	}
	if len(given) > 1 {
		return nil, usage("--%s and --%s exclude one another", given[0], given[1]).withHint("a difference has one base")
	}
	if c.IsSet("against") {
		return openFolder(c, head)
	}
	repo, err := git.Open(near(head.dir))
	if err != nil {
		return nil, gitError(err)
	}
	ref := c.String("base")
	if !c.IsSet("base") {
		ref = "HEAD"
	}
	label := shortened(ref)
	if c.IsSet("merge-base") {
		other := c.String("merge-base")
		if ref, err = repo.MergeBase(other); err != nil {
			return nil, gitError(err)
		}
		label = "merge base with " + shortened(other)
	}
	tree, err := repo.Tree(ref)
	if err != nil {
		return nil, gitError(err)
	}
	base := &side{project: project{dir: head.dir, fsys: tree, tree: tree, options: head.options}, label: label, ref: ref}
	if c.IsSet("merge-base") {
		base.ref = tree.Name()
	}
	base.notes = repo.Notes()
	if err := base.findManifest(head); err != nil || base.name != "" {
		return base, err
	}
	gone, err := movedFrom(repo, ref, head)
	if len(gone) > 0 {
		base.moved = gone[0]
		base.notes = append(base.notes, fmt.Sprintf("%s has %s, and %s has not: if the project moved, "+
			"check the base out beside it (git worktree add) and compare with --against its old folder", label, quoted(gone), headName(head)))
	}
	return base, err
}

// shortened cuts the full id that a ref may start with, for people.
func shortened(ref string) string {
	const shown = 12
	if n := len(ref) - len(strings.TrimLeft(ref, "0123456789abcdef")); n == 40 || n == 64 {
		return ref[:shown] + ref[n:]
	}
	return ref
}

// findManifest looks for the manifest that the head has, else for one of the
// other usual name. A base without one is empty.
func (s *side) findManifest(head *project) error {
	name, err := manifestLike(s.fsys, head.name)
	switch {
	case err != nil:
		return failed(err)
	case name == "":
		return nil
	default:
		s.name = name
		return s.readable(s.ref+":"+path.Join(head.inRepository(), name), "")
	}
}

// movedFrom gives the manifests elsewhere in the base that are no longer there:
// the head's may be one of them, moved.
func movedFrom(repo *git.Repository, ref string, head *project) ([]string, error) {
	paths, err := repo.Find(ref, namesLike(head.name)...)
	if err != nil {
		return nil, gitError(err)
	}
	top, err := filepath.EvalSymlinks(head.top())
	if err != nil {
		return nil, failed(err)
	}
	return slices.DeleteFunc(paths, func(name string) bool {
		at := filepath.Join(top, filepath.FromSlash(name))
		now, err := filepath.EvalSymlinks(at) // a link to another folder is not the manifest that was there
		return err == nil && now == at || err != nil && !errors.Is(err, fs.ErrNotExist)
	}), nil
}

// namesLike gives the names that the manifest may have on the other side.
func namesLike(name string) []string {
	names := []string{name}
	if slices.Contains(load.ManifestNames(), name) {
		names = append(names, load.ManifestNames()...)
	}
	return names
}

// manifestLike names the manifest of a file system: the one of that name, or
// where that is a usual name and nothing has it, the other usual one; "" for
// none.
func manifestLike(fsys fs.FS, name string) (string, error) {
	for _, name := range namesLike(name) {
		_, err := fs.Stat(fsys, name)
		if err == nil || errors.Is(err, load.ErrEscapes) || errors.Is(err, load.ErrNotRegular) {
			return name, nil // if it cannot be read, somebody has to say why
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
	return "", nil
}

// openFolder takes another folder as the base: one that holds a manifest like
// the head's, or a copy of the head's repository.
func openFolder(c *cli.Context, head *project) (*side, error) {
	start, _ := location(c)
	given := c.String("against")
	top := given
	if !filepath.IsAbs(top) {
		top = filepath.Join(start, top)
	}
	if st, err := os.Stat(top); err != nil || !st.IsDir() || given == "" {
		return nil, usage("no folder %q", given).withHint("--against names a folder with a project; --base names a commit")
	}
	folders := []string{top}
	if place := filepath.FromSlash(head.inRepository()); filepath.IsLocal(place) {
		folders = append(folders, filepath.Join(top, place))
	}
	for _, dir := range folders {
		fsys, err := load.Dir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, failed(err)
		}
		name, err := manifestLike(fsys, head.name)
		if err != nil {
			return nil, failed(err)
		}
		if name != "" {
			base := &side{project: project{dir: dir, name: name, fsys: fsys, options: head.options}, label: given}
			return base, base.readable(filepath.ToSlash(filepath.Join(given, name)), "")
		}
	}
	return nil, usage("no manifest %q in %q", head.name, given).withHint("--against names a folder with a project; --base names a commit")
}

// state is the side as something to compile.
func (s *side) state() pipeline.State {
	return pipeline.State{Name: s.label, Files: s.fsys, Manifest: s.name, Options: s.options}
}
