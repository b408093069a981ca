package validate

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/subschema"
)

// Limits of tool files. The largest tool that was met in the wild has some
// 2,000 values.
const (
	maxSchemaNodes = 40_000 // values of one schema
	maxFileNodes   = 60_000 // values of one file, a little more than load lets through
)

// size counts the values of a node, and stops counting above most: a node
// that anchors refer to again and again can be far larger than its file.
func size(n *ground.Node, most int) int {
	if n == nil {
		return 0
	}
	total := 1
	for _, item := range n.Items {
		if total += size(item, most-total); total > most {
			return total
		}
	}
	for _, f := range n.Fields {
		if total += size(f.Value, most-total); total > most {
			return total
		}
	}
	return total
}

// noArguments is the schema of a tool that takes none, in the form that every
// provider accepts.
func noArguments() *ground.Node {
	return &ground.Node{Kind: ground.Mapping, Fields: []ground.Field{
		{Key: "type", Value: &ground.Node{Kind: ground.String, Text: ground.Literal("object")}},
		{Key: "properties", Value: &ground.Node{Kind: ground.Mapping}},
	}}
}

// input gives the checked schema of a tool's arguments.
func (r *toolReader) input(body *ground.Node, s *shape, name string) *ground.Node {
	schema := schemaUnder(body, s.input, s)
	if schema == nil || s.optional && len(schema.Fields) == 0 {
		return noArguments()
	}
	what := diag.Say("schema-of", name)
	r.schema(schema, what)
	r.object(schema, what)
	return schema
}

// schemaUnder gives the schema under one of some keys, nil for none. Gemini's
// own are brought into the form of JSON Schema.
func schemaUnder(body *ground.Node, keys []string, s *shape) *ground.Node {
	var out *ground.Node
	for _, key := range keys {
		n := body.Field(key)
		if n == nil || n.Kind != ground.Mapping {
			continue
		}
		if out = n; s.name == "gemini" && (key == "parameters" || key == "response") {
			out = lowered(n)
		}
	}
	return out
}

// object reports a schema that is not of type object at its root.
func (r *toolReader) object(schema *ground.Node, what diag.Words) {
	kind := schema.Field("type")
	switch {
	case kind == nil:
		r.found = append(r.found, diag.New(diag.BadToolSchema, schema.At.FirstLine(), "no-type", what).
			WithHint("add-type-object-all"))
	case kind.Kind == ground.Sequence, kind.Text.Str != "object" && slices.Contains(simpleTypes, kind.Text.Str):
		r.found = append(r.found, diag.New(diag.BadToolSchema, kind.At.FirstLine(), "type-expected-object", what, is(kind)).
			WithHint("wrap-arguments-always-properties"))
	}
}

// openAPITypes are the types as Gemini's subset of OpenAPI writes them.
var openAPITypes = []string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// openAPICounts are the keywords that Gemini writes as texts, because JSON
// has no 64-bit integers.
var openAPICounts = []string{"maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"}

// lowered gives a schema of Gemini's with the types of JSON Schema. All else
// is kept, `nullable` too: JSON Schema ignores what it does not know, and the
// way back to Gemini loses nothing. The input stays as it is.
func lowered(n *ground.Node) *ground.Node {
	return subschema.Rewrite(n, func(f ground.Field) ground.Field {
		v := *f.Value
		switch {
		case v.Kind != ground.String:
			return f
		case f.Key == "type" && slices.Contains(openAPITypes, v.Text.Str):
			v.Text = ground.Derived(strings.ToLower(v.Text.Str), v.At)
		case slices.Contains(openAPICounts, f.Key) && isCount(v.Text.Str):
			v.Kind = ground.Number
		}
		f.Value = &v
		return f
	})
}

func isCount(s string) bool {
	return s != "" && len(s) < 16 && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

// dialects are the metaschemas that are known, by what `$schema` says after
// the scheme and without a final '#'.
var dialects = []string{
	"json-schema.org/draft/2020-12/schema",
	"json-schema.org/draft/2019-09/schema",
	"json-schema.org/draft-07/schema",
	"json-schema.org/draft-06/schema",
	"json-schema.org/draft-04/schema",
}

var simpleTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// schema checks one schema of a tool; what names it in messages.
func (r *toolReader) schema(n *ground.Node, what diag.Words) {
	if size(n, maxSchemaNodes) > maxSchemaNodes {
		r.found = append(r.found, diag.New(diag.TooLargeToCheck, n.At.FirstLine(), "holds-more-values", what, diag.Count(maxSchemaNodes)).
			WithHint("split-tool-describe-less"))
		return
	}
	dialect := r.dialect(n, what)
	if !r.conform(n, dialect, what) {
		return
	}
	r.patterns(n, what)
	r.references(n, what)
}

// conform holds a schema against the metaschema of its dialect, and reports
// whether it could. The library would compile each regular expression, which
// hostile ones make slow, and refuses those that Go does not know: it gets
// others in their place.
func (r *toolReader) conform(n *ground.Node, dialect string, what diag.Words) bool {
	meta, err := compile(dialect)
	if err != nil {
		r.found = append(r.found, diag.New(diag.BadToolSchema, n.At.FirstLine(), "cannot-checked", what).
			WithHint("leave-schema-out"))
		return false
	}
	n = subschema.Rewrite(n, func(f ground.Field) ground.Field {
		switch {
		case f.Key == "pattern" && f.Value.Kind == ground.String:
			f.Value = &ground.Node{Kind: ground.String, At: f.Value.At}
		case f.Key == "patternProperties": // whose mapping is a copy already
			for i := range f.Value.Fields {
				f.Value.Fields[i].Key = regexp.QuoteMeta(f.Value.Fields[i].Key)
			}
		case f.Key == "$schema":
			// Checked before; some dialects refuse more than others.
			f.Value = &ground.Node{Kind: ground.String, Text: ground.Literal(dialect), At: f.Value.At}
		}
		return f
	})
	for _, v := range violations(validate(meta, instanceOf(n)), newFinder(n)) {
		r.found = append(r.found, v.inSchema(what))
	}
	return true
}

// dialect gives the address of the metaschema that a schema names.
func (r *toolReader) dialect(n *ground.Node, what diag.Words) string {
	named := n.Field("$schema")
	if named == nil {
		return "https://" + dialects[0]
	}
	address := strings.TrimSuffix(named.Scalar(), "#")
	address = strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://")
	if slices.Contains(dialects, address) {
		return "https://" + address
	}
	r.found = append(r.found, diag.New(diag.UnknownDialect, named.At.FirstLine(), "unknown-dialect", what, is(named)).
		WithHint("was-checked-2020-12"))
	return "https://" + dialects[0]
}

// inSchema tells a violation of a metaschema.
func (v violation) inSchema(what diag.Words) diag.Diagnostic {
	value := is(v.place.node)
	subject := v.subject()
	if v.place.owner == nil {
		subject = what
	}
	if d, ok := v.immense(subject); ok {
		return d
	}
	d := diag.New(diag.BadToolSchema, v.at(), "json-schema-not-allow", subject, what, value).
		WithHint("correct-remove")
	switch v.keyword {
	case "type":
		d = diag.New(diag.BadToolSchema, v.at(), "expected-in", subject, what, value, expectedTypes(v.expected))
		d.Hint = v.typeHint()
		if slices.Contains(v.expected, "boolean") && slices.Contains(v.expected, "object") {
			d = d.WithHint("write-schema-such-type")
		}
	case "enum":
		d = diag.New(diag.BadToolSchema, v.at(), "expected-in", subject, what, value, diag.Say("one-of", diag.Names(simpleTypes)))
		d = withNear(d, v.place.node.Scalar(), simpleTypes)
	case "uniqueItems":
		d = diag.New(diag.BadToolSchema, v.at(), "schema-entry-twice", subject, what).
			WithHint("remove-one")
	}
	return d
}

// maxPattern is the length of a regular expression, in bytes, up to which it
// is looked at.
const maxPattern = 1000

// patterns reports the regular expressions that are broken, and those that
// cannot be checked because Go's syntax is smaller than JavaScript's.
func (r *toolReader) patterns(n *ground.Node, what diag.Words) {
	subschema.Each(n, func(s *ground.Node) {
		if p := s.Field("pattern"); p != nil && p.Kind == ground.String {
			r.pattern(p.Text.Str, p.At, what)
		}
		for _, f := range s.Field("patternProperties").Entries() {
			r.pattern(f.Key, f.KeyAt, what)
		}
	})
}

func (r *toolReader) pattern(pattern string, at diag.Span, what diag.Words) {
	var fault *syntax.Error
	if len(pattern) <= maxPattern {
		_, err := syntax.Parse(pattern, syntax.Perl)
		if err == nil {
			return
		}
		errors.As(err, &fault)
	}
	if fault != nil && broken(fault.Code, pattern) {
		r.found = append(r.found, diag.New(diag.BadToolSchema, at.FirstLine(), "pattern-no-regular-expression", pattern, what, fault.Code).
			WithHint("correct-character-meaning-takes"))
		return
	}
	r.found = append(r.found, diag.New(diag.UncheckedPattern, at.FirstLine(), "pattern-was-not-checked", pattern, what).
		WithHint("longer-characters-uses-syntax", diag.Count(maxPattern)))
}

// broken reports whether a fault is one in JavaScript's syntax as well, where
// [] and [^] are complete.
func broken(code syntax.ErrorCode, pattern string) bool {
	switch code {
	case syntax.ErrMissingBracket:
		return !strings.Contains(pattern, "[]") && !strings.Contains(pattern, "[^]")
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingRepeatArgument, syntax.ErrTrailingBackslash:
		return !strings.Contains(pattern, "[]") && !strings.Contains(pattern, "[^]") && !strings.Contains(pattern, "(?")
	default:
		return false
	}
}

// references reports the references of a schema that lead nowhere, out of it, or
// back to themselves by references alone, so that nothing is ever described.
func (r *toolReader) references(n *ground.Node, what diag.Words) {
	refuse := func(ref ground.Field, key, hint string) {
		r.found = append(r.found, diag.New(diag.RefusedRef, ref.Value.At.FirstLine(), key, ref.Value.Text.Str, what).WithHint(hint))
	}
	refs := subschema.ReadRefs(n)
	next := map[*ground.Node]subschema.Ref{} // the $ref of a schema
	var order []*ground.Node
	for _, schema := range refs.Schemas {
		for _, ref := range refs.Of(schema) {
			switch {
			case ref.Outside:
				refuse(ref.Field, "reference-leaves-schema", "copy-below-defs")
			case ref.To == nil:
				refuse(ref.Field, "reference-leads-nowhere", "add-below-defs")
			case ref.Key == "$ref":
				next[schema], order = ref, append(order, schema)
			}
		}
	}
	walk := map[*ground.Node]int{} // the walk that a schema was first met on
	for i, start := range order {
		for n := start; next[n].To != nil; n = next[n].To {
			if met := walk[n]; met != 0 {
				if met == i+1 {
					refuse(next[n].Field, "reference-leads-back-itself", "let-lead-schema")
				}
				break
			}
			walk[n] = i + 1
		}
	}
}
