package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// What somebody probably meant, for the hints of findings.

// advices are how a value of another shape was probably meant, by its key. A
// hint quotes the value as it should be written.
var advices = []struct {
	key  string
	kind []prompt.NodeKind
	hint string
}{
	{"budget", []prompt.NodeKind{prompt.Number}, "write `{tokens: %s}`"},
	{"limit", []prompt.NodeKind{prompt.Number}, "write `{chars: %s}`"},
	{"needs", []prompt.NodeKind{prompt.String}, "write `{tools: [%s]}`"},
	{"needs", []prompt.NodeKind{prompt.Sequence}, "write `{tools: %s}`"},
	{"plus", []prompt.NodeKind{prompt.Mapping}, "write `[%s]`"},
	{"degrade", []prompt.NodeKind{prompt.Mapping}, "write `[%s]`"},
	{"when", []prompt.NodeKind{prompt.String}, "write `{AXIS: VALUE}`, or `{AXIS: {not: VALUE}}`"},
	{"dialect", []prompt.NodeKind{prompt.Sequence}, "make it an axis, `axes: {dialect: %s}`, and write `dialect: \"{dialect}\"`"},
	{"assembly", []prompt.NodeKind{prompt.Sequence}, "make it an axis, `axes: {assembly: %s}`, and write `assembly: \"{assembly}\"`"},
}

// sectionKeys are the keys of a source that take cases on a section only.
var sectionKeys = []string{"expand", "limit", "style", "location", "routing"}

// typeHint says how a value of an expected type is written.
func (v violation) typeHint() string {
	n := v.place.node
	if n != nil && !isJSON(n) {
		if hint := v.advice(); hint != "" {
			return hint
		}
	}
	for _, t := range typeNames {
		if slices.Contains(v.expected, t.json) {
			return t.hint
		}
	}
	return ""
}

// advice says how a value of the wrong type was probably meant, "" where that
// is not known.
func (v violation) advice() string {
	n := v.place.node
	takesCases := slices.Contains(v.expected, casesType)
	switch {
	case n.IsScalar() && n.Text.Str == "" && slices.Contains(v.expected, "string") && v.schema["pattern"] != notBlank:
		return `write "" for an empty text`
	case n.IsScalar() && n.Text.Str == "":
		return "give it a value"
	case takesCases && n.Kind == prompt.Mapping && n.Field("value") != nil:
		return "put the case in a list: `[{when: {…}, value: …}]`"
	case has(v.parent, "lacks") && (isCases(n) || n.Field("when") != nil):
		return "put `when` on the entry: `{when: {…}, " + v.place.key + ": …}`"
	case has(v.parent, "lacks") && n.Kind == prompt.Sequence:
		return "write an entry for each text: `{" + v.place.key + ": …}`"
	case !takesCases && isCases(n) && slices.Contains(sectionKeys, v.place.key):
		return fmt.Sprintf("cases stand on a section: write `%s` there", v.place.key)
	case v.definition == "source" && n.Kind == prompt.String:
		return "write `{path: " + written(n) + "}`, or `{text: …}` for the text itself"
	case v.definition == "key" && len(n.Fields) == 1 && n.Fields[0].Value.IsScalar():
		return "write `" + short(n.Fields[0].Key+":"+n.Fields[0].Value.Text.Str) + "`, without a blank behind the colon"
	}
	for _, a := range advices {
		if a.key == v.place.key && slices.Contains(a.kind, n.Kind) && !isCases(n) {
			return strings.ReplaceAll(a.hint, "%s", written(n))
		}
	}
	return ""
}

// written gives a value as it stands in the manifest where that is one short
// line, else `…` in its brackets.
func written(n *prompt.Node) string {
	const most = 60 // bytes
	s := "…"
	if n.At.Known() {
		if text := n.At.File.Text[n.At.Start:n.At.End]; len(text) <= most && !strings.Contains(text, "\n") {
			s = text
		}
	}
	switch {
	case n.Kind == prompt.Mapping && !strings.HasPrefix(s, "{"):
		return "{" + s + "}"
	case n.Kind == prompt.Sequence && !strings.HasPrefix(s, "["):
		return "[" + s + "]"
	}
	return s
}

// negation tells of `not` around an axis instead of around its value, as one
// finding for the whole.
func (v violation) negation() (diag.Diagnostic, bool) {
	n := v.place.node
	if !has(v.schema, "not") || v.place.key != "not" || n == nil || len(n.Fields) == 0 {
		return diag.Diagnostic{}, false
	}
	f := n.Fields[0]
	return diag.New(diag.UnknownKey, f.KeyAt, "not-stands-around-axis", quote(f.Key)).
		WithHint("write-not", f.Key, written(f.Value)), true
}

// mainDefinitions are the mappings of the manifest that are confused the most.
var mainDefinitions = []string{"prompt", "section", "source"}

// keyHint says what an unknown key of a mapping was probably meant as, or where
// it belongs; "" where that is not known.
func (v violation) keyHint(key string, known []string) string {
	for _, f := range v.place.node.Fields[:min(len(v.place.node.Fields), maxHints)] {
		if property, _ := properties(v.schema)[f.Key].(map[string]any); has(firstOf(property), key) {
			return "put it into " + quote(f.Key) + "; in YAML, indent it below that"
		}
	}
	definitions, _ := v.document["definitions"].(map[string]any)
	for _, name := range mainDefinitions {
		if other, _ := definitions[name].(map[string]any); has(other, key) && slices.Contains(mainDefinitions, v.definition) {
			return "it is a key of " + name + "s"
		}
	}
	if meant, ok := meantKey(key, known); ok {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	if v.definition != "" && has(v.document, key) {
		return "it stands at the top of " + noun(v.document)
	}
	return ""
}

// firstOf gives the first of a schema's alternatives, beside which the value may
// be empty, and the schema itself where it has none.
func firstOf(schema map[string]any) map[string]any {
	if branches, _ := schema["anyOf"].([]any); len(branches) > 0 {
		first, _ := branches[0].(map[string]any)
		return first
	}
	return schema
}

// synonyms are the keys of other programs, and what they are called here.
var synonyms = map[string]string{"if": "when", "condition": "when", "file": "path", "files": "path"}

// meantKey gives the known key that an unknown one probably stands for.
func meantKey(key string, known []string) (string, bool) {
	if ours, ok := synonyms[key]; ok && slices.Contains(known, ours) {
		return ours, true
	}
	const telling = 3 // letters, below which each is close to any other
	best, ok := near.Best(key, known)
	if max(len(best), len(key)) < telling && !strings.EqualFold(best, key) {
		return "", false
	}
	return best, ok
}

// misspelt reports whether a missing key is there under a name that is
// refused with a hint to the right one, so that one slip is one finding.
func (v violation) misspelt(key string) bool {
	return v.schema["additionalProperties"] == false && meantBy(v.place.node, key, knownKeys(v.schema))
}

// meantBy reports whether a mapping has an unknown key that is refused with a
// hint to a known one.
func meantBy(n *prompt.Node, key string, known []string) bool {
	for _, f := range n.Fields[:min(len(n.Fields), maxHints)] {
		if slices.Contains(known, f.Key) {
			continue
		}
		if meant, ok := meantKey(f.Key, known); ok && meant == key {
			return true
		}
	}
	return false
}

// withNear adds "did you mean" where a candidate is close.
func withNear(d diag.Diagnostic, name string, candidates []string) diag.Diagnostic {
	if meant, ok := near.Best(name, candidates); ok {
		return d.WithHint("did-you-mean", meant)
	}
	return d
}

// unknowns gives a finding for each of some keys that nothing is done with, with
// a hint to a close one that is known.
func unknowns(fields []prompt.Field, known []string, code diag.Code, format string, args ...any) diag.List {
	var out diag.List
	for i, f := range fields {
		found := diag.New(code, f.KeyAt, format, append([]any{quote(f.Key)}, args...)...)
		if i < maxHints {
			found = withNear(found, f.Key, known)
		}
		out = append(out, found)
	}
	return out
}

// others gives the fields of a mapping whose keys are not among the known.
func others(n *prompt.Node, known []string) []prompt.Field {
	return slices.DeleteFunc(slices.Clone(n.Fields), func(f prompt.Field) bool { return slices.Contains(known, f.Key) })
}
