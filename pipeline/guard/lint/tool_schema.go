package lint

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/subschema"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Limits on the walk through a schema. Schemas with more values than that were
// refused before.
const (
	maxSchemas = 40_000
	maxDepth   = 512
)

// schemaAt is one schema inside the schema of a tool.
type schemaAt struct {
	node  *ground.Node
	name  string // the property that it belongs to, "" for the root
	level int    // objects around it
	depth int
	part  bool // says something of the same value as the schema around it
}

func (s schemaAt) root() bool { return s.depth == 0 }

// schemas gives a schema and every schema in it, outermost first.
func schemas(root *ground.Node) []schemaAt {
	out := []schemaAt{{node: root}}
	for i := 0; i < len(out) && len(out) < maxSchemas; i++ {
		if out[i].depth < maxDepth {
			out = append(out, out[i].inner()...)
		}
	}
	return slices.DeleteFunc(out, func(s schemaAt) bool { return s.node == nil || s.node.Kind != ground.Mapping })
}

// inner gives the schemas directly in one.
func (s schemaAt) inner() []schemaAt {
	var out []schemaAt
	for _, child := range subschema.In(s.node) {
		next := schemaAt{node: child.Node, name: s.name, level: s.level, depth: s.depth + 1, part: child.SameValue}
		if isObject(s.node) {
			next.level++
		}
		if child.Keyword == "properties" {
			next.name = child.Name
		}
		out = append(out, next)
	}
	return out
}

func isObject(n *ground.Node) bool { return hasType(n, "object") || n.Field("properties") != nil }

// hasType reports whether a schema names a type, alone or among others.
func hasType(n *ground.Node, name string) bool {
	kind := n.Field("type")
	if kind == nil {
		return false
	}
	return kind.Kind == ground.String && kind.Text.Str == name ||
		slices.ContainsFunc(kind.Items, func(item *ground.Node) bool { return item.Scalar() == name })
}

// breach is one place where a schema breaks a rule. The arguments fill the rule's
// words in.
type breach struct {
	at   diag.Span
	args []any
}

func broken(at diag.Span, args ...any) breach { return breach{at, args} }

// rule is something that a provider asks of the schemas of tools.
type rule struct {
	strict bool   // asked of strict tools only
	reason string // what is wrong in a word or two; of strict tools it is "strict"
	level  diag.Level
	words  string // the key of what is wrong
	hint   string // and of what to do
	find   func(all []schemaAt) []breach
}

// schema judges the schema of a tool by the rules of a provider: one objection
// for each rule, at the first place that breaks it.
func (p provider) schema(t *language.Tool) []guard.Objection {
	var out []guard.Objection
	all := schemas(t.Input)
	if len(all) == 0 {
		return nil
	}
	for _, r := range p.rules {
		if r.strict && !t.Strict {
			continue
		}
		found := r.find(all)
		if len(found) == 0 {
			continue
		}
		code, key, reason := diag.SchemaRefused, "refuses-schema", r.reason
		switch {
		case r.strict:
			code, key, reason = diag.StrictRefused, "refuses-strict-schema", "strict"
		case r.level == diag.Warning:
			key = "asks-for-other-schema"
		}
		says := diag.Say(r.words, found[0].args...)
		d := diag.New(code, at(found[0].at, t.NameAt, t.At), key, p.dialect, t.Name, says).WithHint(r.hint)
		d.Level = r.level
		for i, b := range found[1:] {
			if i == shown {
				d = d.WithDetail(diag.Say("and-n-more", diag.Count(len(found)-1-shown)))
				break
			}
			line := diag.Say("also-this", diag.Say(r.words, b.args...))
			if b.at.Known() {
				line = diag.Say("also-on-line", diag.Say(r.words, b.args...), b.at.File.LineAt(b.at.Start))
			}
			d = d.WithDetail(line)
		}
		out = append(out, guard.Objection{Taker: p.dialect, Tool: t, Reason: reason, Says: says, Finding: d})
	}
	return out
}

// rootKeys finds keywords of the root.
func rootKeys(keys ...string) func([]schemaAt) []breach {
	find := keywords(keys...)
	return func(all []schemaAt) []breach { return find(all[:1]) }
}

// wherever makes a search of all fields of all schemas from what tells which of
// them breaks the rule, and what is said of it.
func wherever(breaks func(schemaAt, ground.Field) (any, bool)) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, s := range all {
			for _, f := range s.node.Fields {
				if name, ok := breaks(s, f); ok {
					out = append(out, broken(f.KeyAt, name))
				}
			}
		}
		return out
	}
}

// keywordsBelow finds keywords below the root, where they are no finding of
// their own, and at it those that rootKeys does not name.
func keywordsBelow(keys ...string) func([]schemaAt) []breach {
	return wherever(func(s schemaAt, f ground.Field) (any, bool) {
		atRoot := s.root() && slices.Contains([]string{"oneOf", "allOf", "not"}, f.Key)
		return f.Key, slices.Contains(keys, f.Key) && !atRoot
	})
}

// keywords finds keywords wherever a schema stands.
func keywords(keys ...string) func([]schemaAt) []breach {
	return wherever(func(_ schemaAt, f ground.Field) (any, bool) { return f.Key, slices.Contains(keys, f.Key) })
}

// propertyNames finds arguments with other names.
func propertyNames(allowed nameRule) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, f := range all[0].node.Field("properties").Entries() {
			if why := allowed.breach(f.Key); !why.None() {
				out = append(out, broken(f.KeyAt, f.Key, why))
			}
		}
		return out
	}
}

// subject is what a sentence about a schema is about.
func (s schemaAt) subject() diag.Words {
	if s.name == "" {
		return diag.Say("schema-itself")
	}
	return diag.Say("schema-of-property", s.name)
}

func arraysWithoutItems(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		if hasType(s.node, "array") && s.node.Field("items") == nil && s.node.Field("prefixItems") == nil {
			out = append(out, broken(s.at(), s.subject()))
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
		if !isObject(s.node) || more != nil && more.Kind == ground.Bool && !more.IsTrue() {
			continue
		}
		place := s.at()
		if more != nil && more.At.Known() {
			place = more.At
		}
		out = append(out, broken(place, s.subject()))
	}
	return out
}

func optionalProperties(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		for _, f := range optional(s.node) {
			out = append(out, broken(f.KeyAt, f.Key))
		}
	}
	return out
}

// optional gives the properties of an object that are not required.
func optional(n *ground.Node) []ground.Field {
	required := map[string]bool{}
	for _, item := range n.Field("required").List() {
		required[item.Scalar()] = true
	}
	var out []ground.Field
	for _, f := range n.Field("properties").Entries() {
		if !required[f.Key] {
			out = append(out, f)
		}
	}
	return out
}

func manyItems(s schemaAt, f ground.Field) (any, bool) {
	if f.Key != "minItems" {
		return nil, false
	}
	n, err := strconv.ParseFloat(f.Value.Scalar(), 64)
	return s.subject(), err != nil || n != 0 && n != 1
}

func complexEnums(s schemaAt, f ground.Field) (any, bool) {
	if f.Key != "enum" {
		return nil, false
	}
	return s.subject(), slices.ContainsFunc(f.Value.Items, func(n *ground.Node) bool { return !n.IsScalar() })
}

func emptyEnumValues(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		for _, v := range s.node.Field("enum").List() {
			if v.Kind == ground.String && v.Text.Str == "" {
				out = append(out, broken(v.At, s.subject()))
			}
		}
	}
	return out
}

// bounds are the keywords between which no value of the types is left: if the first
// is larger than the second, or equal where apart says so.
var bounds = []struct {
	low, high string
	types     []string
	apart     bool
}{
	{"minimum", "maximum", []string{"number", "integer"}, false},
	{"minimum", "exclusiveMaximum", []string{"number", "integer"}, true},
	{"exclusiveMinimum", "maximum", []string{"number", "integer"}, true},
	{"exclusiveMinimum", "exclusiveMaximum", []string{"number", "integer"}, true},
	{"minLength", "maxLength", []string{"string"}, false},
	{"minItems", "maxItems", []string{"array"}, false},
	{"minProperties", "maxProperties", []string{"object"}, false},
}

// contradictions finds schemas that no value satisfies, by what each says alone.
func contradictions(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		n, types := s.node, typesOf(s.node)
		fits := func(v *ground.Node) bool {
			return len(types) == 0 || slices.ContainsFunc(types, func(kind string) bool { return isOf(v, kind) })
		}
		if values := n.Field("enum"); values != nil && values.Kind == ground.Sequence && !slices.ContainsFunc(values.Items, fits) {
			why := diag.Say("no-enum-value-fits")
			if len(values.Items) == 0 {
				why = diag.Say("enum-is-empty")
			}
			out = append(out, broken(values.At.FirstLine(), why))
		}
		if v := n.Field("const"); v != nil && !fits(v) {
			out = append(out, broken(v.At.FirstLine(), diag.Say("const-does-not-fit")))
		}
		for _, b := range bounds {
			low, high := numberOf(n.Field(b.low)), numberOf(n.Field(b.high))
			others := slices.ContainsFunc(types, func(kind string) bool { return !slices.Contains(b.types, kind) })
			if len(types) > 0 && !others && (low > high || b.apart && low == high) {
				out = append(out, broken(n.Field(b.high).At, diag.Say("bounds-leave-nothing", b.low, b.high)))
			}
		}
	}
	return out
}

// typesOf gives the types that a schema names; none where something else decides,
// too: `nullable` of OpenAPI, and `format: enum`, with which Gemini writes numbers
// as texts.
func typesOf(n *ground.Node) []string {
	if n.Field("nullable").Scalar() == "true" || n.Field("format").Scalar() == "enum" {
		return nil
	}
	kind := n.Field("type")
	if kind != nil && kind.Kind == ground.String {
		return []string{kind.Text.Str}
	}
	var out []string
	for _, item := range kind.List() {
		out = append(out, item.Scalar())
	}
	return out
}

// isOf reports whether a value is of a type, or may be.
func isOf(v *ground.Node, kind string) bool {
	switch kind {
	case "string":
		return v.Kind == ground.String
	case "number":
		return v.Kind == ground.Number
	case "integer":
		n := numberOf(v)
		return v.Kind == ground.Number && (n == math.Trunc(n) || math.IsNaN(n))
	case "boolean":
		return v.Kind == ground.Bool
	case "null":
		return v.Kind == ground.Null
	case "array":
		return v.Kind == ground.Sequence
	case "object":
		return v.Kind == ground.Mapping
	}
	return true // which the metaschema has reported
}

// numberOf gives a number; NaN, which nothing is larger than, for anything else and
// for what is too large.
func numberOf(n *ground.Node) float64 {
	if n == nil || n.Kind != ground.Number {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(n.Scalar(), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

func caseTwins(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		met := map[string]string{}
		for _, v := range s.node.Field("enum").List() {
			if v.Kind != ground.String {
				continue
			}
			low := strings.ToLower(v.Text.Str)
			if first, ok := met[low]; ok && first != v.Text.Str {
				out = append(out, broken(v.At, diag.Names{first, v.Text.Str}))
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
		if more := s.node.Field("additionalProperties"); more != nil && more.Kind == ground.Mapping {
			continue
		}
		known := map[string]bool{}
		for _, f := range s.node.Field("properties").Entries() {
			known[f.Key] = true
		}
		for _, name := range s.node.Field("required").List() {
			if name.Kind == ground.String && !known[name.Text.Str] {
				out = append(out, broken(name.At, name.Text.Str))
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
			if f := s.node.Field("format"); f != nil && f.Kind == ground.String && !slices.Contains(taken, f.Text.Str) {
				out = append(out, broken(f.At, f.Text.Str))
			}
		}
		return out
	}
}

// olderDrafts finds what JSON Schema 2020-12 writes otherwise than the drafts
// before it: lists of items, and bounds that are true or false.
func olderDrafts(_ schemaAt, f ground.Field) (any, bool) {
	bound := f.Key == "exclusiveMinimum" || f.Key == "exclusiveMaximum"
	return f.Key, f.Key == "items" && f.Value.Kind == ground.Sequence || bound && f.Value.Kind == ground.Bool
}

// Parts of regular expressions that not everybody reads.
var (
	lookAround    = regexp.MustCompile(`\(\?<?[=!]`)
	namedGroup    = regexp.MustCompile(`\(\?<[^=!]`)
	backReference = regexp.MustCompile(`\\(?:[1-9]|k<)`)
	wordEdge      = regexp.MustCompile(`\\[bB]`)
	propertyClass = regexp.MustCompile(`\\[pP]\{`)

	// literals are what stands for itself: a backslash or bracket behind a
	// backslash, and characters between square brackets but for classes.
	literals = regexp.MustCompile(`\\[\\()\[\]]|\[(?:\\[^pP]|[^\\\]])*\]`)
)

// patternsWith finds the regular expressions that hold one of some constructs.
func patternsWith(refused ...*regexp.Regexp) func([]schemaAt) []breach {
	holds := func(pattern string) bool {
		pattern = literals.ReplaceAllString(pattern, "")
		return slices.ContainsFunc(refused, func(r *regexp.Regexp) bool { return r.MatchString(pattern) })
	}
	return func(all []schemaAt) []breach {
		var out []breach
		for _, s := range all {
			for _, f := range s.node.Fields {
				switch {
				case f.Key == "pattern" && f.Value.Kind == ground.String && holds(f.Value.Text.Str):
					out = append(out, broken(f.Value.At, f.Value.Text.Str))
				case f.Key == "patternProperties":
					for _, named := range f.Value.Fields {
						if holds(named.Key) {
							out = append(out, broken(named.KeyAt, named.Key))
						}
					}
				}
			}
		}
		return out
	}
}

// The limits of OpenAI's strict mode on one schema. From the providers'
// documentation, 2026-11: its guide "Structured outputs", supported schemas.
const (
	strictLevels     = 10
	strictProperties = 5_000
	strictValues     = 1_000
	strictEnumValues = 250
	strictEnumRunes  = 15_000
	strictRunes      = 120_000
)

func nestedTooDeep(all []schemaAt) []breach {
	deepest := all[0]
	for _, s := range all {
		if isObject(s.node) && s.level > deepest.level {
			deepest = s
		}
	}
	return over(deepest.level+1, strictLevels, deepest.node.At)
}

// over is a breach where an amount is over its limit.
func over(n, limit int, place diag.Span) []breach {
	if n <= limit {
		return nil
	}
	return []breach{broken(place, diag.Count(n), diag.Count(limit))}
}

// total counts something over all schemas of a tool.
func total(limit int, count func(*ground.Node) int) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		n := 0
		for _, s := range all {
			n += count(s.node)
		}
		return over(n, limit, all[0].node.At)
	}
}

func properties(n *ground.Node) int { return len(n.Field("properties").Entries()) }

func enumValues(n *ground.Node) int { return len(n.Field("enum").List()) }

func tooLongEnums(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		if values := s.node.Field("enum"); values != nil && len(values.Items) > strictEnumValues {
			out = append(out, over(runes(values.Items), strictEnumRunes, values.At)...)
		}
	}
	return out
}

func runes(values []*ground.Node) int {
	n := 0
	for _, v := range values {
		n += utf8.RuneCountInString(v.Scalar())
	}
	return n
}

// characters counts those of the names of properties and definitions, and of the
// values of enum and const.
func characters(n *ground.Node) int {
	sum := 0
	for _, f := range n.Fields {
		switch f.Key {
		case "properties", "$defs", "definitions":
			for _, inner := range f.Value.Fields {
				sum += utf8.RuneCountInString(inner.Key)
			}
		case "enum":
			sum += runes(f.Value.Items)
		case "const":
			sum += utf8.RuneCountInString(f.Value.Scalar())
		}
	}
	return sum
}

// recursion finds the references that lead back to a schema that they stand
// in, straight or through others.
func recursion(all []schemaAt) []breach {
	refs := subschema.ReadRefs(all[0].node)
	var out []breach
	inside := map[*ground.Node]bool{} // false for schemas that the walk has left
	var walk func(n *ground.Node)
	walk = func(n *ground.Node) {
		if _, met := inside[n]; met || n == nil || n.Kind != ground.Mapping {
			return
		}
		inside[n] = true
		for _, ref := range refs.Of(n) {
			if inside[ref.To] {
				out = append(out, broken(ref.Value.At, ref.Value.Text.Str))
			}
			walk(ref.To)
		}
		for _, child := range subschema.In(n) {
			walk(child.Node)
		}
		inside[n] = false
	}
	walk(all[0].node)
	return out
}
