package validate

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
)

// tellers give the findings for each keyword of JSON Schema. A keyword that is
// nil is checked, and told better, where values become typed.
var tellers = []struct {
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
	for _, t := range tellers {
		if t.keyword != v.keyword {
			continue
		}
		if t.tell == nil {
			return nil
		}
		return t.tell(v)
	}
	return v.wrong("correct-remove", "not-allowed", v.subject())
}

// checked gives the findings of check.
func checked(ref string, n *ground.Node) diag.List {
	var out diag.List
	for _, v := range check(ref, n) {
		out = append(out, v.diagnostics()...)
	}
	return out
}

// wrong tells of a value that is not one of those allowed.
func (v violation) wrong(hint, key string, args ...any) diag.List {
	return diag.List{diag.New(diag.WrongValue, v.at(), key, args...).WithHint(hint)}
}

// at gives the place of the value, its first line where it has several.
func (v violation) at() diag.Span {
	if v.place.node == nil {
		return v.place.keyAt
	}
	return v.place.node.At.FirstLine()
}

// keyAt gives the place of what names the value: its key, else the value.
func (v violation) keyAt() diag.Span {
	if v.place.keyAt.Known() {
		return v.place.keyAt
	}
	return v.at()
}

// subject names the value: its key, or its position in a list.
func (v violation) subject() diag.Words {
	p := v.place
	switch {
	case p.key != "":
		return quoted(p.key)
	case p.owner != nil:
		return itemOf(p.list, p.index)
	default:
		return noun(v.schema)
	}
}

// quoted names something by its own text.
func quoted(name string) diag.Words { return diag.Say("quoted", name) }

// itemOf names an entry of a list, which may have no name.
func itemOf(list string, index int) diag.Words {
	if list == "" {
		return diag.Say("item", index+1)
	}
	return diag.Say("item-of", index+1, list)
}

// noun names the thing that a schema describes, by its title.
func noun(schema map[string]any) diag.Words {
	title, _ := schema["title"].(string)
	if title == "" {
		return diag.Say("the-value")
	}
	return diag.Say("the-thing", strings.ToLower(title))
}

// is describes the value: a scalar by its text, anything else by its shape.
func is(n *ground.Node) diag.Words {
	switch {
	case n == nil:
		return diag.Say("is-missing")
	case n.Kind == ground.Mapping:
		return diag.Say("type-object")
	case n.Kind == ground.Sequence:
		return diag.Say("type-array")
	case n.Text.Str == "":
		return diag.Say("is-empty")
	case n.Kind == ground.String:
		return quoted(n.Text.Str)
	default:
		return diag.Say("is-scalar", n.Text.Str)
	}
}

// jsonTypes are the types of JSON Schema, and the list of cases, in the order in
// which messages name them. The words of each, and how its values are written,
// are rows `type-…` and `write-…`.
var jsonTypes = []string{"string", "integer", "number", "boolean", "object", "array", casesType}

// expectedTypes names types.
func expectedTypes(types []string) diag.Words {
	var out diag.Words
	for _, t := range jsonTypes {
		switch one := diag.Say("type-" + t); {
		case !slices.Contains(types, t):
		case out.None():
			out = one
		default:
			out = diag.Say("either", out, one)
		}
	}
	if out.None() {
		return diag.Say("type-none")
	}
	return out
}

func wrongType(v violation) diag.List {
	if d, ok := v.immense(v.subject()); ok {
		return diag.List{d}
	}
	d := diag.New(diag.WrongType, v.at(), "expected", v.subject(), is(v.place.node), expectedTypes(v.expected))
	d.Hint = v.typeHint()
	return diag.List{d}
}

// forms are how a value of another shape was probably meant, by its key.
var forms = map[string]string{
	"budget":  "{tokens: N}",
	"degrade": "[{…}]",
	"exclude": "[{AXIS: VALUE}]",
	"limit":   "{chars: N}",
	"needs":   "{tools: [NAME]}",
	"plus":    "[{…}]",
	"prompts": "{NAME: {…}}",
	"slots":   "{NAME: {}}",
	"sources": "{NAME: {…}}",
	"when":    "{AXIS: VALUE}",
}

// typeHint says how a value of an expected type is written.
func (v violation) typeHint() diag.Words {
	n := v.place.node
	amount := wholeNumber(n)
	if n != nil && !isJSON(n) {
		if n.IsScalar() && n.Text.Str == "" {
			return diag.Say("give-value")
		}
		if form := v.listForm(); form != "" {
			return diag.Say("write-code", form)
		}
		if form := forms[v.place.key]; form != "" && !isCases(n) {
			return diag.Say("write-code", strings.Replace(form, " N}", " "+cmp.Or(amount, "N")+"}", 1))
		}
	}
	if n != nil && n.Kind == ground.Mapping && slices.Contains(v.expected, "integer") && slices.Contains(v.expected, casesType) {
		return diag.Say("write-cases") // a limit for each value of an axis
	}
	if amount != "" && slices.Contains(v.expected, "integer") {
		return diag.Say("write-code", amount)
	}
	for _, t := range jsonTypes {
		if slices.Contains(v.expected, t) {
			return diag.Say("write-" + t)
		}
	}
	return diag.Words{}
}

// sizes are whole numbers as people write them: 500k, 1.5M, 128_000, "8,000".
var sizes = regexp.MustCompile(`^([1-9][0-9]{0,9}|[1-9][0-9]{0,2}(?:[_,][0-9]{3}){1,3})(?:\.([0-9]{1,3}))?([kKmM]?)$`)

// wholeNumber gives the digits of a whole number as people write it, "" for
// anything else.
func wholeNumber(n *ground.Node) string {
	m := sizes.FindStringSubmatch(n.Scalar())
	if m == nil {
		return ""
	}
	zeros := map[string]int{"k": 3, "m": 6}[strings.ToLower(m[3])] - len(m[2])
	if zeros < 0 {
		return ""
	}
	return strings.NewReplacer("_", "", ",", "").Replace(m[1]) + m[2] + strings.Repeat("0", zeros)
}

// immense tells a number that cannot be computed with.
func (v violation) immense(subject diag.Words) (diag.Diagnostic, bool) {
	n := v.place.node
	number := slices.Contains(v.expected, "number") || slices.Contains(v.expected, "integer")
	if n == nil || n.Kind != ground.Number || moderate(n.Text.Str) || !number {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.TooLargeToCheck, v.at(), "beyond-64-bit-number", subject, is(n)).
		WithHint("write-number-usual-size"), true
}

func wrongChoice(v violation) diag.List {
	choices := texts(v.schema["enum"])
	found := v.wrong("write-one-of-these", "expected-one-of", v.subject(), is(v.place.node), diag.Names(choices))
	found[0] = withNear(found[0], v.place.node.Scalar(), choices)
	return found
}

// wrongVersion tells of another version of the language: our schemas have no other
// constant.
func wrongVersion(v violation) diag.List { return diag.List{unknownVersion(v.place.node, v.of)} }

func unknownVersion(n *ground.Node, of string) diag.Diagnostic {
	key := "version-manifest-promptc-reads"
	if of == policyRef {
		key = "version-policy-promptc-reads"
	}
	return diag.New(diag.UnknownVersion, n.At.FirstLine(), key, is(n)).
		WithHint("write-version-1-use")
}

// isNegation tells `not` around an axis instead of around its value.
func (v violation) isNegation() bool {
	n := v.place.node
	return has(v.schema, "not") && v.place.key == "not" && n != nil && len(n.Fields) > 0
}

func missingKeys(v violation) diag.List {
	var out diag.List
	if v.isNegation() {
		return nil // which unknownKeys tells
	}
	for _, key := range texts(v.schema["required"]) {
		if v.place.node.Field(key) != nil || v.misspelt(key) {
			continue
		}
		if (v.of == manifestRef || v.of == policyRef) && v.depth == 0 && key == "version" && v.place.node.At.Known() {
			first := diag.Span{File: v.place.node.At.File}
			out = append(out, diag.New(diag.MissingKey, first, "lacks-key", noun(v.schema), key).WithHint("add-version"))
			continue
		}
		property, _ := properties(v.schema)[key].(map[string]any)
		out = append(out, diag.New(diag.MissingKey, v.keyAt(), "lacks-key", noun(v.schema), key).
			WithHint("add-key", key, phrase(property)))
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
	if v.isNegation() {
		f := v.place.node.Fields[0]
		return diag.List{diag.New(diag.UnknownKey, f.KeyAt, "not-stands-around-axis", f.Key).
			WithHint("write-not", f.Key)}
	}
	known, fields := knownKeys(v.schema), unknownFields(v.place.node, v.schema)
	out := unknowns(fields, known, diag.UnknownKey, "unknown-key", noun(v.schema))
	for i := range out {
		if out[i].Hint.None() {
			out[i] = out[i].WithHint("known-keys", diag.Names(known))
		}
		if v.of != manifestRef {
			continue
		}
		if hint := synonymHint(fields[i].Key, known); !hint.None() {
			out[i].Hint = hint
		}
	}
	return out
}

// unknownFields gives the entries of a mapping that a schema does not name.
func unknownFields(n *ground.Node, schema map[string]any) []ground.Field {
	patterns, _ := schema["patternProperties"].(map[string]any)
	var out []ground.Field
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

// unknowns gives a finding for each of some keys that nothing is done with, with
// a hint to a close one that is known.
func unknowns(fields []ground.Field, known []string, code diag.Code, key string, args ...any) diag.List {
	var out diag.List
	for i, f := range fields {
		found := diag.New(code, f.KeyAt, key, append([]any{f.Key}, args...)...)
		if i < maxHints {
			if meant, ok := meantKey(f.Key, known); ok {
				found = found.WithHint("did-you-mean", meant)
			}
		}
		out = append(out, found)
	}
	return out
}

// others gives the fields of a mapping whose keys are not among the known.
func others(n *ground.Node, known []string) []ground.Field {
	return slices.DeleteFunc(slices.Clone(n.Fields), func(f ground.Field) bool { return slices.Contains(known, f.Key) })
}

// synonym is a key of other programs and formats, what it is called here, and
// what has the key.
type synonym struct{ key, ours, home string }

var synonyms = []synonym{
	{"if", "when", "a-section"},
	{"condition", "when", "a-section"},
	{"file", "path", "a-section-or-source"},
	{"files", "path", "a-section-or-source"},
	{"filename", "path", "a-section-or-source"},
	{"name", "id", "a-section"},
	{"content", "text", "a-section"},
	{"template", "text", "a-section"},
	{"body", "text", "a-section"},
	{"variables", "slots", "the-manifest"},
	{"vars", "slots", "the-manifest"},
	{"inputs", "slots", "the-manifest"},
	{"input_variables", "slots", "the-manifest"},
	{"encoding", "tokenizer", "the-manifest-or-prompt"},
	{"provider", "dialect", "a-prompt"},
	{"messages", "sections", "a-prompt"},
}

// meantKey gives the known key that an unknown one probably stands for.
func meantKey(key string, known []string) (string, bool) {
	for _, s := range synonyms {
		if s.key == key && slices.Contains(known, s.ours) {
			return s.ours, true
		}
	}
	const telling = 3 // letters, below which each is close to any other
	best, ok := suggest.Best(key, known)
	if max(len(best), len(key)) < telling && !strings.EqualFold(best, key) {
		return "", false
	}
	return best, ok
}

// synonymHint says what a key of another program is called where that is no key
// of the mapping at hand.
func synonymHint(key string, known []string) diag.Words {
	if key == "model" {
		return diag.Say("model-is")
	}
	i := slices.IndexFunc(synonyms, func(s synonym) bool { return s.key == key })
	if i < 0 || slices.Contains(known, synonyms[i].ours) {
		return diag.Words{}
	}
	return diag.Say("promptc-calls-it", synonyms[i].ours, diag.Say(synonyms[i].home))
}

// misspelt reports whether a missing key is there under a name that is
// refused with a hint to the right one, so that one slip is one finding.
func (v violation) misspelt(key string) bool {
	return v.schema["additionalProperties"] == false && meantBy(v.place.node, key, knownKeys(v.schema))
}

// meantBy reports whether a mapping has an unknown key that is refused with a
// hint to a known one.
func meantBy(n *ground.Node, key string, known []string) bool {
	return slices.ContainsFunc(n.Fields[:min(len(n.Fields), maxHints)], func(f ground.Field) bool {
		meant, ok := meantKey(f.Key, known)
		return ok && meant == key && !slices.Contains(known, f.Key)
	})
}

// withNear adds "did you mean" where a candidate is close.
func withNear(d diag.Diagnostic, name string, candidates []string) diag.Diagnostic {
	if meant, ok := suggest.Best(name, candidates); ok {
		return d.WithHint("did-you-mean", meant)
	}
	return d
}

// knownKeys gives the keys that a schema names, sorted: JSON's reader does
// not keep their order.
func knownKeys(schema map[string]any) []string { return slices.Sorted(maps.Keys(properties(schema))) }

// has reports whether a schema names a key.
func has(schema map[string]any, key string) bool { return properties(schema)[key] != nil }

func wrongKeys(v violation) diag.List {
	var keys, there diag.Names
	for _, set := range v.keys {
		for _, key := range set {
			if !v.several && v.misspelt(key) {
				return nil
			}
			keys = append(keys, key)
			if v.place.node.Field(key) != nil {
				there = append(there, key)
			}
		}
	}
	if v.several {
		return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "expected-only", noun(v.schema), there, keys).WithHint("keep-one")}
	}
	return diag.List{diag.New(diag.OneOfKeys, v.keyAt(), "none", noun(v.schema), keys).WithHint("add-one")}
}

// wrongLength tells what is empty, and lists with too few or too many entries.
func wrongLength(v violation) diag.List {
	switch limit, _ := v.schema[v.keyword].(float64); {
	case v.keyword == "maxItems":
		return diag.List{diag.New(diag.WrongValue, v.keyAt(), "too-many-entries", v.subject(), diag.Count(len(v.place.node.Items))).
			WithHint("most-read", diag.Count(limit))}
	case v.keyword == "minItems" && v.place.node != nil && len(v.place.node.Items) > 0:
		return v.wrong("name-two", "one-entry", v.subject())
	}
	if slices.Contains(mayBeLeftOut, v.place.key) {
		return v.wrong("remove-or-entry", "empty", v.subject())
	}
	return v.wrong("give-value", "empty", v.subject())
}

// mayBeLeftOut are lists that mean nothing while they are empty.
var mayBeLeftOut = []string{"checks", "exclude", "expect", "families", "limits"}

// wrongAmount tells a number outside a limit; the rows are named like the
// keywords.
func wrongAmount(v violation) diag.List {
	limit, _ := v.schema[v.keyword].(float64)
	return v.wrong("write-number-in-range", "expected", v.subject(), is(v.place.node), diag.Say(v.keyword, diag.Count(limit)))
}

// notBlank is the pattern by which our schemas ask for more than white space.
const notBlank = `\S`

// wrongPattern tells what a text should look like in the schema's own words.
func wrongPattern(v violation) diag.List {
	switch {
	case v.schema["not"] != nil:
		return nil // the decoder checks and explains names
	case v.schema["pattern"] == notBlank:
		return v.wrong("give-value", "blank", v.subject())
	}
	out := v.wrong("write-in-that-form", "expected", v.subject(), is(v.place.node), phrase(v.schema))
	pattern, _ := v.schema["pattern"].(string)
	percent := strings.TrimRight(v.place.node.Text.Str, " %") + "%"
	if ok, _ := regexp.MatchString(pattern, percent); ok && !strings.Contains(percent, ".") { // 0.05 may be 5%
		out[0] = out[0].WithHint("write-code", percent)
	}
	return out
}
