package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// registry checks a file of a registry and collects its entries: data of
// ours, or the front matter of a Markdown file whose text is the content.
func (d *documents) registry(doc *prompt.Doc, kind *prompt.Kind) {
	if doc.Format == prompt.YAML || doc.Format == prompt.JSON {
		for _, n := range d.entryNodes(doc.Data) {
			d.entry(doc, n)
		}
	} else {
		d.front(doc, kind)
		d.entry(doc, doc.Front)
	}
	ids := map[string]diag.Span{}
	for _, e := range d.entries[doc] {
		first, again := ids[e.ID.Str]
		if !again {
			ids[e.ID.Str] = e.ID.At
			continue
		}
		d.found = append(d.found, diag.New(diag.DuplicateName, e.ID.At, "the entry %s is there twice", quote(e.ID.Str)).
			WithHint("%s", firstAt(first)))
	}
}

// entryNodes checks the data of a registry and gives its entries.
func (d *documents) entryNodes(data *prompt.Node) []*prompt.Node {
	nodes, ref := []*prompt.Node{data}, "registry#/definitions/entry"
	switch {
	case data == nil:
		return nil // empty, which the source's `absent` decides on
	case data.Kind == prompt.Sequence:
		nodes = data.Items
	case data.Field("prompts") != nil && data.Field("id") == nil:
		ref = "registry#/definitions/wrapper"
	}
	for _, n := range nodes {
		for _, v := range d.checker.check(ref, n) {
			d.found = append(d.found, v.diagnostics()...)
		}
	}
	if list := data.Field("prompts"); list != nil {
		return list.Items
	}
	return nodes
}

// entry decodes one entry. What has no id was reported.
func (d *documents) entry(doc *prompt.Doc, n *prompt.Node) {
	var words decoder // the schema has said what is there twice
	id, ok := words.word(n.Field("id"))
	if !ok || id.Str == "" {
		return
	}
	e := &prompt.Entry{ID: id, Source: n.Field("source").Scalar(), Content: doc.Body, Doc: doc}
	e.Name, _ = words.text(n.Field("name"))
	e.Description, _ = words.text(n.Field("description"))
	e.Requires, _ = words.words(n.Field("requiredTools"))
	e.Tags, _ = words.words(n.Field("tags"))
	e.Server, _ = words.word(n.Field("serverName"))
	if doc.Data != nil {
		e.Content, _ = words.text(n.Field("content"))
	}
	switch {
	case e.Source == "":
		e.Source = "static"
	case e.Source == "mcp" && n.Field("serverName") == nil:
		d.found = append(d.found, diag.New(diag.MissingKey, n.Field("source").At, "the entry %s comes from a server and lacks the key \"serverName\"", quote(id.Str)).
			WithHint("name the server, or say `source: static` or `source: config`"))
	}
	d.entries[doc] = append(d.entries[doc], e)
}

// selection decodes the `select` of a section.
func (d *decoder) selection(n *prompt.Node) (prompt.Select, bool) {
	if n.Kind != prompt.Mapping {
		return prompt.Select{}, false
	}
	var out prompt.Select
	out.IDs, _ = d.words(n.Field("ids"))
	out.Tags, _ = d.words(n.Field("tags"))
	out.Sources, _ = d.words(n.Field("source"))
	out.Servers, _ = d.words(n.Field("server"))
	return out, true
}
