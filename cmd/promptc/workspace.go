package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review/joining"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// workspace is what a command works on: a folder with several projects, or one project
// alone.
type workspace struct {
	// project is its folder, without a manifest.
	project
	// projects are sorted by their folders below dir.
	projects []*member
	// alone says that there is one project, and no workspace: output does not name its folder.
	alone bool
	found diag.List // notes about its file
}

// member is a project of a workspace.
type member struct {
	project

	folder string // below the workspace, with slashes
}

// workspaceFlags choose several projects. The commands that run over a workspace
// have them.
func workspaceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "all", Usage: "run over every project of the workspace, or without " + load.WorkFile + " every one below here"},
		&cli.StringSliceFlag{Name: "p", Usage: "run over the project in the folder `DIR` of the workspace; may be repeated"},
	}
}

// openProjects finds what a command works on.
func (con Console) openProjects(c *cli.Context) (*workspace, error) {
	w, err := con.openWorkspace(c)
	if w != nil || err != nil {
		return w, err
	}
	p, err := con.open(c)
	if err != nil {
		return nil, err
	}
	return &workspace{projects: []*member{{project: *p, folder: "."}}, alone: true}, nil
}

// openWorkspace finds the workspace that a command works on; nil where it works
// on one project.
func (con Console) openWorkspace(c *cli.Context) (*workspace, error) {
	asked := c.Bool("all") || c.IsSet("p")
	for _, other := range []string{"config", "rendered"} {
		if c.IsSet(other) && asked {
			return nil, usage("--%s names one project, and --all and -p choose several", other).withHint("leave one of them out")
		}
		if c.IsSet(other) {
			return nil, nil //nolint:nilnil // one project
		}
	}
	start, _ := location(c)
	at, err := keptByGit(c)
	if err != nil {
		return nil, err
	}
	there := onDisk
	if c.IsSet("head") {
		there = at.has
	}
	dir, named, err := con.workspaceAbove(start, asked, there)
	if err != nil || dir == "" {
		return nil, err
	}
	w := &workspace{project: project{dir: dir}}
	if at != nil {
		p, err := at(dir)
		if err != nil {
			return nil, err
		}
		w.project = *p
	} else if w.fsys, err = con.openFolder(dir); err != nil {
		return nil, notOpened(err)
	}
	err = con.findProjects(c, w, !named)
	if wrong, ok := errors.AsType[*badWorkspace](err); ok {
		return nil, con.refuse(c, &project{dir: dir}, &prompt.Result{Findings: wrong.found, Stopped: true})
	}
	if err == nil {
		err = finding.Text(con.Stderr, w.found, con.reportOptions(c, w.asProject(nil), &prompt.Result{}, con.ErrTerminal))
	}
	return w, failed(err)
}

// workspaceAbove gives the folder of the workspace that somebody in a folder means,
// "" for none, and whether a file makes it one. Without being asked for several
// projects, the nearest manifest counts before the workspace above it. What there is
// in a folder, the state of the head says.
func (con Console) workspaceAbove(start string, asked bool, there func(dir string, names ...string) (bool, error)) (dir string, named bool, err error) {
	first, err := filepath.Abs(start)
	if err != nil {
		return "", false, failed(err)
	}
	for dir = first; ; dir = filepath.Dir(dir) {
		con.sees(dir, append([]string{load.WorkFile, ".git"}, load.ManifestNames()...)...)
		workFile, err := there(dir, load.WorkFile)
		if err != nil || workFile {
			return dir, workFile, err
		}
		manifest, err := there(dir, load.ManifestNames()...)
		if err != nil || manifest && !asked {
			return "", false, err
		}
		top, err := onDisk(dir, ".git")
		switch {
		case err != nil:
			return "", false, err
		case top || filepath.Dir(dir) == dir:
			if asked {
				return first, false, nil
			}
			return "", false, nil
		}
	}
}

// onDisk reports whether a folder has one of some names.
func onDisk(dir string, names ...string) (bool, error) {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name)) //nolint:gosec,nolintlint // whoever runs it chose the folder; not every run of the linter sees it
		return err == nil
	}), nil
}

// has reports whether what git keeps has one of some names in a folder.
func (at keeper) has(dir string, names ...string) (bool, error) {
	p, err := at(dir)
	if err != nil {
		return false, err
	}
	found := slices.ContainsFunc(names, func(name string) bool {
		_, err := fs.Stat(p.fsys, name)
		return err == nil
	})
	return found, failed(p.close())
}

func (con Console) findProjects(c *cli.Context, w *workspace, all bool) error {
	var ignored []string
	if repo, err := git.Open(c.Context, near(w.dir)); err == nil && w.tree == nil {
		if ignored, err = repo.Ignored(); err != nil {
			return gitError(err)
		}
	}
	manifests, found, err := pipeline.Projects(w.fsys, all, ignored)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("%s is not in the index", load.WorkFile).withHint("git add %s, or leave out --staged", load.WorkFile)
	case err != nil:
		return statusOf(exitUsage, err)
	case found.HasErrors():
		return &badWorkspace{found}
	case len(manifests) == 0:
		return usage("no prompts.yaml in %q or a folder below it", near(w.dir)).withHint("run: promptc init (over the files that agents read here), or promptc init --example")
	}
	w.found = found
	wanted := c.StringSlice("p")
	for _, name := range manifests {
		folder := path.Dir(name)
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(one string) bool { return path.Clean(filepath.ToSlash(one)) == folder }) {
			continue
		}
		if err := con.add(c, w, folder, path.Base(name)); err != nil {
			return err
		}
	}
	return w.picked(wanted, manifests)
}

// picked refuses what -p names and no project is.
func (w *workspace) picked(wanted, manifests []string) error {
	for _, one := range wanted {
		folder := path.Clean(filepath.ToSlash(one))
		if !slices.ContainsFunc(w.projects, func(m *member) bool { return m.folder == folder }) {
			folders := each(manifests, path.Dir)
			return usage("no project of the workspace is in %q", one).nearest(folder, folders, "projects: %s", quoted(folders))
		}
	}
	return nil
}

func (con Console) add(c *cli.Context, w *workspace, folder, name string) (err error) {
	m := &member{folder: folder, project: project{
		dir: filepath.Join(w.dir, filepath.FromSlash(folder)), within: folder, name: name,
		tree: w.tree, ref: w.ref, label: w.label,
	}}
	if w.tree != nil {
		m.fsys, err = load.Sub(w.fsys, folder)
	} else {
		m.fsys, err = con.openFolder(m.dir)
	}
	if err != nil {
		return failed(err)
	}
	if c.IsSet("max-uses") {
		m.maxUses = c.Int("max-uses")
	}
	w.projects = append(w.projects, m)
	return nil
}

// refused says that a command is for one project.
func (w *workspace) refused(why, command string) error {
	return usage("%s, and this is a workspace of %d", why, len(w.projects)).
		withHint("name one with -C: %s -C %s", command, shellWord(filepath.Join(near(w.dir), filepath.FromSlash(w.projects[0].folder))))
}

// badWorkspace is the error of a workspace whose file has errors.
type badWorkspace struct{ found diag.List }

func (*badWorkspace) Error() string { return load.WorkFile + " has errors" }

func (w *workspace) folders() []string {
	var out []string
	for _, m := range w.projects {
		out = append(out, m.folder)
	}
	return out
}

// asProject stands for the workspace where a report is about one project: paths
// are seen from its folder.
func (w *workspace) asProject(results []*prompt.Result) *project {
	if w.alone {
		return &w.projects[0].project
	}
	p := w.project
	p.parts = results
	for _, m := range w.projects {
		p.remedy.build = cmp.Or(p.remedy.build, m.remedy.build)
		p.remedy.add, p.remedy.checkOut = append(p.remedy.add, m.remedy.add...), append(p.remedy.checkOut, m.remedy.checkOut...)
		if p.ignored == "" {
			p.ignored = m.ignored
		}
		for _, u := range m.unstaged {
			u.Path = path.Join(m.folder, u.Path)
			p.unstaged = append(p.unstaged, u)
		}
	}
	const few = 4
	if len(p.remedy.add) > few {
		p.remedy.add = []string{"git add ."}
	}
	return &p
}

// close gives back what reading the projects took.
func (w *workspace) close() error {
	if w.alone {
		return failed(w.projects[0].close())
	}
	if w.tree != nil {
		return w.tree.Close()
	}
	for _, m := range w.projects {
		if folder, ok := m.fsys.(interface{ Close() error }); ok {
			if err := folder.Close(); err != nil {
				return failed(err)
			}
		}
	}
	return nil
}

type outcome struct {
	result *prompt.Result
	said   string // notes
}

// every runs a function over all projects, several at once, and prints the notes
// in the order of the projects.
func (con Console) every(w *workspace, run func(con Console, m *member) (*prompt.Result, error)) ([]*prompt.Result, error) {
	if w.alone {
		r, err := run(con, w.projects[0])
		return []*prompt.Result{r}, failed(err)
	}
	outcomes, err := par.Try(w.projects, func(m *member) (outcome, error) {
		var notes bytes.Buffer
		own := con
		own.Stderr = &notes
		r, err := run(own, m)
		if err != nil {
			err = diag.Fail("in-a-place", m.folder, err)
		}
		return outcome{r, notes.String()}, err
	})
	var results []*prompt.Result
	for _, o := range outcomes {
		if _, err := con.Stderr.Write([]byte(o.said)); err != nil {
			return nil, failed(err)
		}
		results = append(results, o.result)
	}
	if err != nil {
		return nil, failed(err)
	}
	if inner, outer, ok := pipeline.Nested(w.folders(), results); ok {
		return nil, usage("the project %q lies in a folder that %q builds", inner, outer).withHint("move it, or take it out of the patterns of %s", load.WorkFile)
	}
	return results, nil
}

// joined makes one result of all, with paths and names from the workspace on.
func (w *workspace) joined(results []*prompt.Result) *prompt.Result {
	if w.alone {
		return results[0]
	}
	for i, r := range results {
		joining.MoveResult(r, w.projects[i].folder)
	}
	return joining.Join(results)
}

// leftOut says which projects did not compile.
func (con Console) leftOut(w *workspace, results []*prompt.Result) error {
	var names []string
	for i, r := range results {
		if r.Stopped {
			names = append(names, w.projects[i].folder)
		}
	}
	if len(names) == 0 || len(names) == len(results) {
		return nil
	}
	return con.note("left out because of errors: %s", quoted(names))
}

func (con Console) reportAll(c *cli.Context, w *workspace, results []*prompt.Result, did run.Outcome, format string) error {
	if err := con.leftOut(w, results); err != nil {
		return err
	}
	return con.report(c, w.asProject(results), w.joined(results), did, format)
}

// tracked lists what git has below the workspace, nil where nobody knows: then each
// project asks by itself.
func (w *workspace) tracked(ctx context.Context) (git.Listing, error) {
	repo, err := git.Open(ctx, near(w.dir))
	if err != nil {
		return nil, unlessSilent(err, git.NoProgram, git.NotRepository, git.Untrusted)
	}
	listing, err := repo.Tracked()
	return listing, failed(err)
}
