package main

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/diff"
	"github.com/promptc-build/promptc/pipeline/review/joining"
)

// diffAll compares all projects of a workspace, and those that the base has
// besides.
func (con Console) diffAll(c *cli.Context, w *workspace, format string, words []string) (err error) {
	defer func() { err = errors.Join(err, failed(w.close())) }()
	if by := c.String("policy"); by != policyBase && by != policyHead {
		return usage("in a workspace, --policy is %s or %s", policyBase, policyHead).withHint("run it in the folder of one project, or with -C DIR")
	}
	run := comparison{w: w, diffRun: diffRun{con: con, c: c, format: format, failOn: words}}
	defer func() { err = errors.Join(err, failed(run.close())) }()
	made, err := run.compareAll()
	if err != nil {
		return err
	}
	return run.print(made)
}

func (w *workspace) openBase(c *cli.Context) (*side, error) {
	head := w.asProject(nil)
	if !c.IsSet("against") {
		_, base, err := openCommit(c, head)
		return base, err
	}
	start, _ := location(c)
	dir := c.String("against")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(start, dir)
	}
	fsys, err := load.Dir(dir)
	if err != nil {
		return nil, usage("no folder %q", c.String("against")).withHint("--against names a folder with a workspace; --base names a commit")
	}
	return &side{project: project{dir: dir, fsys: fsys, label: c.String("against")}}, nil
}

// addRemoved adds the projects that the base's workspace has and the head's has
// not. Where the base is no workspace nobody knows of any.
func (w *workspace) addRemoved(c *cli.Context, base *side) error {
	manifests, _, err := pipeline.Projects(base.fsys, false, nil)
	if errors.Is(err, fs.ErrNotExist) || c.IsSet("p") {
		return nil
	}
	if err != nil {
		return failed(err)
	}
	folders := w.folders()
	for _, name := range manifests {
		if folder := path.Dir(name); !slices.Contains(folders, folder) {
			w.projects = append(w.projects, &member{folder: folder, project: project{name: path.Base(name), within: folder, gone: true}})
		}
	}
	slices.SortFunc(w.projects, func(a, b *member) int { return strings.Compare(a.folder, b.folder) })
	return nil
}

// comparison compares the projects of a workspace, one by one.
type comparison struct {
	diffRun

	w *workspace
	// owners own what the projects are made from; odd is what cannot be read of
	// who does.
	owners *pipeline.Owners
	odd    diag.List
	// all says that projects in which nothing changed count, too, with their snapshots.
	all bool
}

// compared is what one project came to. Without a difference nothing changed.
type compared struct {
	d     *review.Difference
	found diag.List
	notes []string
	// bad is what the head finds where it does not compile, badBase the base.
	bad, badBase diag.List
}

// compareAll finds the base of the workspace, and compares all projects with it.
func (v *comparison) compareAll() (made []compared, err error) {
	if err := oneBase(v.c); err != nil {
		return nil, err
	}
	if v.base, err = v.w.openBase(v.c); err != nil {
		return nil, err
	}
	for _, line := range slices.Concat(v.w.notes, v.base.notes) {
		if err := v.con.note("%s", line); err != nil {
			return nil, err
		}
	}
	if err := v.w.addRemoved(v.c, v.base); err != nil {
		return nil, err
	}
	if v.owners, v.odd, err = readOwners(v.w.fsys); err != nil {
		return nil, err
	}
	made, err = par.Try(v.w.projects, v.compare)
	return made, failed(err)
}

// close gives back what reading the base took.
func (v *comparison) close() error {
	if v.base == nil {
		return nil
	}
	return v.base.close()
}

func (v *comparison) compare(m *member) (compared, error) {
	base := &side{project: project{
		dir: filepath.Join(v.base.dir, filepath.FromSlash(m.folder)), within: m.folder,
		tree: v.base.tree, ref: v.base.ref, label: v.base.label, maxUses: m.maxUses,
	}}
	var err error
	if base.fsys, err = load.Sub(v.base.fsys, m.folder); err != nil {
		return compared{}, err
	}
	var out compared
	if base.name, err = manifestLike(base.fsys, m.name); err != nil {
		return out, err
	}
	_, err = fs.Stat(v.base.fsys, m.folder)
	isNew := errors.Is(err, fs.ErrNotExist)
	if base.name == "" && !m.gone && !isNew {
		out.notes = append(out.notes, v.base.label+" has no manifest in "+quoted([]string{m.folder})+": that of "+headName(&m.project)+" serves both sides")
		if err := base.borrow(&m.project); err != nil {
			return out, err
		}
	}
	was, is := base.request(pipeline.Composed), m.request(pipeline.Composed)
	if v.all || slices.Contains(v.failOn, "drift") {
		is.Until = pipeline.Snapshots
	}
	switch {
	case isNew:
		was.Files = nil
	case !m.gone && !v.judgesAll():
		if same, err := pipeline.Unchanged(was, is); err != nil || same {
			return out, err
		}
	}
	made, err := pipeline.Review(v.c.Context, was, is, pipeline.Policy{Base: v.c.String("policy") != policyHead})
	if err != nil {
		return out, err
	}
	return v.settled(out, m, made), nil
}

// judgesAll reports whether projects in which nothing changed count, too: for a word
// of --fail-on, or since one of them may have what the arguments name.
func (v *comparison) judgesAll() bool {
	return v.all || v.c.NArg() > 0 || slices.Contains(v.failOn, "drift") || slices.Contains(v.failOn, "budget")
}

// settled names what a review came to as it is called from the workspace's folder.
func (v *comparison) settled(out compared, m *member, made *pipeline.Reviewed) compared {
	was, is := made.Base.Result, made.Head.Result
	switch {
	case is.Stopped:
		joining.MoveResult(is, m.folder)
		out.bad = is.Findings
	case was.Stopped:
		joining.MoveResult(was, m.folder)
		out.badBase = was.Findings
	default:
		v.owners.Name(was, m.folder)
		v.owners.Name(is, m.folder)
		out.d, out.found = made.Difference, made.Findings
		joining.MoveDifference(out.d, m.folder, out.found)
	}
	return out
}

func (v *comparison) print(made []compared) error {
	all, found, err := v.collect(made)
	if err != nil {
		return err
	}
	d := diff.Join(all)
	d.Base.Name, d.Head.Name = v.base.label, headName(v.w.asProject(nil))
	v.head = v.w.asProject([]*prompt.Result{})
	opt := v.options(d.Head.Result)
	for _, one := range all {
		opt.Of = append(opt.Of, one.Base.Result, one.Head.Result)
	}
	if d, found, err = v.selected(d, found); err != nil {
		return err
	}
	found = withOwners(d, found, v.odd)
	if err := onlyOf(v.c, d); err != nil {
		return err
	}
	var bad, badBase diag.List
	for _, one := range made {
		bad, badBase = append(bad, one.bad...), append(badBase, one.badBase...)
	}
	onPage := v.format != "text" && v.format != "affected"
	if onPage {
		found = append(found, bad...)
	}
	err = v.diffRun.print(d, found, opt)
	opt.Color = v.con.colour(v.con.ErrTerminal)
	if len(badBase) > 0 {
		was := opt
		if was.Base = opt.Against; v.base.tree != nil {
			was.Base, was.Ref = v.base.inRepository(), v.base.ref
		}
		if err := finding.Text(v.con.Stderr, badBase, was); err != nil {
			return failed(err)
		}
		if err := v.con.note("projects that did not compile in %s were not compared", v.base.label); err != nil {
			return err
		}
	}
	if len(bad) == 0 {
		return err
	}
	if !onPage {
		if err := finding.Text(v.con.Stderr, bad, opt); err != nil {
			return failed(err)
		}
	}
	return &status{code: exitFindings, message: "not all projects compile: those that do not were not compared"}
}

// collect gives the differences and what was found, and says how many projects
// were left out.
func (v *comparison) collect(made []compared) (all []*review.Difference, found diag.List, err error) {
	left := 0
	for _, one := range made {
		for _, line := range one.notes {
			if err := v.con.note("%s", line); err != nil {
				return nil, nil, err
			}
		}
		found = append(found, one.found...)
		switch {
		case one.d != nil:
			all = append(all, one.d)
		case len(one.bad)+len(one.badBase) == 0:
			left++
		}
	}
	if left == 0 {
		return all, found, nil
	}
	return all, found, v.con.note("%d of %d projects read the same as in %s, and were not compiled", left, len(made), v.base.label)
}
