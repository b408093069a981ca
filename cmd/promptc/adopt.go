package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/load/git"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// adopt makes a project of the files that agents read here, or an example where
// there are none.
func (f founding) adopt(in scaffold.Input) error {
	found, err := f.adoption()
	if err != nil {
		return err
	}
	if found.Manifest == "" {
		return f.write(scaffold.Files(in), found.Left, "promptc build")
	}
	in.Adopted, in.Store, in.Snapshots = found.Manifest, found.Store, found.Snapshots
	f.store = found.Store
	said := append(wordsOfBad(found.Bad), found.Left...)
	for _, line := range found.Took {
		said = append(said, "took "+line)
	}
	if err := f.write(scaffold.Files(in), said, "promptc list --tokens"); err != nil || len(found.Bad) == 0 {
		return err
	}
	return &status{code: exitFindings} // said above
}

// adoption finds the files.
func (f founding) adoption() (*pipeline.Adoption, error) {
	fsys, err := load.Dir(f.dir())
	if errors.Is(err, fs.ErrNotExist) {
		return &pipeline.Adoption{}, nil // the folder is made
	}
	if err != nil {
		return nil, failed(err)
	}
	var ignored []string
	unasked := ""
	if _, err := os.Lstat(f.root + string(os.PathSeparator) + ".git"); err == nil {
		repo, err := git.Open(f.dir())
		if err == nil {
			ignored, err = repo.Ignored()
		}
		if err != nil {
			unasked = "git does not say which files it ignores: " + failed(err).Error()
		}
	}
	out, err := pipeline.Adopt(fsys, ignored)
	if out != nil && unasked != "" {
		out.Left = append(out.Left, unasked)
	}
	if errors.Is(err, pipeline.ErrNothingAdopted) {
		said := append(wordsOfBad(out.Bad), out.Left...)
		return nil, usage("check has an error about every file that an agent reads here:\n  %s", report.Safe(strings.Join(said, "\n  "))).
			withHint("correct them, and run: promptc init")
	}
	return out, failed(err)
}

// wordsOfBad says what was left out for which error.
func wordsOfBad(bad []pipeline.Refusal) []string {
	var out []string
	for _, r := range bad {
		line := "left out " + report.Words(diag.AndOthers(r.Files)) + ": "
		if file := r.Why.Span.File; file != nil && file.Path != scaffold.Manifest && file.Path != r.Files[0] {
			line += strconv.Quote(file.Path) + ": "
		}
		out = append(out, line+report.Words(r.Why.What)+" ("+string(r.Why.Code)+")")
	}
	return out
}
