package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// toolReader brings the tool definitions of one file into the form of the
// Model Context Protocol.
type toolReader struct {
	file  *diag.File
	found diag.List
	tools []*language.Tool
	// guessed says that other data may look like one of the definitions.
	guessed bool
}

// read gives the tools of a file in its order. A value that is no definition
// is a finding.
func (r *toolReader) read(data *ground.Node) []*language.Tool {
	if data == nil {
		return nil // empty, which the source's `absent` decides on
	}
	if size(data, maxFileNodes) > maxFileNodes {
		r.found = append(r.found, diag.New(diag.TooLargeToCheck, data.At.FirstLine(), "file-holds-more-values", diag.Count(maxFileNodes)).
			WithHint("divide-file"))
		return nil
	}
	r.any(data, false, 0)
	names := newDistinct()
	for _, t := range r.tools {
		r.found = append(r.found, names.once(ground.Word{Str: t.Name, At: t.NameAt})...)
	}
	return r.tools
}

// ToolNames gives the names of the tools that a document defines, none of a
// provider's own; nil for any other data, also for what may be tools, with errors. A
// tool with an error may have no name here.
func ToolNames(doc *language.Doc) []string {
	r := toolReader{file: doc.File}
	var names []string
	for _, t := range r.read(doc.Data) {
		if t.Provider != "" {
			return nil
		}
		names = append(names, t.Name)
	}
	switch {
	case !r.found.HasErrors():
		return names
	case r.guessed, slices.ContainsFunc(r.found, func(d diag.Diagnostic) bool {
		return d.Code == diag.UnknownToolShape || d.Code == diag.TooLargeToCheck
	}):
		return nil
	default:
		return append([]string{}, names...)
	}
}

// maxWrappers bounds how deep definitions may be wrapped: a JSON-RPC response
// with a result with a list of Gemini declarations is four.
const maxWrappers = 6

// any reads whatever may hold definitions. declared says that it stands in a
// list of Gemini's function declarations.
func (r *toolReader) any(n *ground.Node, declared bool, depth int) {
	if n.Kind == ground.Sequence && depth < maxWrappers {
		for _, item := range n.Items {
			r.any(item, declared, depth+1)
		}
		return
	}
	if n.Kind != ground.Mapping || depth >= maxWrappers {
		r.unknown(n, "tool-shapes", "tool-definition-expected-mapping", is(n))
		return
	}
	own := r.geminiTool(n)
	if inner, consumed := wrapped(n); inner != nil {
		r.leftOver(n, slices.Concat(consumed, own))
		if cursor := n.Field("nextCursor"); cursor.Scalar() != "" && cursor.Kind != ground.Null {
			r.found = append(r.found, diag.New(diag.PartialToolList, cursor.At.FirstLine(), "list-tools-goes-nextcursor").
				WithHint("fetch-further-pages-join"))
		}
		r.any(inner, consumed[0] == "functionDeclarations" || consumed[0] == "function_declarations", depth+1)
		return
	}
	if len(own) > 0 {
		r.leftOver(n, own)
		return
	}
	if r.providerTool(n) {
		return
	}
	if n.Field("mcpServers") != nil {
		r.unknown(n, "list-tools-of-server", "server-configuration")
		return
	}
	s := r.shape(n, declared)
	if s == nil {
		return
	}
	r.definition(n, s)
}

// wrappers are the mappings around lists of tools: the key with the tools
// first, then what else may stand there without a word.
var wrappers = [][]string{
	{"tools", "resultType", "nextCursor", "ttlMs", "cacheScope", "_meta", "$schema"},
	{"result", "jsonrpc", "id"},
	{"functionDeclarations"},
	{"function_declarations"},
}

// wrapped gives what a mapping around tools holds, nil where it is none.
func wrapped(n *ground.Node) (inner *ground.Node, consumed []string) {
	if len(signalsOf(n)) > 0 || n.Field("name") != nil || n.Field("type") != nil {
		return nil, nil
	}
	for _, w := range wrappers {
		if inner := n.Field(w[0]); inner != nil {
			return inner, w
		}
	}
	return nil, nil
}

func (r *toolReader) definition(n *ground.Node, s *shape) {
	violations := check("tools#/definitions/"+s.name, n)
	for _, v := range violations {
		r.found = append(r.found, v.diagnostics()...)
	}
	body, known := n, s.outer
	if s.body != "" {
		r.beyond(n, s.outer)
		if body = n.Field(s.body); body == nil || body.Kind != ground.Mapping {
			return
		}
		known = s.known
	}
	r.beyond(body, known)
	name := body.Field("name")
	if len(violations) > 0 || !r.name(name) {
		return
	}
	t := &language.Tool{
		Name:        name.Text.Str,
		Description: said(body.Field("description")),
		File:        r.file,
		At:          n.At,
		NameAt:      name.At,
	}
	if d := body.Field("description"); d != nil {
		t.DescAt, t.DescText = d.At, d.Text
	}
	t.Input = r.input(body, s, t.Name)
	output := schemaUnder(body, s.output, s)
	if output != nil {
		r.schema(output, diag.Say("output-schema-of", t.Name))
	}
	c := canonical{own: map[string]*ground.Node{"inputSchema": t.Input, "outputSchema": output}}
	if s.body != "" {
		c.add(n, s.outer)
	}
	c.add(body, append(slices.Clip(known), "title"))
	t.Strict = c.own["strict"].IsTrue()
	t.Canonical = c.text()
	r.tools = append(r.tools, t)
}

// said gives a text, "" for null.
func said(n *ground.Node) string {
	if n == nil || n.Kind != ground.String {
		return ""
	}
	return n.Text.Str
}

// leftOver reports the keys around a list of tools that nothing is done with.
func (r *toolReader) leftOver(n *ground.Node, known []string) {
	r.found = append(r.found, unknowns(others(n, known), known, diag.DroppedToolField, "list-tools-dropped")...)
}

// isPossible reports whether any provider takes a name.
func isPossible(name string) bool { return name != "" && isOf(name, "_.:/-") }

// isPortable reports whether a name is as the Model Context Protocol recommends.
func isPortable(name string) bool { return len(name) <= 128 && isOf(name, "_.-") }

// name checks the name of a tool and reports whether it can be used.
func (r *toolReader) name(n *ground.Node) bool {
	name := n.Scalar()
	switch {
	case name == "":
		r.found = append(r.found, diag.New(diag.BadToolName, n.At, "tools-name-empty").
			WithHint("name-letters-digits"))
		return false
	case !isPossible(name):
		found := diag.New(diag.BadToolName, n.At, "tool-name-no-provider-takes", name)
		if odd, ok := chars.InName(name); ok {
			found = diag.New(diag.BadToolName, n.At, "tool-name-holds", name, odd)
		}
		r.found = append(r.found, found.WithHint("use-letters-digits"))
		return false
	case !isPortable(name):
		r.found = append(r.found, diag.New(diag.UnportableToolName, n.At, "some-providers-refuse-tool", name).
			WithHint("use-most-64-letters"))
	}
	return true
}

func (r *toolReader) unknown(n *ground.Node, hint, key string, args ...any) {
	r.found = append(r.found, diag.New(diag.UnknownToolShape, n.At.FirstLine(), key, args...).WithHint(hint))
}

// shape is how one family of interfaces writes a tool.
type shape struct {
	name string // of its definition in the schema `tools`
	// body is the key of the mapping that holds name and schema, "" where
	// the definition itself does.
	body string
	// input and output are the keys of the schemas; of several at most one
	// is there.
	input, output []string
	// optional says that a tool may have no input schema.
	optional bool
	// outer and known are the keys of the definition, and of its body, that
	// are used or say nothing more. What else is there is kept.
	outer, known []string
}

// shapes are the known ones, in the order of the documentation.
var shapes = []shape{
	{
		name: "mcp", input: []string{"inputSchema"}, output: []string{"outputSchema"},
		outer: []string{"name", "title", "description", "inputSchema", "outputSchema", "strict"},
	},
	{
		name: "openai-chat", body: "function", input: []string{"parameters"}, optional: true,
		outer: []string{"type", "function"}, known: []string{"name", "description", "parameters", "strict"},
	},
	{
		name: "openai-responses", input: []string{"parameters"}, output: []string{"output_schema"}, optional: true,
		outer: []string{"type", "name", "description", "parameters", "strict", "output_schema"},
	},
	{
		name: "anthropic", input: []string{"input_schema"},
		outer: []string{"type", "name", "description", "input_schema", "strict"},
	},
	{
		name: "gemini", input: []string{"parameters", "parametersJsonSchema"}, output: []string{"response", "responseJsonSchema"}, optional: true,
		outer: []string{"name", "description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"},
	},
}

// signals are the keys that give a shape away.
var signals = []string{"inputSchema", "input_schema", "function", "parameters", "parametersJsonSchema"}

func signalsOf(n *ground.Node) []string {
	var out []string
	for _, s := range signals {
		if n.Field(s) != nil {
			out = append(out, s)
		}
	}
	return out
}

// shape tells which shape a definition has. Nil is reported.
func (r *toolReader) shape(n *ground.Node, declared bool) *shape {
	found := signalsOf(n)
	kind := n.Field("type").Scalar()
	name := ""
	switch {
	case n.Field("response") != nil && n.Field("responseJsonSchema") != nil && (declared || slices.Contains(found, "parametersJsonSchema")):
		r.unknown(n, "keep-one", "tool-definition-response-responsejsonschema")
		return nil
	case len(found) > 1:
		r.unknown(n, "keep-one", "tool-definition-expected-only", diag.Names(found))
		return nil
	case kind != "" && kind != "function" && kind != "custom":
		r.unknown(n, "known-tool-types", "tool-type-unknown", kind)
		return nil
	case slices.Equal(found, []string{"inputSchema"}):
		name = "mcp"
	case slices.Equal(found, []string{"input_schema"}):
		name = "anthropic"
	case slices.Equal(found, []string{"function"}):
		name = "openai-chat"
	case kind == "function":
		name = "openai-responses"
	case declared, len(found) == 1:
		name = "gemini"
	default:
		r.unknown(n, "tool-shapes-or-none", "tool-definition-no-schema")
		return nil
	}
	named := n.Field("name") != nil && (name == "mcp" || name == "anthropic")
	r.guessed = r.guessed || !named && !declared && kind != "function"
	i := slices.IndexFunc(shapes, func(s shape) bool { return s.name == name })
	return &shapes[i]
}

// carried are the keys of the protocol's own form that definitions of any shape
// may have without a word.
var carried = []string{"title", "annotations", "icons", "execution", "_meta"}

// canonicalOrder are the keys that come first in the canonical form.
var canonicalOrder = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}

// canonical collects a definition in its canonical form: all that it says, so
// that nothing of it can change unseen.
type canonical struct {
	own  map[string]*ground.Node // by the keys of ownKeys; what is not said is nil
	rest []ground.Field
}

// ownKeys are the keys that mean the same in every definition's canonical form.
var ownKeys = []string{"name", "title", "description", "inputSchema", "outputSchema", "strict"}

// wordKinds are those that every shape writes in the same way, with the kind of
// their values.
var wordKinds = map[string]ground.NodeKind{
	"name": ground.String, "title": ground.String, "description": ground.String, "strict": ground.Bool,
}

// add takes the fields of a mapping, of which known are the keys that its shape
// has there.
func (c *canonical) add(n *ground.Node, known []string) {
	for _, f := range n.Fields {
		kind, word := wordKinds[f.Key]
		switch {
		case !slices.Contains(known, f.Key), word && f.Value.Kind != kind && f.Value.Kind != ground.Null:
			c.rest = append(c.rest, f)
		case word && f.Value.Scalar() != "" && f.Value.Kind != ground.Null: // an empty text says nothing
			c.own[f.Key] = f.Value
		}
	}
}

// text writes the canonical JSON. What has the key of something else there gets
// a '_' before it.
func (c *canonical) text() string {
	n := &ground.Node{Kind: ground.Mapping}
	taken := map[string]bool{}
	for _, key := range ownKeys {
		taken[key] = true
		if value := c.own[key]; value != nil {
			n.Fields = append(n.Fields, ground.Field{Key: key, Value: value})
		}
	}
	for _, f := range c.rest {
		for taken[f.Key] {
			f.Key = "_" + f.Key
		}
		taken[f.Key] = true
		n.Fields = append(n.Fields, f)
	}
	return canon.Object(n, canonicalOrder) + "\n"
}

// beyond reports the keys of a definition's mapping that its shape does not
// have. They are kept, so that they show where they change.
func (r *toolReader) beyond(n *ground.Node, known []string) {
	known = slices.Concat(known, carried)
	r.found = append(r.found, unknowns(others(n, known), known,
		diag.DroppedToolField, "tool-definition-snapshot-no")...)
}
