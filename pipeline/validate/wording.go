package validate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// wordings is how each keyword of JSON Schema is told to people. What is not
// listed is told by otherwise; what is nil is checked, and told better, where
// values become typed.
var wordings = []struct {
	keyword string
	tell    func(violation) diag.List
}{
	{"type", wrongType},
	{"enum", wrongChoice},
	{"const", wrongVersion},
	{"required", missingKeys},
	{"additionalProperties", unknownKeys},
	{oneOfKeys, wrongKeys},
	{"minLength", wrongLength},
	{"minItems", wrongLength},
	{"maxItems", wrongLength},
	{"minProperties", wrongLength},
	{"minimum", wrongAmount},
	{"maximum", wrongAmount},
	{"exclusiveMinimum", wrongAmount},
	{"pattern", wrongPattern},
	{"not", nil},
	{"uniqueItems", nil},
}

// diagnostics tells a violation of one of our schemas.
func (v violation) diagnostics() diag.List {
	for _, w := range wordings {
		if w.keyword != v.keyword {
			continue
		}
		if w.tell == nil {
			return nil
		}
		return w.tell(v)
	}
	return v.wrong("remove it, or compare it with the documentation", "not-allowed", v.subject())
}

// wrong tells of a value that is not one of those allowed.
func (v violation) wrong(hint, format string, args ...any) diag.List {
	return diag.List{diag.New(diag.WrongValue, v.at(), format, args...).WithHint("%s", hint)}
}

// at gives the place of the value, its first line where it has several.
func (v violation) at() diag.Span {
	if v.place.node == nil {
		return v.place.keyAt
	}
	return firstLine(v.place.node.At)
}

// keyAt gives the place of what names the value: its key, else the value.
func (v violation) keyAt() diag.Span {
	if v.place.keyAt.Known() {
		return v.place.keyAt
	}
	return v.at()
}

func firstLine(at diag.Span) diag.Span {
	if !at.Known() {
		return at
	}
	if i := strings.IndexByte(at.File.Text[at.Start:at.End], '\n'); i >= 0 {
		at.End = at.Start + i
	}
	return at
}

// subject names the value: its key, or its position in a list.
func (v violation) subject() string {
	p := v.place
	switch {
	case p.key != "":
		return quote(p.key)
	case p.owner != nil && p.list != "":
		return itemOf(p.list, p.index)
	case p.owner != nil:
		return fmt.Sprintf("item %d", p.index+1)
	default:
		return noun(v.schema)
	}
}

// itemOf names an entry of a list.
func itemOf(list string, index int) string {
	return fmt.Sprintf("item %d of %s", index+1, quote(list))
}

func wrongType(v violation) diag.List {
	if d, ok := v.immense(v.subject()); ok {
		return diag.List{d}
	}
	d := diag.New(diag.WrongType, v.at(), "expected-2", v.subject(), is(v.place.node), expectedTypes(v.expected))
	return diag.List{d.WithHint("%s", v.typeHint())}
}

// immense tells a number that cannot be computed with.
func (v violation) immense(subject string) (diag.Diagnostic, bool) {
	n := v.place.node
	number := slices.Contains(v.expected, "number") || slices.Contains(v.expected, "integer")
	if n == nil || n.Kind != prompt.Number || moderate(n.Text.Str) || !number {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.TooLargeToCheck, v.at(), "beyond-64-bit-number", subject, is(n)).
		WithHint("write-number-usual-size"), true
}

func wrongChoice(v violation) diag.List {
	choices := texts(v.schema["enum"])
	found := v.wrong("write one of these", "expected-2", v.subject(), is(v.place.node), alternatives(choices))
	found[0] = withNear(found[0], v.place.node.Scalar(), choices)
	return found
}

// wrongVersion tells of another version of the manifest: of our schemas, only
// that has a constant.
func wrongVersion(v violation) diag.List { return diag.List{unknownVersion(v.place.node)} }

func unknownVersion(n *prompt.Node) diag.Diagnostic {
	return diag.New(diag.UnknownVersion, firstLine(n.At), "version-manifest-promptc-reads", is(n)).
		WithHint("write-version-1-use")
}

func missingKeys(v violation) diag.List {
	var out diag.List
	if _, told := v.negation(); told {
		return nil
	}
	for _, key := range texts(v.schema["required"]) {
		if v.place.node.Field(key) != nil || v.misspelt(key) {
			continue
		}
		property, _ := properties(v.schema)[key].(map[string]any)
		hint := "add `" + key + "`"
		if words := phrase(property); words != "" {
			hint += ": " + words
		}
		out = append(out, diag.New(diag.MissingKey, v.keyAt(), "lacks-key", noun(v.schema), quote(key)).WithHint("%s", hint))
	}
	return out
}

// phrase gives the first sentence of a schema's description, to go on with.
func phrase(schema map[string]any) string {
	description, _ := schema["description"].(string)
	words, _, _ := strings.Cut(description, ". ")
	words = strings.TrimSuffix(words, ".")
	if words == "" {
		return ""
	}
	return strings.ToLower(words[:1]) + words[1:]
}

// maxHints bounds for how many keys of one mapping a close one is looked for:
// each costs a comparison with every key that is known.
const maxHints = 50

func unknownKeys(v violation) diag.List {
	if d, ok := v.negation(); ok {
		return diag.List{d}
	}
	var out diag.List
	known := knownKeys(v.schema)
	for i, f := range unknownFields(v.place.node, v.schema) {
		d := diag.New(diag.UnknownKey, f.KeyAt, "unknown-key", quote(f.Key), noun(v.schema)).
			WithHint("known-keys", strings.Join(known, ", "))
		if i < maxHints {
			if hint := v.keyHint(f.Key, known); hint != "" {
				d = d.WithHint("%s", hint)
			}
		}
		out = append(out, d)
	}
	return out
}

// unknownFields gives the entries of a mapping that a schema does not name.
func unknownFields(n *prompt.Node, schema map[string]any) []prompt.Field {
	patterns, _ := schema["patternProperties"].(map[string]any)
	var out []prompt.Field
	for _, f := range n.Fields {
		if !has(schema, f.Key) && !matchesAny(patterns, f.Key) {
			out = append(out, f)
		}
	}
	return out
}

func matchesAny(patterns map[string]any, key string) bool {
	for pattern := range patterns {
		if ok, err := regexp.MatchString(pattern, key); ok && err == nil {
			return true
		}
	}
	return false
}

// knownKeys gives the keys that a schema names, sorted: JSON's reader does
// not keep their order.
func knownKeys(schema map[string]any) []string { return slices.Sorted(maps.Keys(properties(schema))) }

// has reports whether a schema names a key.
func has(schema map[string]any, key string) bool { return properties(schema)[key] != nil }

func wrongKeys(v violation) diag.List {
	var keys, there []string
	for _, set := range v.keys {
		for _, key := range set {
			if !v.several && v.misspelt(key) {
				return nil
			}
			keys = append(keys, quote(key))
			if v.place.node.Field(key) != nil {
				there = append(there, quote(key))
			}
		}
	}
	if v.several {
		return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "expected-only", noun(v.schema), list(there), list(keys)).
			WithHint("keep-you-mean")}
	}
	return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "none", noun(v.schema), list(keys)).
		WithHint("add")}
}

// wrongLength tells what is empty, and lists with too few or too many entries.
func wrongLength(v violation) diag.List {
	const hint = "give it a value"
	switch limit, _ := v.schema[v.keyword].(float64); {
	case v.keyword == "maxItems":
		return diag.List{diag.New(diag.WrongValue, v.keyAt(), "entries-2", v.subject(), diag.Number(len(v.place.node.Items))).
			WithHint("most-read", diag.Number(int(limit)))}
	case v.keyword == "minItems" && v.place.node != nil && len(v.place.node.Items) > 0:
		return v.wrong("name two or more", "entry", v.subject())
	case v.keyword == "minItems":
		return v.wrong(hint, "empty-list", v.subject())
	case v.keyword == "minProperties":
		return v.wrong(hint, "empty-mapping", v.subject())
	}
	return v.wrong(hint, "empty", v.subject())
}

// bounds are the keywords that limit a number, in words.
var bounds = map[string]string{"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}

func wrongAmount(v violation) diag.List {
	limit, _ := v.schema[v.keyword].(float64)
	return v.wrong("write a number in this range", "expected-3", v.subject(), is(v.place.node), bounds[v.keyword], diag.Number(int(limit)))
}

// notBlank is the pattern by which our schemas ask for more than white space.
const notBlank = `\S`

// wrongPattern tells what a text should look like in the schema's own words.
func wrongPattern(v violation) diag.List {
	switch {
	case v.schema["not"] != nil:
		return nil // the decoder checks and explains names
	case v.schema["pattern"] == notBlank:
		return v.wrong("write a text", "blank", v.subject())
	}
	return v.wrong("write it so", "expected-2", v.subject(), is(v.place.node), phrase(v.schema))
}

// noun names the thing that a schema describes, by its title.
func noun(schema map[string]any) string {
	title, _ := schema["title"].(string)
	if title == "" {
		return "the value"
	}
	return "the " + strings.ToLower(title)
}

// quote puts the user's text in quotes, shortened where it is long.
func quote(s string) string { return diag.Quote(short(s)) }

// short gives the start of a text that would make no line of a message.
func short(s string) string {
	const most = 60 // characters
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}

// is describes the value: a scalar by its text, anything else by its shape.
func is(n *prompt.Node) string {
	switch {
	case n == nil:
		return "missing"
	case n.Kind == prompt.Mapping:
		return "a mapping"
	case n.Kind == prompt.Sequence:
		return "a list"
	case n.Text.Str == "":
		return "empty"
	case n.Kind == prompt.String:
		return quote(n.Text.Str)
	default:
		return short(n.Text.Str)
	}
}

// typeNames are the types of JSON Schema in the words of the language, and how
// a value of each is written, in YAML as in JSON.
var typeNames = []struct{ json, words, hint string }{
	{"string", "a text", "write one text, in quotes"},
	{"integer", "a whole number", "write a whole number in decimal digits, without quotes"},
	{"number", "a number", "write a number in decimal digits, without quotes"},
	{"boolean", "true or false", "write true or false, without quotes"},
	{"object", "a mapping", "write a mapping: `{\"key\": value}`, or in YAML lines `key: value` that are indented"},
	{"array", "a list", "write a list: `[\"one\", \"two\"]`, or in YAML lines that start with `- `"},
	{casesType, "a list of cases", "write `[{when: {…}, value: …}, {value: …}]`"},
}

func expectedTypes(types []string) string {
	var out []string
	scalars := []string{"string", "number", "boolean"}
	scalar := !slices.ContainsFunc(scalars, func(t string) bool { return !slices.Contains(types, t) })
	if scalar {
		out = append(out, "a scalar")
	}
	for _, t := range typeNames {
		if slices.Contains(types, t.json) && (!scalar || !slices.Contains(scalars, t.json)) {
			out = append(out, t.words)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return alternatives(out)
}

// alternatives joins words as `a, b or c`.
func alternatives(words []string) string { return joinedBy(words, " or ") }

// list joins words as `a, b and c`.
func list(words []string) string { return joinedBy(words, " and ") }

func joinedBy(words []string, between string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + between + words[last]
}
