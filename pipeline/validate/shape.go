package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

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

// shapeHints name the shapes by what tells them apart.
var shapeHints = []string{
	"`inputSchema` (MCP)", "`type: function` with `function` or `parameters` (OpenAI)",
	"`input_schema` (Anthropic)", "or stands under `functionDeclarations` (Gemini)",
}

// signals are the keys that give a shape away.
var signals = []string{"inputSchema", "input_schema", "function", "parameters", "parametersJsonSchema"}

func signalsOf(n *prompt.Node) []string {
	var out []string
	for _, s := range signals {
		if n.Field(s) != nil {
			out = append(out, s)
		}
	}
	return out
}

// shape tells which shape a definition has. Nil is reported.
func (r *toolReader) shape(n *prompt.Node, declared bool) *shape {
	found := signalsOf(n)
	kind := n.Field("type").Scalar()
	name := ""
	switch {
	case slices.Equal(found, []string{"parameters", "parametersJsonSchema"}):
		return r.exclusive(n, found)
	case n.Field("response") != nil && n.Field("responseJsonSchema") != nil && (declared || slices.Contains(found, "parametersJsonSchema")):
		return r.exclusive(n, []string{"response", "responseJsonSchema"})
	case len(found) > 1:
		r.unknown(n, "a tool definition has %s, of which each belongs to another shape", list(quoted(found)))
		return nil
	case kind == "namespace":
		r.unknown(n, "the tools of a \"namespace\" are a group, which not every provider takes")
		r.found[len(r.found)-1].Hint = "list its tools by themselves, without the group"
		return nil
	case kind != "" && kind != "function" && kind != "custom":
		r.unknown(n, "a tool of type %s is a provider's own, without a schema", quote(kind))
		r.found[len(r.found)-1].Hint = "leave it out here, and name it where requests are made"
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
		r.nameless(n)
		return nil
	}
	i := slices.IndexFunc(shapes, func(s shape) bool { return s.name == name })
	return &shapes[i]
}

// exclusive reports two keys of Gemini's that say the same in two ways.
func (r *toolReader) exclusive(n *prompt.Node, keys []string) *shape {
	r.unknown(n, "a tool definition has %s, of which Gemini takes one", list(quoted(keys)))
	r.found[len(r.found)-1].Hint = "keep " + quote(keys[1]) + ", which takes all of JSON Schema"
	return nil
}

// nameless reports a mapping that shows no shape.
func (r *toolReader) nameless(n *prompt.Node) {
	name := n.Field("name")
	if !name.IsScalar() {
		r.unknown(n, "a mapping is no tool definition of a known shape")
		return
	}
	r.unknown(n, "the tool %s has no schema of a known shape", quote(name.Text.Str))
	last := &r.found[len(r.found)-1]
	for _, f := range n.Fields[:min(len(n.Fields), maxHints)] {
		if d := withNear(*last, f.Key, signals); d.Hint != last.Hint && !strings.EqualFold(f.Key, "name") {
			*last = d
			return
		}
	}
	last.Hint = "write `inputSchema: {type: object}` for a tool without arguments; " + last.Hint
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return out
}
