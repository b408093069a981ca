package load

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/internal/glob"
)

// search finds the files that a pattern matches.
//
// The walk is our own, and the library decides only whether one name matches
// one element: so each folder is listed once, nothing outside the pattern's
// folders is looked at, links are followed but never in a circle, and what
// cannot be read is an error instead of a gap.
type search struct {
	disk    disk
	outputs []string // folders that promptc writes: nothing in them is a match
	// root is the folder, free of links, that no link may leave; "." for the
	// manifest's, which disk holds already.
	root  string
	files map[string]bool
	// linked are the paths free of links of the files that a link leads to.
	linked  map[string]string
	visited map[visit]bool
	visits  int
	// bad are the matches that are no readable files, skipped what `**` came
	// across and could not look into.
	bad     []badMatch
	skipped []badMatch
	known   map[string]bool // the paths in both
	over    excess
}

// excess is the limit that a walk passed.
type excess int

const (
	moderate excess = iota // none
	overFiles
	overFolders
	overDepth
)

// fact is the key of the words for it.
func (e excess) fact() string {
	return [...]string{"", "too-many-files", "too-many-folders", "too-deep-folders"}[e]
}

type visit struct {
	dir  string
	left int // elements of the pattern that are left
}

type badMatch struct {
	path  string
	state state
}

// place is a folder on the way of a walk.
type place struct {
	dir  string // as the pattern reaches it, maybe through links
	dest string // free of links
	// above are the link-free paths of the folders that the walk is in.
	above []string
}

func newSearch(d disk, outputs []string) *search {
	return &search{disk: d, outputs: outputs, root: ".", files: map[string]bool{}, linked: map[string]string{}, known: map[string]bool{}}
}

// match gives the files of a pattern's alternatives, sorted by bytes.
func (g *search) match(alternatives []string) ([]string, error) {
	for _, one := range alternatives {
		elems := strings.Split(one, "/")
		elems = slices.CompactFunc(elems, func(a, b string) bool { return a == "**" && b == "**" })
		g.visited = map[visit]bool{}
		if err := g.walk(place{dir: ".", dest: "."}, elems); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(g.files)), nil
}

// walk matches the elements of a pattern from a folder on.
func (g *search) walk(at place, elems []string) error {
	v := visit{at.dir, len(elems)}
	if g.over != moderate || g.visited[v] || g.written(at.dest) {
		return nil
	}
	g.visited[v] = true
	if g.visits++; g.visits > maxVisits {
		g.over = overFolders
	} else if len(at.above) > maxDown {
		g.over = overDepth
	}
	if g.over != moderate {
		return nil
	}
	if !isPattern(elems[0]) {
		next := path.Join(at.dir, elems[0])
		if len(elems) == 1 {
			return g.take(next, false)
		}
		return g.enter(at, next, elems[1:])
	}
	entries, err := g.disk.list(at.dest)
	if err != nil {
		return err
	}
	if elems[0] == "**" {
		return g.walkAny(at, elems, entries)
	}
	for _, e := range entries {
		// The pattern was found valid before, so that no error is left.
		if !glob.Element(elems[0], e.Name()) {
			continue
		}
		if len(elems) == 1 {
			err = g.takeEntry(at, e)
		} else {
			err = g.enterEntry(at, e, elems[1:], false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// written tells a folder that promptc writes, on file systems that ignore
// case too.
func (g *search) written(dir string) bool {
	return slices.ContainsFunc(g.outputs, func(folder string) bool { return strings.EqualFold(folder, dir) })
}

// walkAny goes on from a folder behind `**`, and from every folder below it.
func (g *search) walkAny(at place, elems []string, entries []fs.DirEntry) error {
	if len(elems) > 1 {
		if err := g.walk(at, elems[1:]); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if len(elems) == 1 {
			if err := g.takeEntry(at, e); err != nil {
				return err
			}
		}
		if err := g.enterEntry(at, e, elems, true); err != nil {
			return err
		}
	}
	return nil
}

// enterEntry walks on in an entry that is a folder or a link to one; anything
// says that it is there for `**`. Repositories are full of links to programs of
// the machine, so that a link out of the folder is no mistake there.
func (g *search) enterEntry(at place, e fs.DirEntry, elems []string, anything bool) error {
	name := path.Join(at.dir, e.Name())
	isLink := e.Type()&fs.ModeSymlink != 0
	switch {
	case !e.IsDir() && !isLink:
		return nil
	case !utf8.ValidString(e.Name()):
		if anything {
			g.skip(name, misnamed)
		} else {
			g.reject(name, misnamed)
		}
		return nil
	case e.IsDir():
		return g.walk(place{name, path.Join(at.dest, e.Name()), append(slices.Clip(at.above), at.dest)}, elems)
	}
	if anything {
		state, err := g.disk.inspectBelow(name, g.root)
		if err != nil {
			return err
		}
		if state == escaping || state == reserved {
			if !textLike(name, elems[len(elems)-1]) {
				g.skip(name, state)
			}
			return nil
		}
	}
	return g.enter(at, name, elems)
}

// skip notes what was not looked into, unless it is known already.
func (g *search) skip(name string, s state) {
	if !g.known[name] {
		g.known[name] = true
		g.skipped = append(g.skipped, badMatch{name, s})
	}
}

// reject notes a match that cannot be read.
func (g *search) reject(name string, s state) {
	g.known[name] = true
	g.bad = append(g.bad, badMatch{name, s})
}

// textLike tells a link that is named like a text, or like the files that a
// pattern ends in: what it leads to cannot be asked, but is no folder.
func textLike(name, last string) bool {
	end := extension(name)
	known := slices.ContainsFunc(formats, func(f fileFormat) bool { return f.extension == end })
	return known || end == ".txt" || end != "" && end == extension(last)
}

// enter walks on in a folder that may be a link. A link that leads back to a
// folder the walk is already in shows nothing new and is not followed.
func (g *search) enter(at place, name string, elems []string) error {
	state, err := g.disk.inspectBelow(name, g.root)
	if err != nil {
		return err
	}
	if state == escaping || state == reserved {
		g.reject(name, state)
	}
	if state != directory {
		return nil
	}
	dest, err := g.disk.real(name)
	above := append(slices.Clip(at.above), at.dest)
	if err != nil || slices.Contains(above, dest) {
		return err
	}
	return g.walk(place{name, dest, above}, elems)
}

// takeEntry takes a matching entry unless it is a folder, which `**` and `*`
// match by the way.
func (g *search) takeEntry(at place, e fs.DirEntry) error {
	name := path.Join(at.dir, e.Name())
	switch {
	case e.IsDir():
		return nil
	case !utf8.ValidString(e.Name()):
		g.reject(name, misnamed)
		return nil
	case e.Type().IsRegular():
		g.add(name, path.Join(at.dest, e.Name()))
		return nil
	default:
		return g.take(name, true)
	}
}

// take takes a file by its name; there says that it was seen in its folder.
func (g *search) take(name string, there bool) error {
	state, err := g.disk.inspectBelow(name, g.root)
	if err != nil {
		return err
	}
	switch state {
	case regular:
		dest, err := g.disk.real(name)
		if err != nil {
			return err
		}
		g.add(name, dest)
	case directory:
	case missing:
		if there {
			g.reject(name, dangling)
		}
	default:
		g.reject(name, state)
	}
	return nil
}

func (g *search) add(name, dest string) {
	g.files[name] = true
	if dest != name {
		g.linked[name] = dest
	}
	if len(g.files) > maxMatches {
		g.over = overFiles
	}
}
