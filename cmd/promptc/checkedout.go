package main

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// absentFiles are those of a project on disk that git has and that are not checked out.
type absentFiles struct {
	// sources and snapshots are left out by a sparse checkout, submodules were not
	// fetched.
	sources, submodules []string
	snapshots           map[string]bool
}

func (a absentFiles) lackSources() bool { return len(a.sources)+len(a.submodules) > 0 }

// absent finds what a project reads, and which of its snapshots, that git has and that
// is not checked out.
func (p *project) absent(ctx context.Context, r *prompt.Result) (out absentFiles, err error) {
	if p.tree != nil || r.Tree == nil {
		return out, nil
	}
	sparse, submodules, err := git.NotCheckedOut(ctx, near(p.dir))
	out.snapshots = map[string]bool{}
	written := p.written(r)
	for _, name := range sparse {
		if _, err := fs.Lstat(p.fsys, name); err == nil {
			continue
		}
		switch i := slices.IndexFunc(written, func(folder string) bool { return below(name, folder) }); {
		case i == 0:
			out.snapshots[name] = true
		case i < 0 && touched(r.Tree, name):
			out.sources = append(out.sources, name)
		}
	}
	for _, name := range submodules {
		if entries, err := fs.ReadDir(p.fsys, name); len(entries) == 0 && touched(r.Tree, name) && (err == nil || !isThere(p.fsys, name)) {
			out.submodules = append(out.submodules, name)
		}
	}
	return out, unlessSilent(err, git.NoProgram, git.NotRepository, git.Untrusted)
}

func isThere(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return err == nil
}

// written are the folders that a build writes, that of the snapshots first.
func (p *project) written(r *prompt.Result) []string {
	out := []string{scaffold.DefaultSnapshots}
	if r.Delta != nil {
		out[0] = r.Delta.SnapshotFolder
	}
	if r.Spec == nil {
		return out
	}
	if r.Spec.Artifacts.Str != "" {
		out = append(out, r.Spec.Artifacts.Str)
	}
	for _, b := range r.Spec.Bindings {
		out = append(out, b.Folder.Str)
	}
	return out
}

// sayAbsent says which sources are not checked out: a run without them is not what
// others have.
func (con Console) sayAbsent(ctx context.Context, p *project, r *prompt.Result) error {
	absent, err := p.absent(ctx, r)
	if err != nil {
		return con.uncertain(err)
	}
	return con.sayLacks(p, absent)
}

func (con Console) sayLacks(p *project, absent absentFiles) error {
	if !absent.lackSources() {
		return nil
	}
	return con.note("not checked out: %s; run: %s", p.names(absent), strings.Join(p.checkOut(absent, ""), " && "))
}

// names lists the sources that are not checked out.
func (p *project) names(absent absentFiles) string {
	var all []string
	for _, name := range slices.Concat(absent.sources, absent.submodules) {
		all = append(all, path.Join(p.base(), name))
	}
	return quoted(all)
}

// wholeSources refuses to write what is compiled from a part of the sources: it would
// remove what the others make.
func (con Console) wholeSources(ctx context.Context, p *project, r *prompt.Result) error {
	if r.Delta == nil || !r.Delta.Drifted() {
		return nil
	}
	absent, err := p.absent(ctx, r)
	if err != nil {
		return con.uncertain(err)
	}
	if !absent.lackSources() {
		return nil
	}
	return (&status{code: exitFailed, message: "nothing was written, since sources are not checked out: " + p.names(absent)}).
		withHint("run: %s", strings.Join(p.checkOut(absent, ""), " && "))
}

// otherForm finds sources that the index has in another form than a checkout, or that
// are not checked out: then the two say nothing about what is not staged. The sources
// are those that differ.
func (con Console) otherForm(c *cli.Context, p *project, r, work *prompt.Result, fsys fs.FS, sources []string) (known bool, err error) {
	disk := project{dir: p.dir, name: p.name, fsys: fsys}
	absent, err := disk.absent(c.Context, work)
	if err != nil {
		return false, err
	}
	modules := p.touching(r, p.tree.Submodules())
	if len(absent.sources) > 0 && len(modules) == 0 {
		p.remedy.checkOut = disk.checkOut(absent, "")
		return true, nil
	}
	repo, err := git.Open(c.Context, near(p.dir))
	if err != nil {
		return false, err
	}
	forms, err := repo.Filtered(sources)
	if err != nil || len(forms)+len(modules) == 0 {
		return false, err
	}
	if r.Delta != nil {
		snapshot.Explain(r.Delta, nil) // nor does the last commit tell why they differ
	}
	p.remedy = remedyCommands{build: repeatedOptions(c, "promptc check", "staged")}
	if len(forms) == 0 {
		return true, nil // that submodules are not read is said already
	}
	var names []string
	for _, name := range forms {
		names = append(names, path.Join(p.base(), name))
	}
	return true, con.note("the index has %s as a filter of git left it: only the working tree can be checked", quoted(names))
}

// checkOut gives the commands that check out what is absent; with a folder of snapshots
// also that.
func (p *project) checkOut(absent absentFiles, snapshots string) (commands []string) {
	var folders, modules []string
	for _, name := range absent.sources {
		folders = append(folders, p.folderOf(name))
	}
	if snapshots != "" {
		folders = append(folders, path.Join(p.inRepository(), snapshots))
	}
	for _, name := range absent.submodules {
		modules = append(modules, path.Join(p.inRepository(), name))
	}
	folders = each(folders, path.Clean)
	folders = slices.DeleteFunc(slices.Clone(folders), func(f string) bool {
		return slices.ContainsFunc(folders, func(other string) bool { return other != f && below(f, other) })
	})
	if len(folders) > maxAdded {
		folders = each(folders, func(f string) string { first, _, _ := strings.Cut(f, "/"); return first })
	}
	start := "git "
	if top := near(p.top()); top != "." {
		start += "-C " + shellWord(top) + " "
	}
	if len(folders) > 0 {
		commands = append(commands, start+"sparse-checkout add "+strings.Join(each(folders, shellWord), " "))
	}
	if len(modules) > 0 {
		commands = append(commands, start+"submodule update --init "+strings.Join(each(modules, shellWord), " "))
	}
	return commands
}

// folderOf gives the folder of a source from the top of the work tree on: what a
// sparse checkout adds. It has the files at the top, unless its patterns leave one out.
func (p *project) folderOf(source string) string {
	name := path.Join(p.inRepository(), source)
	if !strings.Contains(name, "/") {
		return "/" + name
	}
	return path.Dir(name)
}

// explainAbsent says why snapshots are not there, or are not what the sources make, and
// gives the commands that check them out.
func (con Console) explainAbsent(ctx context.Context, p *project, r *prompt.Result) error {
	absent, err := p.absent(ctx, r)
	if err != nil {
		return con.uncertain(err)
	}
	if err := con.sayLacks(p, absent); err != nil || r.Delta == nil {
		return err
	}
	left, others := false, false
	for i, c := range r.Delta.Snapshots {
		switch {
		case c.Status == store.Added && absent.snapshots[c.Output.Path]:
			r.Delta.Snapshots[i].Cause, left = store.NotCheckedOut, true
		case absent.lackSources():
			r.Delta.Snapshots[i].Cause = store.OutOfDate // git does not tell more
		default:
			others = true
		}
	}
	if !left && !absent.lackSources() {
		return nil
	}
	snapshots := ""
	if left {
		snapshots = r.Delta.SnapshotFolder
	}
	p.remedy.checkOut = p.checkOut(absent, snapshots)
	if !others {
		p.remedy.build = "" // nothing is known to be out of date
	}
	return nil
}

func (con Console) uncertain(err error) error {
	return con.note("what is not checked out is not certain: %s", words.Error(err))
}
