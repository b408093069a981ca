package validate

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// documents checks the source files of a tree, each by the kind that reads
// it, and collects what they define: tools, goals, entries, conversations.
type documents struct {
	language.Defined

	found diag.List
	seen  map[seenDoc]bool
}

func newDocuments() *documents {
	return &documents{seen: map[seenDoc]bool{}, Defined: language.Defined{
		Tools: map[*language.Doc][]*language.Tool{}, SentTools: map[*language.Saved][]*language.Tool{}, Pulled: map[*language.Doc]string{}, Goals: map[*language.Doc]*language.Goal{},
		Markers: map[*language.Doc][]language.Marker{}, Entries: map[*language.Doc][]*language.Entry{},
		Conversations: map[*language.Doc]*language.Conversation{},
	}}
}

type seenDoc struct {
	doc  *language.Doc
	kind string
}

// tree looks at every document of every lookup. A file that several lookups
// found is looked at once for each kind.
func (d *documents) tree(tree *language.Tree) {
	matches := slices.SortedFunc(maps.Keys(tree.Matches), func(a, b language.MatchKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
	for _, key := range matches {
		if server := language.PulledFrom(key.Path); server != "" && key.Kind == language.ToolsKind {
			for _, doc := range tree.Matches[key] {
				d.Pulled[doc] = server
			}
		}
	}
	for _, key := range matches {
		d.all(tree.Matches[key], key.Kind)
	}
	walks := slices.SortedFunc(maps.Keys(tree.Walks), func(a, b language.WalkKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Root, b.Root))
	})
	for _, key := range walks {
		d.all(tree.Walks[key], language.ContextKind)
	}
}

func (d *documents) all(docs []*language.Doc, kindName string) {
	kind, ok := language.LookupKind(kindName)
	if !ok && kindName != language.TranscriptKind && kindName != language.RenderedKind {
		return // templates, which are any text
	}
	for _, doc := range docs {
		key := seenDoc{doc, kindName}
		if doc == nil || d.seen[key] {
			continue
		}
		d.seen[key] = true
		switch kindName {
		case language.TranscriptKind:
			d.transcript(doc)
		case language.RenderedKind:
			d.sent(doc)
		default:
			d.document(doc, kind)
		}
	}
}

func (d *documents) document(doc *language.Doc, kind *language.Kind) {
	switch {
	case kind.Tools:
		reader := toolReader{file: doc.File}
		d.Tools[doc] = reader.read(doc.Data)
		if server := d.Pulled[doc]; server != "" && reader.found.HasErrors() {
			d.Tools[doc], reader.found = nil, leftOut(server, reader.found)
		}
		d.found = append(d.found, reader.found...)
	case kind.Entries:
		d.registry(doc, kind)
	case kind.Goals:
		data := withoutNulls(doc.Data)
		d.schema(data, kind)
		d.goal(doc, data)
	case kind.Messages:
		d.conversation(doc, kind)
	case kind.Reads == language.ReadsData:
		d.schema(withoutNulls(doc.Data), kind)
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
func (d *documents) schema(data *ground.Node, kind *language.Kind) {
	if data == nil {
		return // empty, which the source's `absent` decides on
	}
	d.found = append(d.found, checked(kind.Schema, data)...)
}

// withoutNulls gives data without the keys whose value is null: programs that
// write it say so that a key is absent. An empty value in YAML is a slip.
func withoutNulls(n *ground.Node) *ground.Node {
	if n == nil || len(n.Fields)+len(n.Items) == 0 {
		return n
	}
	out := *n
	out.Fields, out.Items = nil, nil
	for _, f := range n.Fields {
		if f.Value.Kind != ground.Null || f.Value.Text.Str == "" {
			f.Value = withoutNulls(f.Value)
			out.Fields = append(out.Fields, f)
		}
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, withoutNulls(item))
	}
	return &out
}

func (d *documents) dropped(doc *language.Doc, kind *language.Kind) {
	if doc.Front == nil || len(doc.Front.Fields) == 0 {
		return
	}
	d.found = append(d.found, diag.New(diag.FrontDropped, doc.FrontAt.FirstLine(), "front-matter-dropped-kind", kind.Name))
}

// frontSchema gives the schema of a kind's front matter. A registry's data
// has a form of its own.
func frontSchema(kind *language.Kind) string {
	if kind.Entries {
		return kind.Schema + "#/definitions/front"
	}
	return kind.Schema
}

// outside are the keywords that hold the limits of outside formats. Programs
// differ in how they take them, so breaking one is a warning.
var outside = []string{"maxLength", "pattern"}

func (d *documents) front(doc *language.Doc, kind *language.Kind) {
	front := doc.Front
	if front == nil {
		return // load has refused it where the kind needs one
	}
	for _, v := range check(frontSchema(kind), front) {
		if v.place.node == front && !front.At.Known() {
			v.place.keyAt = doc.FrontAt.FirstLine()
		}
		for _, found := range v.diagnostics() {
			d.found = append(d.found, softened(found, v, kind))
		}
	}
	d.unknownFields(front, kind)
	if kind.Skills {
		d.skill(doc)
	}
}

// softened gives a finding in a foreign file the level it deserves.
func softened(found diag.Diagnostic, v violation, kind *language.Kind) diag.Diagnostic {
	soft := slices.Contains(outside, v.keyword) && v.schema["pattern"] != notBlank
	if v.keyword == "maxLength" {
		limit, _ := v.schema["maxLength"].(float64)
		found = diag.New(diag.OutsideLimit, found.Span, "longer-characters", v.subject(), diag.Count(limit)).
			WithHint("programs-follow-format-may")
	}
	if v.keyword == "type" && v.place.key != "" {
		soft = !slices.Contains(kind.Printed, v.place.key)
	}
	if soft {
		found.Code, found.Level = diag.OutsideLimit, diag.OutsideLimit.Level()
	}
	if kind.Skills && v.place.key == "name" && v.keyword == "pattern" && lettersOfOthers(v.place.node.Scalar()) {
		found.Level = diag.Note
		found = found.WithHint("specifications-own-validator-takes")
	}
	return found
}

func (d *documents) unknownFields(front *ground.Node, kind *language.Kind) {
	schema := root(frontSchema(kind))
	d.found = append(d.found, unknowns(unknownFields(front, schema), knownKeys(schema),
		diag.UnknownField, "unknown-front-matter-key", noun(schema))...)
}

// labels reports the labels of a list that the kind does not know.
func (d *documents) labels(doc *language.Doc, kind *language.Kind) {
	if !kind.Labels {
		return
	}
	known := knownKeys(root(kind.Schema))
	var unknown []ground.Field
	for _, label := range doc.Labels {
		at := label.Name.Span(0, len(label.Name.Str))
		if !at.Known() {
			at = label.Placed
		}
		if !slices.Contains(known, strings.ToLower(label.Name.Str)) {
			unknown = append(unknown, ground.Field{Key: label.Name.Str, KeyAt: at})
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
func (d *documents) registry(doc *language.Doc, kind *language.Kind) {
	if doc.Format == language.YAML || doc.Format == language.JSON {
		for _, n := range d.entryNodes(withoutNulls(doc.Data)) {
			d.entry(doc, n)
		}
	} else {
		d.front(doc, kind)
		d.entry(doc, doc.Front)
	}
	ids := newDistinct()
	for _, e := range d.Entries[doc] {
		d.found = append(d.found, ids.once(e.ID)...)
	}
}

// entryNodes checks the data of a registry and gives its entries.
func (d *documents) entryNodes(data *ground.Node) []*ground.Node {
	nodes, ref := []*ground.Node{data}, "registry#/definitions/entry"
	switch {
	case data == nil:
		return nil // empty, which the source's `absent` decides on
	case data.Kind == ground.Sequence:
		nodes = data.Items
	case data.Field("prompts") != nil && data.Field("id") == nil:
		ref = "registry#/definitions/wrapper"
	}
	for _, n := range nodes {
		d.found = append(d.found, checked(ref, n)...)
	}
	if list := data.Field("prompts"); list != nil {
		return list.Items
	}
	return nodes
}

// entry decodes one entry. What has no id was reported.
func (d *documents) entry(doc *language.Doc, n *ground.Node) {
	var words decoder // the schema has said what appears twice
	id, ok := words.word(n.Field("id"))
	if !ok || id.Str == "" {
		return
	}
	e := &language.Entry{ID: id, Source: n.Field("source").Scalar(), Content: doc.Body, Doc: doc}
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
	d.Entries[doc] = append(d.Entries[doc], e)
}

// selection decodes the `select` of a section.
func (d *decoder) selection(n *ground.Node) (language.Select, bool) {
	if n.Kind != ground.Mapping {
		return language.Select{}, false
	}
	var out language.Select
	out.IDs, _ = d.words(n.Field("ids"))
	out.Tags, _ = d.words(n.Field("tags"))
	out.Sources, _ = d.words(n.Field("source"))
	out.Servers, _ = d.words(n.Field("server"))
	return out, true
}

// skillFile is what the Agent Skills specification calls the file of a skill.
const skillFile = "SKILL.md"

// skill reports where a skill leaves the Agent Skills specification in what its
// schema cannot say. What common clients take all the same is a note.
func (d *documents) skill(doc *language.Doc) {
	d.fileOfSkill(doc)
	d.folder(doc)
	if n := doc.Front.Field("compatibility"); n.IsScalar() && n.Kind != ground.Null && strings.TrimSpace(n.Text.Str) == "" {
		d.outside(diag.Warning, n.At, "say-what-skill-needs", "compatibility-blank")
	}
	for _, f := range doc.Front.Field("metadata").Entries() {
		if !f.Value.IsScalar() {
			d.outside(diag.Note, f.KeyAt, "programs-differ", "metadata-not-text", f.Key, is(f.Value))
		}
	}
	d.allowedTools(doc.Front.Field("allowed-tools"))
}

// outside adds a finding about a rule of an outside format.
func (d *documents) outside(level diag.Level, at diag.Span, hint, key string, args ...any) {
	found := diag.New(diag.OutsideLimit, at, key, args...).WithHint(hint)
	found.Level = level
	d.found = append(d.found, found)
}

// fileOfSkill reports a file that is not called as programs look for it.
func (d *documents) fileOfSkill(doc *language.Doc) {
	name := path.Base(doc.File.Path)
	at := diag.Whole(doc.File)
	switch {
	case name == skillFile:
	case strings.EqualFold(name, skillFile):
		d.outside(diag.Note, at, "rename-skill-file", "skill-file-name", name, skillFile)
	default:
		d.outside(diag.Warning, at, "rename-skill-file", "skill-file-name", name, skillFile)
	}
}

// folder reports a skill that is not called like its folder.
func (d *documents) folder(doc *language.Doc) {
	name := doc.Front.Field("name")
	folder := path.Base(path.Dir(doc.File.Path))
	if !name.IsScalar() || name.Text.Str == "" || folder == "." || name.Text.Str == folder {
		return
	}
	d.outside(diag.Warning, name.At, "rename-skill-or-folder", "skill-in-folder", name.Text.Str, folder)
}

// allowedTools reports tools that are not one text with blanks between them.
func (d *documents) allowedTools(n *ground.Node) {
	switch {
	case n == nil || n.Kind == ground.Null:
	case n.Kind == ground.Sequence:
		d.outside(diag.Note, n.At, "write-tools-as-text", "tools-are-list")
	case n.IsScalar() && commaBetween(n.Text.Str):
		d.outside(diag.Note, n.At, "write-tools-as-text", "tools-have-commas")
	}
}

// commaBetween reports whether a comma stands outside parentheses.
func commaBetween(s string) bool {
	depth := 0
	for _, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				return true
			}
		}
	}
	return false
}

// lettersOfOthers reports whether a name of a skill follows the specification
// but for letters outside ASCII, which its reference validator takes where they
// are small.
func lettersOfOthers(name string) bool {
	if name == "" || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") || strings.Contains(name, "--") {
		return false
	}
	for _, r := range name {
		if r != '-' && !unicode.IsDigit(r) && !unicode.IsLetter(r) || unicode.ToLower(r) != r {
			return false
		}
	}
	return true
}

// long reports a text that is longer than its format advises: it is read whole
// whenever it is read.
func (d *documents) long(doc *language.Doc, kind *language.Kind) {
	for _, a := range kind.Advice {
		if !strings.HasSuffix(doc.File.Path, a.Suffix) {
			continue
		}
		at := doc.Body.Span(0, len(doc.Body.Str)).FirstLine()
		lines := strings.Count(doc.Body.Str, "\n") + 1
		tokens := (utf8.RuneCountInString(doc.Body.Str) + 3) / 4 // as chars/4 counts them
		switch {
		case lines >= a.Lines:
			d.outside(diag.Note, at, "split-long-text", "text-has-lines", diag.Count(lines), a.Says, diag.Count(a.Lines))
		case a.Tokens > 0 && tokens >= a.Tokens:
			d.outside(diag.Note, at, "split-long-text", "text-has-tokens", diag.Count(tokens), a.Says, diag.Count(a.Tokens))
		}
	}
}
