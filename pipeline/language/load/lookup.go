package load

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// readNamed reads every file that the manifest names, and then what the
// conversations among them name.
func (r *run) readNamed() error {
	r.openRoots(r.language.Roots(r.tree.Manifest))
	if err := r.readPolicies(); err != nil || r.found.HasErrors() {
		return err
	}
	wanted := r.language.Readings(r.tree)
	r.axes, r.outputs = wanted.Axes, wanted.Outputs
	for _, root := range r.roots {
		root.axes = wanted.Axes
	}
	total := 0
	for _, one := range wanted.Files {
		n, err := r.read(one)
		if err != nil {
			return err
		}
		if total += n; total > maxLookups {
			r.badPattern(one.Path.Str, one.Path.At, *wrong("too-many-paths", "use-fewer-axes"))
			break
		}
	}
	// A base that has no file of a prompt yet is compared all the same.
	fatal := func(d diag.Diagnostic) bool { return d.Level == diag.Error && d.Code != diag.RenderedNothing }
	if err := r.readWorkspaces(); err != nil || slices.ContainsFunc(r.found, fatal) {
		return err
	}
	// What else is in a root, other projects read.
	r.findUnread(slices.DeleteFunc(wanted.Files, func(one language.Reading) bool { return rootName.MatchString(one.Path.Str) }))
	return nil
}

// read looks up one path of the manifest with all values of its axes, and gives
// the number of these.
func (r *run) read(one language.Reading) (int, error) {
	p, at := one.Path.Str, one.Path.At
	own, rest := r.in(p, at)
	switch {
	case own == nil:
		return 0, nil
	case own != r && (one.AnyValue || one.Walk || one.Kind == language.InputKind):
		r.badPath(p, at, *wrong("root-not-for-this", "copy-file-into-folder"))
		return 0, nil
	case one.AnyValue:
		return 1, r.renderedFiles(one)
	case one.Kind == language.InputKind:
		return 1, r.inputs(one.Path)
	}
	paths := []string{p}
	if one.Walk {
		paths = append(paths, one.Root.Str)
	}
	if within := one.How.Pointer + one.How.Symbol; within != "" {
		paths = append(paths, within)
	}
	if len(strings.Join(paths, "")) > maxPathBytes {
		r.badPattern(p, at, *wrong("longer-than-paths", "use-star"))
		return 0, nil
	}
	// What is wrong however the axes turn out is said once.
	if f := checkFolder(rest); f != nil {
		r.badPath(p, at, *f)
		return 0, nil
	}
	all, over := expand(r.axes, paths...)
	if over {
		r.badPattern(p, at, *wrong("too-many-paths-of-one", "use-fewer-axes"))
		return 0, nil
	}
	for _, p := range all {
		var err error
		if one.Walk {
			err = r.walk(p[0], p[1], one)
		} else {
			err = own.lookUp(p[0], one.Kind, pointedBy(one, p), at)
		}
		if err == nil && one.Imports {
			err = own.importsOf(p, one)
		}
		r.join(own)
		if err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// pointedBy says how the files at a path are read, of which the last of its words is the
// pointer or the symbol.
func pointedBy(one language.Reading, words []string) language.How {
	last := words[len(words)-1]
	switch {
	case one.How.Pointer != "":
		return language.How{Pointer: last}
	case one.How.Symbol != "":
		return language.How{Symbol: last}
	}
	return language.How{}
}

// importsOf reads what the files at a path import.
func (r *run) importsOf(p []string, one language.Reading) error {
	docs := r.tree.Matches[language.MatchKey{Path: p[0], Kind: one.Kind}]
	if one.Walk {
		docs = r.tree.Walks[language.WalkKey{Path: p[0], Root: p[1], Local: one.Local}]
	}
	for _, doc := range docs {
		if err := r.expandImports(doc); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) badPath(p string, at diag.Span, f fault) { r.bad(diag.BadPath, p, at, f) }

// WrongPath gives the finding of a path that leads out of its folder, or that no file can
// have; nil for any other.
func WrongPath(p string, at diag.Span) *diag.Diagnostic {
	f := checkPath(p)
	if f == nil {
		return nil
	}
	r := &run{}
	r.badPath(p, at, *f)
	return &r.found[0]
}

func (r *run) badPattern(p string, at diag.Span, f fault) { r.bad(diag.BadGlob, p, at, f) }

func (r *run) bad(code diag.Code, p string, at diag.Span, f fault) {
	d := diag.New(code, at, "path", diag.Start(r.root+p, maxQuoted), f.fact)
	d.Hint = f.hint
	r.found = append(r.found, d)
}

// lookUp finds and reads the files of one path for one kind.
func (r *run) lookUp(p, kind string, how language.How, at diag.Span) error {
	own := strings.TrimPrefix(p, r.root)
	names, err := r.find(own, at)
	if err == nil && len(names) == 0 {
		err = r.otherCase(own, at)
	}
	if err != nil {
		return err
	}
	return r.readDocs(names, language.MatchKey{Path: p, Kind: kind, How: how}, at)
}

// readDocs reads the files that a path stands for, once for each kind.
func (r *run) readDocs(names []string, key language.MatchKey, at diag.Span) error {
	if _, done := r.tree.Matches[key]; done {
		return nil
	}
	docs := []*language.Doc{}
	for _, name := range names {
		doc, err := r.document(name, key.Kind, key.How, at)
		if err != nil {
			return err
		}
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	r.tree.Matches[key] = docs
	return nil
}

// otherCase refuses a path that names a file but for the case of its letters:
// some machines would find it.
func (r *run) otherCase(p string, at diag.Span) error {
	if isPattern(p) || checkPath(p) != nil {
		return nil
	}
	twin, err := r.nearest(p, sameButCase)
	if err == nil && twin == "" {
		return r.noteMeant(p)
	}
	if err != nil || twin == p {
		return err
	}
	if state, err := r.disk.inspect(twin); err != nil || state != regular {
		return err
	}
	if chars.Composed(twin) == chars.Composed(p) {
		r.badPath(p, at, fault{diag.Say("differs-in-accents", len(p), len(twin)), diag.Say("rename-or-copy-path")})
		return nil
	}
	r.badPath(p, at, fault{diag.Say("differs-in-case", twin), diag.Say("write-path", twin)})
	return nil
}

// noteMeant notes the file that was probably meant by a path that names none.
func (r *run) noteMeant(p string) error {
	if first, rest, ok := strings.Cut(p, "/"); ok && r.roots[first] != nil {
		state, err := r.roots[first].disk.inspect(rest)
		if state == regular {
			r.tree.Meant[p] = first + ":" + rest
		}
		return err
	}
	meant, err := r.meant(p, regular)
	if meant != "" {
		r.tree.Meant[r.root+p] = r.root + meant
	}
	return err
}

// find gives the files of a path, after it was checked.
func (r *run) find(p string, at diag.Span) ([]string, error) {
	if !isPattern(p) {
		return r.findOne(p, at)
	}
	all, f := checkPattern(p)
	if f != nil {
		r.badPattern(p, at, *f)
		return nil, nil
	}
	for _, one := range all {
		if f := checkPath(one); f != nil {
			r.badPath(p, at, *f)
			return nil, nil
		}
	}
	g := newSearch(r.disk, r.outputs)
	files, err := g.match(all)
	if err != nil {
		return nil, err
	}
	return r.judge(g, files, p, at), nil
}

// judge reports what a pattern met besides files.
func (r *run) judge(g *search, files []string, p string, at diag.Span) []string {
	for _, b := range g.bad {
		r.notFile(b.path, b.state, at)
	}
	r.noteSkipped(g.skipped, at, "not-looked-into")
	if g.over != moderate {
		r.badPattern(p, at, *wrong(g.over.fact(), "narrow-pattern"))
		return nil
	}
	return files
}

// maxSkipped is how many names the note of what was skipped lists.
const maxSkipped = 3

// noteSkipped says in one note for each reason what a walk passed over; became is
// the key of what that means.
func (r *run) noteSkipped(skipped []badMatch, at diag.Span, became string) {
	for why := missing; why <= flattened; why++ {
		var names []string
		for _, s := range skipped {
			if s.state == why {
				names = append(names, s.path)
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		code, _ := why.advice()
		d := diag.New(code, at, became, diag.Some(names, maxSkipped), why.fact()).WithHint("skipped-is-fine")
		d.Level = diag.Note
		r.found = append(r.found, d)
	}
}

func (r *run) findOne(p string, at diag.Span) ([]string, error) {
	if f := checkPath(p); f != nil {
		r.badPath(p, at, *f)
		return nil, nil
	}
	state, err := r.disk.inspect(p)
	switch {
	case err != nil:
		return nil, err
	case state == regular:
		return []string{p}, nil
	case state != missing:
		r.notFile(p, state, at)
	default:
		return nil, r.flattenedAbove(p, at)
	}
	return nil, nil
}

// flattenedAbove reports a link on the way to a file that is not there, where git
// checked the link out as a file.
func (r *run) flattenedAbove(p string, at diag.Span) error {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if is, err := r.disk.isFlattened(dir); is || err != nil {
			if is {
				r.notFile(dir, flattened, at)
			}
			return err
		}
	}
	return nil
}

func (r *run) notFile(name string, s state, at diag.Span) {
	code, hint := s.advice()
	fact := s.fact()
	if r.root != "" && s == escaping {
		fact = diag.Say("link-leaves-root")
	}
	d := diag.New(code, at, "name-and-fact", r.root+name, fact).WithHint(hint)
	if s == flattened {
		d = d.WithHint("check-out-link", r.root+name)
	}
	r.found = append(r.found, d)
}

// renderedFiles finds and reads what another program rendered. The axes of its
// pattern may take the values from the names of the files, so that the pattern
// is looked up as a whole.
func (r *run) renderedFiles(one language.Reading) error {
	written, at := one.Path.Str, one.Path.At
	if len(written) > maxPathBytes {
		r.badPattern(written, at, *wrong("longer-than-paths", "use-star"))
		return nil
	}
	glob := axispattern.PathPattern(written).Glob()
	if strings.ContainsAny(glob, "?[]{}") {
		r.badPattern(written, at, *wrong("holds-other-wildcards", "write-star"))
		return nil
	}
	if f := checkPath(glob); f != nil {
		r.badPath(written, at, *f)
		return nil
	}
	before := len(r.found)
	names, err := r.find(glob, at)
	if err == nil && len(names) == 0 {
		err = r.otherCase(glob, at)
	}
	if err != nil {
		return err
	}
	unread := len(r.found) > before
	names = r.withoutReceived(names, at)
	key := language.MatchKey{Path: glob, Kind: one.Kind, How: one.How}
	if err := r.readDocs(names, key, at); err != nil {
		return err
	}
	if docs := r.tree.Matches[key]; glob != written {
		// A source may be read by the same glob; else the lookup is ours alone.
		r.tree.Matches[language.MatchKey{Path: written, Kind: one.Kind, How: one.How}] = docs
		if one.Kind == language.RenderedKind {
			delete(r.tree.Matches, key)
		}
	}
	if len(names) > 0 || unread {
		return nil
	}
	d := diag.New(diag.RenderedNothing, at, "matches-no-file", diag.Start(written, maxQuoted))
	if one.Records != "" {
		d.Hint = diag.Say("record-it", one.Records)
	} else {
		d.Hint, err = r.nothingHint(written, glob)
	}
	r.found = append(r.found, d)
	return err
}

// nothingHint says what is near a pattern that matches nothing: the file or the
// folder that was probably meant, or what is in the one that is named.
func (r *run) nothingHint(pattern, glob string) (diag.Words, error) {
	dir := literalFolder(glob)
	if r.isOutput(dir) {
		return diag.Say("promptc-writes-folder", dir), nil
	}
	if meant := r.tree.Meant[r.root+glob]; meant != "" {
		return diag.Say("did-you-mean", meant), nil
	}
	names, err := r.namesIn(glob)
	if names != nil {
		dir = glob // its name alone is no pattern
	} else if err == nil {
		names, err = r.namesIn(dir)
	}
	if err != nil {
		return diag.Words{}, err
	}
	if names == nil {
		meant, err := r.meant(dir, directory)
		if err != nil {
			return diag.Words{}, err
		}
		if files, err := r.matches(meant + strings.TrimPrefix(glob, dir)); err != nil || len(files) == 0 || meant == "" {
			return diag.Say("folder-not-there", dir), err
		}
		return diag.Say("did-you-mean", meant+strings.TrimPrefix(pattern, dir)), nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
	if len(names) == 0 {
		return diag.Say("folder-is-empty", dir), nil
	}
	return diag.Say("folder-holds", dir, diag.Some(names, maxSkipped)), nil
}

// matches gives the files that a pattern matches, none for "" and for one that
// matches too many.
func (r *run) matches(glob string) ([]string, error) {
	if all, f := checkPattern(glob); f == nil && glob != "" {
		g := newSearch(r.disk, r.outputs)
		files, err := g.match(all)
		if g.over == moderate {
			return files, err
		}
	}
	return nil, nil
}

// contextFiles are what a context source reads of one folder, in the order in
// which it is printed: files, and a folder with all of its rules.
var contextFiles = []struct {
	name  string
	local bool // only with `local: true`
	rules bool // a folder of rules
}{
	{name: "CLAUDE.md"},
	{name: "CLAUDE.local.md", local: true},
	{name: ".claude/rules", rules: true},
	{name: "AGENTS.md"},
}

// rulesSuffix ends the names of rules.
const rulesSuffix = ".md"

// walk reads the instruction files from root down to the folder p, folder by
// folder: what a project says stands behind all that is said around it.
func (r *run) walk(p, root string, one language.Reading) error {
	key := language.WalkKey{Path: p, Root: root, Local: one.Local}
	ok, err := r.canWalk(p, root, one)
	if err != nil {
		return err
	}
	if _, done := r.tree.Walks[key]; done {
		return nil
	}
	r.tree.Walks[key] = []*language.Doc{}
	if !ok {
		return nil
	}
	var names []string
	for _, dir := range below(p, root) {
		for _, f := range contextFiles {
			if f.local && !one.Local {
				continue
			}
			find := r.findOne
			if f.rules {
				find = r.rules
			}
			found, err := find(path.Join(dir, f.name), one.Path.At)
			if err != nil {
				return err
			}
			names = append(names, found...)
		}
	}
	docs, err := r.distinct(names, one)
	r.tree.Walks[key] = docs
	return err
}

// rules gives the rules in one folder, sorted. The folder's path is a name,
// not a pattern, whatever characters it holds.
func (r *run) rules(dir string, at diag.Span) ([]string, error) {
	state, err := r.disk.inspect(dir)
	if err != nil || state == missing {
		return nil, err
	}
	if state != directory {
		r.notFile(dir, state, at)
		return nil, nil
	}
	dest, err := r.disk.real(dir)
	if err != nil {
		return nil, err
	}
	g := newSearch(r.disk, nil)
	if err := g.walk(place{dir: dir, dest: dest}, []string{"*" + rulesSuffix}); err != nil {
		return nil, err
	}
	return r.judge(g, slices.Sorted(maps.Keys(g.files)), dir, at), nil
}

// canWalk checks the two folders of a walk; false where there is nothing to
// walk.
func (r *run) canWalk(p, root string, one language.Reading) (bool, error) {
	at := one.Path.At
	if f := checkFolder(p); f != nil {
		r.badPath(p, at, *f)
		return false, nil
	}
	if f := checkFolder(root); f != nil {
		r.badPath(root, one.Root.At, *f)
		return false, nil
	}
	if !within(p, root) {
		r.found = append(r.found, diag.New(diag.BadPath, at, "path-not-inside-root", diag.Start(p, maxQuoted), diag.Start(root, maxQuoted)).
			WithHint("name-folder-below-root"))
		return false, nil
	}
	state, err := r.disk.inspect(p)
	switch {
	case err != nil:
		return false, err
	case state == directory:
		return true, nil
	case state == regular:
		r.found = append(r.found, diag.New(diag.NotAFile, at, "file-not-folder-walk", p).
			WithHint("write-path", path.Dir(p)))
	case state != missing:
		r.notFile(p, state, at)
	}
	return false, nil
}

// distinct reads files, leaving out those that a link has already given.
func (r *run) distinct(names []string, one language.Reading) ([]*language.Doc, error) {
	docs := []*language.Doc{}
	listed := map[string]bool{}
	for _, name := range names {
		dest, err := r.disk.real(name)
		if err != nil {
			return nil, err
		}
		if listed[dest] {
			continue
		}
		listed[dest] = true
		doc, err := r.document(name, one.Kind, one.How, one.Path.At)
		if err != nil {
			return nil, err
		}
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}
