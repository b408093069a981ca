package validate

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// instanceOf gives a node as the values that a JSON Schema is checked on.
func instanceOf(n *prompt.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case prompt.Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = instanceOf(f.Value)
		}
		return m
	case prompt.Sequence:
		s := make([]any, len(n.Items))
		for i, item := range n.Items {
			s[i] = instanceOf(item)
		}
		return s
	default:
		return scalarOf(n)
	}
}

func scalarOf(n *prompt.Node) any {
	switch {
	case n.Kind == prompt.Null:
		return nil
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

// find follows a pointer from the root of a document. The entries of the
// mappings in numbered go by their position instead of their key.
func find(n *prompt.Node, path []string, numbered map[*prompt.Node]bool) place {
	at := place{node: n}
	for _, step := range path {
		next := place{owner: at.node}
		switch {
		case at.node == nil:
			return place{}
		case numbered[at.node]:
			if i := index(step, len(at.node.Fields)); i >= 0 {
				f := &at.node.Fields[i]
				next.node, next.key, next.keyAt = f.Value, f.Key, f.KeyAt
			}
		case at.node.Kind == prompt.Mapping:
			for i := range at.node.Fields {
				if f := &at.node.Fields[i]; f.Key == step {
					next.node, next.key, next.keyAt = f.Value, f.Key, f.KeyAt
				}
			}
		case at.node.Kind == prompt.Sequence:
			next.index = index(step, len(at.node.Items))
			next.list = at.key
			if next.index >= 0 {
				next.node = at.node.Items[next.index]
			}
		}
		at = next
	}
	return at
}

// index reads a position in a sequence of n values, -1 for none.
func index(step string, n int) int {
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= n {
		return -1
	}
	return i
}

// put sets the value at a pointer and reports whether there is such a place.
func put(root *any, path []string, value any) bool {
	if len(path) == 0 {
		*root = value
		return true
	}
	at := *root
	for _, step := range path[:len(path)-1] {
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i := index(step, len(v))
			if i < 0 {
				return false
			}
			at = v[i]
		default:
			return false
		}
	}
	last := path[len(path)-1]
	switch v := at.(type) {
	case map[string]any:
		v[last] = value
		return true
	case []any:
		if i := index(last, len(v)); i >= 0 {
			v[i] = value
			return true
		}
	}
	return false
}

// pointer splits a location as the library writes it: a JSON Pointer whose
// steps are percent-encoded as well.
func pointer(location string) []string {
	if location == "" || location == "/" {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(location, "/"), "/")
	for i, s := range steps {
		steps[i] = unescape(s)
	}
	return steps
}

// unescape undoes both escapes of one step of a pointer.
func unescape(step string) string {
	if plain, err := url.PathUnescape(step); err == nil {
		step = plain
	}
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}
