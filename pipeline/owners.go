package pipeline

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review/owners"
)

// Owners say who owns the files of a repository, as its CODEOWNERS does.
type Owners struct {
	rules  *owners.Rules
	folder string
}

// ReadOwners reads the CODEOWNERS of a repository; nil where there is none that can
// be read. Paths are seen from a folder, by its path from the top on, and so are
// the places of the findings.
func ReadOwners(top fs.FS, folder string) (*Owners, diag.List, error) {
	folder = path.Clean(folder)
	file, large, fact, err := load.First(top, owners.Places(), owners.MaxBytes)
	if err != nil || file == nil {
		return nil, nil, err
	}
	place := file.Path
	if folder != "." {
		file.Path = strings.Repeat("../", strings.Count(folder, "/")+1) + place
	}
	switch {
	case !fact.None():
		return nil, diag.List{diag.New(diag.OwnersLine, diag.Whole(file), "owners-not-read", place, fact)}, nil
	case large:
		return nil, diag.List{diag.New(diag.OwnersLine, diag.Whole(file), "owners-too-large", place)}, nil
	}
	rules, found := owners.Parse(place, file)
	return &Owners{rules, folder}, found, nil
}

// Of gives who owns a file, sorted; nil where nobody says who owns anything.
func (o *Owners) Of(name string) []string {
	if o == nil {
		return nil
	}
	if got := o.rules.Of(path.Join(o.folder, name)); got != nil {
		return got
	}
	return []string{}
}

// Name notes in the prompts of a result who owns what they are made from: their
// manifest, where it stands in this state, and their sources. The result is that of a project
// in a folder, and was not moved yet.
func (o *Owners) Name(r *prompt.Result, folder string) {
	if o == nil || r == nil || r.Plan == nil {
		return
	}
	known := map[string][]string{}
	of := func(name string) []string {
		if known[name] == nil {
			known[name] = o.Of(path.Join(folder, r.Tree.Place(name)))
		}
		return known[name]
	}
	for _, b := range r.Plan.Builds {
		b.Owners = []string{}
		files := r.Plan.Sources(b)
		if r.Tree.File != nil && !r.Tree.Borrowed {
			files = append(files, r.Tree.File.Path)
		}
		for _, name := range files {
			b.Owners = append(b.Owners, of(name)...)
		}
		slices.Sort(b.Owners)
		b.Owners = slices.Compact(b.Owners)
	}
}
