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
