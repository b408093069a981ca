package load

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// besideFixture gives the folder that a path names from a fixture's folder on,
// "" where there is none: people write paths from the file in which they write.
func (r *run) besideFixture(written string, fixture *prompt.Node) (string, error) {
	if !fixture.At.Known() || path.IsAbs(written) {
		return "", nil
	}
	beside := path.Join(path.Dir(fixture.At.File.Path), written)
	if checkWorkspace(beside) != nil {
		return "", nil
	}
	s, err := r.disk.inspect(beside)
	if err != nil || s != directory {
		return "", err
	}
	return beside, nil
}

// badWorkspace refuses the path of a workspace. One that would do if it were
// relative to the fixture is told how it is written.
func (r *run) badWorkspace(written string, at diag.Span, f fault, fixture *prompt.Node) error {
	beside, err := r.besideFixture(written, fixture)
	if err != nil {
		return err
	}
	if beside != "" {
		f.hint = "the path is relative to the manifest's folder, not to the fixture's: write `" + beside + "`"
	}
	r.badPath(written, at, f)
	return nil
}

// maxNear bounds how often a run looks for the folder that was probably meant:
// comparing names takes long, and nobody reads a hundred findings of this sort.
const maxNear = 20

// nearFolder gives the folder that was probably meant by one that is not
// there, "" for none.
func (r *run) nearFolder(dir string) (string, error) {
	if r.near++; r.near > maxNear {
		return "", nil
	}
	found := "."
	for elem := range strings.SplitSeq(dir, "/") {
		dest, err := r.disk.real(found)
		if err != nil {
			return "", nil // a link that leads nowhere has no folder in it
		}
		if s, err := r.disk.inspect(dest); err != nil || s != directory {
			return "", err
		}
		entries, err := r.disk.list(dest)
		if err != nil {
			return "", err
		}
		var names []string
		for _, e := range entries {
			if !e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
		if !slices.Contains(names, elem) {
			best, ok := near.Best(elem, names)
			if !ok {
				return "", nil
			}
			elem = best
		}
		found = path.Join(found, elem)
	}
	inOutput := slices.ContainsFunc(r.outputs, func(folder string) bool { return within(folded(found), folded(folder)) })
	if s, err := r.disk.inspect(found); err != nil || s != directory || inOutput {
		return "", err
	}
	return found, nil
}
