package validate

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// violation is one way in which a document does not obey its schema.
type violation struct {
	keyword  string         // the keyword of JSON Schema that fails
	schema   map[string]any // the schema that the keyword is in; nil unless it is ours
	place    place
	expected []string   // keyword "type": the types that would do
	keys     [][]string // keyword "keys": the sets of keys of which one is needed
	several  bool       // keyword "keys": more than one set is there
	depth    int        // steps from the root
}

// oneOfKeys is the keyword of a violation that stands for a whole oneOf or
// anyOf whose branches differ in nothing but the keys that they require.
const oneOfKeys = "keys"

// casesType stands for a list of cases among the types of JSON Schema.
const casesType = "cases"

// maxViolations bounds how many violations of one document are worked on. A
// hostile file may have 50,000, of which nobody reads more than a hundred.
const maxViolations = 1000

// violations flattens the library's tree of causes to what is worth telling,
// in the order of the document. The library gives causes in random order.
func violations(failure *jsonschema.ValidationError, where *finder) []violation {
	if failure == nil {
		return nil
	}
	out := where.leaves(failure)
	slices.SortStableFunc(out, func(a, b violation) int {
		return cmp.Or(cmp.Compare(a.start(), b.start()), strings.Compare(a.place.key, b.place.key), strings.Compare(a.keyword, b.keyword))
	})
	return out[:min(len(out), maxViolations)]
}

func (v violation) start() int {
	if v.place.node == nil {
		return 0
	}
	return v.place.node.At.Start
}

// leaves gives the informative endings of a tree of causes: all of them,
// except that of alternatives only the one that was probably meant counts.
func (f *finder) leaves(e *jsonschema.ValidationError) []violation {
	keyword := keywordOf(e)
	switch {
	case len(e.Causes) > 0 && (keyword == "anyOf" || keyword == "oneOf"):
		causes := slices.DeleteFunc(slices.Clone(e.Causes), f.takesAWord)
		if len(causes) == 1 {
			return f.leaves(causes[0])
		}
		return f.alternative(e, causes)
	case len(e.Causes) == 0 && isOfNames(e):
		return nil // the decoder checks and explains names
	case len(e.Causes) == 0:
		return []violation{f.leaf(e)}
	}
	var out []violation
	for _, cause := range e.Causes {
		out = append(out, f.leaves(cause)...)
	}
	return out
}

// isOfNames reports whether the names of a mapping's keys are what fails.
func isOfNames(e *jsonschema.ValidationError) bool {
	steps := pointer(e.KeywordLocation)
	i := slices.Index(steps, "propertyNames")
	return i == 0 || i > 0 && steps[i-1] != "properties"
}

func (f *finder) leaf(e *jsonschema.ValidationError) violation {
	path := pointer(e.InstanceLocation)
	v := violation{keyword: keywordOf(e), place: f.find(path), depth: len(path), expected: expectedOf(e)}
	url, fragment, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	name, ours := nameOf(url)
	if !ours {
		return v
	}
	steps := pointer(fragment)
	v.schema = part(name, steps[:max(0, len(steps)-1)]) // without the keyword
	if v.keyword == "oneOf" {
		// Two branches hold. Ours differ by the keys that they require.
		v.keyword, v.keys, v.several = oneOfKeys, requirements(v.schema["oneOf"]), true
	}
	return v
}

// takesAWord reports whether a branch takes one certain word, or only what is
// empty: nobody means it by a value that is not.
func (f *finder) takesAWord(branch *jsonschema.ValidationError) bool {
	ends := endings(branch)
	if len(ends) != 1 || keywordOf(ends[0]) != "enum" {
		return false
	}
	values, _ := f.leaf(ends[0]).schema["enum"].([]any)
	return len(values) == 1 || slices.Contains(values, nil)
}

// alternative gives the violations of the branch that was probably meant.
func (f *finder) alternative(e *jsonschema.ValidationError, causes []*jsonschema.ValidationError) []violation {
	whole := f.leaf(e)
	var branches [][]violation
	var types []string // what the branches of another type take
	required := 0
	for _, cause := range causes {
		branch := f.leaves(cause)
		if other := mismatch(branch, whole); other != nil {
			types = append(types, other...)
			continue
		}
		if len(branch) == 1 && branch[0].keyword == "required" && branch[0].depth == whole.depth {
			required++
		}
		branches = append(branches, branch)
	}
	switch {
	case len(branches) == 0:
		whole.keyword, whole.expected = "type", types
		return []violation{whole}
	case required == len(causes):
		whole.keyword, whole.keys, whole.several = oneOfKeys, requirements(whole.schema[keywordOf(e)]), false
		return []violation{whole}
	}
	return slices.MinFunc(branches, func(a, b []violation) int {
		return slices.Compare(distance(a, whole.depth), distance(b, whole.depth))
	})
}

// mismatch gives the types that a branch expects when the value is of another
// type altogether, nil when it is not. A list of which no entry could be a
// case is no list of cases.
func mismatch(branch []violation, whole violation) []string {
	if len(branch) == 1 && branch[0].keyword == "type" && branch[0].depth == whole.depth {
		if isCase(items(branch[0].schema)) {
			return []string{casesType}
		}
		return branch[0].expected
	}
	other := func(v violation) bool { return v.keyword != "type" || v.depth != whole.depth+1 || !isCase(v.schema) }
	if whole.place.node == nil || len(whole.place.node.Items) != len(branch) || slices.ContainsFunc(branch, other) {
		return nil
	}
	return []string{casesType}
}

// distance says how far a value is from what a branch takes: the branch was
// probably meant where the values of another type altogether are further in, or
// fewer, or the trouble is further in, or there is less of it.
func distance(branch []violation, here int) []int {
	shallowest, mismatches, deepest := math.MaxInt, 0, 0
	for _, v := range branch {
		deepest = max(deepest, v.depth)
		if v.keyword == "type" {
			mismatches++
			shallowest = min(shallowest, v.depth-here)
		}
	}
	return []int{-shallowest, mismatches, -deepest, len(branch)}
}

// endings gives every leaf of a tree of causes, also those of branches that
// were not meant.
func endings(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		out = append(out, endings(cause)...)
	}
	return out
}

// keywordOf gives the failing keyword of JSON Schema.
func keywordOf(e *jsonschema.ValidationError) string {
	at := e.AbsoluteKeywordLocation
	return at[strings.LastIndexByte(at, '/')+1:]
}

// expectedOf gives the types that a "type" failure wants, nil for others. The
// library has them in its message alone, and the schema of a metaschema, where
// they stand as well, is not to be had: it says "expected A or B, but got C".
func expectedOf(e *jsonschema.ValidationError) []string {
	if keywordOf(e) != "type" || len(e.Causes) > 0 {
		return nil
	}
	types, _, _ := strings.Cut(strings.TrimPrefix(e.Message, "expected "), ", but got ")
	return strings.Split(types, " or ")
}

// Our schemas as they are written.

// properties gives the schemas of the keys that a schema names.
func properties(schema map[string]any) map[string]any {
	out, _ := schema["properties"].(map[string]any)
	return out
}

// items gives the schema of a list's entries, nil where it has none.
func items(schema map[string]any) map[string]any {
	out, _ := schema["items"].(map[string]any)
	return out
}

// isCase reports whether a schema describes a case of a value.
func isCase(schema map[string]any) bool {
	return has(schema, "when") && has(schema, "value")
}

// requirements gives the keys that each branch of a oneOf or anyOf requires.
func requirements(branches any) [][]string {
	var out [][]string
	list, _ := branches.([]any)
	for _, b := range list {
		m, _ := b.(map[string]any)
		out = append(out, texts(m["required"]))
	}
	return out
}

func texts(list any) []string {
	items, _ := list.([]any)
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
