package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

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
var (
	compiled sync.Map // *jsonschema.Schema by its address
	parsed   sync.Map // our schemas as they are written, by name
)

// compile gives the schema at an address: one of ours, or the metaschema of a
// dialect, which comes with the library.
func compile(url string) (*jsonschema.Schema, error) {
	if s, ok := compiled.Load(url); ok {
		return s.(*jsonschema.Schema), nil
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
