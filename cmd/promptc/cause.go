package main

import (
	"errors"
	"slices"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load/git"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

// explainDrift finds out why snapshots differ from what is compiled. Git is asked
// only if they do. Without a repository, a commit or a git program the snapshots
// are plainly out of date; what else keeps git from an answer is a note.
func (con Console) explainDrift(p *project, d *prompt.Delta) error {
	if d == nil || !d.Drifted() {
		return nil
	}
	snapshot.Explain(d, nil)
	err := compareWithHead(p, d)
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*git.Error](err); ok {
		if slices.Contains([]git.Kind{git.NoProgram, git.NotRepository, git.NoCommit}, said.Kind) {
			return nil
		}
		err = said
	}
	return con.note("the cause of the difference is not certain: %s", err)
}

func compareWithHead(p *project, d *prompt.Delta) error {
	repo, err := git.Open(near(p.dir))
	if err != nil {
		return err
	}
	head, err := committed(repo, "HEAD", p)
	if err != nil {
		return err
	}
	snapshot.Explain(d, head)
	if !slices.ContainsFunc(d.Snapshots, func(c prompt.Change) bool { return c.Cause == prompt.OtherVersion }) {
		return nil
	}
	ref, err := repo.LastChange(d.SnapshotFolder)
	if err != nil {
		return err
	}
	var last *prompt.Delta
	if ref != "" {
		if last, err = committed(repo, ref, p); err != nil {
			return err
		}
	}
	snapshot.Doubt(d, last)
	return nil
}

// committed compiles a project as a commit has it, and compares it with the snapshots there. It is nil
// where the commit has no manifest, or one that does not compile.
func committed(repo *git.Repository, ref string, p *project) (_ *prompt.Delta, err error) {
	tree, err := repo.Tree(ref)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	name, err := manifestLike(tree, p.name)
	if err != nil || name == "" {
		return nil, err
	}
	r, err := pipeline.CompileSnapshots(tree, name, p.options...)
	if err != nil {
		return nil, err
	}
	return r.Delta, nil
}
