package main

import (
	"errors"
	"io"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// readOwners reads who owns the files of the repository that a folder lies in, as
// the same state has it: nil where nobody says so, and outside of repositories.
func readOwners(fsys fs.FS) (*pipeline.Owners, diag.List, error) {
	part, ok := fsys.(load.Part)
	if !ok {
		return nil, nil, nil
	}
	top, own, err := part.Whole()
	if errors.Is(err, load.ErrNoRepository) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, failed(err)
	}
	owners, found, err := pipeline.ReadOwners(top, own)
	if _, kept := top.(*git.Tree); !kept { // which is closed with the head
		if folder, ok := top.(io.Closer); ok {
			err = errors.Join(err, folder.Close())
		}
	}
	return owners, found, failed(err)
}

// ownersFor is readOwners for a command without findings of its own: what cannot be
// read is printed.
func (con Console) ownersFor(c *cli.Context, p *project) (*pipeline.Owners, error) {
	owners, odd, err := readOwners(p.fsys)
	if err != nil || len(odd) == 0 {
		return owners, err
	}
	opt := con.reportOptions(c, p, &prompt.Result{}, con.ErrTerminal)
	return owners, failed(finding.Text(con.Stderr, odd, opt))
}
