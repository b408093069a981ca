package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolForm is what a form of tools puts into the text and beside it.
type toolForm struct {
	name   string
	text   bool
	items  bool
	beside bool
}

// toolForms is the table; the first is the default.
var toolForms = []toolForm{
	{name: "native", text: true, beside: true},
	{name: "fallback", text: true, items: true},
	{name: "schemas", beside: true},
	{name: "declare"},
}

// toolsBody prints tools, and adds them to what the variant has.
func toolsBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	tools := toolsOf(group)
	if len(tools) == 0 {
		return passage{}
	}
	form := toolForms[max(slices.IndexFunc(toolForms, func(f toolForm) bool { return f.name == in.Form }), 0)]
	b.out.Tools = append(b.out.Tools, tools...)
	b.out.Beside = b.out.Beside || form.beside
	if !form.text {
		return passage{}
	}
	var pieces []piece
	var all strings.Builder
	for _, t := range tools {
		p := piece{data: toolData(t)}
		if form.items {
			p.name, p.file = t.Name, t.File
			all.WriteString(p.data.lookup("Object").p.text.Str)
		}
		pieces = append(pieces, p)
	}
	return b.uncut(in, b.layout(b.style(in), pieces, nil, scope{
		textEntry("Fence", prompt.Literal(markdown.Fence(all.String()))),
		partEntry("Example", exampleOf(tools)),
	}))
}

// toolsOf gives the tools of several sources. Where each is in the order of
// names, as without `only`, the whole is, too.
func toolsOf(group []*prompt.Input) []*prompt.Tool {
	byName := func(a, b *prompt.Tool) int { return strings.Compare(a.Name, b.Name) }
	var all []*prompt.Tool
	sorted := true
	for _, in := range group {
		all = append(all, in.Tools...)
		sorted = sorted && slices.IsSortedFunc(in.Tools, byName)
	}
	if sorted && len(group) > 1 {
		slices.SortStableFunc(all, byName)
	}
	return all
}

// toolData gives the fields of the block "item". Nothing in them is expanded:
// what stands in the text is what goes beside it.
func toolData(t *prompt.Tool) scope {
	name := placed(t.Name, t.NameAt)
	description := plain(placed(t.Description, t.DescAt))
	schema := canon.Indent(schemaOf(t))
	return scope{
		textEntry("Name", name),
		passEntry("Description", description.trimOuter()),
		passEntry("Summary", summary(description)),
		textEntry("Schema", derived(schema, t.At)),
		textEntry("Fence", prompt.Literal(markdown.Fence(schema))),
		textEntry("Object", derived(objectJSON(t), t.At)),
		textEntry("Function", derived(functionJSON(t), t.At)),
		textEntry("Dict", derived(dictJSON(t), t.At)),
		listEntry("Parameters", parametersOf(t)),
	}
}

// parametersOf gives a tool's parameters, the required first and in the order
// in which the schema requires them, the others as written.
func parametersOf(t *prompt.Tool) []scope {
	schema := schemaOf(t)
	entries := func(name string, at diag.Span, schema *prompt.Node, required bool) scope {
		return scope{
			textEntry("Name", derived(name, at)),
			textEntry("Type", prompt.Literal(append(typesOf(schema), "")[0])),
			passEntry("Description", oneLine(plain(scalarText(schema.Field("description"))))),
			flagEntry("Required", required),
		}
	}
	needed := map[string]int{} // the places in out
	var out, rest []scope
	for i, name := range requiredOf(schema) {
		needed[name] = i
		out = append(out, entries(name, schema.At, nil, true))
	}
	for _, f := range schema.Field("properties").Entries() {
		if i, is := needed[f.Key]; is {
			out[i] = entries(f.Key, f.KeyAt, f.Value, true)
		} else {
			rest = append(rest, entries(f.Key, f.KeyAt, f.Value, false))
		}
	}
	return append(out, rest...)
}

// exampleOf gives the worked example: a call of the first tool that must be
// given something, else of the first.
func exampleOf(tools []*prompt.Tool) scope {
	t := tools[0]
	for _, x := range tools {
		if len(requiredOf(schemaOf(x))) > 0 {
			t = x
			break
		}
	}
	args := sampleArguments(schemaOf(t))
	line := canon.Inline(args)
	var list []scope
	for _, f := range args.Fields {
		value := canon.Inline(f.Value)
		if f.Value.Kind == prompt.String {
			value = f.Value.Text.Str
		}
		list = append(list, scope{textEntry("Name", derived(f.Key, t.At)), textEntry("Value", derived(value, t.At))})
	}
	return scope{
		textEntry("Tool", placed(t.Name, t.NameAt)),
		textEntry("Arguments", derived(line, t.At)),
		textEntry("Call", derived(pythonCall(t.Name, args), t.At)),
		textEntry("Fence", prompt.Literal(markdown.Fence(line))),
		listEntry("Parameters", list),
	}
}

// emptySchema is that of a tool that declares none.
//
//nolint:gochecknoglobals // a constant that is a value; nothing changes it
var emptySchema = mapping(
	field("type", str("object")),
	field("properties", mapping()),
)

func schemaOf(t *prompt.Tool) *prompt.Node {
	if t.Input == nil {
		return emptySchema
	}
	return t.Input
}

// Nodes made here, for what is written around a schema.
func str(s string) *prompt.Node { return &prompt.Node{Kind: prompt.String, Text: prompt.Literal(s)} }

func scalar(kind prompt.NodeKind, s string) *prompt.Node {
	return &prompt.Node{Kind: kind, Text: prompt.Literal(s)}
}

func mapping(fields ...prompt.Field) *prompt.Node {
	return &prompt.Node{Kind: prompt.Mapping, Fields: fields}
}
func field(key string, v *prompt.Node) prompt.Field { return prompt.Field{Key: key, Value: v} }

// definition gives the fields that describe a tool, with its parameters as
// given.
func definition(t *prompt.Tool, parameters *prompt.Node) []prompt.Field {
	out := []prompt.Field{field("name", str(t.Name))}
	if t.Description != "" {
		out = append(out, field("description", str(t.Description)))
	}
	return append(out, field("parameters", parameters))
}

// functionJSON gives the tool in OpenAI's chat shape on one line, as the
// prompts of Hermes and Qwen list it.
func functionJSON(t *prompt.Tool) string {
	return `{"type": "function", "function": ` + canon.Listed(definition(t, schemaOf(t))...) + "}"
}

// dictJSON gives the tool in the shape of Llama's prompts on one line: the
// parameters are a "dict" with what is required and the properties.
func dictJSON(t *prompt.Tool) string {
	schema := schemaOf(t)
	required := cmp.Or(schema.Field("required"), &prompt.Node{Kind: prompt.Sequence})
	properties := cmp.Or(schema.Field("properties"), mapping())
	inner := canon.Listed(field("type", str("dict")), field("required", required), field("properties", properties))
	return strings.TrimSuffix(canon.Listed(definition(t, str(""))...), `""}`) + inner + "}"
}

// objectJSON gives name, description and parameters over several lines.
func objectJSON(t *prompt.Tool) string {
	return canon.Object(mapping(definition(t, schemaOf(t))...), []string{"name", "description", "parameters"})
}

// pythonCall gives a call in Python's syntax, as Llama's models answer.
func pythonCall(name string, args *prompt.Node) string {
	var parts []string
	for _, f := range args.Fields {
		parts = append(parts, f.Key+"="+pythonValue(f.Value))
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func pythonValue(n *prompt.Node) string {
	var parts []string
	switch n.Kind {
	case prompt.String:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(n.Text.Str) + "'"
	case prompt.Sequence:
		for _, item := range n.Items {
			parts = append(parts, pythonValue(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case prompt.Mapping:
		for _, f := range n.Fields {
			parts = append(parts, pythonValue(str(f.Key))+": "+pythonValue(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case prompt.Null, prompt.Bool, prompt.Number:
	}
	switch text := canon.Compact(n); text {
	case "null":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	default:
		return text
	}
}

// requiredOf gives the names that a schema requires, each once.
func requiredOf(schema *prompt.Node) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range schema.Field("required").List() {
		if n.Kind == prompt.String && !seen[n.Text.Str] {
			seen[n.Text.Str] = true
			out = append(out, n.Text.Str)
		}
	}
	return out
}

// typesOf gives the JSON types that a schema allows, without null.
func typesOf(schema *prompt.Node) []string {
	n := schema.Field("type")
	if n == nil {
		return nil
	}
	items := n.Items
	if n.Kind == prompt.String {
		items = []*prompt.Node{n}
	}
	var out []string
	for _, item := range items {
		if item.Kind == prompt.String && item.Text.Str != "null" {
			out = append(out, item.Text.Str)
		}
	}
	return out
}

// Limits on a sample, so that a schema that refers to itself has an end.
const (
	maxSampleDepth = 6
	maxSampleNodes = 200
)

// sampler makes one value that a schema asks for.
type sampler struct {
	root  *prompt.Node
	nodes int
}

// sampleArguments gives the required arguments of a tool with sample values.
func sampleArguments(schema *prompt.Node) *prompt.Node {
	s := sampler{root: schema}
	return s.object(schema, 0)
}

func (s *sampler) object(schema *prompt.Node, depth int) *prompt.Node {
	out := mapping()
	for _, name := range requiredOf(schema) {
		if s.nodes++; s.nodes > maxSampleNodes {
			break
		}
		out.Fields = append(out.Fields, field(name, s.value(schema.Field("properties").Field(name), depth+1)))
	}
	return out
}

// statedBy are the keywords that give a value outright; of a list, the first.
var statedBy = []struct {
	key  string
	list bool
}{{"const", false}, {"enum", true}, {"default", false}, {"examples", true}, {"example", false}}

// alternatives are the keywords of which one schema will do.
var alternatives = []string{"anyOf", "oneOf", "allOf"}

func (s *sampler) value(schema *prompt.Node, depth int) *prompt.Node {
	s.nodes++
	if schema == nil || depth > maxSampleDepth || s.nodes > maxSampleNodes {
		return str(sampleText)
	}
	for _, by := range statedBy {
		n := schema.Field(by.key)
		if by.list {
			n = n.Step("0")
		}
		if n != nil && n.Kind != prompt.Null {
			return n
		}
	}
	if target := s.target(schema.Field("$ref")); target != nil {
		return s.value(target, depth+1)
	}
	if types := typesOf(schema); len(types) > 0 {
		return s.typed(types[0], schema, depth)
	}
	for _, key := range alternatives {
		for _, option := range schema.Field(key).List() {
			if types := typesOf(option); len(types) > 0 || option.Field("type") == nil {
				return s.value(option, depth+1)
			}
		}
	}
	if schema.Field("properties") != nil {
		return s.object(schema, depth)
	}
	return str(sampleText)
}

// sampleText stands for text of which nothing more is known.
const sampleText = "example"

// samples are the values of a type, by the format where one is named.
var samples = []struct {
	kind, format string
	node         prompt.NodeKind
	text         string
	bound        string // the keyword whose value serves instead
}{
	{"string", "date", prompt.String, "2026-01-31", ""},
	{"string", "date-time", prompt.String, "2026-01-31T09:30:00Z", ""},
	{"string", "time", prompt.String, "09:30:00Z", ""},
	{"string", "uri", prompt.String, "https://example.com", ""},
	{"string", "email", prompt.String, "someone@example.com", ""},
	{"string", "uuid", prompt.String, "00000000-0000-4000-8000-000000000000", ""},
	{"string", "", prompt.String, sampleText, ""},
	{"integer", "", prompt.Number, "1", "minimum"},
	{"number", "", prompt.Number, "1", "minimum"},
	{"boolean", "", prompt.Bool, "true", ""},
}

func (s *sampler) typed(kind string, schema *prompt.Node, depth int) *prompt.Node {
	switch kind {
	case "object":
		return s.object(schema, depth)
	case "array":
		return &prompt.Node{Kind: prompt.Sequence, Items: []*prompt.Node{s.value(schema.Field("items"), depth+1)}}
	}
	for _, sample := range samples {
		if sample.kind != kind || sample.format != "" && sample.format != schema.Field("format").Scalar() {
			continue
		}
		if bound := schema.Field(sample.bound); sample.bound != "" && bound != nil && bound.Kind == prompt.Number {
			return bound
		}
		return scalar(sample.node, sample.text)
	}
	return str(sampleText)
}

// target follows a reference within the schema.
func (s *sampler) target(ref *prompt.Node) *prompt.Node {
	path, ok := strings.CutPrefix(ref.Scalar(), "#/")
	if !ok {
		return nil
	}
	n := s.root
	for part := range strings.SplitSeq(path, "/") {
		n = n.Field(strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
	}
	return n
}
