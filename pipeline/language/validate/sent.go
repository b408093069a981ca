package validate

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
)

// sent reads the tools of the requests that a file holds. The same definition in
// several is one, with the place of the first.
func (d *documents) sent(doc *language.Doc) {
	known := map[string][]*language.Tool{}
	for i := range doc.Saved {
		s := &doc.Saved[i]
		if s.Sent == nil {
			continue
		}
		for _, n := range s.Sent.Tools {
			key := canon.Compact(n)
			if _, ok := known[key]; !ok {
				known[key] = d.sentTools(doc, n, s.Sent.Body.Dialect.Name)
			}
			d.SentTools[s] = append(d.SentTools[s], known[key]...)
		}
		distinctNames(d.SentTools[s])
	}
}

// distinctNames numbers the tools of a request that are called as one before them: it
// was sent so, and each is told apart by its name.
func distinctNames(tools []*language.Tool) {
	count := map[string]int{}
	for i, t := range tools {
		if count[t.Name]++; count[t.Name] > 1 {
			renamed := *t
			renamed.Name += "-" + strconv.Itoa(count[t.Name])
			tools[i] = &renamed
		}
	}
}

// sentTools reads an entry of a list of tools. A provider took it: what has no shape
// that promptc knows is a tool of the provider's own, sent as it is.
func (d *documents) sentTools(doc *language.Doc, n *ground.Node, dialect string) []*language.Tool {
	r := toolReader{file: doc.File}
	if tools := r.read(n); len(tools) > 0 && !r.found.HasErrors() {
		d.found = append(d.found, r.found...)
		return tools
	}
	name, at := dialect, n.At
	for _, named := range []*ground.Node{n.Field("name"), n.Field("function").Field("name"), n.Field("type")} {
		if named != nil && named.Kind == ground.String {
			name, at = named.Scalar(), named.At
			break
		}
	}
	return []*language.Tool{{
		Name: name, Provider: dialect, Description: said(n.Field("description")),
		Canonical: canon.Object(n, canonicalOrder) + "\n", File: doc.File, At: n.At, NameAt: at,
	}}
}
