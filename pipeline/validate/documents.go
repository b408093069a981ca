package validate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// documents checks the source files of a tree, each by the kind that reads
// it, and collects what they define: tools, goals, entries, conversations.
type documents struct {
	tools   map[*prompt.Doc][]*prompt.Tool
	goals   map[*prompt.Doc]*prompt.Goal
	markers map[*prompt.Doc][]prompt.Marker
	entries map[*prompt.Doc][]*prompt.Entry
	talks   map[*prompt.Doc]*prompt.Conversation
	found   diag.List
	seen    map[seenDoc]bool
}

func newDocuments() documents {
	return documents{
		tools:   map[*prompt.Doc][]*prompt.Tool{},
		goals:   map[*prompt.Doc]*prompt.Goal{},
		markers: map[*prompt.Doc][]prompt.Marker{},
		entries: map[*prompt.Doc][]*prompt.Entry{},
		talks:   map[*prompt.Doc]*prompt.Conversation{},
		seen:    map[seenDoc]bool{},
	}
}

type seenDoc struct {
	doc  *prompt.Doc
	kind string
}

// tree looks at every document of every lookup. A file that several lookups
// found is looked at once for each kind.
func (d *documents) tree(tree *prompt.Tree) {
	matches := slices.SortedFunc(maps.Keys(tree.Matches), func(a, b prompt.MatchKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
	for _, key := range matches {
		d.all(tree.Matches[key], key.Kind)
	}
	walks := slices.SortedFunc(maps.Keys(tree.Walks), func(a, b prompt.WalkKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Root, b.Root))
	})
	for _, key := range walks {
		d.all(tree.Walks[key], prompt.ContextKind)
	}
}

func (d *documents) all(docs []*prompt.Doc, kindName string) {
	kind, ok := prompt.LookupKind(kindName)
	if !ok && kindName != prompt.TranscriptKind {
		return // templates, which are any text
	}
	for _, doc := range docs {
		key := seenDoc{doc, kindName}
		if doc == nil || d.seen[key] {
			continue
		}
		d.seen[key] = true
		if kindName == prompt.TranscriptKind {
			d.transcript(doc)
			continue
		}
		d.document(doc, kind)
	}
}

func (d *documents) document(doc *prompt.Doc, kind *prompt.Kind) {
	switch {
	case kind.Tools:
		reader := toolReader{file: doc.File}
		d.tools[doc] = reader.read(doc.Data)
		d.found = append(d.found, reader.found...)
	case kind.Name == prompt.RegistryKind:
		d.registry(doc, kind)
	case kind.Name == prompt.GoalKind:
		d.schema(doc.Data, kind)
		d.goal(doc)
	case kind.Messages:
		d.conversation(doc, kind)
	case kind.Reads == prompt.ReadsData:
		d.schema(doc.Data, kind)
	case kind.Schema == "":
		d.dropped(doc, kind)
	default:
		d.front(doc, kind)
		d.labels(doc, kind)
		d.long(doc, kind)
	}
}

// schema checks the value of a data file of ours: all that is wrong is an
// error.
func (d *documents) schema(data *prompt.Node, kind *prompt.Kind) {
	if data == nil {
		return // empty, which the source's `absent` decides on
	}
	for _, v := range check(kind.Schema, data) {
		d.found = append(d.found, v.diagnostics()...)
	}
}

func (d *documents) dropped(doc *prompt.Doc, kind *prompt.Kind) {
	if doc.Front == nil || len(doc.Front.Fields) == 0 {
		return
	}
	d.found = append(d.found, diag.New(diag.FrontDropped, firstLine(doc.FrontAt), "front-matter-dropped-kind", kind.Name))
}

// printed are the front matter keys that get into prompts, by kind. A wrong
// type there is an error; elsewhere it is another tool's affair.
var printed = []struct {
	kind string
	keys []string
}{
	{"identity", []string{"name", "emoji", "creature", "vibe", "theme"}},
	{"user", []string{"name"}},
	{"rules", []string{"description", "globs", "applyTo", "paths"}},
	{"skills", []string{"name", "description"}},
	{prompt.RegistryKind, []string{"id", "name", "description", "requiredTools", "tags", "source", "serverName"}},
}

// frontSchema gives the schema of a kind's front matter. A registry's data
// has a form of its own.
func frontSchema(kind *prompt.Kind) string {
	if kind.Name == prompt.RegistryKind {
		return "registry#/definitions/front"
	}
	return kind.Schema
}

// outside are the keywords that hold the limits of outside formats. Programs
// differ in how they take them, so breaking one is a warning.
var outside = []string{"maxLength", "pattern"}

func (d *documents) front(doc *prompt.Doc, kind *prompt.Kind) {
	front := doc.Front
	if front == nil {
		return // load has refused it where the kind needs one
	}
	for _, v := range check(frontSchema(kind), front) {
		if v.place.node == front && !front.At.Known() {
			v.place.keyAt = firstLine(doc.FrontAt)
		}
		for _, found := range v.diagnostics() {
			d.found = append(d.found, softened(found, v, kind))
		}
	}
	d.unknownFields(front, kind)
	if kind.Name == prompt.SkillsKind {
		d.skill(doc)
	}
}

// softened gives a finding in a foreign file the level it deserves.
func softened(found diag.Diagnostic, v violation, kind *prompt.Kind) diag.Diagnostic {
	soft := slices.Contains(outside, v.keyword) && v.schema["pattern"] != notBlank
	if v.keyword == "maxLength" {
		limit, _ := v.schema["maxLength"].(float64)
		found = diag.New(diag.OutsideLimit, found.Span, "longer-characters", v.subject(), diag.Count(limit)).
			WithHint("programs-follow-format-may")
	}
	if v.keyword == "type" && v.place.key != "" {
		soft = true
		for _, p := range printed {
			if p.kind == kind.Name && slices.Contains(p.keys, v.place.key) {
				soft = false
			}
		}
	}
	if soft {
		found.Code, found.Level = diag.OutsideLimit, diag.OutsideLimit.Level()
	}
	if kind.Name == prompt.SkillsKind && v.place.key == "name" && v.keyword == "pattern" && lettersOfOthers(v.place.node.Scalar()) {
		found.Level = diag.Note
		found = found.WithHint("specifications-own-validator-takes")
	}
	return found
}

func (d *documents) unknownFields(front *prompt.Node, kind *prompt.Kind) {
	schema := root(frontSchema(kind))
	d.found = append(d.found, unknowns(unknownFields(front, schema), knownKeys(schema),
		diag.UnknownField, "unknown-front-matter-key", noun(schema))...)
}

// labels reports the labels of a list that the kind does not know.
func (d *documents) labels(doc *prompt.Doc, kind *prompt.Kind) {
	if !kind.Labels {
		return
	}
	known := knownKeys(root(kind.Schema))
	var unknown []prompt.Field
	for _, label := range doc.Labels {
		at := label.Name.Span(0, len(label.Name.Str))
		if !at.Known() {
			at = label.Placed
		}
		if !slices.Contains(known, strings.ToLower(label.Name.Str)) {
			unknown = append(unknown, prompt.Field{Key: label.Name.Str, KeyAt: at})
		}
	}
	for _, found := range unknowns(unknown, known, diag.UnknownLabel, "unknown-label") {
		if found.Hint.None() {
			found = found.WithHint("known-labels-nothing-done", diag.Names(identityLabels))
		}
		d.found = append(d.found, found)
	}
}

// identityLabels are the labels worth proposing; the schema also knows keys
// of documentation sites.
var identityLabels = []string{"Name", "Emoji", "Creature", "Vibe", "Theme", "Avatar"}

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
	ids := newDistinct()
	for _, e := range d.entries[doc] {
		d.found = append(d.found, ids.once(e.ID)...)
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
		for _, v := range check(ref, n) {
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
		d.found = append(d.found, diag.New(diag.MissingKey, n.Field("source").At, "entry-comes-server-lacks", id.Str).
			WithHint("name-server-say-source"))
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
