package validate

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
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
	{"const", wrongConst},
	{"required", missingKeys},
	{"additionalProperties", unknownKeys},
	{oneOfKeys, wrongKeys},
	{"minLength", empty},
	{"minItems", empty},
	{"minProperties", empty},
	{"maxItems", tooMany},
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
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s is not allowed here", v.subject()).
		WithHint("remove it, or compare it with the documentation")}
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
	d := diag.New(diag.WrongType, v.at(), "%s is %s; expected %s", v.subject(), is(v.place.node), expectedTypes(v.expected))
	return diag.List{d.WithHint("%s", v.typeHint())}
}

// typeHint says how a value of an expected type is written.
func (v violation) typeHint() string {
	n := v.place.node
	json := n != nil && isJSON(n)
	if better := v.advice(); better != "" {
		return better
	}
	switch {
	case n == nil:
	case n.IsScalar() && n.Text.Str == "" && !json && slices.Contains(v.expected, "string") && v.schema["pattern"] != notBlank:
		return v.orRemove(`write "" for an empty text`, "the key")
	case n.IsScalar() && n.Text.Str == "" && !json && v.outdented():
		return "indent its keys below it"
	case n.IsScalar() && n.Text.Str == "" && !json:
		return v.orRemove("give it a value", "the key")
	case n.Kind == prompt.String && slices.Contains(v.expected, "boolean"):
		return "write true or false, without quotes"
	case n.Kind == prompt.String && !json && v.expectsNumber() && otherNotation.MatchString(n.Text.Str) && !inQuotes(n):
		return "write it in decimal digits: 16, 0.5 or 1e3"
	case n.Kind == prompt.Mapping && !json && slices.Contains(v.expected, "string") && !unquoted(n):
		return "write the text itself"
	case n.IsScalar() && v.listsScalars():
		return fmt.Sprintf("put it in brackets: `[%s]`", is(n))
	}
	for _, t := range typeNames {
		if slices.Contains(v.expected, t.json) {
			if json {
				return t.inJSON
			}
			return t.hint
		}
	}
	return ""
}

// unquoted tells a mapping that was probably meant as a text in braces.
func unquoted(n *prompt.Node) bool {
	if !n.At.Known() || !strings.HasPrefix(n.At.File.Text[n.At.Start:], "{") {
		return false
	}
	return !slices.ContainsFunc(n.Fields, func(f prompt.Field) bool { return f.Value.Kind != prompt.Null && f.Value.Kind != prompt.Mapping })
}

// listsScalars reports whether a list of scalars would do.
func (v violation) listsScalars() bool {
	items, _ := v.schema["items"].(map[string]any)
	plain := v.schema == nil || v.schema["title"] == "Axis" || items["type"] == "string" ||
		items["$ref"] == "#/definitions/path" || items["$ref"] == "#/definitions/key" // of fixtures
	return plain && slices.Contains(v.expected, "array")
}

// immense tells a number that cannot be computed with.
func (v violation) immense(subject string) (diag.Diagnostic, bool) {
	n := v.place.node
	if n == nil || n.Kind != prompt.Number || moderate(n.Text.Str) || !v.expectsNumber() {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.TooLargeToCheck, v.at(), "%s is %s, beyond what a 64-bit number holds", subject, is(n)).
		WithHint("write a number of usual size, or remove it"), true
}

func wrongChoice(v violation) diag.List {
	choices := texts(v.schema["enum"])
	d := diag.New(diag.WrongValue, v.at(), "%s is %s; expected %s", v.subject(), is(v.place.node), alternatives(choices))
	if hint := v.roleHint(); hint != "" {
		return diag.List{d.WithHint("%s", hint)}
	}
	if meant, ok := meantChoice(v.place.node.Scalar(), choices); ok {
		return diag.List{d.WithHint("did you mean %q?", meant)}
	}
	if v.needed() || slices.Contains(neededChoices, v.place.key) {
		return diag.List{d.WithHint("write one of these")}
	}
	return diag.List{d.WithHint("write one of these, or remove it")}
}

func wrongConst(v violation) diag.List {
	if v.place.key == "version" {
		return diag.List{unknownVersion(v.place.node)}
	}
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s is %s; expected %v", v.subject(), is(v.place.node), v.schema["const"]).
		WithHint("write it so")}
}

// unknownVersion tells a version that is another number, or no number, or the
// number 1 written in another way.
func unknownVersion(n *prompt.Node) diag.Diagnostic {
	at := firstLine(n.At)
	if f, err := strconv.ParseFloat(n.Scalar(), 64); (err == nil || n.Kind == prompt.Number) && f != 1 {
		return diag.New(diag.UnknownVersion, at, "the manifest is of version %s; this promptc reads version 1", short(n.Scalar())).
			WithHint("write `version: 1`, or use a release of promptc that reads it")
	}
	return diag.New(diag.UnknownVersion, at, "the version is %s; expected the number 1", is(n)).
		WithHint("write `version: 1`")
}

func plain(n *prompt.Node) string {
	if n.IsScalar() && n.Text.Str != "" {
		return quote(n.Text.Str)
	}
	return is(n)
}

func missingKeys(v violation) diag.List {
	var out diag.List
	if _, told := v.negation(); told {
		return nil
	}
	for _, key := range texts(v.schema["required"]) {
		if v.place.node.Field(key) == nil && !misspelt(key, v) {
			out = append(out, diag.New(diag.MissingKey, v.keyAt(), "%s lacks the key %s", noun(v.schema), quote(key)).
				WithHint("%s", additionHint(key, v.schema)))
		}
	}
	return out
}

// additionHint says what a missing key is, in the schema's own words.
func additionHint(key string, schema map[string]any) string {
	known, _ := schema["properties"].(map[string]any)
	property, _ := known[key].(map[string]any)
	if words := phrase(property); words != "" {
		return fmt.Sprintf("add `%s`: %s", key, words)
	}
	return fmt.Sprintf("add `%s`", key)
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
		d := diag.New(diag.UnknownKey, f.KeyAt, "unknown key %s in %s", quote(f.Key), noun(v.schema))
		if i < maxHints {
			if meant, ok := meantKey(f.Key, known); ok {
				d = d.WithHint("did you mean %q?", meant)
			}
			if hint := v.elsewhere(f.Key); hint != "" {
				d = d.WithHint("%s", hint)
			}
		}
		if d.Hint == "" {
			d = d.WithHint("known keys: %s", strings.Join(known, ", "))
		}
		out = append(out, d)
	}
	return out
}

// unknownFields gives the entries of a mapping that a schema does not name.
func unknownFields(n *prompt.Node, schema map[string]any) []prompt.Field {
	known, _ := schema["properties"].(map[string]any)
	patterns, _ := schema["patternProperties"].(map[string]any)
	var out []prompt.Field
	for _, f := range n.Fields {
		if _, ok := known[f.Key]; ok || matchesAny(patterns, f.Key) {
			continue
		}
		out = append(out, f)
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
func knownKeys(schema map[string]any) []string {
	known, _ := schema["properties"].(map[string]any)
	keys := make([]string, 0, len(known))
	for key := range known {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func wrongKeys(v violation) diag.List {
	var keys, there []string
	for _, set := range v.keys {
		for _, key := range set {
			if !v.several && misspelt(key, v) {
				return nil
			}
			keys = append(keys, quote(key))
			if v.place.node.Field(key) != nil {
				there = append(there, quote(key))
			}
		}
	}
	if v.several {
		return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "%s has %s; expected only one of %s", noun(v.schema), list(there), list(keys)).
			WithHint("keep the one that you mean")}
	}
	return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "%s has none of %s", noun(v.schema), list(keys)).
		WithHint("add one of them")}
}

func empty(v violation) diag.List {
	what := "empty"
	switch v.keyword {
	case "minItems":
		what = "an empty list"
		if v.place.node != nil && len(v.place.node.Items) > 0 {
			return tooFew(v)
		}
	case "minProperties":
		what = "an empty mapping"
	}
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s is %s", v.subject(), what).
		WithHint("%s", v.orRemove("give it a value", "it"))}
}

// bounds are the keywords that limit a number, in words.
var bounds = []struct{ keyword, words string }{
	{"minimum", "at least"},
	{"maximum", "at most"},
	{"exclusiveMinimum", "more than"},
}

func wrongAmount(v violation) diag.List {
	words := ""
	for _, b := range bounds {
		if b.keyword == v.keyword {
			words = b.words
		}
	}
	limit, _ := v.schema[v.keyword].(float64)
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s is %s; expected %s %s", v.subject(), is(v.place.node), words, diag.Number(int(limit))).
		WithHint("write a number in this range")}
}

// wrongPattern tells what a text should look like in the schema's own words.
// The patterns of names are nobody's reading: the decoder explains them.
func wrongPattern(v violation) diag.List {
	if v.schema["title"] == "Id" || v.schema["title"] == "Axis value" {
		return nil
	}
	if v.schema["pattern"] == notBlank {
		return diag.List{diag.New(diag.WrongValue, v.at(), "%s is blank", v.subject()).
			WithHint("%s", v.orRemove("write a text", "it"))}
	}
	expected := phrase(v.schema)
	remedy := "write it so"
	if v.schema["title"] == "Percentage" {
		remedy = asPercentage(v.place.node)
	}
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s is %s; expected %s", v.subject(), is(v.place.node), expected).
		WithHint("%s", v.orRemove(remedy, "it"))}
}

// notBlank is the pattern by which our schemas ask for more than white space.
const notBlank = `\S`

// withNear adds "did you mean" where a candidate is close.
func withNear(d diag.Diagnostic, name string, candidates []string) diag.Diagnostic {
	if close, ok := near.Best(name, candidates); ok {
		return d.WithHint("did you mean %q?", close)
	}
	return d
}
