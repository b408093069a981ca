package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// workspace is a folder that conversations name, looked into once.
type workspace struct {
	dir  string // relative to the manifest's folder
	dest string // free of links
	tree *prompt.Workspace
	// named are the files that were asked for, by path below dir.
	named map[string]named
	// listed are the files of the tree, and bySpelling the same without regard
	// to case.
	listed     map[string]bool
	bySpelling map[string]string
	// refused says why there is no tree, without its place.
	refused *diag.Diagnostic
}

// readWorkspaces reads what the conversations name: the lists of their folders
// and the files that they show in full. The fixtures are taken in the order of
// their paths; what has not the shape of a path is left to the stage that knows
// the shapes.
func (r *run) readWorkspaces() error {
	for _, doc := range r.fixtures() {
		ws, err := r.workspaceOf(doc.Data)
		if err != nil {
			return err
		}
		for _, e := range entriesOf(doc.Data) {
			if err := r.readNamed(ws, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// fixtures gives the files that were read as conversations, by path.
func (r *run) fixtures() []*prompt.Doc {
	found := map[string]*prompt.Doc{}
	for key, docs := range r.tree.Matches {
		if key.Kind != conversationKind {
			continue
		}
		for _, doc := range docs {
			found[doc.File.Path] = doc
		}
	}
	out := make([]*prompt.Doc, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

// entry is a path that a fixture names.
type entry struct {
	path string
	at   diag.Span
}

// filePrefix is how the key of a tier says that a file follows.
const filePrefix = "file:"

// entriesOf gives the files that a fixture wants in full.
func entriesOf(fixture *prompt.Node) []entry {
	var out []entry
	for _, n := range items(fixture.Field("selected")) {
		if p, ok := written(n); ok {
			out = append(out, entry{p, n.At})
		}
	}
	for _, tier := range fields(fixture.Field("tiers")) {
		for _, n := range items(tier.Value) {
			key, _ := written(n)
			if p, ok := strings.CutPrefix(key, filePrefix); ok && p != "" {
				out = append(out, entry{p, n.At})
			}
		}
	}
	return out
}

func items(n *prompt.Node) []*prompt.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// written gives the text of a scalar; false where nothing is written.
func written(n *prompt.Node) (string, bool) {
	if !n.IsScalar() || n.Kind == prompt.Null {
		return "", false
	}
	return n.Text.Str, n.Text.Str != ""
}

// workspaceOf finds the workspace of a fixture; nil where it has none.
func (r *run) workspaceOf(fixture *prompt.Node) (*workspace, error) {
	node := fixture.Field("workspace")
	name, ok := written(node)
	if !ok {
		return nil, nil
	}
	dir := folderName(name)
	if f := checkWorkspace(dir); f != nil {
		return nil, r.badWorkspace(name, node.At, *f, fixture)
	}
	ws, known := r.workspaces[dir]
	if !known {
		var err error
		if ws, err = r.openWorkspace(dir, node.At); err != nil {
			return nil, err
		}
		r.workspaces[dir] = ws
	}
	switch {
	case ws == nil:
		return nil, nil
	case ws.refused != nil:
		beside, err := r.besideFixture(name, fixture)
		if err != nil || beside != "" && ws.refused.Code == diag.NoWorkspace {
			return nil, err // the stage that binds the fixture says what stands beside it
		}
		r.refuse(*ws.refused, node.At)
		return nil, nil
	}
	r.tree.Workspaces[name] = ws.tree
	return ws, nil
}

// folderName undoes what only spells a folder differently: `./` before it and
// `/` behind it.
func folderName(written string) string {
	if dir := strings.TrimPrefix(written, "./"); !strings.HasPrefix(dir, "/") {
		written = dir
	}
	if dir := strings.TrimRight(written, "/"); dir != "" || written == "" {
		written = dir
	}
	if written == "" {
		return "."
	}
	return written
}

// refuse reports a finding at one of its places.
func (r *run) refuse(d diag.Diagnostic, at diag.Span) {
	d.Span = at
	r.found = append(r.found, d)
}

// openWorkspace lists a folder; nil where there is none.
func (r *run) openWorkspace(dir string, at diag.Span) (*workspace, error) {
	state, err := r.disk.inspect(dir)
	if err != nil {
		return nil, err
	}
	if state == missing {
		twin, err := r.caseTwin(dir, directory)
		if err != nil {
			return nil, err
		}
		if twin == "" {
			return r.misspeltWorkspace(dir)
		}
		return noWorkspace(diag.BadPath, dir, fault{"differs from the folder " + diag.Quote(twin) + " in case alone", "write workspace: " + twin}), nil
	}
	if state != directory {
		return notFolder(dir, state), nil
	}
	dest, err := r.disk.real(dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range r.outputs {
		if within(folded(dest), folded(folder)) {
			return noWorkspace(diag.BadPath, dir, fault{fmt.Sprintf("lies in %q, which promptc writes", folder), "name a folder of sources"}), nil
		}
	}
	ws := &workspace{dir: dir, dest: dest, named: map[string]named{}}
	g := newSearch(r.disk, r.outputs)
	g.root, g.visited = dest, map[visit]bool{}
	if err := g.walk(place{dir: dir, dest: dest}, []string{"**"}); err != nil {
		return nil, err
	}
	if g.over != moderate {
		return noWorkspace(diag.BadGlob, dir, fault{g.over.ofFolder(), "name a smaller folder"}), nil
	}
	odd := ws.list(g)
	r.noteLeftOut(ws, slices.Concat(g.bad, g.skipped, odd), at)
	return ws, nil
}

// misspeltWorkspace refuses a folder that is not there where one of a close
// name is; nil where there is none.
func (r *run) misspeltWorkspace(dir string) (*workspace, error) {
	meant, err := r.nearFolder(dir)
	if err != nil || meant == "" {
		return nil, err
	}
	return noWorkspace(diag.NoWorkspace, dir, fault{"is not there", "did you mean " + diag.Quote(meant) + "?"}), nil
}

// notFolder refuses what is there but cannot be listed.
func notFolder(dir string, s state) *workspace {
	switch s {
	case escaping:
		return noWorkspace(diag.PathEscapes, dir, fault{s.fact(), "copy the folder into the manifest's"})
	case reserved:
		return noWorkspace(diag.PathEscapes, dir, fault{s.fact(), "name a folder outside of it"})
	case regular:
		return noWorkspace(diag.NotAFile, dir, fault{"is a file, not a folder", "name the folder that holds the files"})
	default:
		return noWorkspace(diag.NotAFile, dir, fault{s.fact(), "name a folder"})
	}
}

func noWorkspace(code diag.Code, dir string, f fault) *workspace {
	d := diag.New(code, diag.Span{}, "workspace %q %s", brief(dir), f.fact).WithHint("%s", f.hint)
	return &workspace{refused: &d}
}

// list takes the files of the folder, and gives those whose names make no line.
func (ws *workspace) list(g *search) (odd []badMatch) {
	ws.tree = &prompt.Workspace{Files: []string{}, Docs: map[string]*prompt.Doc{}, Real: map[string]string{}}
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

// noteLeftOut says in one note for each reason what is not in the list of a
// workspace. None is an error: the list shows names, and a file that cannot be
// shown is refused where a fixture names it.
func (r *run) noteLeftOut(ws *workspace, all []badMatch, at diag.Span) {
	for why := missing; why <= unlisted; why++ {
		var names []string
		for _, b := range all {
			if b.state == why {
				names = append(names, diag.Quote(b.path))
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		code := diag.NotAFile
		if why == escaping || why == reserved || why == straying {
			code = diag.PathEscapes
		}
		d := diag.New(code, at, "%s is left out of the file tree: it %s", names[0], why.fact())
		if n := len(names); n > 1 {
			d = diag.New(code, at, "%s entries of the workspace %q are left out of the file tree: each %s", diag.Number(n), brief(ws.dir), why.fact()).
				WithDetail(firstOf(names))
		}
		d.Level = diag.Note
		hint := "nothing has to be done if the tree need not show it"
		if why == unlisted {
			hint = "rename it: the tree has a path a line"
		}
		r.found = append(r.found, d.WithHint("%s", hint))
	}
}
