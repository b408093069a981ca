package load

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// contextFiles are the files of one folder that a context source reads, in
// the order in which they are printed.
var contextFiles = []struct {
	name  string
	local bool // only with `local: true`
}{
	{"CLAUDE.md", false},
	{"CLAUDE.local.md", true},
	{"AGENTS.md", false},
}

// rulesFolder holds the rules of a folder, rulesSuffix ends their names.
const rulesFolder, rulesSuffix = ".claude/rules", ".md"

// walk reads the instruction files from root down to the folder p, then the
// rules of each of these folders.
func (r *run) walk(p, root string, one prompt.Reading) error {
	key := prompt.WalkKey{Path: p, Root: root, Local: one.Local}
	ok, err := r.canWalk(p, root, one)
	if err != nil {
		return err
	}
	if _, done := r.tree.Walks[key]; done {
		return nil
	}
	r.tree.Walks[key] = []*prompt.Doc{}
	if !ok {
		return nil
	}
	dirs := below(p, root)
	var names []string
	for _, dir := range dirs {
		for _, f := range contextFiles {
			if f.local && !one.Local {
				continue
			}
			found, err := r.findOne(path.Join(dir, f.name), one.Path.At)
			if err != nil {
				return err
			}
			names = append(names, found...)
		}
	}
	for _, dir := range dirs {
		found, err := r.rules(path.Join(dir, rulesFolder), one.Path.At)
		if err != nil {
			return err
		}
		names = append(names, found...)
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
	entries, err := r.disk.list(dest)
	if err != nil {
		return nil, err
	}
	g := newSearch(r.disk, nil)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), rulesSuffix) {
			if err := g.takeEntry(place{dir: dir, dest: dest}, e); err != nil {
				return nil, err
			}
		}
	}
	return r.judge(g, slices.Sorted(maps.Keys(g.files)), dir, at), nil
}

// canWalk checks the two folders of a walk; false where there is nothing to
// walk.
func (r *run) canWalk(p, root string, one prompt.Reading) (bool, error) {
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
		r.found = append(r.found, diag.New(diag.BadPath, at, "path-not-inside-root", brief(p), brief(root)).
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
func (r *run) distinct(names []string, one prompt.Reading) ([]*prompt.Doc, error) {
	docs := []*prompt.Doc{}
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
		doc, err := r.document(name, one.Kind, one.Path.At)
		if err != nil {
			return nil, err
		}
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}
