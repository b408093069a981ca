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
	schema   map[string]any // the schema the keyword is in; nil unless it is ours
	parent   map[string]any // the schema of the mapping that the value is in, nil where that is not known
	place    place
	expected []string   // keyword "type": the types that would do
	keys     [][]string // keyword "keys": the sets of keys of which one is needed
	several  bool       // keyword "keys": more than one set is there
	detail   string     // what the library says, for schemas that are not ours
	depth    int        // steps from the root
}

// oneOfKeys is the keyword of a violation that stands for a whole oneOf or
// anyOf whose branches differ in nothing but the keys that they require.
const oneOfKeys = "keys"

// maxViolations bounds how many violations of one document are worked on. A
// hostile file may have 50,000, of which nobody reads more than a hundred.
const maxViolations = 1000

// violations flattens the library's tree of causes to what is worth telling,
// in the order of the document.
func (c *checker) violations(failure *jsonschema.ValidationError, where *finder) []violation {
	if failure == nil {
		return nil
	}
	f := flattener{checker: c, where: where}
	out := f.leaves(failure)
	slices.SortStableFunc(out, func(a, b violation) int {
		return cmp.Or(cmp.Compare(start(a), start(b)), strings.Compare(a.keyword, b.keyword))
	})
	return out[:min(len(out), maxViolations)]
}

func start(v violation) int {
	if v.place.node == nil {
		return 0
	}
	return v.place.node.At.Start
}

type flattener struct {
	checker *checker
	where   *finder
}

// leaves gives the informative endings of a tree of causes: all of them,
// except that of alternatives only the one that was probably meant counts.
func (f flattener) leaves(e *jsonschema.ValidationError) []violation {
	if e.Message == "anyOf failed" || e.Message == "oneOf failed" {
		causes := slices.DeleteFunc(slices.Clone(e.Causes), f.nothing)
		if len(causes) == 1 {
			return f.leaves(causes[0])
		}
		return f.alternative(e, causes)
	}
	if len(e.Causes) == 0 {
		if strings.Contains(e.KeywordLocation, "/propertyNames") {
			return nil // names are checked, and explained, by the decoder
		}
		return []violation{f.leaf(e)}
	}
	var out []violation
	for _, cause := range e.Causes {
		out = append(out, f.leaves(cause)...)
	}
	return out
}

func (f flattener) leaf(e *jsonschema.ValidationError) violation {
	path := pointer(e.InstanceLocation)
	v := violation{
		keyword: keywordOf(e),
		schema:  f.checker.rawSchema(e.AbsoluteKeywordLocation),
		parent:  f.checker.parent(e.AbsoluteKeywordLocation),
		place:   f.where.find(path),
		depth:   len(path),
		detail:  e.Message,
	}
	switch {
	case v.keyword == "type":
		v.expected = strings.Split(expectation(e), " or ")
	case v.keyword == "oneOf" && v.schema != nil:
		// Two branches hold. Ours differ by the keys that they require.
		v.keyword, v.keys, v.several = oneOfKeys, requirements(v.schema["oneOf"]), true
	}
	return v
}

// nothing reports whether a branch takes only what is empty, or one word:
// nobody means it by a value that is not.
func (f flattener) nothing(branch *jsonschema.ValidationError) bool {
	ends := endings(branch)
	if len(ends) != 1 {
		return false
	}
	title := f.checker.rawSchema(ends[0].AbsoluteKeywordLocation)["title"]
	return title == "Nothing" || title == "Auto"
}

// alternative gives the violations of the branch that was probably meant.
func (f flattener) alternative(e *jsonschema.ValidationError, causes []*jsonschema.ValidationError) []violation {
	here := len(pointer(e.InstanceLocation))
	var branches [][]violation
	var mismatch violation // what stands for all branches of another type
	required := 0
	for _, cause := range causes {
		branch := f.leaves(cause)
		if types := f.mismatch(branch, e, here); types != nil {
			mismatch.expected = union(mismatch.expected, types)
			continue
		}
		switch {
		case len(branch) == 1 && branch[0].keyword == "required" && branch[0].depth == here:
			required++
		}
		branches = append(branches, branch)
	}
	switch {
	case len(branches) == 0:
		path := pointer(e.InstanceLocation)
		mismatch.keyword, mismatch.place, mismatch.depth = "type", f.where.find(path), here
		mismatch.schema = f.checker.rawSchema(e.AbsoluteKeywordLocation)
		return []violation{mismatch}
	case required == len(causes):
		v := branches[0][0]
		v.keyword = oneOfKeys
		parent := f.checker.rawSchema(e.AbsoluteKeywordLocation)
		if v.schema = parent; parent != nil {
			v.keys = requirements(parent[keywordOf(e)])
		}
		return []violation{v}
	}
	best := branches[0]
	for _, b := range branches[1:] {
		if closer(b, best, here) {
			best = b
		}
	}
	return best
}

// mismatch gives the types that a branch expects when the value is of another
// type altogether, nil when it is not. A list of which no entry could be a
// case is no list of cases.
func (f flattener) mismatch(branch []violation, e *jsonschema.ValidationError, here int) []string {
	if len(branch) == 1 && branch[0].keyword == "type" && branch[0].depth == here {
		types := slices.Clone(branch[0].expected)
		if branch[0].schema["title"] == listOfCases {
			types = []string{casesType}
		}
		return types
	}
	for _, v := range branch {
		if v.keyword != "type" || v.depth != here+1 || v.schema["title"] != "Case" {
			return nil
		}
	}
	if n := f.where.find(pointer(e.InstanceLocation)).node; n == nil || len(n.Items) != len(branch) {
		return nil
	}
	return []string{casesType}
}

// listOfCases is the title of every schema of cases; casesType stands for it
// among the types of JSON Schema.
const (
	listOfCases = "List of cases"
	casesType   = "cases"
)

// closer reports whether a branch is more probably the meant one than
// another: the values that are of another type altogether are further in, or
// fewer, or the trouble is further in, or there is less of it.
func closer(a, b []violation, here int) bool {
	order := cmp.Or(
		cmp.Compare(shallowest(b, here), shallowest(a, here)),
		cmp.Compare(mismatches(a), mismatches(b)),
		cmp.Compare(deepest(b), deepest(a)),
		cmp.Compare(len(a), len(b)),
	)
	return order < 0
}

func shallowest(branch []violation, here int) int {
	depth := math.MaxInt
	for _, v := range branch {
		if v.keyword == "type" {
			depth = min(depth, v.depth-here)
		}
	}
	return depth
}

func mismatches(branch []violation) int {
	n := 0
	for _, v := range branch {
		if v.keyword == "type" {
			n++
		}
	}
	return n
}

func deepest(branch []violation) int {
	depth := 0
	for _, v := range branch {
		depth = max(depth, v.depth)
	}
	return depth
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

// expectation gives the types that a "type" failure names, joined by " or ".
func expectation(e *jsonschema.ValidationError) string {
	types, _, _ := strings.Cut(strings.TrimPrefix(e.Message, "expected "), ", but got ")
	return types
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

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
