package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

const toolManifest = `
version: 1
sources: {tools: {kind: tools, path: "t.*"}}
prompts: {p: {sections: [{id: s, source: tools}]}}
`

// toolsOf gives what a file defines; load may refuse it, which is no tools.
func toolsOf(t *testing.T, name, text string) ([]*language.Tool, diag.List) {
	t.Helper()
	tree, loaded, err := load.Run(testproject.Of(
		"prompts.yaml", toolManifest,
		name, text,
	), "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	spec, found := validate.Run(tree)
	var tools []*language.Tool
	for _, doc := range tree.Matches[language.MatchKey{Path: "t.*", Kind: "tools"}] {
		tools = append(tools, spec.Tools[doc]...)
	}
	return tools, append(loaded, found...)
}

// addCanonical is one tool as every shape below defines it.
const addCanonical = `{
  "name": "add",
  "description": "Adds.",
  "inputSchema": {
    "properties": {
      "a": {
        "type": "number"
      }
    },
    "required": [
      "a"
    ],
    "type": "object"
  }
}
`

func TestShapesGiveOneForm(t *testing.T) {
	const schema = `{"type": "object", "required": ["a"], "properties": {"a": {"type": "number"}}}`
	tests := []struct{ name, file, text string }{
		{"mcp", "t.json", `{"inputSchema": ` + schema + `, "description": "Adds.", "name": "add"}`},
		{"list", "t.json", `[{"inputSchema": ` + schema + `, "description": "Adds.", "name": "add"}]`},
		{"tools_list", "t.json", `{"tools": [{"inputSchema": ` + schema + `, "description": "Adds.", "name": "add"}], "ttlMs": 0}`},
		{"json_rpc", "t.json", `{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"inputSchema": ` + schema + `, "description": "Adds.", "name": "add"}]}}`},
		{"openai_chat", "t.json", `{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": ` + schema + `}}`},
		{"openai_responses", "t.json", `{"tools": [{"type": "function", "name": "add", "description": "Adds.", "strict": null, "parameters": ` + schema + `}]}`},
		{"anthropic", "t.json", `{"name": "add", "description": "Adds.", "input_schema": ` + schema + `}`},
		{"gemini", "t.json", `{"tools": [{"functionDeclarations": [{"name": "add", "description": "Adds.", "parameters": ` +
			`{"type": "OBJECT", "required": ["a"], "properties": {"a": {"type": "NUMBER"}}}}]}]}`},
		{"gemini_json_schema", "t.json", `{"name": "add", "description": "Adds.", "parametersJsonSchema": ` + schema + `}`},
		{"yaml", "t.yaml", "name: add\ndescription: Adds.\ninputSchema:\n  type: object\n  required: [a]\n  properties: {a: {type: number}}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tools, found := toolsOf(t, tt.file, tt.text)
			if len(found) > 0 {
				t.Errorf("findings:\n%s", report(found))
			}
			if len(tools) != 1 {
				t.Fatalf("%d tools", len(tools))
			}
			if diff := cmp.Diff(addCanonical, tools[0].Canonical); diff != "" {
				t.Errorf("canonical (-want +got):\n%s", diff)
			}
			if tools[0].Name != "add" || tools[0].Description != "Adds." || !tools[0].NameAt.Known() || !tools[0].DescAt.Known() {
				t.Errorf("tool is %+v", tools[0])
			}
		})
	}
}

func TestCanonicalKeepsWhatTheProtocolHas(t *testing.T) {
	tools, found := toolsOf(t, "t.json", `{"_meta": {"b": 1, "a": 1.50}, "icons": [], "annotations": {"z": true, "title": "T"},
  "outputSchema": {"type": "object", "x-b": 1, "a": 2}, "title": "Zed", "name": "z", "inputSchema": {"type": "object", "default": 1e2, "enum": [3, 1, 2]}}`)
	if len(found) > 0 {
		t.Errorf("findings:\n%s", report(found))
	}
	want := `{
  "name": "z",
  "title": "Zed",
  "inputSchema": {
    "default": 1e2,
    "enum": [
      3,
      1,
      2
    ],
    "type": "object"
  },
  "outputSchema": {
    "a": 2,
    "type": "object",
    "x-b": 1
  },
  "annotations": {
    "title": "T",
    "z": true
  },
  "_meta": {
    "a": 1.50,
    "b": 1
  },
  "icons": []
}
`
	if diff := cmp.Diff(want, tools[0].Canonical); diff != "" {
		t.Errorf("canonical (-want +got):\n%s", diff)
	}
}

func TestToolsWithoutParameters(t *testing.T) {
	for _, text := range []string{
		`{"type": "function", "function": {"name": "now", "strict": true}}`,
		`{"type": "function", "name": "now", "parameters": null, "strict": true}`,
		`{"type": "function", "name": "now", "parameters": {}, "strict": true}`,
	} {
		tools, found := toolsOf(t, "t.json", text)
		if len(found) > 0 || len(tools) != 1 {
			t.Fatalf("%s gives %d tools\n%s", text, len(tools), report(found))
		}
		want := "{\n  \"name\": \"now\",\n  \"inputSchema\": {\n    \"properties\": {},\n    \"type\": \"object\"\n  },\n  \"strict\": true\n}\n"
		if diff := cmp.Diff(want, tools[0].Canonical); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if !tools[0].Strict {
			t.Errorf("%s is not strict", text)
		}
	}
}

// TestStrictIsReadWhereTheShapeHasIt: the protocol's own form has it since
// canonical definitions do. Elsewhere it is kept under another key, and said to
// be in no request.
func TestStrictIsReadWhereTheShapeHasIt(t *testing.T) {
	for _, c := range []struct {
		text   string
		strict bool
	}{
		{`{"name": "now", "inputSchema": {"type": "object"}, "strict": true}`, true},
		{`{"functionDeclarations": [{"name": "now", "parameters": {"type": "object"}, "strict": true}]}`, false},
		{`{"type": "function", "strict": true, "function": {"name": "now"}}`, false},
		{`{"name": "now", "input_schema": {"type": "object"}, "strict": true}`, true},
	} {
		tools, found := toolsOf(t, "t.json", c.text)
		if len(tools) != 1 || tools[0].Strict != c.strict {
			t.Errorf("%s: strict is not %t", c.text, c.strict)
		}
		if !c.strict && !strings.Contains(tools[0].Canonical, `"_strict": true`) {
			t.Errorf("%s: it is not kept:\n%s", c.text, tools[0].Canonical)
		}
		if dropped := len(found) == 1 && found[0].Code == diag.DroppedToolField; dropped == c.strict {
			t.Errorf("%s: it is reported, or not:\n%s", c.text, report(found))
		}
	}
}

func TestGeminiSchemasAreLoweredInSchemasOnly(t *testing.T) {
	tools, found := toolsOf(t, "t.json", `{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "properties": {
  "type": {"type": "STRING", "enum": ["STRING"], "nullable": true}, "n": {"type": "ARRAY", "minItems": "2", "items": {"type": "INTEGER"}}}}}]}`)
	if len(found) > 0 || len(tools) != 1 {
		t.Fatalf("%d tools\n%s", len(tools), report(found))
	}
	var got any
	if err := json.Unmarshal([]byte(tools[0].Canonical), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"name": "f", "inputSchema": map[string]any{"type": "object", "properties": map[string]any{
		"type": map[string]any{"type": "string", "enum": []any{"STRING"}, "nullable": true},
		"n":    map[string]any{"type": "array", "minItems": 2.0, "items": map[string]any{"type": "integer"}},
	}}}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// ladder is a schema of two kilobytes that takes for ever to compile and run.
func ladder(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, `"l%d": {"allOf": [{"$ref": "#/$defs/l%d"}, {"$ref": "#/$defs/l%d"}]}, `, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"l%d": {"type": "object"}`, levels)
	return `{"type": "object", "$ref": "#/$defs/l0", "$defs": {` + b.String() + `}}`
}

func TestHostileInputIsAnswered(t *testing.T) {
	tool := func(schema string) string { return `{"name": "x", "inputSchema": ` + schema + `}` }
	property := func(n int, one string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, one, i)
		}
		return tool(`{"type": "object", "properties": {` + b.String() + `}}`)
	}
	chain := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"d%d": {"$ref": "#/$defs/d%d"},`, i, i+1)
		}
		return tool(`{"type": "object", "$defs": {` + b.String() + fmt.Sprintf(`"d%d": {}}}`, n))
	}
	tests := []struct {
		name, text string
		clean      bool
	}{
		{"ladder", tool(ladder(40)), true},
		{"chain", chain(3000), true},
		{"patterns", property(2000, `"p%d": {"pattern": "(((a{1000}){100}){10})"}`), false},
		{"wide", property(30000, `"p%d": 5`), false},
		{"wider than OpenAI takes", property(5_001, `"p%d": {"type": "string", "description": "One.", "minLength": 1}`), true},
		{"many patterns", property(9_000, `"p%d": {"pattern": "(((a{1000}){100}){10})"}`), false},
		{"wrong to the limit", property(12_000, `"p%d": {"type": "nope"}`), false},
		{"wrong", property(4000, `"p%d": {"type": "nope"}`), false},
		{"numbers", property(3000, `"p%d": {"minimum": 1e-999999, "maxLength": 1e999999}`), false},
		{"unknown", `{"name": "x", "inputSchema": {"type": "object"}` + wide(20000) + `}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := toolsOf(t, "t.json", tt.text)
			if tt.clean != (len(found) == 0) {
				t.Errorf("findings: %d", len(found))
			}
		})
	}
}

func numberedText(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func wide(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `, "inputSchem%d": 1`, i)
	}
	return b.String()
}

func TestHostileManifestsAreAnswered(t *testing.T) {
	tests := []struct{ name, text string }{
		{"unknown_keys", "version: 1\nprompts: {p: {sections: [{id: s, text: x" + strings.ReplaceAll(wide(20000), `"`, "") + "}]}}\n"},
		{"bad_sections", "version: 1\nprompts: {p: {sections: [" + strings.Repeat("{idd: x, txt: y},", 8000) + "]}}\n"},
		{"bad_cases", "version: 1\nprompts: {p: {sections: [{id: s, text: [" + strings.Repeat("{valu: [a]},", 10000) + "]}]}}\n"},
		{"bad_sources", "version: 1\nsources: {" + numberedText(20000, "s%d: 5, ") + "}\n"},
		{"numbers", "version: 1e999999\nprompts: {p: {budget: {tokens: 1e99999}, sections: [{id: s, text: x}]}}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := validate.Run(manifest(t, tt.text))
			if !found.HasErrors() {
				t.Error("nothing was found")
			}
		})
	}
}

func FuzzTools(f *testing.F) {
	f.Add(addCanonical)
	f.Add(`{"tools": [{"functionDeclarations": [{"name": "a", "parameters": {"type": "OBJECT", "minItems": "2"}}]}]}`)
	f.Add(`{"type": "function", "function": {"name": "a", "parameters": {"type": "object", "patternProperties": {"(?=a)": {"$ref": "#/a~1b"}}}}}`)
	f.Add(`[{"name": "a", "input_schema": {"type": "object", "$schema": "http://json-schema.org/draft-04/schema#", "items": [{"": 5}]}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		tools, _ := toolsOf(t, "t.json", text)
		for _, tool := range tools {
			if !json.Valid([]byte(tool.Canonical)) {
				t.Fatalf("no JSON:\n%s", tool.Canonical)
			}
			again, found := toolsOf(t, "t.json", tool.Canonical)
			if len(again) != 1 {
				t.Fatalf("read again, it is %d tools:\n%s\n%s", len(again), tool.Canonical, report(found))
			}
			if diff := cmp.Diff(tool.Canonical, again[0].Canonical); diff != "" {
				t.Errorf("read again (-first +second):\n%s", diff)
			}
		}
	})
}

// TestSchemasOfNamesAreChecked holds because what is wrong with the names of a
// manifest, which another place explains, fails at a keyword of that name.
func TestSchemasOfNamesAreChecked(t *testing.T) {
	_, found := toolsOf(t, "t.json", `{"name": "a", "inputSchema": {"type": "object", "propertyNames": {"minLength": "x"}}}`)
	if len(found) != 1 || found[0].Code != diag.BadToolSchema {
		t.Errorf("got:\n%s", report(found))
	}
}

// TestProvidersOwnTools tells a provider's own tools by their types and keys, and
// keeps them as they are written.
func TestProvidersOwnTools(t *testing.T) {
	for text, want := range map[string]string{
		`{"type": "bash_20250124", "name": "bash"}`:                                      "anthropic bash",
		`{"type": "tool_search_tool_regex_20251119", "name": "search"}`:                  "anthropic search",
		`{"type": "mcp_toolset", "mcp_server_name": "wiki"}`:                             "anthropic mcp_toolset_wiki",
		`{"type": "web_search"}`:                                                         "openai-responses web_search",
		`{"type": "web_search_preview_2025_03_11"}`:                                      "openai-responses web_search_preview_2025_03_11",
		`{"type": "computer_use_preview", "environment": "browser"}`:                     "openai-responses computer_use_preview",
		`{"type": "mcp", "server_label": "wiki"}`:                                        "openai-responses mcp_wiki",
		`{"google_search_retrieval": {"dynamic_retrieval_config": {"mode": "dynamic"}}}`: "gemini google_search_retrieval",
		`{"codeExecution": {}, "function_declarations": [{"name": "f"}]}`:                "gemini codeExecution;  f",
		`{"functionDeclarations": [{"name": "f"}], "urlContext": {}}`:                    "gemini urlContext;  f",
		`{"type": "custom", "name": "f", "input_schema": {"type": "object"}}`:            " f",
		`{"type": "web_search_20250305", "name": "a b"}`:                                 "PC2019",
		`{"type": "mcp", "server_label": "a b"}`:                                         "PC2019",
		`{"type": "bash_20250124"}`:                                                      "PC2002",
		`{"type": "bash_2025", "name": "bash"}`:                                          "PC2018",
		`{"type": "web_search", "parameters": {"type": "object"}}`:                       "PC2018",
		`{"google_search": true}`:                                                        "PC2018",
		`{"mcpServers": {}}`:                                                             "PC2018",
		`{"google_search": {}, "more": 1}`:                                               "gemini google_search; PC2025",
		`[{"type": "mcp", "server_label": "a"}, {"type": "mcp", "server_label": "a"}]`:   "openai-responses mcp_a; openai-responses mcp_a; PC2008",
	} {
		tools, found := toolsOf(t, "t.json", text)
		var got []string
		for _, tool := range tools {
			got = append(got, tool.Provider+" "+tool.Name)
		}
		for _, d := range found {
			got = append(got, string(d.Code))
		}
		if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
