package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// Matched is what a pattern from outside a manifest came upon.
type Matched struct {
	// Files are the matches, sorted by bytes.
	Files []string
	// Near is the folder that was probably meant where the pattern's own is not
	// there, "" for none.
	Near string
	// Beside are the first files of the pattern's folder where none matches.
	Beside []string
}

// PatternError is a pattern that cannot be used.
type PatternError struct {
	Pattern    string
	Fact, Hint string
}

// Error states the fact and leaves the hint to the reader of the field.
func (e *PatternError) Error() string {
	return "the pattern " + diag.Quote(e.Pattern) + " " + e.Fact
}

// maxBeside is how many files are named to somebody whose pattern matches
// nothing.
const maxBeside = 3

// Match gives the files that a pattern matches, by the rules of a source's
// path. A *PatternError is a pattern that cannot be used; any other error means
// that something could not be read.
func Match(fsys fs.FS, pattern string) (Matched, error) {
	refuse := func(f *fault) (Matched, error) { return Matched{}, &PatternError{pattern, f.fact, f.hint} }
	r := newRun(fsys)
	all, f := checkPattern(pattern)
	if f != nil {
		return refuse(f)
	}
	for _, one := range all {
		if f := checkPath(one); f != nil {
			return refuse(f)
		}
	}
	g := newSearch(r.disk, nil)
	files, err := g.match(all)
	if err != nil {
		return Matched{}, err
	}
	if g.over != moderate {
		return refuse(&fault{g.over.ofPattern(), "narrow it: name the folder that holds the files"})
	}
	if len(g.bad) > 0 {
		return refuse(&fault{"matches " + diag.Quote(g.bad[0].path) + ", which " + g.bad[0].state.fact(), "name regular files in the folder"})
	}
	if len(files) > 0 {
		return Matched{Files: files}, nil
	}
	return r.unmatched(all[0])
}

// unmatched looks for what somebody meant whose pattern matches nothing.
func (r *run) unmatched(pattern string) (Matched, error) {
	var out Matched
	folder := literalFolder(pattern)
	state, err := r.disk.inspect(folder)
	if err != nil {
		return out, err
	}
	if state != directory {
		out.Near, err = r.nearFolder(folder)
		return out, err
	}
	dest, err := r.disk.real(folder)
	if err != nil {
		return out, err
	}
	entries, err := r.disk.list(dest)
	for _, e := range entries {
		if e.Type().IsRegular() && len(out.Beside) < maxBeside {
			out.Beside = append(out.Beside, path.Join(folder, e.Name()))
		}
	}
	return out, err
}

// literalFolder gives the folders of a pattern in front of its first wildcard.
func literalFolder(pattern string) string {
	elems := strings.Split(pattern, "/")
	elems = elems[:len(elems)-1]
	if i := slices.IndexFunc(elems, isPattern); i >= 0 {
		elems = elems[:i]
	}
	return path.Join(append([]string{"."}, elems...)...)
}
