package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
)

// Matched is what a pattern from outside a manifest came upon.
type Matched struct {
	// Files are the matches, sorted by bytes.
	Files []string
	// Near is the folder that was probably meant where the pattern's own is not
	// there, "" for none.
	Near string
	// Beside is some of what the pattern's folder holds where nothing matches.
	Beside []string
}

// PatternError is a pattern that cannot be used.
type PatternError struct {
	Pattern    string
	Fact, Hint diag.Words
}

// Error leaves the reasons to who words the fields.
func (e *PatternError) Error() string { return "the pattern cannot be used: " + e.Pattern }

// maxBeside is how many names are given to somebody whose pattern matches
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
		return refuse(wrong(g.over.fact(), "narrow-pattern"))
	}
	if len(g.bad) > 0 {
		return refuse(&fault{diag.Say("matches-bad", g.bad[0].path, g.bad[0].state.fact()), diag.Say("name-regular-file")})
	}
	if len(files) > 0 {
		return Matched{Files: files}, nil
	}
	return r.unmatched(all[0])
}

// unmatched looks for what somebody meant whose pattern matches nothing.
func (r *run) unmatched(pattern string) (Matched, error) {
	folder := literalFolder(pattern)
	meant, names, err := r.around(folder)
	out := Matched{Near: meant}
	for _, name := range names[:min(len(names), maxBeside)] {
		out.Beside = append(out.Beside, path.Join(folder, name))
	}
	return out, err
}

// around gives the names in a folder, none of those that are hidden; where the
// folder is not there they are nil, and meant is the folder that was probably
// meant, "" for none.
func (r *run) around(folder string) (meant string, names []string, err error) {
	state, err := r.disk.inspect(folder)
	if err != nil {
		return "", nil, err
	}
	if state != directory {
		meant, err = r.nearFolder(folder)
		return meant, nil, err
	}
	all, err := r.namesIn(folder)
	return "", slices.DeleteFunc(append([]string{}, all...), func(name string) bool { return strings.HasPrefix(name, ".") }), err
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

// nearest gives the path of what is there and was probably meant by a path that
// is not, "" for none. Of each folder on the way, pick chooses among the names
// where the one that is written is not there.
func (r *run) nearest(p string, pick func(name string, names []string) (string, bool)) (string, error) {
	found := "."
	for elem := range strings.SplitSeq(p, "/") {
		names, err := r.namesIn(found)
		if err != nil {
			return "", err
		}
		if !slices.Contains(names, elem) {
			best, ok := pick(elem, names)
			if !ok {
				return "", nil
			}
			elem = best
		}
		found = path.Join(found, elem)
	}
	return found, nil
}

// namesIn lists what is in a folder but for Git's own, nothing where there is
// no folder.
func (r *run) namesIn(folder string) ([]string, error) {
	dest, err := r.disk.real(folder)
	if err != nil {
		return nil, nil //nolint:nilerr // a link that leads nowhere has nothing in it
	}
	if s, err := r.disk.inspect(dest); err != nil || s != directory {
		return nil, err
	}
	entries, err := r.disk.list(dest)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
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
	meant, err := r.nearest(dir, near.Best)
	if err != nil || meant == "" {
		return "", err
	}
	s, err := r.disk.inspect(meant)
	if err != nil || s != directory || r.isOutput(meant) {
		return "", err
	}
	return meant, nil
}

// isOutput tells a folder in one that promptc writes, on file systems that
// ignore case too.
func (r *run) isOutput(dir string) bool {
	return slices.ContainsFunc(r.outputs, func(folder string) bool { return within(folded(dir), folded(folder)) })
}

// sameButCase gives the name that differs from another in case alone.
func sameButCase(name string, names []string) (string, bool) {
	i := slices.IndexFunc(names, func(other string) bool { return strings.EqualFold(other, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// folded gives a text that is the same for all texts which differ in case
// alone.
func folded(s string) string {
	return strings.Map(func(c rune) rune {
		least := c
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, s)
}
