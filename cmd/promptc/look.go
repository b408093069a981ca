package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// lookers are the commands that work where there is no manifest, over what init would
// take.
var lookers = []string{"diff", "list", "report"}

// looks reports whether a command does without the manifest that is not there.
func looks(c *cli.Context, start string, err error) bool {
	if !errors.Is(err, load.ErrNoManifest) || !slices.Contains(lookers, c.Command.Name) || load.InBare(start) {
		return false
	}
	return load.NearManifest(start) == "" && load.FolderBelow(start) == ""
}

// onDiskAt gives the working tree as a project, seen from a folder.
func onDiskAt(con Console) keeper {
	return func(dir string) (*project, error) {
		fsys, err := con.openFolder(dir)
		if err != nil {
			return nil, notOpened(err)
		}
		return &project{dir: dir, fsys: fsys}, nil
	}
}

// lookAround takes a folder without a manifest for a project with the one that init
// would write.
func (con Console) lookAround(c *cli.Context, start string, at keeper) (*project, error) {
	dir, err := filepath.Abs(start)
	if err != nil {
		return nil, statusOf(exitUsage, err)
	}
	p, err := at(dir)
	if err != nil {
		return nil, err
	}
	if p.unkept, err = p.ignoredPaths(c); err != nil {
		return nil, err
	}
	p.looked = true
	if c.Command.Name == "diff" || c.Command.Name == "report" && hasBase(c) {
		return p, nil // the difference says so
	}
	if err := p.proposeBy(c, nil); err != nil {
		return nil, err
	}
	if err := con.note("no prompts.yaml: these are the prompts that init would take; to keep them: promptc init"); err != nil {
		return nil, err
	}
	return p, nil
}

// ignoredPaths gives what git does not keep of a project on disk; nothing where nobody
// knows.
func (p *project) ignoredPaths(c *cli.Context) ([]string, error) {
	repo, err := git.Open(c.Context, near(p.dir))
	if err != nil || p.tree != nil {
		return nil, nil //nolint:nilerr // no repository ignores anything
	}
	paths, err := repo.Ignored()
	return paths, gitError(err)
}

// uncovered finds what init would take of a project and its manifest does not name.
func (p *project) uncovered(c *cli.Context, r *prompt.Result) (diag.List, error) {
	ignored, err := p.ignoredPaths(c)
	if err != nil {
		return nil, err
	}
	found, err := pipeline.Uncovered(r, p.fsys, ignored)
	return found, failed(err)
}

// maxBad is how many files with errors are noted.
const maxBad = 3

// proposeBy gives a project the manifest that init would write, or one that serves a base,
// too. It notes the files that are left out for an error.
func (p *project) proposeBy(c *cli.Context, base *side) error {
	in := pipeline.Adopting{Below: p.fsys, Ignored: p.unkept, Look: true}
	if base != nil {
		in.Base = base.fsys
	}
	found, err := pipeline.Adopt(c.Context, in)
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); ok {
		return &status{code: exitFailed, message: words.Text(unfit.Fact)}
	}
	if err != nil && !errors.Is(err, pipeline.ErrNothingAdopted) {
		return failed(err)
	}
	con := Console{Stderr: c.App.ErrWriter}
	bad := wordsOfBad(found.Bad)
	if more := len(bad) - maxBad; more > 0 {
		bad = append(bad[:maxBad], "left out "+diag.Number(more)+" more: promptc init --list names them")
	}
	for _, line := range bad {
		if err := con.note("%s", line); err != nil {
			return err
		}
	}
	if len(found.Fronts) > 0 {
		if err := con.note("the front matter of %s changed: when rules are read is taken from %s, for both sides", words.Text(diag.AndOthers(found.Fronts)), headName(p)); err != nil {
			return err
		}
	}
	if found.Manifest == "" {
		return nothingFound(p)
	}
	p.name = proposed
	if base == nil {
		p.fsys = load.Over(p.fsys, map[string][]byte{proposed: []byte(found.Manifest)})
		return nil
	}
	p.text, base.text, base.name = []byte(found.Manifest), []byte(found.Manifest), proposed
	return nil
}

// withoutProposal takes away what findings say of a manifest that nobody wrote, but for
// errors.
func withoutProposal(r *prompt.Result) {
	if r == nil || r.Tree == nil {
		return
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Level != diag.Error && d.Span.File == r.Tree.File })
}

// nothingFound says that there is nothing to look at.
func nothingFound(p *project) error {
	in := ""
	if p.tree != nil {
		in = headName(p) + ", in "
	}
	e := usage("no prompts.yaml in %s%q or a folder above it, and no prompts", in, near(p.dir))
	if client := clientOf(p.fsys, (&site{root: p.dir, folder: "."}).inFolder); client != "" {
		return e.withHint("%s", client)
	}
	return e.withHint("if a program or a test writes your prompts to files, name them: promptc diff --rendered 'GLOB'; for an example: promptc init --example")
}

// clientOf says how to record what the program of a folder sends, "" where it talks to no
// provider.
func clientOf(fsys fs.FS, inFolder func(command string) string) string {
	for _, file := range scaffold.ClientFiles() {
		text, err := load.ReadSome(fsys, file)
		if err != nil {
			continue // none, or none that promptc may read
		}
		if name, command, ok := scaffold.Client(file, string(text)); ok {
			return file + " names " + name + ": to review what the program sends, run: " + inFolder("promptc record") + " -- " + command
		}
	}
	return ""
}
