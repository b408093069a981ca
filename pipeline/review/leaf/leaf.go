// Package leaf finds the places in which two definitions of a tool differ.
package leaf

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/subschema"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// deepest is the number of levels to which two definitions are compared place
// by place; what lies deeper is compared as a whole.
const deepest = 100

// schemaWords are the keys of a definition as paths call them: the words that
// all interfaces of tools have in common.
var schemaWords = []struct{ key, word string }{
	{"inputSchema", "parameters"},
	{"outputSchema", "output"},
}

// Annotations is the key of a definition that holds the hints of the protocol.
const Annotations = "annotations"

// Describes reports whether a place of a definition is a title or a description: of
// the tool, or of a schema in its parameters or its output.
func Describes(l review.Leaf) bool {
	n := len(l.Steps)
	if n == 0 || l.Steps[n-1].Key != "title" && l.Steps[n-1].Key != "description" {
		return false
	}
	switch l.Steps[0].Key {
	case "parameters", "output":
		return subschema.Keyword(l.Steps[1:])
	case Annotations:
		return n == 2
	default:
		return n == 1
	}
}

// Between gives the places in which two definitions of a tool differ, in the
// order of the later one, with the values in one line. The definitions are
// canonical JSON; what is no JSON differs as a whole.
func Between(before, after string) []review.Leaf {
	if before == after {
		return nil
	}
	a, okA := parseJSON(before)
	b, okB := parseJSON(after)
	var c comparison
	if !okA || !okB {
		c.found(nil, strings.TrimSpace(before), strings.TrimSpace(after))
		return c.leaves
	}
	for _, side := range []*jsonValue{a, b} {
		for i, key := range side.keys {
			for _, w := range schemaWords {
				if key == w.key {
					side.keys[i] = w.word
				}
			}
		}
	}
	c.compare(nil, a, b)
	return c.leaves
}

// Path writes steps behind what they start from: `.cmd` for a key in which nothing
// could be taken for another part, `["a key"]` for others, `[0]` for an element.
func Path(from string, steps []ground.PathStep) string {
	var b strings.Builder
	b.WriteString(from)
	for _, s := range steps {
		switch {
		case s.Element:
			b.WriteString("[" + s.Key + "]")
		case s.Key == "" || strings.ContainsFunc(s.Key, notBare):
			b.WriteString("[" + canon.Value(s.Key) + "]")
		default:
			b.WriteString("." + s.Key)
		}
	}
	return b.String()
}

func notBare(r rune) bool {
	return r != '_' && r != '-' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// comparison collects the places in which two values differ.
type comparison struct {
	leaves []review.Leaf
}

func (c *comparison) found(steps []ground.PathStep, from, to string) {
	c.leaves = append(c.leaves, review.Leaf{Steps: slices.Clone(steps), From: from, To: to})
}

func (c *comparison) compare(steps []ground.PathStep, a, b *jsonValue) {
	switch {
	case a.text == b.text:
	case len(steps) >= deepest || a.kind() != b.kind():
		c.found(steps, a.text, b.text)
	case a.kind() == '{':
		c.objects(steps, a, b)
	case a.kind() == '[':
		c.lists(steps, a, b)
	default:
		c.found(steps, a.text, b.text)
	}
}

// objects compares by key. What only one side has is one place, however much
// it holds; the order of keys says nothing.
func (c *comparison) objects(steps []ground.PathStep, a, b *jsonValue) {
	to := func(key string) []ground.PathStep { return append(steps, ground.PathStep{Key: key}) }
	was := keyPlaces(a.keys)
	is := keyPlaces(b.keys)
	next := 0 // of the keys of a that are told
	gone := func(until int) {
		for ; next < until; next++ {
			if _, kept := is[a.keys[next]]; !kept {
				c.found(to(a.keys[next]), a.parts[next].text, "")
			}
		}
	}
	for i, key := range b.keys {
		old, known := was[key]
		if !known {
			c.found(to(key), "", b.parts[i].text)
			continue
		}
		gone(old)
		c.compare(to(key), a.parts[old], b.parts[i])
	}
	gone(len(a.keys))
}

func keyPlaces(keys []string) map[string]int {
	out := make(map[string]int, len(keys))
	for i, key := range keys {
		out[key] = i
	}
	return out
}

// lists compares in order: an element that came or went is one place. Of those
// that stand between the same neighbours, the first was changed into the
// first, the second into the second.
func (c *comparison) lists(steps []ground.PathStep, a, b *jsonValue) {
	to := func(i int) []ground.PathStep {
		return append(steps, ground.PathStep{Key: strconv.Itoa(i), Element: true})
	}
	i, j := 0, 0
	until := func(x, y int) {
		for ; i < x && j < y; i, j = i+1, j+1 {
			c.compare(to(j), a.parts[i], b.parts[j])
		}
		for ; i < x; i++ {
			c.found(to(i), a.parts[i].text, "")
		}
		for ; j < y; j++ {
			c.found(to(j), "", b.parts[j].text)
		}
		i, j = i+1, j+1
	}
	for x, y := range stays(a.parts, b.parts) {
		if y >= 0 {
			until(x, y)
		}
	}
	until(len(a.parts), len(b.parts))
}

// stays gives, for each element of a list, its place in the other one, -1 for those
// that do not stay.
func stays(a, b []*jsonValue) []int {
	known := map[string]int32{}
	numbers := func(list []*jsonValue) []int32 {
		out := make([]int32, len(list))
		for i, v := range list {
			if _, ok := known[v.text]; !ok {
				known[v.text] = int32(len(known))
			}
			out[i] = known[v.text]
		}
		return out
	}
	out, _ := textdiff.Match(numbers(a), numbers(b), func(int32) int { return 1 })
	return out
}

// jsonValue is a value of JSON whose objects keep the order of their keys and
// whose numbers stay as they are written.
type jsonValue struct {
	text  string   // in one line, without blanks
	keys  []string // of an object, in order
	parts []*jsonValue
}

// kind is `{` for an object, `[` for a list, and `"` or the like for others.
func (v *jsonValue) kind() byte {
	if c := v.text[0]; c == '{' || c == '[' {
		return c
	}
	return '"'
}

// parseJSON reads one value. The standard library has checked the syntax, and
// bounded the depth, before anything is read here.
func parseJSON(text string) (*jsonValue, bool) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil || b.Len() == 0 {
		return nil, false
	}
	text = b.String()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return read(d, text), true
}

// read takes the next value of a decoder of valid JSON without blanks.
func read(d *json.Decoder, text string) *jsonValue {
	out := &jsonValue{}
	start := d.InputOffset()
	if token, _ := d.Token(); token == json.Delim('{') || token == json.Delim('[') {
		for d.More() {
			if token == json.Delim('{') {
				key, _ := d.Token()
				out.keys = append(out.keys, key.(string)) //nolint:errcheck,forcetypeassert // keys are texts
			}
			out.parts = append(out.parts, read(d, text))
		}
		_, _ = d.Token() // the closing bracket
	}
	out.text = strings.TrimLeft(text[start:d.InputOffset()], ",:")
	return out
}

// Place gives the place of the first part of a definition that differs, or of the
// nearest that is there and has one.
func Place(t *language.Tool, leaves []review.Leaf) diag.Span {
	at := t.NameAt
	var steps []ground.PathStep
	if len(leaves) > 0 {
		steps = leaves[0].Steps
	}
	switch {
	case len(steps) == 0:
	case steps[0].Key == "description" && t.DescAt.Known():
		at = t.DescAt
	case steps[0].Key == "parameters" && t.Input != nil:
		n := t.Input
		for _, s := range steps[1:] {
			next := n.Step(s.Key)
			if next == nil {
				break
			}
			n = next
		}
		if n.At.Known() {
			at = n.At
		}
	}
	if !at.Known() {
		at = t.At
	}
	return at
}
