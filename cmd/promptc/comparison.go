package main

import (
	"cmp"
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
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/diff"
	"github.com/promptc-build/promptc/pipeline/review/joining"
)

// comparison compares the projects of a command with their bases, one by one.
type comparison struct {
	con Console
	c   *cli.Context
	w   *workspace
	// head stands for all projects, base is what they are compared with.
	head *project
	base *side
	// policy is what the head is judged by beside its own; it may be the base,
	// and is nil for nothing.
	policy *side
	format change.Format
	failOn []string
	// all says that projects in which nothing changed are compiled, too, with their snapshots.
	all bool
	// owners are those of the files that the projects are made from; odd has the lines of
	// CODEOWNERS that cannot be read.
	owners *pipeline.Owners
	odd    diag.List
}

// compared is what one project came to.
type compared struct {
	*pipeline.Reviewed // nil where nothing changed

	notes []string
}

// changes are what all projects came to.
type changes struct {
	d     *review.Difference
	found diag.List
	// bad is what the heads find that do not compile, badBase the bases.
	bad, badBase diag.List
	// of are all results.
	of []*prompt.Result
}

// run compares all projects. Where there is one project, and a side of it does not compile,
// its findings are printed, and run gives an error.
func (v *comparison) run() (*changes, error) {
	if err := v.open(); err != nil {
		return nil, err
	}
	made, err := par.Try(v.w.projects, v.compare)
	if err != nil {
		return nil, failed(err)
	}
	if v.w.alone {
		d, err := v.sound(made[0].Reviewed)
		return &changes{d: d, found: made[0].Findings}, err
	}
	return v.joined(made)
}

// open finds the bases, and whose policy counts.
func (v *comparison) open() (err error) {
	by := v.c.String("policy")
	if !v.w.alone && v.c.IsSet("policy") && by != policyBase && by != policyHead {
		return usage("in a workspace, --policy is %s or %s", policyBase, policyHead).withHint("run it in the folder of one project, or with -C DIR")
	}
	if err := oneBase(v.c); err != nil {
		return err
	}
	v.head = v.w.asProject(nil)
	if v.w.alone {
		v.base, err = openBase(v.c, v.head)
	} else {
		v.base, err = v.w.openBase(v.c)
	}
	if err != nil {
		return err
	}
	if v.policy, err = openPolicy(v.c, v.head, v.base); err != nil {
		return err
	}
	notes := slices.Concat(v.head.notes, v.base.notes)
	if v.c.IsSet("rendered") {
		said, err := propose(v.c, v.head, v.base)
		if err != nil {
			return err
		}
		notes = slices.Concat(notes, said)
	}
	if v.policy != nil && v.policy != v.base {
		notes = slices.Concat(notes, v.policy.notes)
	}
	for _, line := range notes {
		if err := v.con.note("%s", line); err != nil {
			return err
		}
	}
	if v.w.alone {
		return nil
	}
	if err := v.w.addRemoved(v.c, v.base); err != nil {
		return err
	}
	v.owners, v.odd, err = readOwners(v.head.fsys)
	return err
}

// close gives back what reading the sides took.
func (v *comparison) close() error {
	err := v.w.close()
	if v.base != nil {
		err = errors.Join(err, v.base.close())
	}
	if v.policy != nil && v.policy != v.base {
		err = errors.Join(err, v.policy.close())
	}
	return err
}

func (v *comparison) compare(m *member) (out compared, err error) {
	base, isNew := v.base, false
	if !v.w.alone {
		if base, isNew, err = v.baseOf(m, &out); err != nil {
			return out, err
		}
	}
	was, is := base.request(pipeline.Composed), m.request(pipeline.Composed)
	if v.c.IsSet("rendered") {
		was.Patterns = v.c.StringSlice("rendered")
		is.Patterns = was.Patterns
	}
	if m.text == nil && (v.all || slices.Contains(v.failOn, "drift")) {
		is.Until = pipeline.Snapshots
	}
	switch {
	case isNew:
		was.Files = nil
	case !v.w.alone && !m.gone && !v.judgesAll():
		if same, err := pipeline.Unchanged(was, is); err != nil || same {
			return out, err
		}
	}
	by := pipeline.Policy{Base: v.policy == v.base}
	if v.policy != nil && !by.Base {
		q := v.policy.request(pipeline.Composed)
		by.Of = &q
	}
	if out.Reviewed, err = pipeline.Review(v.c.Context, was, is, by); err != nil {
		return out, err
	}
	switch head := out.Head.Result; {
	case m.looked:
		withoutProposal(head)
	case m.text == nil && v.w.alone && v.format.Remarks && !m.gone && out.Difference != nil:
		more, err := m.uncovered(v.c, head)
		if err != nil {
			return out, err
		}
		out.Findings = append(out.Findings, more...).Sorted()
	}
	v.settle(out.Reviewed, m, base)
	return out, nil
}

// baseOf gives what a project of a workspace is compared with, and whether it is new.
func (v *comparison) baseOf(m *member, out *compared) (base *side, isNew bool, err error) {
	base = &side{project: project{
		dir: filepath.Join(v.base.dir, filepath.FromSlash(m.folder)), within: m.folder,
		tree: v.base.tree, ref: v.base.ref, label: v.base.label, maxUses: m.maxUses,
	}}
	if base.fsys, err = load.Sub(v.base.fsys, m.folder); err != nil {
		return nil, false, err
	}
	if base.name, err = manifestLike(base.fsys, m.name); err != nil {
		return nil, false, err
	}
	_, err = fs.Stat(v.base.fsys, m.folder)
	isNew = !m.gone && errors.Is(err, fs.ErrNotExist)
	if base.name != "" || m.gone || isNew {
		return base, isNew, nil
	}
	out.notes = append(out.notes, v.base.label+" has no manifest in "+quoted([]string{m.folder})+": that of "+headName(&m.project)+" serves both sides")
	return base, false, base.borrow(&m.project)
}

// settle notes which folders moved in the base. In a workspace it also notes the owners of
// a project's files, and makes names and paths those of the workspace's folder.
func (v *comparison) settle(made *pipeline.Reviewed, m *member, base *side) {
	made.Base.Moved = base.moved
	d := made.Difference
	if d != nil {
		d.Base.Moved = base.moved
	}
	switch {
	case v.w.alone:
	case d != nil:
		v.name(d, m.folder)
		joining.MoveDifference(d, m.folder, made.Findings)
	case made.Head.Result.Stopped:
		joining.MoveResult(made.Head.Result, m.folder)
	default:
		joining.MoveResult(made.Base.Result, m.folder)
	}
}

// judgesAll reports whether projects in which nothing changed are compiled, too: a word of
// --fail-on may be about them, or an argument may name a variant of theirs.
func (v *comparison) judgesAll() bool {
	return v.all || v.c.NArg() > 0 || slices.Contains(v.failOn, "drift") || slices.Contains(v.failOn, "budget")
}

// sound prints which files of the two sides are not read. Where a side or the policy does
// not compile, it prints the findings, and gives an error.
func (v *comparison) sound(made *pipeline.Reviewed) (*review.Difference, error) {
	d := made.Difference
	if d == nil {
		d = &review.Difference{Base: made.Base, Head: made.Head}
	}
	for _, side := range []struct {
		review.Side
		of *project
	}{{made.Head, v.head}, {made.Base, &v.base.project}} {
		if side.Result == nil { // the head did not compile
			continue
		}
		if err := v.con.unread(side.of, side.Result, side.Name); err != nil {
			return nil, err
		}
		if err := v.con.sayAbsent(v.c.Context, side.of, side.Result); err != nil {
			return nil, err
		}
		if side.Result.Stopped {
			return nil, v.stopped(d, side.Side)
		}
	}
	if err := v.judged(made.Policy); err != nil {
		return nil, err
	}
	if !v.format.Remarks {
		for _, line := range change.Borrowed(d, v.options(d.Head.Result)) {
			if err := v.con.note("%s", line); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// joined makes one difference of those of all projects, and says how many projects were
// left out.
func (v *comparison) joined(made []compared) (*changes, error) {
	out, all, left := &changes{}, []*review.Difference{}, 0
	for _, one := range made {
		for _, line := range one.notes {
			if err := v.con.note("%s", line); err != nil {
				return nil, err
			}
		}
		switch {
		case one.Reviewed == nil:
			left++
		case one.Difference != nil:
			all, out.found = append(all, one.Difference), append(out.found, one.Findings...)
			out.of = append(out.of, one.Base.Result, one.Head.Result)
		case one.Head.Result.Stopped:
			out.bad = append(out.bad, one.Head.Result.Findings...)
		default:
			out.badBase = append(out.badBase, one.Base.Result.Findings...)
		}
	}
	if left > 0 {
		if err := v.con.note("%d of %d projects read the same as in %s, and were not compiled", left, len(made), v.base.label); err != nil {
			return nil, err
		}
	}
	out.d = diff.Join(all)
	out.d.Base.Name, out.d.Head.Name = v.base.label, headName(v.head)
	return out, nil
}

// name notes the owners of the files that the prompts of a project are made from.
func (v *comparison) name(d *review.Difference, folder string) {
	v.owners.Name(d.Base.Result, folder)
	v.owners.Name(d.Head.Result, folder)
}

// owned adds what cannot be read of CODEOWNERS to the findings, if the difference reaches
// a variant. For one project, the file is read only then.
func (v *comparison) owned(d *review.Difference, found diag.List) (_ diag.List, err error) {
	if len(d.Reached()) == 0 {
		return found, nil
	}
	if v.w.alone {
		if v.owners, v.odd, err = readOwners(v.head.fsys); err != nil {
			return nil, err
		}
		v.name(d, ".")
	}
	return slices.Concat(found, v.odd).Sorted(), nil
}

// print prints the changes of the variants that the arguments name, and the findings of
// projects that do not compile.
func (v *comparison) print(all *changes) error {
	d, found, err := v.selected(all.d, all.found)
	if err != nil {
		return err
	}
	if found, err = v.owned(d, found); err != nil {
		return err
	}
	if err := onlyOf(v.c, d); err != nil {
		return err
	}
	opt := v.options(all.d.Head.Result)
	opt.Of = append(opt.Of, all.of...)
	if v.format.Findings {
		found = append(found, all.bad...)
	}
	err = v.printed(d, found, opt)
	opt.Color = v.con.colour(v.con.ErrTerminal)
	if len(all.badBase) > 0 {
		was := opt
		if was.Base = opt.Against; v.base.tree != nil {
			was.Base, was.Ref = v.base.inRepository(), v.base.ref
		}
		if err := finding.Text(v.con.Stderr, all.badBase, was); err != nil {
			return failed(err)
		}
		if err := v.con.note("projects that did not compile in %s were not compared", v.base.label); err != nil {
			return err
		}
	}
	if len(all.bad) == 0 {
		return err
	}
	if !v.format.Findings {
		if err := finding.Text(v.con.Stderr, all.bad, opt); err != nil {
			return failed(err)
		}
	}
	return &status{code: exitFindings, message: "not all projects compile: those that do not were not compared"}
}

// options prepares the printing of what concerns the head.
func (v *comparison) options(r *prompt.Result) words.Options {
	opt := v.con.reportOptions(v.c, v.head, r, v.con.Terminal)
	opt.Only, opt.Command = v.c.Int("only"), repeated(v.c, "promptc "+v.c.Command.Name)
	from := v.base.base
	if v.format.Repository {
		opt.Base = v.head.inRepository()
		from = func() string { return v.base.from(v.head.top()) }
	}
	if v.base.tree == nil {
		opt.Against = cmp.Or(from(), ".")
	}
	return opt
}

// stopped prints the findings of a side that does not compile, so that nothing can be
// compared.
func (v *comparison) stopped(d *review.Difference, side review.Side) error {
	opt := v.options(side.Result)
	isBase := side.Result == d.Base.Result
	of := v.head
	if isBase {
		of = &v.base.project
	}
	if of.ref != "" {
		opt.Base, opt.Ref = of.inRepository(), of.ref // git names files from the top
	}
	if v.format.Findings {
		return v.printed(d, side.Result.Findings, opt)
	}
	opt.Color = v.con.colour(v.con.ErrTerminal)
	if isBase && opt.Against != "" {
		opt.Base = opt.Against
	}
	if err := finding.Text(v.con.Stderr, side.Result.Findings, opt); err != nil {
		return failed(err)
	}
	if err := run.Summary(v.con.Stderr, side.Result, run.Outcome{Command: "diff"}, opt); err != nil {
		return failed(err)
	}
	out := &status{code: exitFindings}
	if isBase {
		out.message = "the base does not compile: nothing was compared"
		out.hint = "compare with a state that does: --base REF, --merge-base REF or --against DIR"
	}
	return out
}

// judged prints the findings of a policy that does not compile, and gives an error: nothing
// is judged by a part of a policy.
func (v *comparison) judged(by review.Side) error {
	if by.Result == nil || !by.Result.Stopped {
		return nil
	}
	opt := v.con.reportOptions(v.c, &v.policy.project, by.Result, v.con.ErrTerminal)
	if v.policy.tree != nil {
		opt.Base, opt.Ref = v.policy.inRepository(), v.policy.ref
	}
	if err := finding.Text(v.con.Stderr, by.Result.Findings, opt); err != nil {
		return failed(err)
	}
	return &status{
		code: exitFindings, message: "the policy " + v.policy.label + " does not compile: nothing was judged",
		hint: "name a state that does: --policy REF or --policy FILE",
	}
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

// addRemoved adds the projects that the base's workspace has and the head's has not.
// A base that is no workspace lists none.
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
