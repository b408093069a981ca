package surely

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// drafts compiles the metaschema of every draft.
func drafts(t testing.TB) []*jsonschema.Schema {
	t.Helper()
	var out []*jsonschema.Schema
	for _, url := range []string{
		"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema",
		"https://json-schema.org/draft-07/schema", "https://json-schema.org/draft-06/schema", "https://json-schema.org/draft-04/schema",
	} {
		s, err := compiler().Compile(url)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// refused gives what the library has against a schema in any draft. Which draft
// a schema names is checked elsewhere: some do not allow others' names.
func refused(metas []*jsonschema.Schema, n *prompt.Node) error {
	value := instance(n)
	for _, meta := range metas {
		if err := meta.Validate(value); err != nil {
			return err
		}
	}
	return nil
}

func TestWhatIsSurelyASchemaIsOneInAllDrafts(t *testing.T) {
	metas := drafts(t)
	seeds := toolSchemas(t)
	random := rand.New(rand.NewPCG(7, 8))
	sure := 0
	for _, n := range seeds {
		if Schema(n) {
			sure++
			if err := refused(metas, n); err != nil {
				t.Fatalf("%v: %v", instance(n), err)
			}
		}
	}
	if sure < 15 {
		t.Errorf("%d of %d schemas are sure", sure, len(seeds))
	}
	sure = 0
	for range 30_000 {
		nodes := inner(seeds[random.IntN(len(seeds))])
		n := changed(random, nodes[0], nodes)
		if !Schema(n) {
			continue
		}
		sure++
		if err := refused(metas, n); err != nil {
			text, _ := json.Marshal(instance(n))
			t.Fatalf("%s: %v", text, err)
		}
	}
	if sure < 1000 {
		t.Errorf("%d changed schemas are sure: too few to say anything", sure)
	}
}

// toolSchemas gives the parameters of the tools that this repository's prompts
// and tests use, and one with every keyword.
func toolSchemas(t testing.TB) []*prompt.Node {
	t.Helper()
	out := []*prompt.Node{nodeOf(t, `{"type": ["object", "null"], "title": "T", "description": "d", "$comment": "c", "format": "f", "pattern": "p",
		"minimum": 1.5, "maximum": 2, "minLength": 0, "maxLength": 9, "minItems": 1, "maxItems": 2, "minProperties": 0, "maxProperties": 4,
		"uniqueItems": true, "readOnly": true, "writeOnly": false, "deprecated": false, "examples": [1, {}], "enum": ["a", 1, null], "required": ["a"],
		"$ref": "#/$defs/a", "additionalProperties": false, "items": {"type": "string"}, "propertyNames": {}, "contains": {}, "not": {"const": [1]},
		"anyOf": [{"default": {"x": 1}}], "oneOf": [{}], "allOf": [{}], "properties": {"a": {"type": "integer"}}, "$defs": {"a": {}}, "definitions": {"a": {}}}`)}
	err := fs.WalkDir(os.DirFS(filepath.Join("..", "..", "..", "sources")), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "sources", name))
		if err != nil {
			return err
		}
		for _, n := range inner(nodeOf(t, string(text))) {
			for _, key := range []string{"inputSchema", "parameters", "input_schema"} {
				if s := n.Field(key); s != nil {
					out = append(out, s)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// nodeOf gives JSON as a node.
func nodeOf(t testing.TB, text string) *prompt.Node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return node(value)
}

func node(value any) *prompt.Node {
	switch v := value.(type) {
	case nil:
		return &prompt.Node{Kind: prompt.Null, Text: prompt.Literal("null")}
	case bool:
		if v {
			return &prompt.Node{Kind: prompt.Bool, Text: prompt.Literal("true")}
		}
		return &prompt.Node{Kind: prompt.Bool, Text: prompt.Literal("false")}
	case json.Number:
		return &prompt.Node{Kind: prompt.Number, Text: prompt.Literal(v.String())}
	case string:
		return &prompt.Node{Kind: prompt.String, Text: prompt.Literal(v)}
	case []any:
		n := &prompt.Node{Kind: prompt.Sequence}
		for _, item := range v {
			n.Items = append(n.Items, node(item))
		}
		return n
	default:
		n := &prompt.Node{Kind: prompt.Mapping}
		m, _ := value.(map[string]any)
		for key, item := range m {
			n.Fields = append(n.Fields, prompt.Field{Key: key, Value: node(item)})
		}
		return n
	}
}
