package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
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
func toolsBody(b *bench, group []*assembly.Input) passage {
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
		textEntry("Fence", ground.Literal(markdown.Fence(all.String()))),
		partEntry("Example", exampleOf(tools)),
	}))
}

// toolsOf gives the tools of several sources. Where each is in the order of
// names, as without `only`, the whole is, too.
func toolsOf(group []*assembly.Input) []*language.Tool {
	byName := func(a, b *language.Tool) int { return strings.Compare(a.Name, b.Name) }
	var all []*language.Tool
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
func toolData(t *language.Tool) scope {
	name := placed(t.Name, t.NameAt)
	description := plain(placed(t.Description, t.DescAt))
	schema := canon.Indent(schemaOf(t))
	return scope{
		textEntry("Name", name),
		passEntry("Description", description.trimOuter()),
		passEntry("Summary", summary(description)),
		textEntry("Schema", derived(schema, t.At)),
		textEntry("Fence", ground.Literal(markdown.Fence(schema))),
		textEntry("Object", derived(objectJSON(t), t.At)),
		textEntry("Function", derived(functionJSON(t), t.At)),
		textEntry("Dict", derived(dictJSON(t), t.At)),
		listEntry("Parameters", parametersOf(t)),
	}
}

// parametersOf gives a tool's parameters, the required first and in the order
// in which the schema requires them, the others as written.
func parametersOf(t *language.Tool) []scope {
	schema := schemaOf(t)
	entries := func(name string, at diag.Span, schema *ground.Node, required bool) scope {
		return scope{
			textEntry("Name", derived(name, at)),
			textEntry("Type", ground.Literal(append(typesOf(schema), "")[0])),
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
func exampleOf(tools []*language.Tool) scope {
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
		if f.Value.Kind == ground.String {
			value = f.Value.Text.Str
		}
		list = append(list, scope{textEntry("Name", derived(f.Key, t.At)), textEntry("Value", derived(value, t.At))})
	}
	return scope{
		textEntry("Tool", placed(t.Name, t.NameAt)),
		textEntry("Arguments", derived(line, t.At)),
		textEntry("Call", derived(pythonCall(t.Name, args), t.At)),
		textEntry("Fence", ground.Literal(markdown.Fence(line))),
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

func schemaOf(t *language.Tool) *ground.Node {
	if t.Input == nil {
		return emptySchema
	}
	return t.Input
}

// Nodes made here, for what is written around a schema.
func str(s string) *ground.Node { return &ground.Node{Kind: ground.String, Text: ground.Literal(s)} }

func scalar(kind ground.NodeKind, s string) *ground.Node {
	return &ground.Node{Kind: kind, Text: ground.Literal(s)}
}

func mapping(fields ...ground.Field) *ground.Node {
	return &ground.Node{Kind: ground.Mapping, Fields: fields}
}
func field(key string, v *ground.Node) ground.Field { return ground.Field{Key: key, Value: v} }

// definition gives the fields that describe a tool, with its parameters as
// given.
func definition(t *language.Tool, parameters *ground.Node) []ground.Field {
	out := []ground.Field{field("name", str(t.Name))}
	if t.Description != "" {
		out = append(out, field("description", str(t.Description)))
	}
	return append(out, field("parameters", parameters))
}

// functionJSON gives the tool in OpenAI's chat shape on one line, as the
// prompts of Hermes and Qwen list it.
func functionJSON(t *language.Tool) string {
	return `{"type": "function", "function": ` + canon.Listed(definition(t, schemaOf(t))...) + "}"
}

// dictJSON gives the tool in the shape of Llama's prompts on one line: the
// parameters are a "dict" with what is required and the properties.
func dictJSON(t *language.Tool) string {
	schema := schemaOf(t)
	required := cmp.Or(schema.Field("required"), &ground.Node{Kind: ground.Sequence})
	properties := cmp.Or(schema.Field("properties"), mapping())
	inner := canon.Listed(field("type", str("dict")), field("required", required), field("properties", properties))
	return strings.TrimSuffix(canon.Listed(definition(t, str(""))...), `""}`) + inner + "}"
}

// objectJSON gives name, description and parameters over several lines.
func objectJSON(t *language.Tool) string {
	return canon.Object(mapping(definition(t, schemaOf(t))...), []string{"name", "description", "parameters"})
}

// pythonCall gives a call in Python's syntax, as Llama's models answer.
func pythonCall(name string, args *ground.Node) string {
	var parts []string
	for _, f := range args.Fields {
		parts = append(parts, f.Key+"="+pythonValue(f.Value))
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func pythonValue(n *ground.Node) string {
	var parts []string
	switch n.Kind {
	case ground.String:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(n.Text.Str) + "'"
	case ground.Sequence:
		for _, item := range n.Items {
			parts = append(parts, pythonValue(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case ground.Mapping:
		for _, f := range n.Fields {
			parts = append(parts, pythonValue(str(f.Key))+": "+pythonValue(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case ground.Null, ground.Bool, ground.Number:
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
func requiredOf(schema *ground.Node) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range schema.Field("required").List() {
		if n.Kind == ground.String && !seen[n.Text.Str] {
			seen[n.Text.Str] = true
			out = append(out, n.Text.Str)
		}
	}
	return out
}

// typesOf gives the JSON types that a schema allows, without null.
func typesOf(schema *ground.Node) []string {
	n := schema.Field("type")
	if n == nil {
		return nil
	}
	items := n.Items
	if n.Kind == ground.String {
		items = []*ground.Node{n}
	}
	var out []string
	for _, item := range items {
		if item.Kind == ground.String && item.Text.Str != "null" {
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
	root  *ground.Node
	nodes int
}

// sampleArguments gives the required arguments of a tool with sample values.
func sampleArguments(schema *ground.Node) *ground.Node {
	s := sampler{root: schema}
	return s.object(schema, 0)
}

func (s *sampler) object(schema *ground.Node, depth int) *ground.Node {
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

func (s *sampler) value(schema *ground.Node, depth int) *ground.Node {
	s.nodes++
	if schema == nil || depth > maxSampleDepth || s.nodes > maxSampleNodes {
		return str(sampleText)
	}
	for _, by := range statedBy {
		n := schema.Field(by.key)
		if by.list {
			n = n.Step("0")
		}
		if n != nil && n.Kind != ground.Null {
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
	node         ground.NodeKind
	text         string
	bound        string // the keyword whose value serves instead
}{
	{"string", "date", ground.String, "2026-01-31", ""},
	{"string", "date-time", ground.String, "2026-01-31T09:30:00Z", ""},
	{"string", "time", ground.String, "09:30:00Z", ""},
	{"string", "uri", ground.String, "https://example.com", ""},
	{"string", "email", ground.String, "someone@example.com", ""},
	{"string", "uuid", ground.String, "00000000-0000-4000-8000-000000000000", ""},
	{"string", "", ground.String, sampleText, ""},
	{"integer", "", ground.Number, "1", "minimum"},
	{"number", "", ground.Number, "1", "minimum"},
	{"boolean", "", ground.Bool, "true", ""},
}

func (s *sampler) typed(kind string, schema *ground.Node, depth int) *ground.Node {
	switch kind {
	case "object":
		return s.object(schema, depth)
	case "array":
		return &ground.Node{Kind: ground.Sequence, Items: []*ground.Node{s.value(schema.Field("items"), depth+1)}}
	}
	for _, sample := range samples {
		if sample.kind != kind || sample.format != "" && sample.format != schema.Field("format").Scalar() {
			continue
		}
		if bound := schema.Field(sample.bound); sample.bound != "" && bound != nil && bound.Kind == ground.Number {
			return bound
		}
		return scalar(sample.node, sample.text)
	}
	return str(sampleText)
}

// target follows a reference within the schema.
func (s *sampler) target(ref *ground.Node) *ground.Node {
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
