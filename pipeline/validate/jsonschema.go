package validate

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/surely"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// A tool's schema is checked against the metaschema of its dialect, never
// compiled and run: compiling follows references, and a small schema can be
// built so that this takes for ever.

// keyword says where the value of a keyword of JSON Schema holds schemas:
// itself, in a list, or in a mapping of names.
type keyword struct {
	name                string
	single, list, named bool
}

// keywords are those that hold schemas, of all dialects.
var keywords = []keyword{
	{name: "properties", named: true},
	{name: "patternProperties", named: true},
	{name: "$defs", named: true},
	{name: "definitions", named: true},
	{name: "dependentSchemas", named: true},
	{name: "dependencies", named: true},
	{name: "items", single: true, list: true},
	{name: "prefixItems", list: true},
	{name: "allOf", list: true},
	{name: "anyOf", list: true},
	{name: "oneOf", list: true},
	{name: "additionalProperties", single: true},
	{name: "additionalItems", single: true},
	{name: "unevaluatedProperties", single: true},
	{name: "unevaluatedItems", single: true},
	{name: "propertyNames", single: true},
	{name: "contains", single: true},
	{name: "contentSchema", single: true},
	{name: "not", single: true},
	{name: "if", single: true},
	{name: "then", single: true},
	{name: "else", single: true},
}

func holding(name string) keyword {
	for _, k := range keywords {
		if k.name == name {
			return k
		}
	}
	return keyword{}
}

// each calls visit for a schema and every schema in it, outermost first.
func each(n *prompt.Node, visit func(*prompt.Node)) {
	eachWithin(n, nil, func(n *prompt.Node, _ *resource) *resource {
		visit(n)
		return nil
	})
}

// eachWithin is each that hands down to the schemas inside what it gives for the
// one around them.
func eachWithin(n *prompt.Node, around *resource, visit func(*prompt.Node, *resource) *resource) {
	if n == nil || n.Kind != prompt.Mapping {
		return
	}
	around = visit(n, around)
	for _, f := range n.Fields {
		switch where := holding(f.Key); {
		case where.single && f.Value.Kind == prompt.Mapping:
			eachWithin(f.Value, around, visit)
		case where.list:
			for _, item := range f.Value.Items {
				eachWithin(item, around, visit)
			}
		case where.named:
			for _, named := range f.Value.Fields {
				eachWithin(named.Value, around, visit)
			}
		}
	}
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
func (r *toolReader) schema(n *prompt.Node, what string) {
	if size(n, maxSchemaNodes) > maxSchemaNodes {
		r.found = append(r.found, diag.New(diag.TooLargeToCheck, firstLine(n.At), "%s holds more than %s values", what, diag.Number(maxSchemaNodes)).
			WithHint("split the tool, or describe less"))
		return
	}
	dialect := r.dialect(n, what)
	if !surely.Schema(n) && !r.conform(n, dialect, what) {
		return
	}
	r.patterns(n, what)
	refs := references{reader: r, where: newFinder(n), what: what}
	refs.check()
}

// conform holds a schema against the metaschema of its dialect, and reports
// whether it could.
func (r *toolReader) conform(n *prompt.Node, dialect, what string) bool {
	where := newFinder(n)
	instance := schemaInstance{numbered: where.numbered}
	value := instance.of(n)
	meta, err := r.checker.metaschema(dialect)
	if err != nil {
		r.found = append(r.found, diag.New(diag.BadToolSchema, firstLine(n.At), "%s cannot be checked", what).
			WithHint("leave `$schema` out"))
		return false
	}
	for _, v := range r.checker.violations(validate(meta, value), where) {
		r.found = append(r.found, v.inSchema(what))
	}
	return true
}

// dialect gives the address of the metaschema that a schema names.
func (r *toolReader) dialect(n *prompt.Node, what string) string {
	named := n.Field("$schema")
	if named == nil {
		return "https://" + dialects[0]
	}
	address := strings.TrimSuffix(named.Scalar(), "#")
	address = strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://")
	if slices.Contains(dialects, address) {
		return "https://" + address
	}
	r.found = append(r.found, diag.New(diag.UnknownDialect, firstLine(named.At), "%s is in an unknown dialect %s", what, plain(named)).
		WithHint("it was checked as 2020-12; known are draft-04, draft-06, draft-07, 2019-09 and 2020-12"))
	return "https://" + dialects[0]
}

// schemaInstance converts a schema for the check against its metaschema,
// without its regular expressions: the library would compile each, which
// hostile ones make slow, and refuses those that Go does not know. Entries of
// patternProperties are numbered instead.
type schemaInstance struct {
	numbered map[*prompt.Node]bool
}

func (s schemaInstance) of(n *prompt.Node) any {
	if n.Kind != prompt.Mapping {
		return instanceOf(n)
	}
	out := make(map[string]any, len(n.Fields))
	for _, f := range n.Fields {
		out[f.Key] = s.value(f)
	}
	delete(out, "$schema") // checked above; some dialects refuse more than others
	return out
}

func (s schemaInstance) value(f prompt.Field) any {
	where := holding(f.Key)
	switch n := f.Value; {
	case f.Key == "pattern" && n.Kind == prompt.String:
		return ""
	case f.Key == "patternProperties" && n.Kind == prompt.Mapping:
		s.numbered[n] = true
		out := make(map[string]any, len(n.Fields))
		for i, named := range n.Fields {
			out[strconv.Itoa(i)] = s.of(named.Value)
		}
		return out
	case where.single && n.Kind == prompt.Mapping:
		return s.of(n)
	case where.list && n.Kind == prompt.Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = s.of(item)
		}
		return out
	case where.named && n.Kind == prompt.Mapping:
		out := make(map[string]any, len(n.Fields))
		for _, named := range n.Fields {
			out[named.Key] = s.of(named.Value)
		}
		return out
	default:
		return instanceOf(n)
	}
}

// inSchema tells a violation of a metaschema.
func (v violation) inSchema(what string) diag.Diagnostic {
	value := is(v.place.node)
	subject := v.subject()
	if v.place.owner == nil {
		subject = what
	}
	if d, ok := v.immense(subject + " in " + what); ok {
		return d
	}
	d := diag.New(diag.BadToolSchema, v.at(), "%s in %s is %s, which JSON Schema does not allow", subject, what, value).
		WithHint("correct it, or remove it")
	switch v.keyword {
	case "type":
		d = diag.New(diag.BadToolSchema, v.at(), "%s in %s is %s; expected %s", subject, what, value, expectedTypes(v.expected)).
			WithHint("%s", v.typeHint())
		if slices.Contains(v.expected, "boolean") && slices.Contains(v.expected, "object") {
			d = d.WithHint("write a schema, such as `{\"type\": \"string\"}`")
		}
	case "enum":
		d = diag.New(diag.BadToolSchema, v.at(), "%s in %s is %s; expected %s", subject, what, value, alternatives(simpleTypes))
		d = withNear(d, v.place.node.Scalar(), simpleTypes)
	case "minimum":
		d = d.WithHint("give a whole number of at least 0")
	case "exclusiveMinimum":
		d = d.WithHint("give a number of more than 0")
	case "minItems":
		d = d.WithHint("give it at least one entry, or remove it")
	case "uniqueItems":
		d = diag.New(diag.BadToolSchema, v.at(), "%s in %s has an entry twice", subject, what).
			WithHint("remove one of them")
	}
	return d
}

// maxPattern is the length of a regular expression, in bytes, up to which it
// is looked at.
const maxPattern = 1000

// patterns reports the regular expressions that are broken, and those that
// cannot be checked because Go's syntax is smaller than JavaScript's.
func (r *toolReader) patterns(n *prompt.Node, what string) {
	each(n, func(s *prompt.Node) {
		if p := s.Field("pattern"); p != nil && p.Kind == prompt.String {
			r.pattern(p.Text.Str, p.At, what)
		}
		for _, f := range entries(s.Field("patternProperties")) {
			r.pattern(f.Key, f.KeyAt, what)
		}
	})
}

func (r *toolReader) pattern(pattern string, at diag.Span, what string) {
	var fault *syntax.Error
	if len(pattern) <= maxPattern {
		_, err := syntax.Parse(pattern, syntax.Perl)
		if err == nil {
			return
		}
		errors.As(err, &fault)
	}
	if fault != nil && broken(fault.Code, pattern) {
		r.found = append(r.found, diag.New(diag.BadToolSchema, firstLine(at), "the pattern %s in %s is no regular expression: %s", quote(pattern), what, fault.Code).
			WithHint("correct it; a character that has a meaning takes a backslash before it"))
		return
	}
	r.found = append(r.found, diag.New(diag.UncheckedPattern, firstLine(at), "the pattern %s in %s was not checked", quote(pattern), what).
		WithHint("it is longer than %s characters or uses syntax that not every provider knows, such as look-around", diag.Number(maxPattern)))
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
