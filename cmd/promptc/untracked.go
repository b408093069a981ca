package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// untracked warns of what a clone would lack: sources and snapshots that git does
// not have. It says nothing as long as git does not have the manifest. Of the
// index, only what is ignored is worth a word: anything else that it lacks is drift.
func (con Console) untracked(ctx context.Context, p *project) pipeline.Look {
	return func(r *prompt.Result) (diag.List, error) {
		if r.Delta == nil || p.tree != nil && !r.Delta.Drifted() {
			return nil, nil
		}
		files := snapshotFiles(r.Delta)
		if p.tree == nil {
			files = slices.Concat([]string{p.name}, withTargets(p.fsys, sourceFiles(r.Tree)), files)
		}
		found, err := p.notInGit(ctx, files)
		if err != nil {
			return nil, con.note("whether git has all files is not certain: %s", words.Error(err))
		}
		absent := map[string]bool{}
		for _, c := range r.Delta.Snapshots {
			absent[c.Output.Path] = c.Status == store.Added
		}
		var out []store.Untracked
		for _, u := range found {
			if u.Path == p.name {
				return nil, nil
			}
			if u.By != "" && below(u.Path, r.Delta.SnapshotFolder) {
				p.ignored = u.By
			}
			if u.By != "" || p.tree == nil && !absent[u.Path] {
				out = append(out, u)
			}
		}
		return snapshot.Untracked(out, func(paths []string) string { return p.add(r.Delta, paths) }), nil
	}
}

// snapshotFiles are the paths of the snapshots that a build writes.
func snapshotFiles(d *store.Delta) []string {
	var out []string
	for _, o := range d.Wanted {
		if below(o.Path, d.SnapshotFolder) {
			out = append(out, o.Path)
		}
	}
	return out
}

// sourceFiles are the paths of all that was read beside the manifest, from its folder
// on, sorted.
func sourceFiles(t *language.Tree) []string {
	met := map[string]bool{}
	for name := range t.Files() {
		met[t.Place(name)] = true
	}
	for _, files := range t.Inputs {
		for _, f := range files {
			met[f.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(met))
}

// withTargets adds the links that some of them go through, and the files that these lead
// to.
func withTargets(fsys fs.FS, files []string) []string {
	links, ok := fsys.(fs.ReadLinkFS)
	if !ok {
		return files
	}
	out := slices.Clone(files)
	for _, name := range files {
		if met, target, err := load.Links(links, name); err == nil {
			out = append(append(out, met...), target)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// notInGit gives those of some files that git does not have. Without a repository
// that git reads, or without a git program, there are none.
func (p *project) notInGit(ctx context.Context, files []string) ([]store.Untracked, error) {
	absent := func(name string) bool { return !p.tracked.Has(path.Join(p.within, name)) }
	if len(files) == 0 || p.tracked != nil && !slices.ContainsFunc(files, absent) {
		return nil, nil
	}
	var found []git.Untracked
	repo, err := git.Open(ctx, near(p.dir))
	if err == nil {
		found, err = repo.Untracked(files)
	}
	var out []store.Untracked
	for _, f := range found {
		u := store.Untracked{Path: f.Path}
		switch {
		case f.Ignored && f.In == "":
			u.By = fmt.Sprintf("line %d of your own list of ignored files", f.Line)
		case f.Ignored:
			u.By = fmt.Sprintf("%s:%d", path.Join(p.base(), f.In), f.Line)
		}
		if u.In, err = p.nested(f.Path); err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, unlessSilent(err, git.NoProgram, git.NotRepository, git.Untrusted)
}

// nested gives the folder of another repository that a file lies in, seen from the
// manifest's; "" for none.
func (p *project) nested(name string) (string, error) {
	top, err := load.Repository(filepath.Join(p.dir, filepath.FromSlash(path.Dir(name))))
	if err != nil || top == p.top() {
		return "", err
	}
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, top)
	if rel = filepath.ToSlash(rel); err != nil || !below(name, rel) {
		return "", err // the repository of a root, say
	}
	return rel, nil
}

// unlessSilent drops the errors of git that are no news.
func unlessSilent(err error, kinds ...git.Kind) error {
	if git.Is(err, kinds...) {
		return nil
	}
	if said, ok := errors.AsType[*git.Error](err); ok {
		return said // without what it was wrapped in
	}
	return err
}

// maxAdded is how many paths a command names, before it names their folders.
const maxAdded = 8

// add gives the command that adds files to git, from where the user stands. Snapshots are
// added as the folder that they are.
func (p *project) add(d *store.Delta, files []string) string {
	named := func(other func(string) string) []string {
		return each(files, func(name string) string {
			if below(name, d.SnapshotFolder) {
				return d.SnapshotFolder
			}
			return other(name)
		})
	}
	names := named(path.Clean)
	if len(names) > maxAdded {
		names = named(path.Dir)
	}
	if len(names) > maxAdded {
		names = []string{"."}
	}
	out := []string{"git", "add"}
	for _, name := range names {
		name = path.Join(p.base(), name)
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, ":") {
			name = "./" + name
		}
		out = append(out, shellWord(name))
	}
	return strings.Join(out, " ")
}

// each gives the sorted results of a function, each once.
func each(names []string, of func(string) string) []string {
	var out []string
	for _, name := range names {
		out = append(out, of(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// buildLine gives the command that builds the project of this one.
func buildLine(c *cli.Context) string {
	return repeatedOptions(c, "promptc build", "frozen", "strict", "staged", "live")
}
