package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Limits of tool files. The largest tool that was met in the wild has some
// 2,000 values.
const (
	maxSchemaNodes = 40_000 // values of one schema
	maxFileNodes   = 60_000 // values of one file, a little more than load lets through
)

// size counts the values of a node, and stops counting above most: a node
// that anchors refer to again and again can be far larger than its file.
func size(n *prompt.Node, most int) int {
	if n == nil {
		return 0
	}
	total := 1
	for _, item := range n.Items {
		if total += size(item, most-total); total > most {
			return total
		}
	}
	for _, f := range n.Fields {
		if total += size(f.Value, most-total); total > most {
			return total
		}
	}
	return total
}

// noArguments is the schema of a tool that takes none, in the form that every
// provider accepts.
func noArguments() *prompt.Node {
	return &prompt.Node{Kind: prompt.Mapping, Fields: []prompt.Field{
		{Key: "type", Value: &prompt.Node{Kind: prompt.String, Text: prompt.Literal("object")}},
		{Key: "properties", Value: &prompt.Node{Kind: prompt.Mapping}},
	}}
}

// input gives the checked schema of a tool's arguments.
func (r *toolReader) input(body *prompt.Node, s *shape, name string) *prompt.Node {
	schema := schemaUnder(body, s.input, s)
	if schema == nil || s.optional && len(schema.Fields) == 0 {
		return noArguments()
	}
	what := "the schema of " + quote(name)
	r.schema(schema, what)
	r.object(schema, what)
	return schema
}

// schemaUnder gives the schema under one of some keys, nil for none. Gemini's
// own are brought into the form of JSON Schema.
func schemaUnder(body *prompt.Node, keys []string, s *shape) *prompt.Node {
	var out *prompt.Node
	for _, key := range keys {
		n := body.Field(key)
		if n == nil || n.Kind != prompt.Mapping {
			continue
		}
		if out = n; s.name == "gemini" && (key == "parameters" || key == "response") {
			out = lowered(n)
		}
	}
	return out
}

// object reports a schema that is not of type object at its root.
func (r *toolReader) object(schema *prompt.Node, what string) {
	kind := schema.Field("type")
	switch {
	case kind == nil:
		r.found = append(r.found, diag.New(diag.BadToolSchema, firstLine(schema.At), "%s has no \"type\"", what).
			WithHint(`add "type": "object", which all providers ask for`))
	case kind.Kind == prompt.Sequence, kind.Text.Str != "object" && slices.Contains(simpleTypes, kind.Text.Str):
		r.found = append(r.found, diag.New(diag.BadToolSchema, firstLine(kind.At), "%s is of %s; expected the type object", what, typeWords(kind)).
			WithHint("wrap it: arguments are always the properties of an object"))
	}
}

func typeWords(kind *prompt.Node) string {
	if kind.Kind == prompt.Sequence {
		return "several types"
	}
	return "the type " + kind.Text.Str
}

// openAPITypes are the types as Gemini's subset of OpenAPI writes them.
var openAPITypes = []string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// openAPICounts are the keywords that Gemini writes as texts, because JSON
// has no 64-bit integers.
var openAPICounts = []string{"maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"}

// lowered gives a schema of Gemini's with the types of JSON Schema. All else
// is kept, `nullable` too: JSON Schema ignores what it does not know, and the
// way back to Gemini loses nothing. The input stays as it is.
func lowered(n *prompt.Node) *prompt.Node {
	return rewrite(n, func(f prompt.Field) *prompt.Node {
		v := *f.Value
		switch {
		case f.Key == "type" && v.Kind == prompt.String && slices.Contains(openAPITypes, v.Text.Str):
			v.Text = prompt.Derived(strings.ToLower(v.Text.Str), v.At)
		case v.Kind == prompt.String && slices.Contains(openAPICounts, f.Key) && isCount(v.Text.Str):
			v.Kind = prompt.Number
		default:
			return f.Value
		}
		return &v
	})
}

func isCount(s string) bool {
	return s != "" && len(s) < 16 && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

// rewrite gives a copy of a schema with every keyword's value replaced.
func rewrite(n *prompt.Node, replace func(prompt.Field) *prompt.Node) *prompt.Node {
	if n.Kind != prompt.Mapping {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i, f := range out.Fields {
		out.Fields[i].Value = inner(f, func(n *prompt.Node) *prompt.Node { return rewrite(n, replace) })
		out.Fields[i].Value = replace(out.Fields[i])
	}
	return &out
}

// inner gives the value of a keyword with the schemas in it replaced.
func inner(f prompt.Field, replace func(*prompt.Node) *prompt.Node) *prompt.Node {
	switch where := holding(f.Key); {
	case f.Value.Kind == prompt.Mapping && where.single:
		return replace(f.Value)
	case f.Value.Kind == prompt.Sequence && where.list:
		out := *f.Value
		out.Items = slices.Clone(out.Items)
		for i, item := range out.Items {
			out.Items[i] = replace(item)
		}
		return &out
	case f.Value.Kind == prompt.Mapping && where.named:
		out := *f.Value
		out.Fields = slices.Clone(out.Fields)
		for i, named := range out.Fields {
			out.Fields[i].Value = replace(named.Value)
		}
		return &out
	}
	return f.Value
}
