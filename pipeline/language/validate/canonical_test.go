package validate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// TestADefinitionIsPinnedAsAWhole: what a server says of a tool is in its
// canonical form, so that nothing of it changes unseen.
func TestADefinitionIsPinnedAsAWhole(t *testing.T) {
	const schema = `{"type": "object"}`
	tests := []struct{ name, text, same, found string }{
		{
			name: "null is nothing",
			text: `{"name": "a", "title": null, "description": null, "inputSchema": ` + schema + `}`,
			same: `{"name": "a", "inputSchema": ` + schema + `}`,
		},
		{
			name: "the order of keys, blanks and escapes say nothing",
			text: `{"inputSchema":{"type":"object","default":{"b":"\u0061\ud83d\ude00","a":"\/"}},"name":"\u0061"}`,
			same: `{"name": "a", "inputSchema": {"default": {"a": "/", "b": "a😀"}, "type": "object"}}`,
		},
		{
			name:  "what the protocol does not have yet is kept",
			text:  `{"name": "a", "inputSchema": ` + schema + `, "later": {"b": 1, "a": [null]}, "cache_control": 1}`,
			same:  `{"cache_control": 1, "later": {"a": [null], "b": 1}, "name": "a", "inputSchema": ` + schema + `}`,
			found: `no request has "later" of the tool definition; its snapshot does|no request has "cache_control" of the tool definition; its snapshot does`,
		},
		{
			name: "keys of the protocol in another shape are kept",
			text: `{"name": "a", "input_schema": ` + schema + `, "title": "A", "annotations": {"readOnlyHint": true}, "_meta": {}}`,
			same: `{"name": "a", "title": "A", "inputSchema": ` + schema + `, "annotations": {"readOnlyHint": true}, "_meta": {}}`,
		},
		{
			name:  "settings of requests are kept",
			text:  `{"name": "a", "input_schema": ` + schema + `, "cache_control": {"type": "ephemeral"}, "input_examples": [{}]}`,
			same:  `{"name": "a", "inputSchema": ` + schema + `, "cache_control": {"type": "ephemeral"}, "input_examples": [{}]}`,
			found: `no request has "cache_control" of the tool definition; its snapshot does|no request has "input_examples" of the tool definition; its snapshot does`,
		},
		{
			name: "strict mode, on or off",
			text: `{"type": "function", "function": {"name": "a", "strict": false, "parameters": ` + schema + `}}`,
			same: `{"name": "a", "inputSchema": ` + schema + `, "strict": false}`,
		},
		{
			name: "what has another's key in the protocol's form",
			text: `{"type": "function", "name": "b", "cache_control": 1, "function": {"name": "a", "cache_control": 2, "inputSchema": 3, "parameters": ` + schema + `}}`,
			same: `{"name": "a", "inputSchema": ` + schema + `, "_name": "b", "cache_control": 1, "_cache_control": 2, "_inputSchema": 3}`,
			found: `no request has "name" of the tool definition; its snapshot does|no request has "cache_control" of the tool definition; its snapshot does|` +
				`no request has "cache_control" of the tool definition; its snapshot does|no request has "inputSchema" of the tool definition; its snapshot does`,
		},
		{
			name: "what Gemini gives back",
			text: `{"functionDeclarations": [{"name": "a", "parametersJsonSchema": ` + schema + `, "response": {"type": "STRING", "maxLength": "9"}}]}`,
			same: `{"name": "a", "inputSchema": ` + schema + `, "outputSchema": {"type": "string", "maxLength": 9}}`,
		},
		{
			name: "what Gemini gives back in JSON Schema",
			text: `{"functionDeclarations": [{"name": "a", "parametersJsonSchema": ` + schema + `, "responseJsonSchema": {"type": "string"}}]}`,
			same: `{"name": "a", "inputSchema": ` + schema + `, "outputSchema": {"type": "string"}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := toolsOf(t, "t.json", tt.text)
			want, _ := toolsOf(t, "t.json", tt.same)
			if len(got) != 1 || len(want) != 1 {
				t.Fatalf("%d and %d tools:\n%s", len(got), len(want), report(found))
			}
			if diff := cmp.Diff(want[0].Canonical, got[0].Canonical); diff != "" {
				t.Errorf("canonical (-want +got):\n%s", diff)
			}
			var said []string
			for _, d := range found {
				said = append(said, wording.Message(d))
			}
			if all := strings.Join(said, "|"); all != tt.found {
				t.Errorf("findings: %s", all)
			}
		})
	}
	for _, pair := range [][2]string{{"1", "1.0"}, {"100", "1e2"}, {"12345678901234567890", "12345678901234567891"}, {"0.1", "0.10000000000000001"}} {
		a, _ := toolsOf(t, "t.json", `{"name": "a", "inputSchema": {"type": "object", "default": `+pair[0]+`}}`)
		b, _ := toolsOf(t, "t.json", `{"name": "a", "inputSchema": {"type": "object", "default": `+pair[1]+`}}`)
		if a[0].Canonical == b[0].Canonical || !strings.Contains(b[0].Canonical, pair[1]) {
			t.Errorf("%s and %s are not kept as they are written", pair[0], pair[1])
		}
	}
}
