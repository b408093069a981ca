package main

import (
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/load/git"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// The words of --policy. Anything else is a ref, or a file by its extension:
// what lies in the working tree does not decide which.
const (
	policyBase = "base"
	policyHead = "head"
)

func policyFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "policy", Value: policyBase,
		Usage: "judge by the stricter of the head and `WHAT`: base, head (its own alone), a commit, or a manifest (a path that ends in .yaml or .yml)",
	}
}

// openPolicy finds the state whose policy counts: the base itself, nil for none,
// or a project of its own.
func openPolicy(c *cli.Context, head *project, base *side) (*side, error) {
	name := c.String("policy")
	switch {
	case name == policyBase:
		return base, nil
	case name == policyHead:
		return nil, nil //nolint:nilnil // nothing counts beside the head
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)):
		return openManifest(c, name)
	}
	repo, err := git.Open(near(head.dir))
	if err != nil {
		return nil, gitError(err)
	}
	tree, err := repo.Tree(name)
	if err != nil {
		return nil, gitError(err)
	}
	out := &side{project: project{dir: head.dir, fsys: tree, tree: tree}, label: name, ref: name, notes: repo.Notes()}
	if err := out.findManifest(head); err != nil {
		return nil, err
	}
	if out.name == "" {
		return nil, usage("%q has no %s to take the policy from", name, head.name).withHint("--policy names a commit that has one, or a file")
	}
	return out, nil
}

// openManifest takes the policy from a manifest on disk.
func openManifest(c *cli.Context, name string) (*side, error) {
	file := name
	if start, _ := location(c); !filepath.IsAbs(file) {
		file = filepath.Join(start, file)
	}
	dir := filepath.Dir(file)
	fsys, err := load.Dir(dir)
	if err != nil {
		return nil, usage("no manifest at %q", name).withHint("--policy names a manifest, a commit, base or head")
	}
	out := &side{project: project{dir: dir, name: filepath.Base(file), fsys: fsys}, label: name}
	return out, out.readable(name, "")
}

// judge compiles the policy. One that does not compile is printed, and is the
// error: nothing is judged by a part of it.
func (v *review) judge(base prompt.Side) (prompt.Side, error) {
	switch {
	case v.policy == nil:
		return prompt.Side{}, nil
	case v.policy == v.base:
		return base, nil
	}
	out, err := pipeline.PolicyOf(v.policy.state())
	if err != nil {
		return out, failed(err)
	}
	if !out.Result.Stopped {
		return out, nil
	}
	opt := v.con.reportOptions(v.c, &v.policy.project, out.Result, v.con.ErrTerminal)
	if v.policy.tree != nil {
		opt.Base, opt.Ref = v.policy.inRepository(), v.policy.ref
	}
	if err := report.Diagnostics(v.con.Stderr, out.Result.Findings, opt); err != nil {
		return out, failed(err)
	}
	return out, &status{
		code: exitFindings, message: "the policy " + v.policy.label + " does not compile: nothing was judged",
		hint: "name a state that does: --policy REF or --policy FILE",
	}
}
