package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/load/git"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// sparseFiles are the files of a project that git has and a sparse checkout leaves out.
type sparseFiles struct {
	sources   []string
	snapshots map[string]bool
}

// sparse finds what a sparse checkout leaves out of what a project on disk reads,
// and of its snapshots.
func (p *project) sparse(r *prompt.Result) (out sparseFiles, err error) {
	if p.tree != nil || r.Tree == nil {
		return out, nil
	}
	paths, err := git.Sparse(near(p.dir))
	out.snapshots = map[string]bool{}
	written := []string{scaffold.DefaultSnapshots}
	if r.Spec != nil {
		written = []string{scaffold.DefaultSnapshots, r.Spec.Artifacts.Str}
		for _, b := range r.Spec.Bindings {
			written = append(written, b.Folder.Str)
		}
	}
	if r.Delta != nil {
		written[0] = r.Delta.SnapshotFolder
	}
	for _, name := range paths {
		if _, err := fs.Lstat(p.fsys, name); err == nil {
			continue
		}
		switch i := slices.IndexFunc(written, func(folder string) bool { return folder != "" && below(name, folder) }); {
		case i == 0:
			out.snapshots[name] = true
		case i < 0 && touched(r.Tree, name):
			out.sources = append(out.sources, name)
		}
	}
	return out, unlessSilent(err, git.NoProgram, git.NotRepository, git.Untrusted)
}

// saySparse says which sources a sparse checkout leaves out: a run without them is
// not what others have.
func (con Console) saySparse(p *project, r *prompt.Result) error {
	left, err := p.sparse(r)
	if err != nil {
		return con.uncertain(err)
	}
	return con.sayLeft(p, left)
}

func (con Console) sayLeft(p *project, left sparseFiles) error {
	if len(left.sources) == 0 {
		return nil
	}
	names, command := p.sourcesLeft(left)
	return con.note("a sparse checkout leaves out %s; run: %s", names, command)
}

// sourcesLeft names the sources that a sparse checkout leaves out, and gives the
// command that checks them out.
func (p *project) sourcesLeft(left sparseFiles) (names, command string) {
	var all, folders []string
	for _, name := range left.sources {
		all, folders = append(all, path.Join(p.base(), name)), append(folders, p.folderOf(name))
	}
	return quoted(all), p.checkOut(folders)
}

// wholeSources refuses to write what is compiled from a part of the sources: it would
// remove what the others make.
func (con Console) wholeSources(p *project, r *prompt.Result) error {
	if r.Delta == nil || !r.Delta.Drifted() {
		return nil
	}
	left, err := p.sparse(r)
	if err != nil {
		return con.uncertain(err)
	}
	if len(left.sources) == 0 {
		return nil
	}
	names, command := p.sourcesLeft(left)
	return (&status{code: exitFailed, message: "nothing was written, since a sparse checkout leaves out sources: " + names}).withHint("run: %s", command)
}

// checkOut gives the command that adds folders to a sparse checkout, all seen from
// the top of the work tree.
func (p *project) checkOut(folders []string) string {
	folders = each(folders, path.Clean)
	folders = slices.DeleteFunc(slices.Clone(folders), func(f string) bool {
		return slices.ContainsFunc(folders, func(other string) bool { return other != f && below(f, other) })
	})
	if len(folders) > maxAdded {
		folders = each(folders, func(f string) string { first, _, _ := strings.Cut(f, "/"); return first })
	}
	command := "git sparse-checkout add"
	if top := near(p.top()); top != "." {
		command = "git -C " + shellWord(top) + " sparse-checkout add"
	}
	return command + " " + strings.Join(each(folders, shellWord), " ")
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

// explainSparse says why snapshots are not there, and gives the command that checks
// them out.
func (con Console) explainSparse(p *project, r *prompt.Result) error {
	left, err := p.sparse(r)
	if err != nil {
		return con.uncertain(err)
	}
	if err := con.sayLeft(p, left); err != nil || r.Delta == nil {
		return err
	}
	var folders []string
	for _, name := range left.sources {
		folders = append(folders, p.folderOf(name))
	}
	others := false
	for i, c := range r.Delta.Snapshots {
		if c.Status == prompt.Added && left.snapshots[c.Output.Path] {
			r.Delta.Snapshots[i].Cause = prompt.NotCheckedOut
			folders = append(folders, path.Join(p.inRepository(), r.Delta.SnapshotFolder))
		} else {
			others = true
		}
	}
	if len(folders) == 0 {
		return nil
	}
	p.remedy.sparse = []string{p.checkOut(folders)}
	if len(left.sources) > 0 || !others {
		p.remedy.build = "" // nothing is known to be out of date
	}
	return nil
}

func (con Console) uncertain(err error) error {
	return con.note("what a sparse checkout leaves out is not certain: %s", report.Error(err))
}
