package lint_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestSchemasThatNewerChecksRefuse(t *testing.T) {
	pattern := func(p string) string {
		return `{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string", "pattern": ` + strconv.Quote(p) + `}}}`
	}
	refused := func(dialect, words string) []string {
		return []string{`error PC6017 "` + dialect + `" refuses the schema of "t" as strict: ` + words}
	}
	for _, tc := range []struct {
		name, dialect, tool, schema string
		want                        []string
	}{
		{"look-ahead in strict mode", "openai-chat", "!t", pattern(`^(?!x).*$`), refused("openai-chat", `the pattern "^(?!x).*$" looks around`)},
		{"look-behind in strict mode", "openai-responses", "!t", pattern(`(?<=x)y`), refused("openai-responses", `the pattern "(?<=x)y" looks around`)},
		{"look-around elsewhere", "openai-chat", "t", pattern(`^(?!x).*$`), nil},
		{"brackets that are no look-around", "openai-chat", "!t", pattern(`\(?=[(?=]`), nil},
		{"a group without a name", "openai-chat", "!t", pattern(`(?:a|b)`), nil},
		{"classes that Python does not know", "openai-chat", "t", pattern(`^[\p{L}]$`), []string{
			`error PC6016 "openai-chat" refuses the schema of "t": the pattern "^[\\p{L}]$" holds what patterns of Python do not: \p{…} or (?<name>…)`,
		}},
		{"names of groups that Python does not know", "openai-responses", "t", pattern(`(?<year>\d)`), []string{
			`error PC6016 "openai-responses" refuses the schema of "t": the pattern "(?<year>\\d)" holds what patterns of Python do not: \p{…} or (?<name>…)`,
		}},
		{"a backslash before a p", "openai-chat", "t", pattern(`\\p{L}`), nil},
		{"patterns of names", "openai-chat", "t", `{"type": "object", "patternProperties": {"^\\P{L}": {}}}`, []string{
			`error PC6016 "openai-chat" refuses the schema of "t": the pattern "^\\P{L}" holds what patterns of Python do not: \p{…} or (?<name>…)`,
		}},
		{"what Anthropic's grammar has not", "anthropic", "!t", pattern(`(a)\1`), refused("anthropic", `the pattern "(a)\\1" looks around, refers back or asks for the edge of a word`)},
		{"the edge of a word", "anthropic", "!t", pattern(`\bword`), refused("anthropic", `the pattern "\\bword" looks around, refers back or asks for the edge of a word`)},
		{"a backspace", "anthropic", "!t", pattern(`[\b]`), nil},
		{"a pattern of another provider", "gemini", "t", pattern(`^(?!x)\p{L}$`), nil},
		{"lists of items", "anthropic", "t", `{"type": "object", "properties": {"a": {"type": "array", "items": [{}]}}}`, []string{
			`error PC6016 "anthropic" refuses the schema of "t": it has "items" as it was written before JSON Schema 2020-12`,
		}},
		{"bounds of draft 4", "openai-chat", "t", `{"type": "object", "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}}`, []string{
			`warning PC6016 "openai-chat" asks for another form of the schema of "t": it has "exclusiveMinimum" as it was written before JSON Schema 2020-12`,
		}},
		{"lists of items today", "anthropic", "t", `{"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{}], "exclusiveMinimum": 1}}}`, nil},
		{
			"a format that strict mode has not", "openai-chat", "!t", `{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"format": "uri"}}}`,
			refused("openai-chat", `it has the format "uri"`),
		},
		{"a format that it has", "openai-chat", "!t", `{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"format": "uuid"}}}`, nil},
		{
			"more required than there is", "openai-chat", "!t", `{"type": "object", "additionalProperties": false, "required": ["b"]}`,
			refused("openai-chat", `it requires "b", which is not a property`),
		},
	} {
		got := about(t, tc.dialect, tool(t, tc.tool, tc.schema))
		if diff := cmp.Diff(tc.want, inOrder(got)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestDefinitionsAreJudgedWhoeverTakesThem(t *testing.T) {
	schema := func(inner string) string { return `{"type": "object", ` + inner + `}` }
	twins := `warning PC6043 the schema of "t" has the enum values "asc", "ASC", which differ only in case`
	required := `warning PC6044 the schema of "t" requires "b", which is not a property`
	nothing := func(why string) []string {
		return []string{`warning PC6046 no value satisfies a part of the schema of "t": ` + why}
	}
	for _, tc := range []struct {
		name, tool, schema string
		want               []string
	}{
		{"values", "t", schema(`"properties": {"a": {"enum": ["asc", "desc", "ASC"]}}`), []string{twins}},
		{"values that are no texts", "t", schema(`"properties": {"a": {"enum": [1, 1.0, null, "null"]}}`), nil},
		{"data", "t", schema(`"properties": {"a": {"default": {"enum": ["a", "A"]}}}`), nil},
		{"refused before", "!t", schema(`"additionalProperties": false, "properties": {"a": {"enum": ["asc", "ASC"]}}`), []string{
			`error PC6017 "anthropic" refuses the schema of "t" as strict: the enum values "asc", "ASC" differ only in case`,
		}},
		{"required", "t", schema(`"properties": {"a": {}}, "required": ["a", "b"]`), []string{required}},
		{"without properties", "t", schema(`"required": ["b"]`), []string{required}},
		{"of a list", "t", schema(`"properties": {"a": {"type": "array", "items": {"type": "object", "required": ["b"]}}}`), []string{required}},
		{"described elsewhere", "t", schema(`"additionalProperties": {}, "required": ["b"]`), nil},
		{"described by a pattern", "t", schema(`"patternProperties": {"b": {}}, "required": ["b"]`), nil},
		{"described by a part", "t", schema(`"properties": {"c": {"type": "object", "allOf": [{"properties": {"b": {}}}], "required": ["b"]}}`), nil},
		{"a part of a schema", "t", schema(`"properties": {"c": {"properties": {"b": {}}, "anyOf": [{"type": "object", "required": ["b"]}]}}`), nil},
		{"no values", "t", schema(`"properties": {"a": {"enum": []}}`), nothing(`"enum" is empty`)},
		{"no values of the type", "t", schema(`"properties": {"a": {"type": "string", "enum": [1, true, null, ["x"], {}]}}`), nothing(`no value under "enum" is of its "type"`)},
		{"no values of the types", "t", schema(`"properties": {"a": {"type": ["integer", "null"], "enum": ["1", 1.5]}}`), nothing(`no value under "enum" is of its "type"`)},
		{"a value of one type", "t", schema(`"properties": {"a": {"type": ["integer", "null"], "enum": ["1", null]}}`), nil},
		{"numbers that are whole", "t", schema(`"properties": {"a": {"type": "integer", "enum": [2.0]}, "b": {"type": "integer", "const": 1e3}, "c": {"type": "number", "const": 1e999999999}}`), nil},
		{"values of all types", "t", schema(`"properties": {"a": {"type": "array", "enum": [["x"]]}, "b": {"type": "object", "const": {}}, "c": {"type": "boolean", "const": true}}`), nil},
		{"a type that there is not", "t", schema(`"properties": {"a": {"type": "text", "enum": [1]}}`), nil},
		{"a null of OpenAPI", "t", schema(`"properties": {"a": {"type": "string", "nullable": true, "enum": [null]}}`), nil},
		{"numbers of Gemini's", "t", schema(`"properties": {"a": {"type": "integer", "format": "enum", "enum": ["101"]}}`), nil},
		{"another value", "t", schema(`"properties": {"a": {"type": "string", "const": 1}}`), nothing(`"const" is not of its "type"`)},
		{"values that are data", "t", schema(`"properties": {"a": {"default": {"enum": []}, "const": {"type": "string", "enum": []}}}`), nil},
		{"no number", "t", schema(`"properties": {"a": {"type": "number", "minimum": 2, "maximum": 1.5}}`), nothing(`"minimum" and "maximum" leave nothing between them`)},
		{"one number", "t", schema(`"properties": {"a": {"type": "number", "minimum": 2, "maximum": 2.0}}`), nil},
		{"not that number", "t", schema(`"properties": {"a": {"type": ["number", "integer"], "exclusiveMinimum": 2, "maximum": 2}}`), nothing(`"exclusiveMinimum" and "maximum" leave nothing between them`)},
		{"bounds of draft 4", "t", schema(`"properties": {"a": {"type": "number", "minimum": 2, "exclusiveMaximum": true, "maximum": 3}}`), []string{
			`error PC6016 "anthropic" refuses the schema of "t": it has "exclusiveMaximum" as it was written before JSON Schema 2020-12`,
		}},
		{"bounds of another type", "t", schema(`"properties": {"a": {"type": ["string", "null"], "minLength": 2, "maxLength": 1}, "b": {"minItems": 2, "maxItems": 1}}`), nil},
		{"no length", "t", schema(`"properties": {"a": {"type": "string", "minLength": 2, "maxLength": 1}}`), nothing(`"minLength" and "maxLength" leave nothing between them`)},
		{"no number of items", "t", schema(`"properties": {"a": {"type": "array", "items": {}, "minItems": 10, "maxItems": 9}}`), nothing(`"minItems" and "maxItems" leave nothing between them`)},
		{"no arguments", "t", schema(`"minProperties": 2, "maxProperties": 1`), nothing(`"minProperties" and "maxProperties" leave nothing between them`)},
		{"bounds too large to compare", "t", schema(`"properties": {"a": {"type": "number", "minimum": 1e999, "maximum": 1}}`), nil},
		{"a property of a part", "t", schema(`"properties": {"c": {"anyOf": [{"type": "object", "properties": {"d": {"type": "object", "required": ["b"]}}}]}}`), []string{required}},
	} {
		if diff := cmp.Diff(tc.want, about(t, "anthropic", tool(t, tc.tool, tc.schema))); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestToolsWithoutADescription(t *testing.T) {
	mute := tool(t, "exec", object)
	mute.Description = " \n"
	want := []string{`warning PC6042 the tool "exec" has no description`}
	for _, dialect := range []string{"text", "openai-chat", "gemini"} {
		if diff := cmp.Diff(want, about(t, dialect, mute)); diff != "" {
			t.Errorf("%s: %s", dialect, diff)
		}
	}
	declared := newScene("one")
	declared.variant("text", "a b").Toolset = []*language.Tool{mute}
	if got := declared.said(); got != nil {
		t.Error("of a tool that is only declared: ", got)
	}
	inText := newScene("one")
	a := inText.variant("text", "a b")
	a.Parts[0].Rendering.Tools = []*language.Tool{mute}
	if diff := cmp.Diff(want, inText.said()); diff != "" {
		t.Error("in the text: ", diff)
	}
}

func TestManyFindingsOfOneFileAreCounted(t *testing.T) {
	var values []string
	for i := range 332 {
		values = append(values, `{"enum": ["a`+strconv.Itoa(i)+`", "A`+strconv.Itoa(i)+`"]}`)
	}
	got := about(t, "text", tool(t, "t", `{"type": "object", "anyOf": [`+strings.Join(values, ", ")+`]}`))
	if len(got) != 21 || got[20] != "warning PC6043 and 312 more like it in this file" {
		t.Errorf("%d findings, the last %q", len(got), got[len(got)-1])
	}
}

func TestNamesOfToolsThatBecomeTheSame(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{"read_file", "Read_File", `warning PC6041 the tools "read_file" and "Read_File" have names that differ only in case`},
		{"files.read", "files_read", `warning PC6041 the tools "files.read" and "files_read" become one name where programs put '_' for what a provider does not take`},
		{"files.read", "files-read", ""},
		{"read", "write", ""},
	} {
		s := newScene("one")
		a := s.variant("text", "a b")
		a.Toolset = []*language.Tool{tool(t, tc.a, object), tool(t, tc.b, object)}
		s.variant("text", "a b").Toolset = a.Toolset[:1]
		got := strings.Join(s.said(), "\n")
		if tc.want != "" {
			tc.want += "\n  in 1 of 2 variants: mode=a"
		}
		if got != tc.want {
			t.Errorf("%s and %s: %s", tc.a, tc.b, got)
		}
	}
	apart := newScene("one")
	apart.variant("text", "a b").Toolset = []*language.Tool{tool(t, "read", object)}
	apart.variant("text", "a b").Toolset = []*language.Tool{tool(t, "READ", object)}
	if got := apart.said(); got != nil {
		t.Error("of variants that have one each: ", got)
	}
}

func TestObjectionsNameWhoRefusesWhat(t *testing.T) {
	dotted := tool(t, "files.read", `{"type": "object", "anyOf": []}`)
	slashed := tool(t, "a/b", object)
	var got []string
	for _, o := range lint.Objections([]*language.Tool{dotted, slashed}) {
		got = append(got, o.Taker+" "+o.Tool.Name+" "+o.Reason+" "+o.Finding.Level.String())
	}
	want := []string{
		"mcp a/b name warning",
		"openai-chat files.read name error", "openai-chat files.read root error", "openai-chat a/b name error",
		"openai-responses files.read name error", "openai-responses files.read root error", "openai-responses a/b name error",
		"anthropic files.read name error", "anthropic files.read root error", "anthropic a/b name error",
		"gemini a/b name error",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var many []*language.Tool
	for i := range 129 {
		many = append(many, tool(t, "t"+strconv.Itoa(i), object))
	}
	got = nil
	for _, o := range lint.Objections(many) {
		if o.Tool != nil || o.Finding.Level != diag.Error {
			t.Errorf("%v", o)
		}
		got = append(got, o.Taker+": "+wording.Message(o.Finding))
	}
	want = []string{`openai-chat: 129 tools; "openai-chat" takes 128`, `openai-responses: 129 tools; "openai-responses" takes 128`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryTakerHasARow(t *testing.T) {
	var got []string
	for _, o := range lint.Objections([]*language.Tool{tool(t, "ä", object)}) {
		got = append(got, o.Taker)
	}
	if diff := cmp.Diff(ground.ToolTakers(), got); diff != "" {
		t.Error(diff)
	}
}
