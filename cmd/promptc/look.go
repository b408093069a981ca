package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
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
	var ignored []string
	if repo, err := git.Open(c.Context, near(dir)); err == nil && p.tree == nil {
		if ignored, err = repo.Ignored(); err != nil {
			return nil, gitError(err)
		}
	}
	found, err := p.proposeBy(c, pipeline.Adopting{Ignored: ignored})
	if err != nil {
		return nil, err
	}
	if found.Manifest == "" {
		return nil, nothingFound(p)
	}
	p.noBodies = found.NoBodies
	if err := con.note("no prompts.yaml: these are the prompts that init would take; to keep them: promptc init"); err != nil {
		return nil, err
	}
	return p, nil
}

// lookAround gives a side that has no manifest the one that init would have written there.
func (s *side) lookAround(c *cli.Context, head *project) error {
	found, err := s.proposeBy(c, pipeline.Adopting{NoBodies: head.noBodies})
	if err == nil && found.Manifest == "" {
		s.fsys = nil // there was nothing
	}
	return err
}

// proposeBy lays the manifest that init would write over the files of a project.
func (p *project) proposeBy(c *cli.Context, in pipeline.Adopting) (*pipeline.Adoption, error) {
	in.Below, in.Look = p.fsys, true
	found, err := pipeline.Adopt(c.Context, in)
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); ok {
		return nil, &status{code: exitFailed, message: words.Text(unfit.Fact)}
	}
	if err != nil && !errors.Is(err, pipeline.ErrNothingAdopted) {
		return nil, failed(err)
	}
	p.name, p.looked = proposed, true
	p.fsys = load.Over(p.fsys, map[string][]byte{proposed: []byte(found.Manifest)})
	return found, nil
}

// nothingFound says that there is nothing to look at.
func nothingFound(p *project) error {
	in := ""
	if p.tree != nil {
		in = headName(p) + ", in "
	}
	e := usage("no prompts.yaml in %s%q or a folder above it, and no prompts outside of code", in, near(p.dir))
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
