package validate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// refuse gives what the library says of a value that a schema does not take.
func refuse(t *testing.T, schema string, value any) *jsonschema.ValidationError {
	t.Helper()
	compiled, err := jsonschema.CompileString("https://example.com/s", schema)
	if err != nil {
		t.Fatal(err)
	}
	failure := validate(compiled, value)
	if failure == nil {
		t.Fatalf("%s takes %v", schema, value)
	}
	return failure
}

// TestExpectedTypesAreThoseOfTheSchema holds the one place where the words of
// the library are read: for every way in which it writes types.
func TestExpectedTypesAreThoseOfTheSchema(t *testing.T) {
	values := map[string]any{
		"array": []any{}, "boolean": true, "integer": json.Number("1"), "null": nil,
		"number": json.Number("1.5"), "object": map[string]any{}, "string": "but got or expected ",
	}
	for _, types := range [][]string{{"array"}, {"boolean"}, {"integer"}, {"null"}, {"number"}, {"object"}, {"string"}, {"string", "null"}, {"array", "boolean", "integer"}} {
		list, _ := json.Marshal(types)
		for kind, value := range values {
			compiled, err := jsonschema.CompileString("https://example.com/s", `{"type": `+string(list)+`}`)
			if err != nil {
				t.Fatal(err)
			}
			failure := validate(compiled, value)
			if failure == nil {
				continue
			}
			ends := endings(failure)
			if diff := cmp.Diff(types, expectedOf(ends[0])); len(ends) != 1 || diff != "" {
				t.Errorf("%s against %s (-want +got):\n%s", kind, list, diff)
			}
		}
	}
}

func TestOtherFailuresExpectNoType(t *testing.T) {
	for schema, value := range map[string]any{
		`{"enum": ["expected string, but got number"]}`:             "x",
		`{"required": ["type"]}`:                                    map[string]any{},
		`{"properties": {"type": {"pattern": "^a$"}}}`:              map[string]any{"type": "expected string, but got x"},
		`{"properties": {"type": {"not": {}}}}`:                     map[string]any{"type": json.Number("1")},
		`{"additionalProperties": false, "properties": {"a": {}}}`:  map[string]any{"type": "x"},
		`{"anyOf": [{"required": ["type"]}, {"minProperties": 2}]}`: map[string]any{},
	} {
		for _, e := range endings(refuse(t, schema, value)) {
			if got := expectedOf(e); got != nil {
				t.Errorf("%s: %q", schema, got)
			}
		}
	}
}

// TestViolationsAreInTheSameOrderEachTime holds because the library walks maps.
func TestViolationsAreInTheSameOrderEachTime(t *testing.T) {
	n := &ground.Node{Kind: ground.Mapping}
	for key := range strings.FieldsSeq("sections rendered tokenizer a b c dialect join budget axes") {
		n.Fields = append(n.Fields, ground.Field{Key: key, Value: &ground.Node{Kind: ground.Mapping}})
	}
	first := ""
	for range 50 {
		said := ""
		for _, v := range check("prompts#/definitions/prompt", n) {
			said += v.keyword + " " + v.place.key + "\n"
		}
		if first == "" {
			first = said
		}
		if said != first {
			t.Fatalf("%s\nand then\n%s", first, said)
		}
	}
	if strings.Count(first, "\n") < 5 {
		t.Errorf("few violations:\n%s", first)
	}
}

// TestNamesOfTypesHaveRows holds because their keys are put together.
func TestNamesOfTypesHaveRows(t *testing.T) {
	var keys []string
	for _, name := range jsonTypes {
		keys = append(keys, "type-"+name, "write-"+name)
	}
	for _, name := range markers {
		keys = append(keys, "form-"+name)
	}
	for _, key := range keys {
		if wording.Text(diag.Say(key)) == key {
			t.Errorf("no row has the key %q", key)
		}
	}
}
