package render

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// parameter is one property of a tool's schema.
type parameter struct {
	name     string
	at       diag.Span
	schema   *prompt.Node
	required bool
}

// parameters gives a tool's properties: the required in the order in which
// `required` has them, then the others as written.
func parameters(t *prompt.Tool) []parameter {
	schema := schemaOf(t)
	needed := requiredOf(schema)
	properties := schema.Field("properties")
	var out, rest []parameter
	for _, name := range needed {
		p := parameter{name: name, at: schema.At, schema: properties.Field(name), required: true}
		if f := fieldOf(properties, name); f != nil {
			p.at = f.KeyAt
		}
		out = append(out, p)
	}
	isNeeded := map[string]bool{}
	for _, name := range needed {
		isNeeded[name] = true
	}
	if properties != nil {
		for _, f := range properties.Fields {
			if !isNeeded[f.Key] {
				rest = append(rest, parameter{name: f.Key, at: f.KeyAt, schema: f.Value})
			}
		}
	}
	return append(out, rest...)
}

func fieldOf(n *prompt.Node, key string) *prompt.Field {
	if n == nil {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return &n.Fields[i]
		}
	}
	return nil
}

// requiredOf gives the names that a schema requires, each once.
func requiredOf(schema *prompt.Node) []string {
	list := schema.Field("required")
	if list == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, n := range list.Items {
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
		if by.list && n != nil {
			n = firstOf(n)
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
		for _, option := range schemasOf(schema.Field(key)) {
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

func firstOf(list *prompt.Node) *prompt.Node {
	if len(list.Items) == 0 {
		return nil
	}
	return list.Items[0]
}

func schemasOf(n *prompt.Node) []*prompt.Node {
	if n == nil {
		return nil
	}
	return n.Items
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
