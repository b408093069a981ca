package dialect_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestToolsWithoutArgumentsNameNoPropertiesToOpenAI: its API refuses an object
// schema without the key. Nobody else is sent what the definition does not say.
func TestToolsWithoutArgumentsNameNoPropertiesToOpenAI(t *testing.T) {
	word := func(s string) *ground.Node { return &ground.Node{Kind: ground.String, Text: ground.Literal(s)} }
	none := &ground.Node{Kind: ground.Bool, Text: ground.Literal("false")}
	field := func(key string, value *ground.Node) ground.Field { return ground.Field{Key: key, Value: value} }
	for _, tc := range []struct {
		name   string
		fields []ground.Field
		want   string // for OpenAI, where it differs
		as     string
	}{
		{"the least", []ground.Field{field("type", word("object"))}, `{"properties":{},"type":"object"}`, `{"type":"object"}`},
		{
			"closed",
			[]ground.Field{field("type", word("object")), field("additionalProperties", none)},
			`{"additionalProperties":false,"properties":{},"type":"object"}`, `{"additionalProperties":false,"type":"object"}`,
		},
		{
			"said already",
			[]ground.Field{field("type", word("object")), field("properties", &ground.Node{Kind: ground.Mapping})},
			`{"properties":{},"type":"object"}`, `{"properties":{},"type":"object"}`,
		},
		{"another type", []ground.Field{field("type", word("string"))}, `{"type":"string"}`, `{"type":"string"}`},
		{"no type", nil, `{}`, `{}`},
	} {
		input := &ground.Node{Kind: ground.Mapping, Fields: slices.Clip(tc.fields)}
		for _, name := range []string{"openai-chat", "openai-responses", "anthropic", "gemini"} {
			d, _ := ground.LookupDialect(name)
			want := tc.as
			if name == "openai-chat" || name == "openai-responses" {
				want = tc.want
			}
			got := sentSchema(t, dialect.Tools(d, []*language.Tool{{Name: "ping", Input: input}}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s: %s", tc.name, name, diff)
			}
		}
		if len(input.Fields) != len(tc.fields) {
			t.Errorf("%s: the definition was changed", tc.name)
		}
	}
}

// sentSchema gives the schema in a list of one tool, on one line.
func sentSchema(t *testing.T, list string) string {
	t.Helper()
	var tools []map[string]any
	if err := json.Unmarshal([]byte(list), &tools); err != nil {
		t.Fatal(err)
	}
	def := tools[0]
	if inner, ok := def["function"].(map[string]any); ok {
		def = inner
	}
	if inner, ok := def["functionDeclarations"].([]any); ok {
		def, _ = inner[0].(map[string]any)
	}
	for _, key := range []string{"parameters", "input_schema", "parametersJsonSchema"} {
		if schema, ok := def[key]; ok {
			out, err := json.Marshal(schema)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
	}
	return ""
}
