package load

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/language"
)

// workspace is a folder that conversations name, looked into once.
type workspace struct {
	dir  string // relative to the manifest's folder
	dest string // free of links
	tree *language.Workspace
	// named are the files that were asked for, by path below dir.
	named map[string]named
	// listed are the files of the tree, and bySpelling the same without regard
	// to case.
	listed     map[string]bool
	bySpelling map[string]string
	// refused says why there is no tree, without its place; meant is the folder
	// that was probably meant where there is none.
	refused *diag.Diagnostic
	meant   string
}

// readWorkspaces reads what the conversations name: the lists of their folders
// and the files that they show in full. The fixtures are taken in the order of
// their paths.
func (r *run) readWorkspaces() error {
	for _, doc := range r.fixtures() {
		shown := r.language.Shown(doc.Data)
		ws, err := r.workspaceOf(shown.Folder)
		if err != nil {
			return err
		}
		for _, file := range shown.Files {
			if err := r.readShown(ws, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// fixtures gives the files that were read as conversations, by path.
func (r *run) fixtures() []*language.Doc {
	var out []*language.Doc
	for key, doc := range r.docs {
		if kind, ok := language.LookupKind(key.kind); ok && kind.Messages && doc != nil {
			out = append(out, doc)
		}
	}
	slices.SortFunc(out, func(a, b *language.Doc) int { return strings.Compare(a.File.Path, b.File.Path) })
	return out
}

// workspaceOf finds the workspace of a fixture; nil where it has none.
func (r *run) workspaceOf(folder ground.Word) (*workspace, error) {
	if folder.Str == "" {
		return nil, nil
	}
	dir := cmp.Or(pathrule.PlainFolder(folder.Str), ".")
	if f := checkWorkspace(dir); f != nil {
		r.badPath(folder.Str, folder.At, *f)
		return nil, nil
	}
	ws, known := r.workspaces[dir]
	if !known {
		var err error
		if ws, err = r.openWorkspace(dir, folder.At); err != nil {
			return nil, err
		}
		r.workspaces[dir] = ws
	}
	switch {
	case ws.refused != nil:
		r.refuse(*ws.refused, folder.At)
		return nil, nil
	case ws.tree == nil:
		if ws.meant != "" {
			r.tree.Meant[folder.Str] = ws.meant
		}
		return nil, nil
	}
	r.tree.Workspaces[folder.Str] = ws.tree
	return ws, nil
}

// refuse reports a finding at one of its places.
func (r *run) refuse(d diag.Diagnostic, at diag.Span) {
	d.Span = at
	r.found = append(r.found, d)
}

// openWorkspace lists a folder.
func (r *run) openWorkspace(dir string, at diag.Span) (*workspace, error) {
	state, err := r.disk.inspect(dir)
	if err != nil {
		return nil, err
	}
	if state == missing {
		return r.misspelt(dir)
	}
	if state != directory {
		code, _ := state.advice()
		return noWorkspace(code, dir, fault{state.fact(), diag.Say("name-folder-inside")}), nil
	}
	dest, err := r.disk.real(dir)
	if err != nil {
		return nil, err
	}
	if r.isOutput(dest) {
		return noWorkspace(diag.BadPath, dir, *wrong("lies-in-output", "name-folder-inside")), nil
	}
	ws := &workspace{dir: dir, dest: dest, named: map[string]named{}}
	g := newSearch(r.disk, r.outputs)
	g.root = dest
	if err := g.walk(place{dir: dir, dest: dest}, []string{"**"}); err != nil {
		return nil, err
	}
	if g.over != moderate {
		return noWorkspace(diag.BadGlob, dir, *wrong(g.over.fact(), "name-smaller-folder")), nil
	}
	odd := ws.list(g)
	// None is an error: the list shows names, and a file that cannot be shown is
	// refused where a fixture names it.
	r.noteSkipped(slices.Concat(g.bad, g.skipped, odd), at, "left-out-of-tree")
	return ws, nil
}

// misspelt looks for a folder of a close name. One that differs in case alone is
// refused, since some machines would find it; else the stage that binds the
// fixture says what was meant.
func (r *run) misspelt(dir string) (*workspace, error) {
	meant, err := r.meant(dir, directory)
	if err != nil || !strings.EqualFold(meant, dir) {
		return &workspace{meant: meant}, err
	}
	return noWorkspace(diag.BadPath, dir, fault{diag.Say("differs-in-case", meant), diag.Say("write-as-follows", meant)}), nil
}

func noWorkspace(code diag.Code, dir string, f fault) *workspace {
	d := diag.New(code, diag.Span{}, "workspace", diag.Start(dir, maxQuoted), f.fact)
	d.Hint = f.hint
	return &workspace{refused: &d}
}

// list takes the files of the folder, and gives those whose names make no line.
func (ws *workspace) list(g *search) (odd []badMatch) {
	ws.tree = &language.Workspace{Files: []string{}, Docs: map[string]*language.Doc{}, Real: map[string]string{}}
	ws.listed, ws.bySpelling = map[string]bool{}, map[string]string{}
	for name := range g.files {
		below := inFolder(name, ws.dir)
		if strings.ContainsFunc(below, pathrule.BreaksLines) {
			odd = append(odd, badMatch{name, unlisted})
			continue
		}
		ws.tree.Files = append(ws.tree.Files, below)
		if dest, is := g.linked[name]; is {
			ws.leads(below, dest)
		}
	}
	slices.Sort(ws.tree.Files)
	for _, name := range ws.tree.Files {
		ws.listed[name] = true
		if key := folded(name); ws.bySpelling[key] == "" {
			ws.bySpelling[key] = name
		}
	}
	return odd
}

// leads notes where a name of the workspace leads to. Links above the workspace
// are in all its names, and make none differ from another.
func (ws *workspace) leads(name, dest string) {
	if real := inFolder(dest, ws.dest); real != name {
		ws.tree.Real[name] = real
	}
}

// inFolder gives the path of a file from a folder on that it lies in.
func inFolder(name, dir string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

// named is what became of a file that a fixture names.
type named struct {
	doc     *language.Doc    // nil where it is not there
	refused *diag.Diagnostic // without its place
}

// readShown reads a file that a fixture names and reports at every place that
// names it what keeps it from being shown. ws is nil where there is no workspace
// to look in; then the path is still checked.
func (r *run) readShown(ws *workspace, file ground.Word) error {
	if f := checkBelow(file.Str); f != nil {
		r.badPath(file.Str, file.At, *f)
		return nil
	}
	if ws == nil {
		return nil
	}
	got, known := ws.named[file.Str]
	if !known {
		var err error
		if got, err = r.openShown(ws, file); err != nil {
			return err
		}
		ws.named[file.Str] = got
		if got.doc != nil {
			ws.tree.Docs[file.Str] = got.doc
			ws.leads(file.Str, got.doc.Real) // the list may lack it: walks follow no circle
		}
	}
	if got.refused != nil {
		r.refuse(*got.refused, file.At)
	}
	return nil
}

// openShown looks a file up and reads it. A path that is not there is no
// finding: the stage that binds the fixture's keys knows what is near it.
func (r *run) openShown(ws *workspace, file ground.Word) (named, error) {
	if twin := ws.bySpelling[folded(file.Str)]; twin != "" && !ws.listed[file.Str] {
		d := diag.New(diag.BadPath, diag.Span{}, "path", diag.Start(file.Str, maxQuoted), diag.Say("differs-in-case", twin)).
			WithHint("write-as-follows", twin)
		return named{refused: &d}, nil
	}
	name := path.Join(ws.dir, file.Str)
	state, err := r.disk.inspectBelow(name, ws.dest)
	switch {
	case err != nil || state == missing:
		return named{}, err
	case state != regular:
		code, hint := state.advice()
		d := diag.New(code, file.At, "name-and-fact", name, state.fact()).WithHint(hint)
		return named{refused: &d}, nil
	}
	return r.readText(name, file.At)
}

// readText reads a file of a workspace. That it is no text, or too long, is a
// mistake of the fixture that names it, so that the finding moves there; what is
// wrong inside a text stays where it is.
func (r *run) readText(name string, at diag.Span) (named, error) {
	before := len(r.found)
	doc, err := r.document(name, language.WorkspaceKind, language.How{}, at)
	if err != nil || doc != nil {
		return named{doc: doc}, err
	}
	i := slices.IndexFunc(r.found[before:], func(d diag.Diagnostic) bool {
		return d.Code == diag.NotText || d.Code == diag.FileTooLarge
	})
	if i < 0 {
		return named{}, nil
	}
	d := r.found[before+i]
	r.found = slices.Delete(r.found, before+i, before+i+1)
	if d.Code == diag.NotText {
		d.What = diag.Say("not-utf-8-text", name, d.What)
		d = d.WithHint("only-texts-shown-take")
	}
	return named{refused: &d}, nil
}
