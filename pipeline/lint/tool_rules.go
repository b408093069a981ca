package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/match"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// openAIRules are OpenAI's, of both its interfaces. What is strict is from the
// providers' documentation, 2026-11: its guide "Structured outputs", supported
// schemas, and for look-around, formats and names under "required" from error
// messages of its API. What is not comes from those, too: it checks schemas by
// 2020-12, and patterns as Python reads them.
var openAIRules = []rule{
	{
		reason: "root", words: "it has %q at its root", hint: "describe the arguments as properties of one object",
		find: rootKeys("oneOf", "anyOf", "allOf", "enum", "not"),
	},
	{reason: "items", words: "%sis an array without \"items\"", hint: `say what the array holds: "items": {"type": "string"}`, find: arraysWithoutItems},
	{
		reason: "pattern", words: "the pattern %q holds what patterns of Python do not: \\p{…} or (?<name>…)",
		hint: "write the characters out, or a group without a name", find: patternsWith(propertyClass, namedGroup),
	},
	{level: diag.Warning, reason: "draft", words: outdated, hint: outdatedHint, find: wherever(olderDrafts)},
	{strict: true, words: "%slacks \"additionalProperties\": false", hint: "say it of every object", find: openObjects},
	{
		strict: true, words: "the property %q is not required",
		hint: `name every property under "required"; let an optional one be null: "type": ["string", "null"]`, find: optionalProperties,
	},
	{strict: true, words: "it requires %q, which is no property", hint: "describe it under \"properties\", or do not require it", find: unknownRequired},
	{
		strict: true, words: "it has the keyword %q", hint: "leave it out, or let the tool not be strict",
		find: keywordsBelow("allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "oneOf", "patternProperties"),
	},
	{strict: true, words: "the pattern %q looks around", hint: "write it without (?=…), (?!…), (?<=…) and (?<!…)", find: patternsWith(lookAround)},
	{
		strict: true, words: "it has the format %q", hint: "say it in the description, or let the tool not be strict",
		find: formatsBut("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
	},
	{strict: true, words: "objects are nested %s deep; " + diag.Number(strictLevels) + " levels are taken", hint: "make it flatter", find: nestedTooDeep},
	{strict: true, words: "it has %s properties; " + diag.Number(strictProperties) + " are taken", hint: "make it smaller", find: tooManyProperties},
	{strict: true, words: "it has %s enum values; " + diag.Number(strictValues) + " are taken", hint: "make it smaller", find: tooManyValues},
	{
		strict: true, hint: "make it smaller", find: tooLongEnums,
		words: "an enum has %s characters; " + diag.Number(strictEnumRunes) + " are taken where it has more than " + diag.Number(strictEnumValues) + " values",
	},
	{strict: true, words: "its names and values have %s characters; " + diag.Number(strictRunes) + " are taken", hint: "make it smaller", find: tooManyCharacters},
}

// anthropicRules are Anthropic's. What is strict is from the providers'
// documentation, 2026-11: the page "Structured outputs", limitations. What is
// not comes from error messages of its API, which checks schemas by 2020-12.
var anthropicRules = []rule{
	{
		reason: "root", words: "it has %q at its root", hint: "describe the arguments as properties of one object",
		find: rootKeys("oneOf", "anyOf", "allOf"),
	},
	{
		reason: "property", words: "the property %s", hint: "use at most 64 letters, digits, '_', '.' and '-'",
		find: propertyNames(match.Word{Rest: "a-zA-Z0-9_.-", Max: 64}),
	},
	{reason: "draft", words: outdated, hint: outdatedHint, find: wherever(olderDrafts)},
	{strict: true, words: "%slacks \"additionalProperties\": false", hint: "say it of every object", find: openObjects},
	{
		strict: true, words: "it has the keyword %q", hint: "say it in the description, or let the tool not be strict",
		find: keywords("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems"),
	},
	{strict: true, words: "%sasks for more than one item", hint: "minItems may be 0 or 1; say the rest in the description", find: wherever(manyItems)},
	{
		strict: true, words: "the pattern %q looks around, refers back or asks for the edge of a word",
		hint: "write it without, or say it in the description", find: patternsWith(lookAround, backReference, wordEdge),
	},
	{strict: true, words: "the reference %q leads back to what it stands in", hint: "describe a fixed number of levels, or let the tool not be strict", find: recursion},
	{strict: true, words: "%shas an enum of values that are not simple", hint: "list texts, numbers, true, false or null", find: wherever(complexEnums)},
	{strict: true, words: "the enum values %s differ only in case", hint: "keep one of them", find: caseTwins},
}

// geminiRules are Gemini's. From the providers' documentation, 2026-11: the
// reference of FunctionDeclaration, which asks for names that its API does not
// always insist on. Schemas go out as parametersJsonSchema, which takes any
// keyword.
var geminiRules = []rule{
	{
		level: diag.Warning, reason: "property", words: "the parameter %s",
		hint: "begin with a letter or '_', and use at most 64 letters, digits and '_'",
		find: propertyNames(match.Word{First: "a-zA-Z_", Rest: "a-zA-Z0-9_", Max: 64}),
	},
}

// What is said of what only drafts before 2020-12 have.
const (
	outdated     = "it has %q as it was written before JSON Schema 2020-12"
	outdatedHint = `write "prefixItems" for a list of "items", and the bound itself after "exclusiveMinimum" and "exclusiveMaximum"`
)

// rootKeys finds keywords of the root.
func rootKeys(keys ...string) func([]schemaAt) []breach {
	find := keywords(keys...)
	return func(all []schemaAt) []breach { return find(all[:1]) }
}

// wherever makes a search of all fields of all schemas from what tells which of
// them breaks the rule, and what is said of it.
func wherever(breaks func(schemaAt, prompt.Field) (string, bool)) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, s := range all {
			for _, f := range s.node.Fields {
				if name, ok := breaks(s, f); ok {
					out = append(out, breach{f.KeyAt, name})
				}
			}
		}
		return out
	}
}

// keywordsBelow finds keywords below the root, where they are no finding of
// their own, and at it those that rootKeys does not name.
func keywordsBelow(keys ...string) func([]schemaAt) []breach {
	return wherever(func(s schemaAt, f prompt.Field) (string, bool) {
		atRoot := s.root() && slices.Contains([]string{"oneOf", "allOf", "not"}, f.Key)
		return f.Key, slices.Contains(keys, f.Key) && !atRoot
	})
}

// keywords finds keywords wherever a schema stands.
func keywords(keys ...string) func([]schemaAt) []breach {
	return wherever(func(_ schemaAt, f prompt.Field) (string, bool) { return f.Key, slices.Contains(keys, f.Key) })
}

// propertyNames finds arguments with other names.
func propertyNames(allowed match.Word) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, f := range fields(all[0].node.Field("properties")) {
			if why := allowed.Breach(f.Key); why != "" {
				out = append(out, breach{f.KeyAt, diag.Quote(f.Key) + " " + why})
			}
		}
		return out
	}
}

func fields(n *prompt.Node) []prompt.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// subject begins a sentence about a schema.
func (s schemaAt) subject() string {
	if s.name == "" {
		return "it "
	}
	return "\"" + s.name + "\" "
}

func arraysWithoutItems(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		if hasType(s.node, "array") && s.node.Field("items") == nil && s.node.Field("prefixItems") == nil {
			out = append(out, breach{s.at(), s.subject()})
		}
	}
	return out
}

// at is where a schema says what it is.
func (s schemaAt) at() diag.Span {
	for _, f := range s.node.Fields {
		if f.Key == "type" {
			return f.KeyAt
		}
	}
	return s.node.At
}

func openObjects(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		more := s.node.Field("additionalProperties")
		if !isObject(s.node) || more != nil && more.Kind == prompt.Bool && more.Scalar() == "false" {
			continue
		}
		place := s.at()
		if more != nil && more.At.Known() {
			place = more.At
		}
		out = append(out, breach{place, s.subject()})
	}
	return out
}

func optionalProperties(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		for _, f := range optional(s.node) {
			out = append(out, breach{f.KeyAt, f.Key})
		}
	}
	return out
}

// optional gives the properties of an object that are not required.
func optional(n *prompt.Node) []prompt.Field {
	required := map[string]bool{}
	if list := n.Field("required"); list != nil {
		for _, item := range list.Items {
			required[item.Scalar()] = true
		}
	}
	var out []prompt.Field
	for _, f := range fields(n.Field("properties")) {
		if !required[f.Key] {
			out = append(out, f)
		}
	}
	return out
}

func manyItems(s schemaAt, f prompt.Field) (string, bool) {
	if f.Key != "minItems" {
		return "", false
	}
	n, err := strconv.ParseFloat(f.Value.Scalar(), 64)
	return s.subject(), err != nil || n != 0 && n != 1
}

func complexEnums(s schemaAt, f prompt.Field) (string, bool) {
	if f.Key != "enum" {
		return "", false
	}
	return s.subject(), slices.ContainsFunc(f.Value.Items, func(n *prompt.Node) bool { return !n.IsScalar() })
}

func caseTwins(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		values := s.node.Field("enum")
		if values == nil {
			continue
		}
		met := map[string]string{}
		for _, v := range values.Items {
			if v.Kind != prompt.String {
				continue
			}
			low := strings.ToLower(v.Text.Str)
			if first, ok := met[low]; ok && first != v.Text.Str {
				out = append(out, breach{v.At, named([]string{first, v.Text.Str})})
			}
			met[low] = v.Text.Str
		}
	}
	return out
}

// unknownRequired finds names under "required" that are no property. Where
// other keywords of the schema, or the schema that it is a part of, may describe
// them, nothing is said.
func unknownRequired(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		elsewhere := func(key string) bool { return s.node.Field(key) != nil }
		if s.part || !isObject(s.node) || slices.ContainsFunc([]string{"allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "if", "patternProperties"}, elsewhere) {
			continue
		}
		if more := s.node.Field("additionalProperties"); more != nil && more.Kind == prompt.Mapping || s.node.Field("required") == nil {
			continue
		}
		known := map[string]bool{}
		for _, f := range fields(s.node.Field("properties")) {
			known[f.Key] = true
		}
		for _, name := range s.node.Field("required").Items {
			if name.Kind == prompt.String && !known[name.Text.Str] {
				out = append(out, breach{name.At, name.Text.Str})
			}
		}
	}
	return out
}

// formatsBut finds formats other than those that are taken.
func formatsBut(taken ...string) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, s := range all {
			if f := s.node.Field("format"); f != nil && f.Kind == prompt.String && !slices.Contains(taken, f.Text.Str) {
				out = append(out, breach{f.At, f.Text.Str})
			}
		}
		return out
	}
}

// olderDrafts finds what JSON Schema 2020-12 writes otherwise than the drafts
// before it: lists of items, and bounds that are true or false.
func olderDrafts(_ schemaAt, f prompt.Field) (string, bool) {
	bound := f.Key == "exclusiveMinimum" || f.Key == "exclusiveMaximum"
	return f.Key, f.Key == "items" && f.Value.Kind == prompt.Sequence || bound && f.Value.Kind == prompt.Bool
}
