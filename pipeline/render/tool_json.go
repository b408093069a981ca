package render

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

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

// quoted gives a JSON string.
func quoted(s string) string { return canon.Compact(str(s)) }

// inlineJSON gives a node as JSON on one line with a space after each colon
// and comma, as Python's json module writes it and prompts show it. Keys are
// sorted by bytes, so that equal schemas read the same.
func inlineJSON(n *prompt.Node) string {
	var b strings.Builder
	writeInline(&b, n)
	return b.String()
}

func writeInline(b *strings.Builder, n *prompt.Node) {
	switch {
	case n != nil && n.Kind == prompt.Mapping:
		fields := slices.Clone(n.Fields)
		slices.SortStableFunc(fields, func(a, b prompt.Field) int { return strings.Compare(a.Key, b.Key) })
		writeObject(b, fields)
	case n != nil && n.Kind == prompt.Sequence:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeInline(b, item)
		}
		b.WriteByte(']')
	default:
		b.WriteString(canon.Compact(n))
	}
}

// writeObject writes fields in the order given.
func writeObject(b *strings.Builder, fields []prompt.Field) {
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoted(f.Key))
		b.WriteString(": ")
		writeInline(b, f.Value)
	}
	b.WriteByte('}')
}

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
	var b strings.Builder
	b.WriteString(`{"type": "function", "function": `)
	writeObject(&b, definition(t, schemaOf(t)))
	b.WriteByte('}')
	return b.String()
}

// dictJSON gives the tool in the shape of Llama's prompts on one line: the
// parameters are a "dict" with what is required and the properties.
func dictJSON(t *prompt.Tool) string {
	schema := schemaOf(t)
	required := schema.Field("required")
	if required == nil {
		required = &prompt.Node{Kind: prompt.Sequence}
	}
	properties := schema.Field("properties")
	if properties == nil {
		properties = mapping()
	}
	var b, inner strings.Builder
	writeObject(&inner, []prompt.Field{
		field("type", str("dict")), field("required", required), field("properties", properties),
	})
	writeObject(&b, definition(t, str("")))
	return strings.TrimSuffix(b.String(), `""}`) + inner.String() + "}"
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

// pythonWords are JSON's words in Python.
var pythonWords = []struct{ json, python string }{{"null", "None"}, {"true", "True"}, {"false", "False"}}

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
	text := canon.Compact(n)
	for _, w := range pythonWords {
		if w.json == text {
			return w.python
		}
	}
	return text
}
