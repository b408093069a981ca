package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// readNamed reads every file that the manifest names, and then what the
// conversations among them name.
func (r *run) readNamed() error {
	wanted := r.language.Readings(r.tree)
	r.axes, r.outputs = wanted.Axes, wanted.Outputs
	total := 0
	for _, one := range wanted.Files {
		n, err := r.read(one)
		if err != nil {
			return err
		}
		if total += n; total > maxLookups {
			r.badPattern(one.Path.Str, one.Path.At, fault{"is one of more than 50,000 expanded paths", "use fewer axes in paths"})
			break
		}
	}
	return r.readWorkspaces()
}

// read looks up one path of the manifest with all values of its axes, and gives
// the number of these.
func (r *run) read(one prompt.Reading) (int, error) {
	if one.AnyValue {
		return 1, r.renderedFiles(one)
	}
	p, at := one.Path.Str, one.Path.At
	paths := []string{p}
	if one.Walk {
		paths = append(paths, one.Root.Str)
	}
	if len(strings.Join(paths, "")) > maxPathBytes {
		r.badPattern(p, at, fault{"is longer than 4,096 bytes", "use `*`, or a list of paths"})
		return 0, nil
	}
	// What is wrong however the axes turn out is said once.
	if f := checkFolder(p); f != nil {
		r.badPath(p, at, *f)
		return 0, nil
	}
	all, over := expand(r.axes, paths...)
	if over {
		r.badPattern(p, at, fault{"stands for more than 10,000 paths", "use fewer axes in one path"})
		return 0, nil
	}
	for _, p := range all {
		var err error
		if one.Walk {
			err = r.walk(p[0], p[1], one)
		} else {
			err = r.lookUp(p[0], one.Kind, at)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

func (r *run) badPath(p string, at diag.Span, f fault) {
	r.found = append(r.found, diag.New(diag.BadPath, at, "path", brief(p), f.fact).WithHint("%s", f.hint))
}

func (r *run) badPattern(p string, at diag.Span, f fault) {
	r.found = append(r.found, diag.New(diag.BadGlob, at, "path", brief(p), f.fact).WithHint("%s", f.hint))
}

// lookUp finds and reads the files of one path for one kind.
func (r *run) lookUp(p, kind string, at diag.Span) error {
	names, err := r.find(p, at)
	if err == nil && len(names) == 0 {
		err = r.otherCase(p, at)
	}
	key := prompt.MatchKey{Path: p, Kind: kind}
	if _, done := r.tree.Matches[key]; done || err != nil {
		return err
	}
	docs := []*prompt.Doc{}
	for _, name := range names {
		doc, err := r.document(name, kind, at)
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
	if err != nil || twin == p || twin == "" {
		return err
	}
	if state, err := r.disk.inspect(twin); err != nil || state != regular {
		return err
	}
	r.badPath(p, at, fault{"differs from the file " + diag.Quote(twin) + " in case alone", "write path: " + twin})
	return nil
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
	r.noteSkipped(g.skipped, at, "not looked into", "nothing has to be done if no source lies in it")
	if g.over != moderate {
		r.badPattern(p, at, fault{g.over.ofPattern(), "narrow it: name the folder that holds the files"})
		return nil
	}
	return files
}

// maxSkipped is how many names the note of what was skipped lists.
const maxSkipped = 3

// noteSkipped says in one note for each reason what a walk passed over, and
// what became of it.
func (r *run) noteSkipped(skipped []badMatch, at diag.Span, became, hint string) {
	for why := missing; why <= unlisted; why++ {
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
		d := diag.New(code, at, "is-it", names[0], became, why.fact())
		if n := len(names); n > 1 {
			d = diag.New(code, at, "entries-each", diag.Number(n), became, why.fact()).WithLines(firstOf(names))
		}
		d.Level = diag.Note
		r.found = append(r.found, d.WithHint("%s", hint))
	}
}

// firstOf quotes the first names of a list and gives the number of the others.
func firstOf(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), maxSkipped)] {
		quoted = append(quoted, diag.Quote(name))
	}
	first := strings.Join(quoted, ", ")
	if n := len(names); n > maxSkipped {
		first += " and " + diag.Number(n-maxSkipped) + " more"
	}
	return first
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
	}
	return nil, nil
}

func (r *run) notFile(name string, s state, at diag.Span) {
	code, hint := s.advice()
	if s == directory {
		hint = "write a pattern for the files in it, such as `" + name + "/*.md`"
	}
	r.found = append(r.found, diag.New(code, at, "name-and-fact", name, s.fact()).WithHint("%s", hint))
}

// renderedFiles finds and reads what another program rendered. The axes of its
// pattern may take the values from the names of the files, so that the pattern
// is looked up as a whole.
func (r *run) renderedFiles(one prompt.Reading) error {
	written, at := one.Path.Str, one.Path.At
	if len(written) > maxPathBytes {
		r.badPattern(written, at, fault{"is longer than 4,096 bytes", "use `*`"})
		return nil
	}
	glob := prompt.PathPattern(written).Glob()
	if strings.ContainsAny(glob, "?[]{}") {
		r.badPattern(written, at, fault{"holds `?`, brackets or braces that name no axis", "write `*` for what no axis names"})
		return nil
	}
	if f := checkPath(glob); f != nil {
		r.badPath(written, at, *f)
		return nil
	}
	before := len(r.found)
	if err := r.lookUp(glob, one.Kind, at); err != nil {
		return err
	}
	docs := r.tree.Matches[prompt.MatchKey{Path: glob, Kind: one.Kind}]
	if glob != written {
		// A source may be read by the same glob; else the lookup is ours alone.
		r.tree.Matches[prompt.MatchKey{Path: written, Kind: one.Kind}] = docs
		if one.Kind == prompt.RenderedKind {
			delete(r.tree.Matches, prompt.MatchKey{Path: glob, Kind: one.Kind})
		}
	}
	if len(docs) > 0 || len(r.found) > before {
		return nil
	}
	hint, err := r.nothingHint(written, glob)
	if err != nil {
		return err
	}
	r.found = append(r.found, diag.New(diag.RenderedNothing, at, "matches-no-file", brief(written)).WithHint("%s", hint))
	return nil
}

// nothingHint says what is near a pattern that matches nothing: the folder that
// was probably meant, or what is in the one that is named.
func (r *run) nothingHint(pattern, glob string) (string, error) {
	dir := literalFolder(glob)
	if r.isOutput(dir) {
		return fmt.Sprintf("promptc writes the folder %q and does not read it: set snapshots.path or artifacts to another", dir), nil
	}
	meant, names, err := r.around(dir)
	switch {
	case err != nil:
		return "", err
	case meant != "":
		return fmt.Sprintf("did you mean %q?", meant+strings.TrimPrefix(pattern, dir)), nil
	case names == nil:
		return fmt.Sprintf("the folder %q is not there; paths are relative to the manifest", dir), nil
	}
	where := "the manifest's folder"
	if dir != "." {
		where = diag.Quote(dir)
		glob = strings.TrimPrefix(glob, dir+"/")
	}
	next, _, _ := strings.Cut(glob, "/")
	if best, ok := near.Best(next, names); ok && !isPattern(next) {
		return fmt.Sprintf("did you mean %q?", path.Join(dir, best)), nil
	}
	if len(names) == 0 {
		return where + " is empty", nil
	}
	return where + " holds " + firstOf(names), nil
}
