package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/schema"
)

// ours are the schemas of what promptc reads.
var ours = []string{"conversation", "goal", "identity", "mcp", "policy", "prompts", "records", "registry", "rules", "runtime", "skills", "tools", "user"}

func schemaText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := schema.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSchemasAreThere(t *testing.T) {
	names := schema.Names()
	for _, name := range ours {
		if !slices.Contains(names, name) {
			t.Errorf("%q is not among %q", name, names)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the names are not sorted: %q", names)
	}
	for _, k := range language.Kinds {
		if k.Schema != "" && !slices.Contains(names, k.Schema) {
			t.Errorf("kind %q has no schema %q", k.Name, k.Schema)
		}
	}
	if _, err := schema.Read("nope"); err == nil {
		t.Error("a schema that is not there was read")
	}
}

func TestSchemasAreValid(t *testing.T) {
	for _, name := range ours {
		compiler := jsonschema.NewCompiler()
		compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is foreign", url) }
		var head struct {
			ID     string `json:"$id"`
			Schema string `json:"$schema"`
		}
		text := schemaText(t, name)
		if err := json.Unmarshal(text, &head); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// Editors know no later draft well.
		if head.Schema != "http://json-schema.org/draft-07/schema#" {
			t.Errorf("%s is written in %q", name, head.Schema)
		}
		if err := compiler.AddResource(head.ID, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := compiler.Compile(head.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryPropertyIsExplained holds because editors show titles and
// descriptions while one types, and because messages are made of them.
func TestEveryPropertyIsExplained(t *testing.T) {
	for _, name := range ours {
		var doc any
		if err := json.Unmarshal(schemaText(t, name), &doc); err != nil {
			t.Fatal(err)
		}
		explained(t, name, doc)
	}
}

func explained(t *testing.T, at string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			explained(t, fmt.Sprintf("%s/%d", at, i), item)
		}
	case map[string]any:
		for _, holder := range []string{"properties", "definitions", "patternProperties"} {
			named, _ := v[holder].(map[string]any)
			for key, s := range named {
				m, _ := s.(map[string]any)
				if m["title"] == nil || m["description"] == nil {
					t.Errorf("%s/%s/%s has no title or no description", at, holder, key)
				}
			}
		}
		for key, s := range v {
			explained(t, at+"/"+key, s)
		}
	}
}

// TestManifestSchemaIsClosed holds because unknown keys are refused.
func TestManifestSchemaIsClosed(t *testing.T) {
	for _, name := range []string{"conversation", "goal", "policy", "prompts", "records", "runtime"} {
		var doc any
		if err := json.Unmarshal(schemaText(t, name), &doc); err != nil {
			t.Fatal(err)
		}
		closed(t, name, doc)
	}
}

func closed(t *testing.T, at string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			closed(t, fmt.Sprintf("%s/%d", at, i), item)
		}
	case map[string]any:
		if v["type"] == "object" && v["additionalProperties"] == nil {
			t.Errorf("%s takes any key", at)
		}
		for key, s := range v {
			closed(t, at+"/"+key, s)
		}
	}
}

func TestManifestSchemaHasTheKinds(t *testing.T) {
	var doc struct {
		Definitions struct {
			Source struct {
				Properties map[string]struct {
					Enum []string `json:"enum"`
				} `json:"properties"`
			} `json:"source"`
		} `json:"definitions"`
	}
	if err := json.Unmarshal(schemaText(t, "prompts"), &doc); err != nil {
		t.Fatal(err)
	}
	var want, options []string
	for _, k := range language.Kinds {
		want = append(want, k.Name)
		for _, o := range k.Options {
			if o != "only" && o != "select" { // which are a section's alone
				options = append(options, o)
			}
		}
	}
	properties := doc.Definitions.Source.Properties
	if diff := cmp.Diff(want, properties["kind"].Enum); diff != "" {
		t.Errorf("kinds (-table +schema):\n%s", diff)
	}
	sort.Strings(options)
	for _, o := range options {
		if _, ok := properties[o]; !ok {
			t.Errorf("a source has no key %q", o)
		}
	}
}

// What a policy may hold is what a manifest may: each schema stands alone, for
// editors, and so has its own copy.
func TestPoliciesAreDefinedAsManifestsAre(t *testing.T) {
	var policy, manifest struct {
		Definitions map[string]any `json:"definitions"`
		Properties  map[string]any `json:"properties"`
	}
	for name, into := range map[string]any{"policy": &policy, "prompts": &manifest} {
		if err := json.Unmarshal(schemaText(t, name), into); err != nil {
			t.Fatal(err)
		}
	}
	for key, definition := range policy.Definitions {
		if diff := cmp.Diff(manifest.Definitions[key], definition); diff != "" {
			t.Errorf("definition %s (-manifest +policy):\n%s", key, diff)
		}
	}
	for _, key := range []string{"version", "slots", "fragments", "tokenizers", "families"} {
		if diff := cmp.Diff(manifest.Properties[key], policy.Properties[key]); diff != "" {
			t.Errorf("%s (-manifest +policy):\n%s", key, diff)
		}
	}
}
