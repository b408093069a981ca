package load

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// lookup is one path of the manifest, as written.
type lookup struct {
	path string
	at   diag.Span
	kind string
	walk *walkOptions // for the walk of a context source
}

type walkOptions struct {
	root  string
	at    diag.Span
	local bool
}

// lookups collects the paths of a manifest that nobody has judged yet. What
// has not the shape of a path is left to the stage that knows the shapes.
func lookups(manifest *prompt.Node) []lookup {
	var out []lookup
	add := func(n *prompt.Node, kind string) {
		for _, p := range pathNodes(n) {
			out = append(out, lookup{path: p.Text.Str, at: p.At, kind: kind})
		}
	}
	for _, f := range fields(manifest.Field("sources")) {
		source := f.Value
		name := source.Field("kind").Scalar()
		if source.Field("kind") == nil {
			name = textKind // what a source without a kind is
		}
		if kind, known := prompt.LookupKind(name); known {
			if kind.Name == contextKind {
				out = append(out, walkLookups(source)...)
			} else {
				add(source.Field("path"), kind.Name)
			}
			add(source.Field("fallback"), kind.Name)
			add(source.Field("else"), kind.Name)
			if slices.Contains(kind.Options, "transcript") {
				add(source.Field("transcript"), prompt.TranscriptKind)
			}
		}
		add(stylePath(source.Field("style")), prompt.StyleKind)
	}
	for _, f := range fields(manifest.Field("prompts")) {
		sections := f.Value.Field("sections")
		if sections == nil {
			continue
		}
		for _, section := range sections.Items {
			add(section.Field("path"), textKind)
			add(stylePath(section.Field("style")), prompt.StyleKind)
		}
	}
	return out
}

// The kinds that load treats by name: a section's own path is text, a
// context source is a walk, and conversations name workspaces.
const (
	textKind    = "text"
	contextKind = "context"
	// conversationKind is that of the fixtures which name further files.
	conversationKind = "conversation"
	// registryKind is named in a hint.
	registryKind = "registry"
)

func walkLookups(source *prompt.Node) []lookup {
	roots := pathNodes(source.Field("root"))
	if len(roots) == 0 {
		roots = []*prompt.Node{{Kind: prompt.String, Text: prompt.Literal(".")}}
	}
	local := source.Field("local").Scalar() == "true"
	var out []lookup
	for _, p := range pathNodes(source.Field("path")) {
		for _, root := range roots {
			out = append(out, lookup{
				path: p.Text.Str, at: p.At, kind: contextKind,
				walk: &walkOptions{root: root.Text.Str, at: root.At, local: local},
			})
		}
	}
	return out
}

func fields(n *prompt.Node) []prompt.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// pathNodes gives the texts of a value that is a path, a list of paths, or a
// list of cases of these.
func pathNodes(n *prompt.Node) []*prompt.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == prompt.Mapping:
		return pathNodes(n.Field("value"))
	case n.Kind == prompt.Sequence:
		var out []*prompt.Node
		for _, item := range n.Items {
			out = append(out, pathNodes(item)...)
		}
		return out
	case n.Kind == prompt.Null:
		return nil // `path:` without a value, which is not a path
	default:
		return []*prompt.Node{n}
	}
}

// stylePath gives the `path` of `style: {path: …}`, or a list of them where
// the style has cases.
func stylePath(n *prompt.Node) *prompt.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == prompt.Sequence:
		out := &prompt.Node{Kind: prompt.Sequence}
		for _, item := range n.Items {
			if p := stylePath(item.Field("value")); p != nil {
				out.Items = append(out.Items, p)
			}
		}
		return out
	default:
		return n.Field("path")
	}
}

// axisValues gives, for every axis name, the values it has in any prompt, in
// the order in which they are declared.
func axisValues(manifest *prompt.Node) map[string][]string {
	out := map[string][]string{}
	seen := map[[2]string]bool{}
	for _, p := range fields(manifest.Field("prompts")) {
		for _, axis := range fields(p.Value.Field("axes")) {
			values := axis.Value
			if values.Kind == prompt.Mapping {
				values = values.Field("values")
			}
			if values == nil {
				continue
			}
			for _, v := range values.Items {
				key := [2]string{axis.Key, v.Scalar()}
				if v.IsScalar() && !seen[key] {
					seen[key] = true
					out[axis.Key] = append(out[axis.Key], v.Scalar())
				}
			}
		}
	}
	return out
}

// readSources looks up every path of the manifest.
func (r *run) readSources() error {
	axes := axisValues(r.tree.Manifest)
	total := 0
	for _, l := range lookups(r.tree.Manifest) {
		paths := []string{l.path}
		if l.walk != nil {
			paths = append(paths, l.walk.root)
		}
		if len(strings.Join(paths, "")) > maxPathBytes {
			r.badPattern(l.path, l.at, fault{"is longer than 4,096 bytes", "use `*`, or a list of paths"})
			continue
		}
		// What is wrong however the axes turn out is said once.
		if f := checkFolder(l.path); f != nil {
			r.badPath(l.path, l.at, *f)
			continue
		}
		all, over := expand(axes, paths...)
		if over {
			r.badPattern(l.path, l.at, fault{"stands for more than 10,000 paths", "use fewer axes in one path"})
			continue
		}
		if total += len(all); total > maxLookups {
			r.badPattern(l.path, l.at, fault{"is one of more than 50,000 expanded paths", "use fewer axes in paths"})
			return nil
		}
		for _, p := range all {
			if err := r.lookUp(p, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookUp looks up one path, or the path and the root of a walk.
func (r *run) lookUp(paths []string, l lookup) error {
	if l.walk != nil {
		return r.walk(paths[0], paths[1], l)
	}
	return r.gather(paths[0], l)
}

func (r *run) badPath(p string, at diag.Span, f fault) {
	r.found = append(r.found, diag.New(diag.BadPath, at, "path %q %s", brief(p), f.fact).WithHint("%s", f.hint))
}

func (r *run) badPattern(p string, at diag.Span, f fault) {
	r.found = append(r.found, diag.New(diag.BadGlob, at, "path %q %s", brief(p), f.fact).WithHint("%s", f.hint))
}

// matches finds and reads the files of one path for one kind.
func (r *run) matches(p string, l lookup) error {
	if err := r.gather(p, l); err != nil {
		return err
	}
	r.parsePending()
	return nil
}

// gather finds the files of one path for one kind, to be parsed with others.
func (r *run) gather(p string, l lookup) error {
	names, err := r.find(p, l.at)
	if err != nil {
		return err
	}
	if len(names) == 0 && !isPattern(p) && checkPath(p) == nil {
		if err := r.otherCase(p, l.at); err != nil {
			return err
		}
	}
	key := prompt.MatchKey{Path: p, Kind: l.kind}
	if _, done := r.tree.Matches[key]; done {
		return nil
	}
	docs := []*prompt.Doc{}
	for _, name := range names {
		doc, err := r.later(name, l.kind, l.at)
		if err != nil {
			return err
		}
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	r.tree.Matches[key] = docs
	r.gathered = append(r.gathered, key)
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
	r.noteSkipped(g.skipped, at)
	if g.over != moderate {
		r.badPattern(p, at, fault{g.over.ofPattern(), "narrow it: name the folder that holds the files"})
		return nil
	}
	return files
}

// maxSkipped is how many names the note of what was skipped lists.
const maxSkipped = 3

// noteSkipped says in one note for each reason what `**` did not look into.
func (r *run) noteSkipped(skipped []badMatch, at diag.Span) {
	for _, why := range []struct {
		state state
		code  diag.Code
		many  string
		hint  string
	}{
		{escaping, diag.PathEscapes, "links were not looked into: they leave the manifest's folder", "nothing has to be done if no source lies behind the link"},
		{reserved, diag.PathEscapes, "links were not looked into: they lead into the folder that Git keeps for itself", "nothing has to be done if no source lies behind the link"},
		{misnamed, diag.NotAFile, "folders were not looked into: their names are not UTF-8", "nothing has to be done if no source lies in it; else rename it"},
	} {
		var names []string
		for _, s := range skipped {
			if s.state == why.state {
				names = append(names, diag.Quote(s.path))
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		d := diag.New(why.code, at, "%s was not looked into: it %s", names[0], why.state.fact())
		if n := len(names); n > 1 {
			d = diag.New(why.code, at, "%s %s", diag.Number(n), why.many).WithDetail(firstOf(names))
		}
		d.Level = diag.Note
		r.found = append(r.found, d.WithHint("%s", why.hint))
	}
}

// firstOf gives the first names of a list and the number of the others.
func firstOf(names []string) string {
	n := len(names)
	first := strings.Join(names[:min(n, maxSkipped)], ", ")
	if n > maxSkipped {
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
	code, hint := diag.NotAFile, "name a regular file"
	switch s {
	case escaping:
		code, hint = diag.PathEscapes, "copy the file into the folder"
	case reserved:
		code, hint = diag.PathEscapes, "remove the link: what Git keeps differs in every checkout"
	case directory:
		hint = "write a pattern for the files in it, such as `" + name + "/*.md`"
	case dangling, circular:
		hint = "repair or remove the link"
	case misnamed, misled:
		hint = "rename it, or narrow the path: names of sources are texts"
	case regular, special, missing, straying, unlisted:
	}
	r.found = append(r.found, diag.New(code, at, "%q %s", name, s.fact()).WithHint("%s", hint))
}

// seen reports whether a path was listed, and lists it.
func seen(list *[]string, name string) bool {
	if slices.Contains(*list, name) {
		return true
	}
	*list = append(*list, name)
	return false
}
