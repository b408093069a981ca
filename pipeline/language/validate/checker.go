package validate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/schema"
)

// manifestRef is the schema of the manifest, which is read as YAML however the
// file is called.
const manifestRef = "prompts"

// Schemas are compiled, and parsed, at their first use in the process: what is
// kept never changes.
//
//nolint:gochecknoglobals // caches of constants
var (
	compiler = sync.OnceValue(newCompiler)
	parsed   sync.Map // our schemas as they are written, by name
)

// compile gives the schema at an address: one of ours, or the metaschema of a
// dialect, which comes with the library.
func compile(url string) (*jsonschema.Schema, error) {
	c := compiler()
	c.Lock()
	defer c.Unlock()
	s, err := c.library.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", url, err)
	}
	return s, nil
}

// schemas are what was compiled. The library keeps each, so that a part of one
// does not read it again; it does not expect to be asked twice at a time.
type schemas struct {
	sync.Mutex

	library *jsonschema.Compiler
}

func newCompiler() *schemas {
	c := jsonschema.NewCompiler()
	c.LoadURL = load
	return &schemas{library: c}
}

func load(url string) (io.ReadCloser, error) {
	name, ok := nameOf(url)
	if !ok {
		return nil, fmt.Errorf("%s is not embedded", url)
	}
	text, err := schema.Read(name)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// nameOf gives the name of the embedded schema that an address stands for.
func nameOf(url string) (string, bool) {
	rest, ok := strings.CutPrefix(url, schema.Base)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, ".schema.json")
}

// check gives what in a node does not obey one of our schemas, or a part of
// one (`tools#/definitions/mcp`), in the order of the text. A scalar where the
// schema wants a text is its source text, whatever else YAML takes it for;
// JSON says itself what is a text.
func check(ref string, n *ground.Node) []violation {
	name, fragment, _ := strings.Cut(ref, "#")
	s, err := compile(schema.Base + name + ".schema.json#" + fragment)
	if err != nil {
		return []violation{{keyword: "schema", place: place{node: n}}}
	}
	value, where := instanceOf(n), newFinder(n)
	failure := validate(s, value)
	// A scalar that is taken as text may bring a further condition into play
	// (a pattern, a branch), never more than twice over.
	for range 2 {
		if failure == nil || ref != manifestRef && isJSON(n) {
			break
		}
		var changed bool
		if value, changed = asText(value, where, failure); !changed {
			break
		}
		failure = validate(s, value)
	}
	return violations(failure, where)
}

// isJSON reports whether a node is from a source that is read as JSON, which
// its ending decides.
func isJSON(n *ground.Node) bool {
	return n.At.Known() && strings.EqualFold(path.Ext(n.At.File.Path), ".json")
}

// validate gives the library's tree of causes, nil when all is well.
func validate(s *jsonschema.Schema, value any) *jsonschema.ValidationError {
	err := s.Validate(value)
	if err == nil {
		return nil
	}
	if tree, ok := err.(*jsonschema.ValidationError); ok { //nolint:errorlint // Validate returns it unwrapped
		return tree
	}
	return &jsonschema.ValidationError{AbsoluteKeywordLocation: s.Location}
}

// asText gives the value with the source text of the scalars that failed for
// not being texts, and reports whether there were any. An empty value stays
// empty: it is a slip more often than an empty text.
func asText(value any, where *finder, failure *jsonschema.ValidationError) (any, bool) {
	changed := false
	for _, e := range endings(failure) {
		if !slices.Contains(expectedOf(e), "string") {
			continue
		}
		steps := pointer(e.InstanceLocation)
		n := where.find(steps).node
		if n == nil || n.Kind >= ground.String || n.Text.Str == "" {
			continue
		}
		value, changed = put(value, steps, n.Text.Str), true
	}
	return value, changed
}

// root gives one of our schemas, or a part of one, as it is written.
func root(ref string) map[string]any {
	name, fragment, _ := strings.Cut(ref, "#")
	return part(name, pointer(fragment))
}

// part gives the schema at some steps from the root of one of ours.
func part(name string, steps []string) map[string]any {
	at, ok := parsed.Load(name)
	if !ok {
		text, err := schema.Read(name)
		if err != nil || json.Unmarshal(text, &at) != nil {
			return nil
		}
		parsed.Store(name, at)
	}
	for _, step := range steps {
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i := index(step, len(v))
			if i < 0 {
				return nil
			}
			at = v[i]
		}
	}
	m, _ := at.(map[string]any)
	return m
}

// instanceOf gives a node as the values that a JSON Schema is checked on.
func instanceOf(n *ground.Node) any {
	switch {
	case n == nil || n.Kind == ground.Null:
		return nil
	case n.Kind == ground.Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = instanceOf(f.Value)
		}
		return m
	case n.Kind == ground.Sequence:
		s := make([]any, len(n.Items))
		for i, item := range n.Items {
			s[i] = instanceOf(item)
		}
		return s
	case n.Kind == ground.Bool:
		return n.IsTrue()
	case n.Kind == ground.Number && moderate(n.Text.Str):
		return json.Number(n.Text.Str)
	default:
		return n.Text.Str
	}
}

// moderate reports whether a number can be computed with. The library turns
// numbers into fractions, for which 1e999999 is a number of a million digits;
// what a 64-bit float cannot hold is left a text.
func moderate(number string) bool {
	if len(number) > 400 {
		return false
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(f, 0) {
		return false
	}
	// An underflow is no error, but just as long a fraction.
	_, exponent, found := strings.Cut(strings.ToLower(number), "e")
	if !found {
		return true
	}
	e, err := strconv.Atoi(exponent)
	return err == nil && -400 < e && e < 400
}

// place is a value in a document and how it is reached.
type place struct {
	node  *ground.Node
	owner *ground.Node // the mapping or sequence it is in, nil for the root
	key   string       // in a mapping
	keyAt diag.Span
	index int    // in a sequence
	list  string // the key of the sequence it is in
}

// finder follows pointers from the root of a document. It remembers where the
// keys of mappings are, because a hostile file has many keys and many errors.
type finder struct {
	root   *ground.Node
	fields map[*ground.Node]map[string]int
}

func newFinder(root *ground.Node) *finder {
	return &finder{root: root, fields: map[*ground.Node]map[string]int{}}
}

// find gives the place that a pointer leads to; its node is nil where there
// is none.
func (f *finder) find(path []string) place {
	at := place{node: f.root}
	for _, step := range path {
		n := at.node
		if n == nil {
			return place{}
		}
		next := place{owner: n}
		switch {
		case n.Kind == ground.Mapping:
			if i := f.entry(n, step); i >= 0 {
				next.node, next.key, next.keyAt = n.Fields[i].Value, n.Fields[i].Key, n.Fields[i].KeyAt
			}
		case n.Kind == ground.Sequence:
			next.list = at.key
			if next.index = index(step, len(n.Items)); next.index >= 0 {
				next.node = n.Items[next.index]
			}
		}
		at = next
	}
	return at
}

// entry gives the position of a key in a mapping, -1 for none.
func (f *finder) entry(n *ground.Node, key string) int {
	positions, ok := f.fields[n]
	if !ok {
		positions = make(map[string]int, len(n.Fields))
		for i, field := range n.Fields {
			positions[field.Key] = i
		}
		f.fields[n] = positions
	}
	if i, ok := positions[key]; ok {
		return i
	}
	return -1
}

// index reads a position in a sequence of n values, -1 for none.
func index(step string, n int) int {
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= n {
		return -1
	}
	return i
}

// put gives a value with another one at the end of some steps, which lead to a
// place in it.
func put(in any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch v := in.(type) {
	case map[string]any:
		v[steps[0]] = put(v[steps[0]], steps[1:], value)
	case []any:
		if i := index(steps[0], len(v)); i >= 0 {
			v[i] = put(v[i], steps[1:], value)
		}
	}
	return in
}

// pointer splits a location as the library writes it: a JSON Pointer whose
// steps are percent-encoded as well.
func pointer(location string) []string {
	if location == "" || location == "/" {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(location, "/"), "/")
	for i, step := range steps {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

// violation is one way in which a document does not obey its schema.
type violation struct {
	keyword  string         // the keyword of JSON Schema that fails
	schema   map[string]any // the schema that the keyword is in; nil unless it is ours
	of       string         // the name of ours that it is in
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
		here := f.leaf(e).depth
		causes := slices.DeleteFunc(slices.Clone(e.Causes), func(branch *jsonschema.ValidationError) bool { return f.takesAWord(branch, here) })
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
	v.schema, v.of = part(name, steps[:max(0, len(steps)-1)]), name // without the keyword
	if v.keyword == "oneOf" {
		// Two branches hold. Ours differ by the keys that they require.
		v.keyword, v.keys, v.several = oneOfKeys, requirements(v.schema["oneOf"]), true
	}
	return v
}

// takesAWord reports whether a branch takes one certain word, or only what is
// empty: nobody means it by a value that is not. A word further in is one of its keys.
func (f *finder) takesAWord(branch *jsonschema.ValidationError, here int) bool {
	ends := endings(branch)
	if len(ends) != 1 || keywordOf(ends[0]) != "enum" || f.leaf(ends[0]).depth > here {
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
