package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
)

func TestToolsAreToldInEveryShape(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"MCP", `{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"properties": {}, "type": "object"}}]}`, []string{"a", "b"}},
		{"OpenAI chat", `[{"type": "function", "function": {"name": "a"}}]`, []string{"a"}},
		{"OpenAI responses", `[{"type": "function", "name": "a", "parameters": {"type": "object"}}]`, []string{"a"}},
		{"Anthropic, one", `{"name": "a", "input_schema": {"type": "object"}}`, []string{"a"}},
		{"Gemini", `{"tools": [{"functionDeclarations": [{"name": "a"}, {"name": "b", "parameters": {"type": "OBJECT"}}]}]}`, []string{"a", "b"}},
		{"with an error", `{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": null}]}`, []string{"a"}},
		{"one with an error", `{"name": "a", "inputSchema": null}`, []string{}},
		{"a program's function", `{"function": {"memory": 128}}`, nil},
		{"a package", `{"name": "a", "description": "b", "tools": []}`, nil},
		{"a workflow", `{"name": "a", "parameters": ["x"]}`, nil},
		{"one of no shape", `[{"name": "a", "input_schema": {"type": "object"}}, {"name": "b"}]`, nil},
		{"without a name", `[{"input_schema": {"type": "object"}}]`, nil},
		{"servers", `{"mcpServers": {"a": {"command": "b"}}}`, nil},
		{"a workflow with settings", `{"name": "a", "parameters": {"env": "prod"}}`, nil},
		{"a workflow with a description of settings", `{"name": "a", "parameters": {"env": {"type": "string"}}}`, nil},
		{"a provider's own", `[{"type": "web_search"}, {"name": "a", "input_schema": {"type": "object"}}]`, nil},
		{"settings with the name of one", `{"retrieval": {"top": 3}, "chunks": 4}`, nil},
		{"text", `tools`, nil},
		{"nothing", ``, nil},
	}
	for _, tt := range tests {
		doc, _ := load.Look("a.json", []byte(tt.text))
		if diff := cmp.Diff(tt.want, validate.ToolNames(doc)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
