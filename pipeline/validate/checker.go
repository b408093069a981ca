package validate

import (
	"bytes"
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

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/schema"
)

// base is what the ids of our own schemas start with. Nothing is ever opened
// at an address: load refuses all that is not embedded.
const base = "https://raw.githubusercontent.com/promptc-build/promptc/main/schema/"

// manifestRef is the schema of the manifest, which is read as YAML however the
// file is called.
const manifestRef = "prompts"

// Schemas are compiled, and parsed, at their first use in the process: what is
// kept never changes.
//
//nolint:gochecknoglobals // caches of constants
var (
	compiled sync.Map // *jsonschema.Schema by its address
	parsed   sync.Map // our schemas as they are written, by name
)

// compile gives the schema at an address: one of ours, or the metaschema of a
// dialect, which comes with the library.
func compile(url string) (*jsonschema.Schema, error) {
	if kept, ok := compiled.Load(url); ok {
		if s, ok := kept.(*jsonschema.Schema); ok {
			return s, nil
		}
	}
	compiler := jsonschema.NewCompiler()
	compiler.LoadURL = load
	s, err := compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", url, err)
	}
	compiled.Store(url, s)
	return s, nil
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
	rest, ok := strings.CutPrefix(url, base)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, ".schema.json")
}

// check gives what in a node does not obey one of our schemas, or a part of
// one (`tools#/definitions/mcp`), in the order of the text. A scalar where the
// schema wants a text is its source text, whatever else YAML takes it for;
// JSON says itself what is a text.
func check(ref string, n *prompt.Node) []violation {
	name, fragment, _ := strings.Cut(ref, "#")
	s, err := compile(base + name + ".schema.json#" + fragment)
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
func isJSON(n *prompt.Node) bool {
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
		if n == nil || n.Kind >= prompt.String || n.Text.Str == "" {
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
func instanceOf(n *prompt.Node) any {
	switch {
	case n == nil || n.Kind == prompt.Null:
		return nil
	case n.Kind == prompt.Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = instanceOf(f.Value)
		}
		return m
	case n.Kind == prompt.Sequence:
		s := make([]any, len(n.Items))
		for i, item := range n.Items {
			s[i] = instanceOf(item)
		}
		return s
	case n.Kind == prompt.Bool:
		return n.Text.Str == "true"
	case n.Kind == prompt.Number && moderate(n.Text.Str):
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
	node  *prompt.Node
	owner *prompt.Node // the mapping or sequence it is in, nil for the root
	key   string       // in a mapping
	keyAt diag.Span
	index int    // in a sequence
	list  string // the key of the sequence it is in
}

// finder follows pointers from the root of a document. It remembers where the
// keys of mappings are, because a hostile file has many keys and many errors.
type finder struct {
	root   *prompt.Node
	fields map[*prompt.Node]map[string]int
}

func newFinder(root *prompt.Node) *finder {
	return &finder{root: root, fields: map[*prompt.Node]map[string]int{}}
}

// at gives the finder of a value inside the document.
func (f *finder) at(n *prompt.Node) *finder { return &finder{root: n, fields: f.fields} }

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
		case n.Kind == prompt.Mapping:
			if i := f.entry(n, step); i >= 0 {
				next.node, next.key, next.keyAt = n.Fields[i].Value, n.Fields[i].Key, n.Fields[i].KeyAt
			}
		case n.Kind == prompt.Sequence:
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
func (f *finder) entry(n *prompt.Node, key string) int {
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
