package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/schema"
)

// base is what the ids of our own schemas start with. Nothing is ever opened
// at an address: load refuses all that is not embedded.
const base = "https://raw.githubusercontent.com/promptc-build/promptc/main/schema/"

// checker validates nodes against the embedded schemas. Each is compiled at
// its first use; a checker serves one run.
type checker struct {
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	raw      map[string]any
}

func newChecker() *checker {
	c := &checker{
		compiler: jsonschema.NewCompiler(),
		compiled: map[string]*jsonschema.Schema{},
		raw:      map[string]any{},
	}
	c.compiler.LoadURL = load
	return c
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

// address gives the id of a schema, or of a part of one: `tools#/definitions/mcp`.
func address(ref string) string {
	name, fragment, _ := strings.Cut(ref, "#")
	return base + name + ".schema.json#" + fragment
}

// check gives what in a node does not obey one of our schemas, in the order
// of the text. A scalar where the schema wants a text is its source text,
// whatever else YAML takes it for; JSON says itself what is a text.
func (c *checker) check(ref string, n *prompt.Node) []violation {
	compiled, ok := c.compiled[ref]
	if !ok {
		var err error
		if compiled, err = c.compiler.Compile(address(ref)); err != nil {
			return []violation{{keyword: "schema", place: place{node: n}, detail: err.Error()}}
		}
		c.compiled[ref] = compiled
	}
	instance, where := instanceOf(n), newFinder(n)
	failure := validate(compiled, instance)
	// A scalar that is taken as text may bring a further condition into play
	// (a pattern, a branch), never more than twice over.
	for range 2 {
		if failure == nil || ref != manifestRef && isJSON(n) || !asText(&instance, where, failure) {
			break
		}
		failure = validate(compiled, instance)
	}
	return c.violations(failure, where)
}

// manifestRef is the schema of the manifest, which is read as YAML however the
// file is called.
const manifestRef = "prompts"

// isJSON reports whether a node is from a source that is read as JSON, which
// its ending decides.
func isJSON(n *prompt.Node) bool {
	return n.At.Known() && strings.EqualFold(path.Ext(n.At.File.Path), ".json")
}

// validate gives the library's tree of causes, nil when all is well.
func validate(s *jsonschema.Schema, instance any) *jsonschema.ValidationError {
	err := s.Validate(instance)
	if err == nil {
		return nil
	}
	if tree, ok := err.(*jsonschema.ValidationError); ok { //nolint:errorlint // Validate returns it unwrapped
		return tree
	}
	return &jsonschema.ValidationError{Message: err.Error()}
}

// asText replaces the scalars that failed for not being texts by their source
// text, and reports whether there were any. An empty value stays empty: it is
// a slip more often than an empty text.
func asText(instance *any, where *finder, failure *jsonschema.ValidationError) bool {
	changed := false
	for _, e := range endings(failure) {
		if keywordOf(e) != "type" || !strings.Contains(" "+expectation(e)+" ", " string ") {
			continue
		}
		at := where.find(pointer(e.InstanceLocation))
		if at.node == nil || at.node.Kind >= prompt.String || at.node.Text.Str == "" {
			continue
		}
		changed = put(instance, pointer(e.InstanceLocation), at.node.Text.Str) || changed
	}
	return changed
}

// rawSchema gives our schema that a keyword at an address belongs to, nil for
// schemas that are not ours.
func (c *checker) rawSchema(keywordAddress string) map[string]any {
	url, fragment, _ := strings.Cut(keywordAddress, "#")
	name, ok := nameOf(url)
	if !ok {
		return nil
	}
	doc, ok := c.raw[name]
	if !ok {
		text, err := schema.Read(name)
		if err != nil || json.Unmarshal(text, &doc) != nil {
			return nil
		}
		c.raw[name] = doc
	}
	path := pointer(fragment)
	for _, key := range path[:max(0, len(path)-1)] {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[key]
		case []any:
			i := index(key, len(v))
			if i < 0 {
				return nil
			}
			doc = v[i]
		}
	}
	m, _ := doc.(map[string]any)
	return m
}

// root gives one of our schemas, or a part of one, as it is written.
func (c *checker) root(ref string) map[string]any { return c.rawSchema(address(ref) + "/type") }

// parent gives the schema of the mapping in which the value stands that a
// keyword is about, where the mapping's schema spells that of the value out;
// else nil.
func (c *checker) parent(keywordAddress string) map[string]any {
	steps := strings.Split(keywordAddress, "/")
	n := len(steps) - len([]string{"properties", "key", "keyword"})
	if n < 0 || steps[n] != "properties" {
		return nil
	}
	return c.rawSchema(strings.Join(steps[:n], "/") + "/type")
}

// metaschema gives the schema of a dialect's schemas. They come with the
// library.
func (c *checker) metaschema(url string) (*jsonschema.Schema, error) {
	if s, ok := c.compiled[url]; ok {
		return s, nil
	}
	s, err := c.compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", url, err)
	}
	c.compiled[url] = s
	return s, nil
}
