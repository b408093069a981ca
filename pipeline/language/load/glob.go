package load

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
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
	return &search{
		disk: d, outputs: outputs, root: ".",
		files: map[string]bool{}, linked: map[string]string{}, known: map[string]bool{}, visited: map[visit]bool{},
	}
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
		return g.enter(at, next, elems[1:], g.reject)
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
// the machine, so that a link out of the folder, or to nothing, is no mistake there.
func (g *search) enterEntry(at place, e fs.DirEntry, elems []string, anything bool) error {
	name := path.Join(at.dir, e.Name())
	isLink := e.Type()&fs.ModeSymlink != 0
	switch {
	case !e.IsDir() && !isLink:
		if !anything && path.Ext(name) == "" {
			return g.noteFlattened(name)
		}
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
	note := g.skip
	if anything {
		note = func(string, state) {}
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
	return g.enter(at, name, elems, note)
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
// folder the walk is already in shows nothing new and is not followed; one that leads
// nowhere is noted.
func (g *search) enter(at place, name string, elems []string, note func(string, state)) error {
	state, err := g.disk.inspectBelow(name, g.root)
	if err != nil {
		return err
	}
	switch state {
	case directory:
	case regular:
		return g.noteFlattened(name)
	case escaping, reserved:
		g.reject(name, state)
		return nil
	case dangling, astray, circular:
		note(name, state)
		return nil
	default:
		return nil
	}
	dest, err := g.disk.real(name)
	above := append(slices.Clip(at.above), at.dest)
	if err != nil || slices.Contains(above, dest) {
		return err
	}
	return g.walk(place{name, dest, above}, elems)
}

// noteFlattened rejects a file in the place of a folder that is what git makes of a link.
func (g *search) noteFlattened(name string) error {
	is, err := g.disk.isFlattened(name)
	if is {
		g.reject(name, flattened)
	}
	return err
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

// Matched is what a pattern from outside a manifest came upon.
type Matched struct {
	// Files are the matches, sorted by bytes.
	Files []string
	// Bad says of matches why they are no files that can be read.
	Bad diag.List
	// Hint says of a pattern that matches nothing what is near it.
	Hint diag.Words
}

// PatternError is a pattern that cannot be used.
type PatternError struct{ diag.Failure }

// Match gives the files that a pattern matches, by the rules of a source's
// path. A *PatternError is a pattern that cannot be used; any other error means
// that something could not be read.
func Match(fsys fs.FS, pattern string) (Matched, error) {
	refuse := func(f *fault) (Matched, error) {
		return Matched{}, &PatternError{diag.Failure{Fact: diag.Say("bad-pattern", pattern, f.fact), Hint: f.hint}}
	}
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
	var bad diag.List
	for _, b := range g.bad {
		code, _ := b.state.advice()
		bad = append(bad, diag.New(code, diag.Whole(&diag.File{Path: b.path}), "name-and-fact", b.path, b.state.fact()))
	}
	out := Matched{Files: files, Bad: bad.Sorted()}
	if len(files)+len(bad) == 0 {
		out.Hint, err = r.nothingHint(pattern, pattern)
	}
	if !out.Hint.None() && out.Hint.Key != "did-you-mean" && err == nil {
		other, err := r.elsewhere(pattern)
		if !other.None() || err != nil {
			out.Hint = other
		}
		return out, err
	}
	return out, err
}

// elsewhere says where files are that the last part of a pattern matches, but for
// those of installed packages and in hidden folders. A part without an extension
// would match anything.
func (r *run) elsewhere(pattern string) (diag.Words, error) {
	last := path.Base(pattern)
	if ext := path.Ext(last); ext == "" || strings.ContainsAny(ext, "*?[") {
		return diag.Words{}, nil
	}
	files, err := r.matches("**/" + last)
	files = slices.DeleteFunc(files, func(name string) bool {
		return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || slices.Contains(strings.Split(name, "/"), "node_modules")
	})
	if len(files) == 0 || err != nil {
		return diag.Words{}, err
	}
	folder := path.Dir(files[0])
	if slices.ContainsFunc(files, func(name string) bool { return path.Dir(name) != folder }) {
		folder = "**"
	}
	return diag.Say("pattern-matches", path.Join(folder, last), diag.Counted(len(files), "one-unread-file", "unread-files")), nil
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

// namesIn lists what is in a folder but for Git's own, nil where there is no
// folder.
func (r *run) namesIn(folder string) ([]string, error) {
	dest, err := r.disk.real(folder)
	if err != nil {
		return nil, nil //nolint:nilerr // a link that leads nowhere has nothing in it
	}
	if s, err := r.disk.inspect(dest); err != nil || s != directory {
		return nil, err
	}
	entries, err := r.disk.list(dest)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// maxNear bounds how often a run looks for what was probably meant: comparing
// names takes long, and nobody reads a hundred findings of this sort.
const maxNear = 20

// meant gives the file, or the folder, that was probably meant by a path that is
// not there, "" for none.
func (r *run) meant(p string, want state) (string, error) {
	if r.near++; r.near > maxNear {
		return "", nil
	}
	found, err := r.nearest(p, suggest.Best)
	if err != nil || found == "" || r.isOutput(found) {
		return "", err
	}
	if s, err := r.disk.inspect(found); s != want {
		return "", err
	}
	return found, nil
}

// isOutput tells a folder in one that promptc writes, on file systems that
// ignore case too.
func (r *run) isOutput(dir string) bool {
	return slices.ContainsFunc(r.outputs, func(folder string) bool { return within(folded(dir), folded(folder)) })
}

// sameButCase gives the name that differs from another in case alone, or in how its
// accents are written.
func sameButCase(name string, names []string) (string, bool) {
	i := slices.IndexFunc(names, func(other string) bool {
		return strings.EqualFold(other, name) || strings.EqualFold(chars.Composed(other), chars.Composed(name))
	})
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

// Limits of one path. They are far above what anybody writes by hand.
const (
	maxPathBytes  = glob.MaxBytes
	maxExpansions = 10_000  // of `{axis}` in one path
	maxLookups    = 50_000  // expanded paths of a manifest
	maxMatches    = 10_000  // files of one pattern
	maxVisits     = 200_000 // folders that one pattern looks into, for all alternatives
	maxDown       = 100     // folders inside each other, since finding the way to each takes longer
	maxElement    = 255     // bytes of one name, on every common file system
)

// pathRules say what a path may not be, and the keys of the words for it. The
// first that holds is reported.
var pathRules = []struct {
	broken     func(p string) bool
	fact, hint string
}{
	{func(p string) bool { return p == "" }, "path-empty", "name-a-file"},
	{func(p string) bool { return p == "." }, "is-own-folder", "name-a-file"},
	{func(p string) bool { return strings.IndexByte(p, 0) >= 0 }, "holds-nul", "remove-character"},
	{pathrule.InGit, "lies-in-git", "choose-path-outside"},
	{func(p string) bool { return strings.Contains(p, `\`) }, "holds-backslash", "write-slash"},
	{isAddress, "is-address", "save-text-in-file"},
	{hasDrive, "starts-with-drive", "write-relative"},
	{func(p string) bool { return strings.HasPrefix(p, "/") }, "is-absolute", "write-relative"},
	{func(p string) bool { return strings.HasSuffix(p, "/") }, "ends-with-slash", "name-a-file"},
	{func(p string) bool { return strings.Contains(p, "//") }, "has-empty-element", "write-slash"},
	{anyElement(func(e string) bool { return e == ".." }), "leaves-folder", "paths-stay-inside"},
	{anyElement(func(e string) bool { return e == "." }), "has-dot-element", "leave-dot-out"},
	{anyElement(pathrule.Device), "name-of-device", "rename-file"},
	{anyElement(func(e string) bool { return len(e) > maxElement && !isPattern(e) }), "name-too-long", "no-file-has-name"},
}

// isAddress tells what starts like https://.
func isAddress(p string) bool {
	scheme, _, ok := strings.Cut(p, "://")
	return ok && len(scheme) > 1 && regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`).MatchString(scheme)
}

func hasDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && regexp.MustCompile(`^[A-Za-z]+$`).MatchString(p[:1])
}

func anyElement(test func(string) bool) func(string) bool {
	return func(p string) bool {
		for e := range strings.SplitSeq(p, "/") {
			if test(e) {
				return true
			}
		}
		return false
	}
}

// fault says why a path cannot be used, and what to do.
type fault struct{ fact, hint diag.Words }

// wrong gives a fault by the keys of its words.
func wrong(fact, hint string) *fault { return &fault{diag.Say(fact), diag.Say(hint)} }

// checkPath gives what is wrong with a path without braces, nil if nothing
// is.
func checkPath(p string) *fault {
	for _, rule := range pathRules {
		if rule.broken(p) {
			return wrong(rule.fact, rule.hint)
		}
	}
	return nil
}

// checkFolder is checkPath for the folders of a context source, where the
// manifest's own folder is ".".
func checkFolder(p string) *fault {
	if p == "." {
		return nil
	}
	return checkPath(p)
}

// checkLength is for paths in which `*` is a character like any other, so that
// no name may be longer than names are.
func checkLength(p string) *fault {
	if len(p) > maxPathBytes {
		return wrong("longer-than-paths", "no-file-has-name")
	}
	if anyElement(func(e string) bool { return len(e) > maxElement })(p) {
		return wrong("name-too-long", "no-file-has-name")
	}
	return nil
}

// checkWorkspace is checkFolder for the folder that a conversation names.
func checkWorkspace(p string) *fault { return cmp.Or(checkLength(p), checkFolder(p)) }

// checkBelow is checkPath for a file of a workspace.
func checkBelow(p string) *fault {
	if p == "." {
		return wrong("is-workspace-itself", "name-a-file")
	}
	return cmp.Or(checkLength(p), checkPath(p))
}

// isPattern tells a glob from the name of one file.
func isPattern(p string) bool { return strings.ContainsAny(p, "*?[{") }

// checkPattern gives what is wrong with a glob, nil if nothing is, and its
// alternatives without braces.
func checkPattern(p string) ([]string, *fault) {
	if !glob.Valid(p) {
		return nil, wrong("pattern-not-readable", "close-brackets")
	}
	all, ok := glob.Alternatives(p)
	if !ok {
		return nil, wrong("too-many-alternatives", "use-star")
	}
	for _, one := range all {
		for e := range strings.SplitSeq(one, "/") {
			if !glob.Valid(e) {
				return nil, wrong("class-over-slash", "close-brackets")
			}
		}
	}
	return all, nil
}

// axisName finds `{axis}`: braces without a comma.
var axisName = regexp.MustCompile(`\{([^{},]*)\}`)

// expand replaces every `{axis}` of some paths that belong together by the
// axis's values, in all combinations, and gives the paths of each. It gives
// nothing when an axis is not known; over says that there are more than
// maxExpansions.
func expand(axes map[string][]string, paths ...string) (out [][]string, over bool) {
	var names []string
	count := 1
	for _, m := range axisName.FindAllStringSubmatch(strings.Join(paths, "\n"), -1) {
		if slices.Contains(names, m[1]) {
			continue
		}
		names = append(names, m[1])
		if count *= len(axes[m[1]]); count == 0 {
			return nil, false
		} else if count > maxExpansions {
			return nil, true
		}
	}
	if len(names) == 0 {
		return [][]string{paths}, false
	}
	// Values are put in once and never looked at again: one may hold braces.
	for i := range count {
		chosen := map[string]string{}
		for _, name := range names {
			values := axes[name]
			chosen[name] = values[i%len(values)]
			i /= len(values)
		}
		var expanded []string
		for _, p := range paths {
			expanded = append(expanded, axisName.ReplaceAllStringFunc(p, func(s string) string { return chosen[s[1:len(s)-1]] }))
		}
		out = append(out, expanded)
	}
	return out, false
}

// within reports whether a folder is another one or below it.
func within(dir, root string) bool {
	return root == "." || dir == root || strings.HasPrefix(dir, root+"/")
}

// below gives the folders from root down to dir, both included.
func below(dir, root string) []string {
	out := []string{dir}
	for dir != root {
		dir = path.Dir(dir)
		out = append([]string{dir}, out...)
	}
	return out
}
