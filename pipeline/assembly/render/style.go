package render

import (
	"embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// builtIn holds every sentence that a kind emits by itself, a file for each
// kind and style.
//
//go:embed styles
var builtIn embed.FS

// Limits on a template that somebody else wrote.
const (
	maxTemplateBytes = 256 << 10
	// maxTemplateDepth bounds nested if, with and range.
	maxTemplateDepth = 32
	// maxTemplateSteps and maxTemplateOutput bound what one section's
	// templates may do: nodes visited, bytes written.
	maxTemplateSteps  = 1 << 20
	maxTemplateOutput = 16 << 20
)

// style is a parsed template file: a frame and named blocks.
type style struct {
	kind string
	// body is the template with its places; none for a built-in one.
	body   ground.Text
	frame  []parse.Node // nil where the file only defines blocks
	blocks map[string][]parse.Node
	// base supplies what the file does not define; nil for the last resort.
	base *style
}

// frameNodes gives the frame and the style that it stands in.
func (s *style) frameNodes() (*style, []parse.Node) {
	for ; s != nil; s = s.base {
		if s.frame != nil {
			return s, s.frame
		}
	}
	return nil, nil
}

// block gives a block and the style that it stands in.
func (s *style) block(name string) (*style, []parse.Node) {
	for ; s != nil; s = s.base {
		if b, ok := s.blocks[name]; ok {
			return s, b
		}
	}
	return nil, nil
}

// place gives the span of n bytes of the template.
func (s *style) place(pos parse.Pos, n int) diag.Span {
	start := min(int(pos), len(s.body.Str))
	return s.body.Span(start, min(start+n, len(s.body.Str)))
}

// shelf holds the styles of one run, each parsed once.
type shelf struct {
	own   map[string]*style
	users map[userStyle]*style
	found diag.List
}

type userStyle struct {
	kind string
	doc  *language.Doc
	base *style
}

func newShelf() *shelf {
	return &shelf{own: map[string]*style{}, users: map[userStyle]*style{}}
}

// named gives a built-in style by its file's name, or nil.
func (sh *shelf) named(kind, name string) *style {
	file := kind + "." + name
	if s, ok := sh.own[file]; ok {
		return s
	}
	text, err := builtIn.ReadFile("styles/" + file + ".tmpl")
	if err != nil {
		return nil
	}
	s := &style{kind: kind}
	sh.own[file] = s
	s.read(string(text), &sh.found)
	if file != lastResort {
		s.base = sh.named("any", "default")
	}
	return s
}

// lastResort is the style whose blocks serve where no other has them.
const lastResort = "any.default"

// user gives the style of somebody's template file over the built-in one that
// supplies what the file leaves out. One that cannot be used is reported, and
// the built-in one stands in.
func (sh *shelf) user(kind string, doc *language.Doc, base *style) *style {
	key := userStyle{kind: kind, doc: doc, base: base}
	if s, ok := sh.users[key]; ok {
		return s
	}
	s := &style{kind: kind, body: doc.Body, base: base}
	if len(doc.Body.Str) > maxTemplateBytes {
		sh.found = append(sh.found, diag.New(diag.BadTemplate, diag.Whole(doc.File),
			"template-bytes-most-read", doc.File.Path, len(doc.Body.Str), maxTemplateBytes))
		s = base
	} else if !s.read(doc.Body.Str, &sh.found) {
		s = base
	}
	sh.users[key] = s
	return s
}

// read parses and checks a template.
func (s *style) read(text string, found *diag.List) bool {
	s.blocks = map[string][]parse.Node{}
	tree := parse.New(treeName)
	tree.Mode = parse.SkipFuncCheck
	set := map[string]*parse.Tree{}
	root, err := tree.Parse(text, "", "", set)
	if err != nil {
		*found = append(*found, s.syntaxError(err))
		return false
	}
	before := len(*found)
	c := checker{s: s, found: found}
	names := make([]string, 0, len(set))
	for name := range set {
		if set[name] != root {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		s.blocks[name] = set[name].Root.Nodes
		c.block(name, set[name].Root)
	}
	s.frame = trimFrame(root.Root.Nodes)
	if !hasContent(s.frame) {
		s.frame = nil
	}
	c.nodes(s.frame, []fieldSet{fieldsOf(s.kind, "")})
	return len(*found) == before
}

// treeName is what the parser calls the file; it stands in its messages.
const treeName = "template"

var parseError = regexp.MustCompile(`(?s)^template: [^:]*:(\d+):(?:\d+:)? ?(.*)$`)

// parserSays reads an error of the parser, which has its line in the text alone.
func parserSays(err error) (message string, line int) {
	message, line = strings.TrimPrefix(err.Error(), "template: "), 1
	if m := parseError.FindStringSubmatch(err.Error()); m != nil {
		message = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	message, _, _ = strings.Cut(message, "\n")
	return message, line
}

// syntaxError places what the parser found. It tells the line alone; the
// first action on it is the likeliest place.
func (s *style) syntaxError(err error) diag.Diagnostic {
	message, line := parserSays(err)
	start := 0
	for range line - 1 {
		next := strings.IndexByte(s.body.Str[start:], '\n')
		if next < 0 {
			break
		}
		start += next + 1
	}
	text, _, _ := strings.Cut(s.body.Str[start:], "\n")
	if open := strings.Index(text, "{{"); open >= 0 {
		start, text = start+open, text[open:]
	}
	return diag.New(diag.BadTemplate, s.body.Span(start, start+len(text)), "template-not-parse", message)
}

// trimFrame gives the nodes of a file without outer white space: the line
// breaks around and between its definitions are no part of the frame.
func trimFrame(nodes []parse.Node) []parse.Node {
	nodes = slices.Clone(nodes)
	for len(nodes) > 0 && trimText(&nodes[0], strings.TrimLeft) {
		nodes = nodes[1:]
	}
	for len(nodes) > 0 && trimText(&nodes[len(nodes)-1], strings.TrimRight) {
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}

// trimText takes the line breaks off one end of a node of text, and says whether
// nothing is left of it. A trim of the start moves its place.
func trimText(n *parse.Node, trim func(s, cutset string) string) bool {
	t, ok := (*n).(*parse.TextNode)
	if !ok {
		return false
	}
	rest := trim(string(t.Text), "\n")
	start := strings.LastIndex(string(t.Text), rest)
	*n = &parse.TextNode{NodeType: parse.NodeText, Pos: t.Pos + parse.Pos(start), Text: []byte(rest)}
	return rest == ""
}

func hasContent(nodes []parse.Node) bool {
	return slices.ContainsFunc(nodes, func(n parse.Node) bool { return n.Type() != parse.NodeComment })
}

// suggestion turns the known names into a hint, led by a close one.
func suggestion(name string, known []string) diag.Words {
	if best, ok := suggest.Best(name, known); ok {
		return diag.Say("did-you-mean", best)
	}
	if len(known) == 0 {
		return diag.Say("no-fields-here")
	}
	return diag.Say("known", strings.Join(known, ", "))
}

// Field is a name that a template may use. docs/manifest.md lists them.
type Field struct {
	Name string
	// List is what each element of a list offers, for `range`; Part what a
	// group of fields offers, for `with` or as `.Group.Field`. A field with
	// neither is text, or with Flag only a condition.
	List []Field
	Part []Field
	Flag bool
}

// Template is what the templates of a kind may use: in the frame, and in each
// block that a file may define.
type Template struct {
	Kind string
	// Frame are the fields of the file itself.
	Frame []Field
	// Item are the fields of the block "item"; nil where the kind has none.
	Item []Field
	// Cut are the fields of the block "cut", the line that says what a limit
	// took away.
	Cut []Field
	// Flags are the fields of every block and of the frame.
	Flags []Field
}

// textFields are fields that are text.
func textFields(names ...string) []Field {
	var out []Field
	for _, name := range names {
		out = append(out, Field{Name: name})
	}
	return out
}

// and adds flags to fields.
func and(fields []Field, flags ...string) []Field {
	for _, name := range flags {
		fields = append(fields, Field{Name: name, Flag: true})
	}
	return fields
}

// charFields are of a cut that counts characters.
func charFields() []Field { return textFields("Shown", "Total", "Limit") }

// Templates is the table of what templates may use, by kind. Every kind's
// file may define the block "heading", too, which has the flags alone.
var Templates = []Template{
	{Kind: "any", Cut: charFields()},
	{Kind: "text", Cut: charFields()},
	{Kind: "identity", Frame: textFields("Name", "Emoji", "Creature", "Vibe", "Theme")},
	{Kind: "soul", Cut: charFields(), Frame: textFields("Body")},
	{Kind: "user", Frame: textFields("Name")},
	{Kind: "rules", Cut: charFields(), Frame: textFields("Items", "Count"), Item: textFields("Path", "Description")},
	{
		Kind: "skills", Flags: and(nil, "Full", "Compact", "Names"), Frame: textFields("Items", "Count", "Cut"),
		Item: textFields("Name", "Description", "Path"), Cut: charFields(),
	},
	{Kind: "subagents", Cut: charFields(), Frame: textFields("Items", "Count"), Item: textFields("Name", "Description")},
	{
		Kind: "tools",
		// Schema and Object stand over several lines, keys sorted; Function is OpenAI's
		// chat format on one line, Dict that of Llama's prompts.
		Item: append(textFields("Name", "Description", "Summary", "Schema", "Fence", "Object", "Function", "Dict"),
			Field{Name: "Parameters", List: and(textFields("Name", "Type", "Description"), "Required")}),
		// The example is of the first tool with required parameters, else of the first.
		Frame: append(textFields("Items", "Count", "Fence"), Field{Name: "Example", Part: append(textFields("Tool", "Arguments", "Call", "Fence"),
			Field{Name: "Parameters", List: textFields("Name", "Value")})}),
	},
	{Kind: "context", Frame: textFields("Items", "Count", "Cut"), Item: textFields("Path", "Body"), Cut: textFields("Files", "Limit")},
	{Kind: "workspace", Cut: charFields(), Frame: textFields("Items", "Count"), Item: textFields("Name", "Path", "Body")},
	{Kind: "runtime", Frame: and(textFields("Host", "Sandbox"), "Routing", "Sandboxed")},
	{Kind: "goal", Frame: append(and(textFields("Description", "Priority", "Status"), "Paused"),
		Field{Name: "Checkpoints", List: and(textFields("Number", "Description"), "Completed", "InProgress", "Pending", "Blocked")},
		Field{Name: "Decisions", List: and(textFields("Description"), "Locked")},
		Field{Name: "Artifacts", List: textFields("Action", "Path")})},
	{Kind: "registry", Cut: charFields(), Frame: textFields("Items", "Count"), Item: textFields("ID", "Name", "Description", "Server", "Body")},
	{Kind: "records", Cut: charFields(), Frame: textFields("Items", "Count"), Item: textFields("Text", "Path", "Action", "Task", "Outcome")},
}

// templateOf gives the row of a kind; one without fields for any other.
func templateOf(kind string) Template {
	i := slices.IndexFunc(Templates, func(t Template) bool { return t.Kind == kind })
	if i < 0 {
		return Template{Kind: kind, Cut: charFields()}
	}
	return Templates[i]
}

// blockNames are the blocks that a file of a kind may define.
func blockNames(kind string) []string {
	t := templateOf(kind)
	names := []string{"heading"}
	if t.Item != nil {
		names = append(names, "item", "separator")
	}
	if t.Cut != nil {
		names = append(names, "cut")
	}
	return names
}

// fieldSet is what a place in a template offers.
type fieldSet []Field

// fieldsOf gives the fields of a block, or of the frame for "".
func fieldsOf(kind, block string) fieldSet {
	t := templateOf(kind)
	own := map[string][]Field{"": t.Frame, "item": t.Item, "cut": t.Cut}[block]
	return slices.Concat(fieldSet(own), t.Flags)
}

func (f fieldSet) lookup(name string) (Field, bool) {
	i := slices.IndexFunc(f, func(x Field) bool { return x.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return f[i], true
}

func (f fieldSet) names() []string {
	var out []string
	for _, x := range f {
		out = append(out, "."+x.Name)
	}
	return out
}
