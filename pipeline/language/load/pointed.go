package load

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/recorded"
)

// pointed is a value of a file of data, with the JSON Pointer (RFC 6901) that leads to it.
type pointed struct {
	pointer string
	node    *ground.Node
	at      diag.Span // its key, or the value in a list
}

// data reads a file of data, or the front matter of any other file; nil for a file
// that has none. It reports whether findings left the file useful.
func data(file *diag.File, found *diag.List) (root *ground.Node, ok bool) {
	switch extension(file.Path) {
	case ".yaml", ".yml":
		return parseForeignYAML(file, 0, len(file.Text), found)
	case ".toml":
		return parseTOML(file, found)
	case ".json":
		return parseLargeJSON(file, 0, maxRecorded, found)
	}
	if isDotfile(file.Path) {
		return parseForeignYAML(file, 0, len(file.Text), found)
	}
	if f, _ := markdown.FrontMatter(file.Text); f != nil {
		return parseForeignYAML(file, f.Start, f.End, found)
	}
	return nil, true
}

// values gives what a pointer leads to: the texts, the lists of messages and the
// requests, each under its own pointer. It is nil where the pointer leads to none, or
// into each record of a list.
func values(root *ground.Node, how language.How, found *diag.List) []language.Saved {
	steps := strings.Split(strings.TrimPrefix(how.Pointer, "/"), "/")
	if _, err := strconv.Atoi(steps[0]); err != nil && root.Kind == ground.Sequence && !wild(steps[0]) {
		return nil
	}
	var out []language.Saved
	for _, p := range lead(root, steps) {
		saved, ok := value(p.node, how, found)
		if !ok && !wild(how.Pointer) {
			return nil
		}
		saved.Name, saved.NameAt = p.pointer, p.at
		out = append(out, saved)
	}
	return out
}

// wild reports whether a step stands for several.
func wild(step string) bool { return strings.ContainsAny(step, "*{") }

// lead follows the steps of a pointer from a value on.
func lead(root *ground.Node, steps []string) []pointed {
	all := []pointed{{node: root}}
	for _, step := range steps {
		pattern, work := axispattern.PathPattern(step), maxRecorded
		var next []pointed
		takes := func(string, string) bool { return true }
		for _, p := range all {
			axispattern.Children(p.node, func(keys []string, field *ground.Field, n *ground.Node) {
				at := n.At.FirstLine()
				if field != nil {
					at = field.KeyAt
				}
				for i, key := range keys {
					key = strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
					if key == step || i == 0 && wild(step) && len(pattern.MatchBy(key, takes, &work)) > 0 {
						next = append(next, pointed{p.pointer + "/" + key, n, at})
						return
					}
				}
			})
		}
		all = next
	}
	return all
}

// value takes a value for a text, for messages, or for a request. What is none of
// these is printed as it stands, and ok is false.
func value(n *ground.Node, how language.How, found *diag.List) (out language.Saved, ok bool) {
	if talk, ok := recorded.Talk(n, how); ok {
		return talk, true
	}
	how.Pointer = ""
	if n.Kind == ground.Mapping || n.Kind == ground.String && strings.HasPrefix(strings.TrimLeft(n.Text.Str, jsonSpace), "{") {
		body, isBody := n, true
		if n.Kind == ground.String {
			body, isBody = jsonWithin(found)(n.Text)
		}
		if isBody && body != nil {
			if read := recorded.Read(body, how, jsonWithin(found)); len(read.Entries) == 1 {
				return read.Entries[0], true
			}
		}
	}
	if n.Kind == ground.String {
		return language.Saved{Value: n.Text, IsText: true, At: n.At}, true
	}
	return language.Saved{Value: ground.Verbatim(n.At), At: n.At}, false
}

// fromData takes what a pointer leads to for the entries of a document. The first
// result is false where this is left to the requests in it.
func (r *run) fromData(doc *language.Doc, how language.How) (taken, ok bool) {
	var found diag.List
	root, ok := data(doc.File, &found)
	if !ok && isData(doc.File.Path) {
		r.found = append(r.found, found...)
		return true, false
	}
	if root == nil {
		return false, true
	}
	saved := values(root, how, &found)
	if len(saved) == 0 {
		return false, true
	}
	r.found = append(r.found, found...)
	doc.Saved = saved
	return true, !found.HasErrors()
}

// pointedTo takes the texts that a pointer leads to in a file of data for its body.
func (r *run) pointedTo(doc *language.Doc, pointer string) bool {
	var found diag.List
	root, ok := data(doc.File, &found)
	r.found = append(r.found, found...)
	if !ok {
		return false
	}
	var out ground.Builder
	for _, p := range lead(root, strings.Split(strings.TrimPrefix(pointer, "/"), "/")) {
		if p.node.Kind != ground.String {
			r.found = append(r.found, diag.New(diag.BodyShape, p.node.At.FirstLine(), "no-text-at", doc.File.Path, p.pointer).WithHint("pointer-to-text"))
			return false
		}
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		out.WriteText(p.node.Text.Trim("\n"))
	}
	doc.Body = out.Text()
	if doc.Body.Str == "" && !r.tree.Borrowed {
		r.found = append(r.found, diag.New(diag.BodyShape, diag.Whole(doc.File).FirstLine(), "no-text-at", doc.File.Path, pointer).WithHint("pointer-to-text"))
	}
	return doc.Body.Str != ""
}

// isData reports whether a file holds data and nothing else. JSON is left out: a log
// has a value a line.
func isData(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".toml"}, extension(path)) || isDotfile(path)
}

// isDotfile reports a name of one word behind a dot, such as .roomodes: with values in
// it, it is YAML, or JSON, which YAML reads, too.
func isDotfile(name string) bool { return strings.LastIndexByte(path.Base(name), '.') == 0 }
