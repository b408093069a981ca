package lint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// node reads JSON, with places in a file of its own. Keys keep their order.
func node(t *testing.T, text string) *ground.Node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return decode(t, d, &diag.File{Path: "tool.json", Text: text})
}

func decode(t *testing.T, d *json.Decoder, f *diag.File) *ground.Node {
	t.Helper()
	start := int(d.InputOffset())
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	n := &ground.Node{}
	switch v := token.(type) {
	case json.Delim:
		n.Kind = ground.Sequence
		for v == '{' && d.More() {
			key, _ := d.Token()
			at := int(d.InputOffset())
			n.Fields = append(n.Fields, ground.Field{Key: key.(string), KeyAt: diag.Span{File: f, Start: at - 1, End: at}, Value: decode(t, d, f)})
		}
		for v == '[' && d.More() {
			n.Items = append(n.Items, decode(t, d, f))
		}
		if v == '{' {
			n.Kind = ground.Mapping
		}
		_, _ = d.Token()
	case string:
		n.Kind, n.Text = ground.String, ground.Literal(v)
	case json.Number:
		n.Kind, n.Text = ground.Number, ground.Literal(v.String())
	case bool:
		n.Kind, n.Text = ground.Bool, ground.Literal(strconv.FormatBool(v))
	}
	n.At = diag.Span{File: f, Start: start, End: int(d.InputOffset())}
	return n
}

// tool is a definition; a name that begins with `!` is strict.
func tool(t *testing.T, name, schema string) *language.Tool {
	t.Helper()
	name, strict := strings.CutPrefix(name, "!")
	f := &diag.File{Path: name + ".json", Text: name}
	at := diag.Span{File: f, End: len(name)}
	return &language.Tool{Name: name, Description: "Does it.", Strict: strict, Input: node(t, schema), File: f, At: at, NameAt: at, Canonical: `{"name": "x", "inputSchema": {}}`}
}

const object = `{"type": "object", "properties": {}, "additionalProperties": false}`

func about(t *testing.T, dialect string, tools ...*language.Tool) []string {
	t.Helper()
	s := newScene("one")
	s.variant(dialect, "a b").Beside = tools
	s.variant(dialect, "a b").Beside = tools
	return s.said()
}

func TestToolNames(t *testing.T) {
	long := strings.Repeat("n", 65)
	longest := strings.Repeat("n", 129)
	for _, tc := range []struct {
		dialect, name, want string
	}{
		{"openai-chat", "read_file", ""},
		{"openai-chat", "a.b", `error PC6013 "openai-chat" refuses the tool name "a.b"`},
		{"openai-responses", long, `error PC6013 "openai-responses" refuses the tool name "` + long + `"`},
		{"anthropic", "a.b", `error PC6013 "anthropic" refuses the tool name "a.b"`},
		{"anthropic", long, `warning PC6013 the tool name "` + long + `" has 65 characters; some models of "anthropic" take 64`},
		{"anthropic", longest, `error PC6013 "anthropic" refuses the tool name "` + longest + `"`},
		{"gemini", "a.b:c", ""},
		{"gemini", "1st", `error PC6013 "gemini" refuses the tool name "1st"`},
		{"gemini", long, `warning PC6013 the tool name "` + long + `" has 65 characters; some models of "gemini" take 64`},
		{"text", "a.b", ""},
	} {
		got := strings.Join(about(t, tc.dialect, tool(t, tc.name, object)), "\n")
		if got != tc.want {
			t.Errorf("%s, %s: %s", tc.dialect, tc.name, got)
		}
	}
}

func TestNumbersOfTools(t *testing.T) {
	several := func(prefix string, n int, schema string) []*language.Tool {
		var out []*language.Tool
		for i := range n {
			out = append(out, tool(t, prefix+strconv.Itoa(i), schema))
		}
		return out
	}
	strictly := func(prefix string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%s%d": {"type": "string"}`, prefix, i)
		}
		return `{"type": "object", "additionalProperties": false, "properties": {` + b.String()[1:] + `}}`
	}
	optional := `{"type": "object", "additionalProperties": false, "properties": {"a": {"type": ["string", "null"]}, "b": {"anyOf": []}}}`
	for _, tc := range []struct {
		dialect string
		tools   []*language.Tool
		want    []string
	}{
		{"openai-chat", several("t", 20, object), nil},
		{"openai-chat", several("t", 21, object), []string{`note PC6014 "p" sends 21 tools; for "openai-chat" some 20 are advised`}},
		{"openai-chat", several("t", 129, object), []string{`error PC6014 "p" sends 129 tools; "openai-chat" takes 128`}},
		{"gemini", several("t", 512, object), nil},
		{"gemini", several("t", 513, object), []string{`error PC6014 "p" sends 513 tools; "gemini" takes 512`}},
		{"anthropic", several("t", 600, object), nil},
		{"anthropic", several("!t", 21, object), []string{`error PC6014 "p" sends 21 strict tools; "anthropic" takes 20`}},
		{"anthropic", several("t", 13, optional), nil},
		{"anthropic", several("!t", 12, optional), []string{
			`error PC6014 "p" sends 24 union-typed strict parameters; "anthropic" takes 16`,
		}},
		{"anthropic", several("!t", 13, optional), []string{
			`error PC6014 "p" sends 26 optional strict parameters; "anthropic" takes 24`,
			`error PC6014 "p" sends 26 union-typed strict parameters; "anthropic" takes 16`,
		}},
		{"anthropic", []*language.Tool{
			tool(t, "lax", optional), tool(t, "!few", strictly("f", 5)), tool(t, "!none", object), tool(t, "!many", strictly("m", 20)),
		}, []string{
			`error PC6014 "p" sends 25 optional strict parameters; "anthropic" takes 24`,
		}},
	} {
		if diff := cmp.Diff(tc.want, about(t, tc.dialect, tc.tools...)); diff != "" {
			t.Errorf("%s, %d: %s", tc.dialect, len(tc.tools), diff)
		}
	}
}

func TestLongDescriptions(t *testing.T) {
	long := tool(t, "exec", object)
	long.Description = strings.Repeat("é", 1025)
	want := []string{`warning PC6015 the description of the tool "exec" has 1,025 characters; some servers that speak "openai-chat" take 1,024`}
	if diff := cmp.Diff(want, about(t, "openai-chat", long)); diff != "" {
		t.Error(diff)
	}
	if got := about(t, "anthropic", long); got != nil {
		t.Error(got)
	}
}

func TestFieldsOfToolsThatAreLeftOut(t *testing.T) {
	var tools []*language.Tool
	for i, canonical := range []string{`{"title": "T", "annotations": {}}`, `{"title": "T"}`, `{"name": "x"}`} {
		tools = append(tools, tool(t, "t"+strconv.Itoa(i), object))
		tools[i].Canonical = canonical
	}
	want := []string{
		`note PC6018 "gemini" has no field for "title", "annotations", which requests leave out of the tools of "p"`,
		`  "title" of "t0", "t1"`, `  "annotations" of "t0"`,
	}
	if diff := cmp.Diff(want, about(t, "gemini", tools...)); diff != "" {
		t.Error(diff)
	}
	want = []string{`note PC6018 "gemini" has no field for "strict", which requests leave out of the tools of "p"`, `  "strict" of "s"`}
	if diff := cmp.Diff(want, about(t, "gemini", tool(t, "!s", object))); diff != "" {
		t.Error(diff)
	}
	if got := about(t, "text", tools...); got != nil {
		t.Error(got)
	}
}

func TestSchemasThatAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, dialect, tool, schema string
		want                        []string
	}{
		{"a choice at the root", "anthropic", "t", `{"type": "object", "oneOf": []}`, []string{
			`error PC6016 "anthropic" refuses the schema of "t": it has "oneOf" at its root`,
		}},
		{"a choice at the root that one takes", "anthropic", "t", `{"type": "object", "not": {}}`, nil},
		{"a negation at the root", "openai-chat", "t", `{"type": "object", "not": {}}`, []string{
			`error PC6016 "openai-chat" refuses the schema of "t": it has "not" at its root`,
		}},
		{"a choice below it", "openai-chat", "t", `{"type": "object", "properties": {"a": {"oneOf": []}}}`, nil},
		{"arrays of nothing", "openai-responses", "t", `{"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "array", "items": {"type": ["array", "null"]}}}}`, []string{
			`error PC6016 "openai-responses" refuses the schema of "t": "a" is an array without "items"`,
			`  also "b" is an array without "items" (line 1)`,
		}},
		{"a name", "anthropic", "t", `{"type": "object", "properties": {"a b": {}, "c.d": {}}}`, []string{
			`error PC6016 "anthropic" refuses the schema of "t": the property "a b" has " "`,
		}},
		{"a name that is advised against", "gemini", "t", `{"type": "object", "properties": {"a-b": {}}}`, []string{
			`warning PC6016 "gemini" asks for another form of the schema of "t": the parameter "a-b" has "-"`,
		}},
		{"data is no schema", "openai-chat", "!t", `{"type": "object", "additionalProperties": false, "properties": {"not": {"default": {"type": "array", "not": 1}}}, "required": ["not"]}`, nil},
		{"strict is asked of strict tools", "openai-chat", "t", `{"type": "object", "properties": {"a": {"allOf": []}}}`, nil},
		{"strict", "openai-chat", "!t", `{"type": "object", "properties": {"a": {"allOf": [{"if": {}}]}, "b": {"type": "object", "additionalProperties": {}}}, "required": ["b"]}`, []string{
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: it has the keyword "allOf"`,
			`  also it has the keyword "if" (line 1)`,
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: it lacks "additionalProperties": false`,
			`  also "b" lacks "additionalProperties": false (line 1)`,
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: the property "a" is not required`,
		}},
		{"strict elsewhere", "anthropic", "!t", `{"type": "object", "additionalProperties": false, "properties": {
			"a": {"minimum": 1, "minItems": 2}, "b": {"enum": [[1]]}, "c": {"enum": ["on", "On", "off"]}, "d": {"minItems": 1}, "e": {"minItems": 1.0}, "f": {"minItems": 0e0}}}`, []string{
			`error PC6017 "anthropic" refuses the schema of "t" as strict: "a" asks for more than one item`,
			`error PC6017 "anthropic" refuses the schema of "t" as strict: "b" has an enum of values that are not simple`,
			`error PC6017 "anthropic" refuses the schema of "t" as strict: it has the keyword "minimum"`,
			`error PC6017 "anthropic" refuses the schema of "t" as strict: the enum values "on", "On" differ only in case`,
		}},
		{"an empty text among the values", "gemini", "t", `{"type": "object", "properties": {"a": {"enum": ["x", ""]}, "b": {"items": {"enum": [""]}}}}`, []string{
			`warning PC6016 "gemini" asks for another form of the schema of "t": "a" has an empty string among its enum values`,
			`  also "b" has an empty string among its enum values (line 1)`,
		}},
		{"an empty text for others", "openai-chat", "t", `{"type": "object", "properties": {"a": {"enum": ["x", ""]}}}`, nil},
		{"gemini is never strict", "gemini", "!t", `{"type": "object", "properties": {"a": {"allOf": []}}}`, []string{
			`note PC6018 "gemini" has no field for "strict", which requests leave out of the tools of "p"`, `  "strict" of "t"`,
		}},
	} {
		got := about(t, tc.dialect, tool(t, tc.tool, tc.schema))
		if diff := cmp.Diff(tc.want, inOrder(got)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// inOrder sorts findings with their details, which are in the order of their
// places.
func inOrder(lines []string) []string {
	var all [][]string
	for _, line := range lines {
		if strings.HasPrefix(line, "  ") {
			all[len(all)-1] = append(all[len(all)-1], line)
		} else {
			all = append(all, []string{line})
		}
	}
	slices.SortFunc(all, func(a, b []string) int { return slices.Compare(a, b) })
	return slices.Concat(all...)
}

func TestRecursionIsRefusedInStrictTools(t *testing.T) {
	const around = `{"type": "object", "additionalProperties": false, "properties": {"a": %s}, "$defs": {
		"leaf": {"type": "string"}, "list": {"items": {"$ref": "#/$defs/list"}}, "named": {"$anchor": "n", "anyOf": [{"$ref": "#n"}]},
		"p/q": {"$ref": "#/properties/a"}, "x y%%": {"$ref": "#/properties/a"}}}`
	for property, want := range map[string]int{
		`{"$ref": "#/$defs/leaf"}`: 2, `{"$ref": "#"}`: 3, `{"$ref": "#/$defs/p~1q"}`: 3, `{"$ref": "#/$defs/nowhere"}`: 2,
		`{"$id": "a.json", "items": {"$ref": "a.json"}}`: 3, `{"items": {"$ref": "#/properties/a"}}`: 3,
	} {
		found := lint.Run(strictly(t, fmt.Sprintf(around, property)))
		if len(found) != 1 || len(wording.Detail(found[0]))+1 != want {
			t.Errorf("%s: %v", property, found)
		}
	}
}

func strictly(t *testing.T, schema string) (*assembly.Plan, []*assembly.Artifact) {
	t.Helper()
	s := newScene("one")
	s.variant("anthropic", "a b").Beside = []*language.Tool{tool(t, "!t", schema)}
	return s.plan, s.all
}

func TestLimitsOfStrictSchemas(t *testing.T) {
	deep := object
	for range 10 {
		deep = `{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": ` + deep + `}}`
	}
	values := strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("v", 121)+`",`, 1001), ",")
	wide := `{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"enum": [` + values + `]}}}`
	var properties, required strings.Builder
	for i := range 5_001 {
		fmt.Fprintf(&properties, `,"p%d": {"type": "string", "description": "One."}`, i)
		fmt.Fprintf(&required, `,"p%d"`, i)
	}
	many := `{"type": "object", "additionalProperties": false, "required": [` + required.String()[1:] + `], "properties": {` + properties.String()[1:] + `}}`
	for _, tc := range []struct {
		schema string
		want   []string
	}{
		{many, []string{`error PC6017 "openai-chat" refuses the schema of "t" as strict: it has 5,001 properties; 5,000 are taken`}},
		{deep, []string{`error PC6017 "openai-chat" refuses the schema of "t" as strict: objects are nested 11 deep; 10 levels are taken`}},
		{wide, []string{
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: a long enum has 121,121 characters; 15,000 are taken`,
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: it has 1,001 enum values; 1,000 are taken`,
			`error PC6017 "openai-chat" refuses the schema of "t" as strict: its names and values have 121,122 characters; 120,000 are taken`,
		}},
	} {
		if diff := cmp.Diff(tc.want, inOrder(about(t, "openai-chat", tool(t, "!t", tc.schema)))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestHostileSchemasDoNotHang(t *testing.T) {
	deep := strings.Repeat(`{"items": `, 9_000) + "{}" + strings.Repeat("}", 9_000)
	var refs strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&refs, `,"d%d": {"$ref": "#/$defs/d%d"}`, i, (i+1)%3_000)
	}
	refuted := `{"type": "object", "$defs": {` + refs.String()[1:] + `}}`
	// Anchors make one node many: twenty times twice the same.
	twice := &ground.Node{Kind: ground.Mapping}
	for range 20 {
		twice = &ground.Node{Kind: ground.Mapping, Fields: []ground.Field{{Key: "not", Value: twice}, {Key: "contains", Value: twice}}}
	}
	many := tool(t, "!t", object)
	many.Input = twice
	for _, d := range []string{"openai-chat", "anthropic", "gemini"} {
		about(t, d, tool(t, "!t", refuted), many, &language.Tool{Name: "none", Strict: true}, tool(t, "!list", `[]`))
		if len(deep) < 1<<20 {
			about(t, d, tool(t, "!deep", deep))
		}
	}
}
