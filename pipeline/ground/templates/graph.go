package templates

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Graph says which of some files include which, through others, too.
type Graph struct {
	names map[string][]Name
	paths []string            // sorted
	stems map[string][]string // paths by what they are without an extension
	ends  map[string][]string // paths by their last part without an extension
	// defined are the paths of the files that define a name of an engine.
	defined map[definition][]string
	next    map[string]closure // what a file leads to by its own names
	found   map[string]closure
	empty   bool
}

type definition struct {
	engine int
	name   string
}

// Link is how a file leads to another.
type Link int

// The links, the weaker first.
const (
	None   Link = iota // it does not
	Unsure             // it may: a name is computed, or several files could be meant
	Sure
)

// closure is what a file leads to.
type closure struct {
	links map[string]Link
	rest  Link // of the files that are not in links
}

// NewGraph makes the graph of files: by the path of each, what it names.
func NewGraph(names map[string][]Name) *Graph {
	g := &Graph{names: names, paths: slices.Sorted(maps.Keys(names)), stems: map[string][]string{}, ends: map[string][]string{}, defined: map[definition][]string{}, next: map[string]closure{}, found: map[string]closure{}, empty: true}
	for _, p := range g.paths {
		s := stem(p)
		g.stems[s], g.ends[path.Base(s)] = append(g.stems[s], p), append(g.ends[path.Base(s)], p)
		for _, n := range names[p] {
			if n.Defines {
				key := definition{n.Engine, n.Name}
				g.defined[key] = append(g.defined[key], p)
			}
		}
		g.empty = g.empty && len(names[p]) == 0
	}
	return g
}

// Empty reports whether no file names another.
func (g *Graph) Empty() bool { return g.empty }

// Link gives the strongest link from some files to another file, and the first of
// them that has it.
func (g *Graph) Link(from []string, to string) (by string, link Link) {
	for _, file := range from {
		if file == to {
			continue
		}
		c := g.closure(file)
		if l := max(c.links[to], c.rest); l > link {
			by, link = file, l
		}
	}
	return by, link
}

// closure follows the names of a file, and of the files that it names.
func (g *Graph) closure(file string) closure {
	if c, ok := g.found[file]; ok {
		return c
	}
	c := closure{links: map[string]Link{file: Sure}}
	for open := []string{file}; len(open) > 0; {
		from := open[0]
		open = open[1:]
		next := g.step(from)
		c.rest = max(c.rest, next.rest)
		for f, link := range next.links {
			if link = min(link, c.links[from]); c.links[f] < link {
				c.links[f] = link
				open = append(open, f)
			}
		}
	}
	g.found[file] = c
	return c
}

// step follows the names of a file alone.
func (g *Graph) step(file string) closure {
	if c, ok := g.next[file]; ok {
		return c
	}
	c := closure{links: map[string]Link{}}
	met := map[string]bool{}
	for _, n := range g.names[file] {
		if n.Defines || met[n.Name] {
			continue
		}
		met[n.Name] = true
		if n.Name == "" {
			c.rest = Unsure
			continue
		}
		files, link := g.resolve(n, file)
		for _, f := range files {
			c.links[f] = max(c.links[f], link)
		}
	}
	g.next[file] = c
	return c
}

// resolve gives the files that a name may stand for: below the folder of the file
// that names it, or one further up, and those that define it. Elsewhere a file
// that ends in the name may be meant: nobody knows from where an engine looks.
func (g *Graph) resolve(n Name, from string) ([]string, Link) {
	defined := g.defined[definition{n.Engine, n.Name}]
	if slices.Contains(defined, from) {
		return nil, None
	}
	var out []string
	add := func(files ...string) {
		for _, f := range files {
			if f != from && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	name := strings.TrimPrefix(n.Name, "/")
	for folder := path.Dir(from); ; folder = path.Dir(folder) {
		add(g.at(path.Join(folder, name), path.Ext(from))...)
		if folder == "." || folder == "/" {
			break
		}
	}
	if syntaxes[n.Engine].shares {
		add(defined...)
	}
	if len(out) == 1 {
		return out, Sure
	}
	if len(out) == 0 {
		for _, form := range forms(path.Clean(name)) {
			for _, p := range slices.Concat(g.ends[path.Base(form)], g.ends[stem(path.Base(form))]) {
				if strings.HasSuffix("/"+p, "/"+form) || strings.HasSuffix("/"+stem(p), "/"+form) {
					add(p)
				}
			}
		}
	}
	return out, Unsure
}

// forms are the paths that a name may have: itself, or the name of a partial, with an
// underscore.
func forms(p string) []string { return []string{p, path.Join(path.Dir(p), "_"+path.Base(p))} }

// Paths gives the paths that the name of a file at a path may stand for, the likelier
// first: itself, and with an extension.
func Paths(p, extension string) []string {
	var out []string
	for _, form := range forms(p) {
		out = append(out, form, form+extension)
	}
	return out
}

// at gives the files at a path in one of its forms: the path itself, else it with an
// extension, that of the file that names it first.
func (g *Graph) at(p, extension string) []string {
	for _, form := range forms(p) {
		if _, ok := g.names[form]; ok {
			return []string{form}
		}
		if _, ok := g.names[form+extension]; ok {
			return []string{form + extension}
		}
		if files := g.stems[form]; len(files) > 0 {
			return files
		}
	}
	return nil
}

// stem gives a path without the extension of its last part.
func stem(p string) string { return cmp.Or(strings.TrimSuffix(p, path.Ext(p)), p) }
