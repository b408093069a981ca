package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// side is what a head is compared with or judged by.
type side struct {
	project
	// moved is a manifest that it has elsewhere, and the head no longer has there.
	moved string
}

// borrow takes the head's manifest for a side that has none.
func (s *side) borrow(head *project) (err error) {
	s.name = head.name
	s.text, err = load.ReadSome(head.fsys, head.name)
	return failed(err)
}

// headName is what people call the state that is looked at.
func headName(p *project) string {
	switch {
	case p.label != "":
		return p.label
	case p.tree != nil:
		return "the index"
	default:
		return "the working tree"
	}
}

// baseFlags say what the head is compared with, and what that is without them. They
// exclude one another.
func baseFlags(without string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "base", Usage: "compare with the commit or tree `REF` (default: " + without + ")"},
		&cli.StringFlag{Name: "merge-base", Usage: "compare with the commit at which the head left `REF`, as pull requests do"},
		&cli.StringFlag{Name: "against", Usage: "compare with the project in the folder `DIR`"},
	}
}

// headFlag makes a command look at a commit.
func headFlag() cli.Flag {
	return &cli.StringFlag{Name: "head", Usage: "look at the commit or tree `REF`, not at the working tree"}
}

// openBase finds what the head is compared with: in git, at the same place in
// the repository, or in another folder.
func openBase(c *cli.Context, head *project) (*side, error) {
	if err := oneBase(c); err != nil {
		return nil, err
	}
	if c.IsSet("against") {
		return openFolder(c, head)
	}
	repo, base, err := openCommit(c, head)
	if err != nil || c.IsSet("rendered") {
		return base, err
	}
	if head.looked {
		return base, head.proposeBy(c, base)
	}
	if err := base.findManifest(head); err != nil || base.name != "" {
		return base, err
	}
	if err := base.borrow(head); err != nil {
		return base, err
	}
	gone, err := movedFrom(repo, base.ref, head)
	if len(gone) > 0 {
		base.moved = gone[0]
		base.notes = append(base.notes, fmt.Sprintf("%s has %s, and %s has not: if the project moved, "+
			"check the base out beside it (git worktree add) and compare with --against its old folder", base.label, quoted(gone), headName(head)))
	}
	return base, err
}

// hasBase reports whether an option names a base.
func hasBase(c *cli.Context) bool {
	return c.IsSet("base") || c.IsSet("merge-base") || c.IsSet("against")
}

// oneBase refuses options that name several bases, or none.
func oneBase(c *cli.Context) error {
	var given []string
	for _, name := range []string{"base", "merge-base", "against"} {
		if c.IsSet(name) {
			given = append(given, name)
		}
	}
	if len(given) > 1 {
		return usage("--%s and --%s exclude one another", given[0], given[1]).withHint("a difference has one base")
	}
	if len(given) > 0 && c.String(given[0]) == "" {
		return usage("--%s is empty", given[0]).withHint("if it comes from a variable, that is not set here; without --%s, the base is HEAD", given[0])
	}
	return nil
}

// openCommit opens the commit that the head is compared with, at the head's place
// in the repository. Its manifest is not looked for.
func openCommit(c *cli.Context, head *project) (*git.Repository, *side, error) {
	repo, err := git.Open(c.Context, near(head.dir))
	if err != nil {
		return nil, nil, gitError(err)
	}
	ref := c.String("base")
	if !c.IsSet("base") {
		ref = "HEAD"
	}
	label := shortened(ref)
	if c.IsSet("merge-base") {
		other := c.String("merge-base")
		if ref, err = repo.MergeBase(cmp.Or(head.ref, "HEAD"), other); err != nil {
			return nil, nil, gitError(err)
		}
		label = "merge base with " + shortened(other)
	}
	tree, err := repo.Tree(ref)
	if err != nil {
		return nil, nil, gitError(err)
	}
	base := &side{project: project{dir: head.dir, fsys: tree, tree: tree, maxUses: head.maxUses, label: label, ref: ref, notes: worded(repo.Notes())}}
	if c.IsSet("merge-base") {
		base.ref = tree.Name()
	}
	return repo, base, nil
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
// other usual name. A side without one has no name for it.
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
	if head.ref != "" {
		kept, err := repo.Find(head.ref, namesLike(head.name)...)
		return slices.DeleteFunc(paths, func(name string) bool { return slices.Contains(kept, name) }), gitError(err)
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
			return "", diag.Fail("read-file", name, err)
		}
	}
	return "", nil
}

// openFolder takes another folder as the base: one that holds a manifest like
// the head's, or a copy of the head's repository. Where there is no manifest, the
// sources are looked for at the head's place in such a copy, else in the folder.
func openFolder(c *cli.Context, head *project) (*side, error) {
	start, _ := location(c)
	given := c.String("against")
	top := given
	if !filepath.IsAbs(top) {
		top = filepath.Join(start, top)
	}
	if st, err := os.Stat(top); err != nil || !st.IsDir() {
		return nil, usage("no folder %q", given).withHint("--against names a folder with a project; --base names a commit")
	}
	folders := []string{top}
	if place := filepath.FromSlash(head.inRepository()); filepath.IsLocal(place) {
		folders = append(folders, filepath.Join(top, place))
	}
	base := &side{}
	if head.looked {
		fsys, err := load.Dir(top)
		if err != nil {
			return nil, failed(err)
		}
		base.project = project{dir: top, fsys: fsys, maxUses: head.maxUses, label: given}
		return base, head.proposeBy(c, base)
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
		base.project = project{dir: dir, name: name, fsys: fsys, maxUses: head.maxUses, label: given}
		if name != "" && !c.IsSet("rendered") {
			return base, base.readable(filepath.ToSlash(filepath.Join(given, name)), "")
		}
	}
	if c.IsSet("rendered") {
		return base, nil
	}
	return base, base.borrow(head)
}

// stagedFlag makes a command look at what the next commit would hold.
func stagedFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "staged", Usage: usage}
}

// keeper gives what git keeps in one state, as a project seen from a folder.
type keeper func(dir string) (*project, error)

// keptByGit gives the state of the head that git keeps: the index or a commit; nil
// where the head is the working tree.
func keptByGit(c *cli.Context) (keeper, error) {
	ref := c.String("head")
	switch {
	case !c.IsSet("head"):
		if c.Bool("staged") {
			return func(dir string) (*project, error) { return indexAt(c.Context, dir) }, nil
		}
		return nil, nil //nolint:nilnil // the working tree
	case c.Bool("staged"):
		return nil, usage("--head and --staged exclude one another").withHint("a difference has one head")
	case c.IsSet("against"):
		return nil, usage("--head and --against exclude one another").withHint("both sides come from git: name the other with --base or --merge-base")
	case ref == "":
		return nil, usage("--head is empty").withHint("if it comes from a variable, that is not set here; without --head, the head is the working tree")
	case c.Command.Name == "diff" && !hasBase(c):
		return nil, usage("--head needs a base").withHint("to show what the commit changed: --base %s; for releases: --base TAG", shellWord(ref+"^"))
	default:
		return func(dir string) (*project, error) { return commitAt(c.Context, dir, ref) }, nil
	}
}

// openKept finds the manifest in what git keeps. It is looked for there alone, by the
// same rules as on disk: what was not added is not part of the commit. A commit
// without one borrows that of the base.
func (con Console) openKept(c *cli.Context, at keeper) (*project, error) {
	p, err := manifestKept(c, at)
	if p != nil || err != nil {
		return p, err
	}
	start, config := location(c)
	if !c.IsSet("head") {
		if config != "" {
			return nil, usage("no manifest at %q in the index", c.String("config")).withHint("--config names the manifest file itself")
		}
		return nil, usage("no prompts.yaml in the index, in %q or a folder above it", start).withHint("git add prompts.yaml, or leave out --staged")
	}
	states := shortened(c.String("head"))
	if hasBase(c) {
		lender, err := manifestKept(c, func(dir string) (*project, error) {
			_, base, err := openCommit(c, &project{dir: dir, ref: c.String("head")})
			if err != nil {
				return nil, err
			}
			return &base.project, nil
		})
		if err != nil {
			return nil, err
		}
		if lender != nil {
			return borrowing(at, lender)
		}
		states = "the base or in " + states
	}
	if config != "" {
		return nil, usage("no manifest at %q in %s", c.String("config"), states).withHint("--config names the manifest file itself")
	}
	if slices.Contains(lookers, c.Command.Name) {
		return con.lookAround(c, start, at)
	}
	return nil, usage("no prompts.yaml in %s, in %q or a folder above it", states, start).
		withHint("name commits that have one; diff --rendered GLOB needs none")
}

// borrowing gives what git keeps at the folder of another state's manifest, by that
// manifest.
func borrowing(at keeper, lender *project) (p *project, err error) {
	defer func() { err = errors.Join(err, failed(lender.close())) }()
	if p, err = at(lender.dir); err != nil {
		return nil, err
	}
	p.name = lender.name
	p.text, err = load.ReadSome(lender.fsys, lender.name)
	return p, failed(err)
}

// manifestKept finds the manifest that --config names, or the nearest one, in what git
// keeps. Without one it gives nil.
func manifestKept(c *cli.Context, at keeper) (*project, error) {
	start, config := location(c)
	if config != "" {
		dir, name := filepath.Split(config)
		p, err := at(filepath.Join(dir, "."))
		if err != nil {
			return nil, err
		}
		if _, err := fs.Stat(p.fsys, name); errors.Is(err, fs.ErrNotExist) {
			return nil, failed(p.close())
		}
		p.name = name
		return p, p.readable(c.String("config"), " in "+headName(p))
	}
	dir, err := filepath.Abs(start)
	if err != nil {
		return nil, statusOf(exitUsage, err)
	}
	top, err := load.Repository(dir)
	if err != nil {
		return nil, failed(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		p, err := at(dir)
		if err != nil {
			return nil, err
		}
		names, err := manifestsIn(p.fsys)
		switch {
		case err != nil:
			return nil, errors.Join(failed(err), p.close())
		case len(names) > 1 && p.ref == "":
			return nil, usage("the index holds both %s and %s in %q", names[0], names[1], near(dir)).withHint("git rm --cached one of them")
		case len(names) > 1:
			return nil, usage("%s holds both %s and %s in %q", p.label, names[0], names[1], near(dir)).withHint("name one with --config")
		case len(names) == 1:
			p.name = names[0]
			return p, p.readable(p.name, " in "+headName(p))
		}
		if err := p.close(); err != nil || dir == top || filepath.Dir(dir) == dir {
			return nil, failed(err)
		}
	}
}

// commitAt gives a commit as a project, seen from a folder.
func commitAt(ctx context.Context, dir, ref string) (*project, error) {
	repo, err := git.Open(ctx, near(dir))
	if err != nil {
		return nil, gitError(err)
	}
	tree, err := repo.Tree(ref)
	if err != nil {
		return nil, gitError(err)
	}
	return &project{dir: dir, fsys: tree, tree: tree, ref: ref, label: shortened(ref), notes: worded(repo.Notes())}, nil
}

// indexAt gives the index as a project, seen from a folder.
func indexAt(ctx context.Context, dir string) (*project, error) {
	repo, err := git.Open(ctx, near(dir))
	if git.Is(err, git.NotRepository) && !load.InBare(dir) {
		return nil, statusOf(exitUsage, err).withHint("only a repository has an index: leave out --staged")
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
		return nil, diag.Fail("read-file", ".", err)
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
	if !ok || git.Is(err, git.Failed, git.MissingObject, git.TooLarge) {
		return failed(err)
	}
	return statusOf(exitUsage, said)
}

// maxNamed is how many names one line holds.
const maxNamed = 5

// unread says, in a line for each reason, what the sources of a project touch
// and git cannot show: submodules, whose files are in another repository, and
// files whose names are not UTF-8, or such as no folder could hold. The state is
// what people call it.
func (con Console) unread(p *project, r *prompt.Result, state string) error {
	if p.tree == nil || r.Tree == nil {
		return nil
	}
	for _, row := range []struct {
		names     []string
		one, many string
	}{
		{p.tree.Submodules(), "the submodule %s is not read", "the submodules %s are not read"},
		{p.tree.Unreadable(), "the file %s cannot be read by its name", "the files %s cannot be read by their names"},
	} {
		names := p.touching(r, row.names)
		if len(names) == 0 {
			continue
		}
		words := row.one
		if len(names) > 1 {
			words = row.many
		}
		if err := con.note(words+" in %s", quoted(names), state); err != nil {
			return err
		}
	}
	return nil
}

// touching gives those of some paths in the tree that the sources of a project touch.
func (p *project) touching(r *prompt.Result, paths []string) []string {
	var out []string
	for _, name := range paths {
		own, err := filepath.Rel(filepath.FromSlash(p.within), filepath.FromSlash(name))
		if own = filepath.ToSlash(own); err == nil && touched(r.Tree, own) {
			out = append(out, name)
		}
	}
	return out
}

// note says something that one should know and that is no finding.
func (con Console) note(format string, args ...any) error {
	_, err := fmt.Fprintf(con.Stderr, "promptc: note: %s\n", words.Safe(fmt.Sprintf(format, args...)))
	return failed(err)
}

// quoted lists names, the first ones with what hides in them.
func quoted(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), maxNamed)] {
		out = append(out, fmt.Sprintf("%q", name))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// touched reports whether anything that the manifest names could be the path
// name, or lie below it.
func touched(tree *language.Tree, name string) bool {
	for key := range tree.Matches {
		if matches(key.Path, name) {
			return true
		}
	}
	for key := range tree.Walks {
		if below(key.Path, name) {
			return true
		}
	}
	for folder := range tree.Workspaces {
		if below(folder, name) || below(name, folder) {
			return true
		}
	}
	return false
}

// below reports whether a path is a folder or lies in it.
func below(name, folder string) bool {
	name, folder = path.Clean(name), path.Clean(folder)
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

// matches reports whether a pattern could match a path, or something below it.
// Where it is not plain what a pattern means, it could.
func matches(pattern, name string) bool {
	steps := strings.Split(path.Clean(pattern), "/")
	for i, elem := range strings.Split(path.Clean(name), "/") {
		if i == len(steps) {
			return false // the pattern's last name is a file above
		}
		if steps[i] == "**" || strings.ContainsAny(steps[i], "{[\\") {
			return true
		}
		if ok, err := path.Match(steps[i], elem); err != nil || !ok {
			return err != nil
		}
	}
	return true
}
