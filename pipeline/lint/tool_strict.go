package lint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// strictLimits are amounts over all strict tools of a request. A limit of 0 is
// none.
type strictLimits struct {
	tools    int
	optional int // properties that are not required
	unions   int // properties of several types
}

// strictRow is one of them with its limit.
type strictRow struct {
	noun     string
	n, limit int
}

// rows sets amounts against their limits, in a fixed order.
func (l strictLimits) rows(n strictLimits) []strictRow {
	return []strictRow{
		{"strict tool", n.tools, l.tools},
		{"optional strict parameter", n.optional, l.optional},
		{"union-typed strict parameter", n.unions, l.unions},
	}
}

// plus adds a tool, which is counted once.
func (l strictLimits) plus(t *prompt.Tool, known map[*prompt.Tool]strictLimits) strictLimits {
	n, ok := known[t]
	if !ok {
		n.tools = 1
		for _, s := range schemas(t.Input) {
			n.optional += len(optional(s.node))
			if kind := s.node.Field("type"); s.node.Field("anyOf") != nil || kind != nil && len(kind.Items) > 1 {
				n.unions++
			}
		}
		known[t] = n
	}
	return strictLimits{l.tools + n.tools, l.optional + n.optional, l.unions + n.unions}
}

// The limits of OpenAI's strict mode on one schema. From the providers'
// documentation, 2026-11: its guide "Structured outputs", supported schemas.
const (
	strictLevels     = 10
	strictProperties = 5_000
	strictValues     = 1_000
	strictEnumValues = 250
	strictEnumRunes  = 15_000
	strictRunes      = 120_000
)

func nestedTooDeep(all []schemaAt) []breach {
	deepest := all[0]
	for _, s := range all {
		if isObject(s.node) && s.level > deepest.level {
			deepest = s
		}
	}
	return over(deepest.level+1, strictLevels, deepest.node.At)
}

// over is a breach where an amount is over its limit.
func over(n, limit int, place diag.Span) []breach {
	if n <= limit {
		return nil
	}
	return []breach{{place, diag.Number(n)}}
}

func tooManyProperties(all []schemaAt) []breach {
	n := 0
	for _, s := range all {
		n += len(fields(s.node.Field("properties")))
	}
	return over(n, strictProperties, all[0].node.At)
}

func tooManyValues(all []schemaAt) []breach {
	n := 0
	for _, s := range all {
		if values := s.node.Field("enum"); values != nil {
			n += len(values.Items)
		}
	}
	return over(n, strictValues, all[0].node.At)
}

func tooLongEnums(all []schemaAt) []breach {
	var out []breach
	for _, s := range all {
		if values := s.node.Field("enum"); values != nil && len(values.Items) > strictEnumValues {
			out = append(out, over(runes(values.Items), strictEnumRunes, values.At)...)
		}
	}
	return out
}

func runes(values []*prompt.Node) int {
	n := 0
	for _, v := range values {
		n += utf8.RuneCountInString(v.Scalar())
	}
	return n
}

// tooManyCharacters counts the names of properties and definitions, and the
// values of enum and const.
func tooManyCharacters(all []schemaAt) []breach {
	n := 0
	for _, s := range all {
		for _, f := range s.node.Fields {
			switch f.Key {
			case "properties", "$defs", "definitions":
				for _, inner := range f.Value.Fields {
					n += utf8.RuneCountInString(inner.Key)
				}
			case "enum":
				n += runes(f.Value.Items)
			case "const":
				n += utf8.RuneCountInString(f.Value.Scalar())
			}
		}
	}
	return over(n, strictRunes, all[0].node.At)
}

// recursion finds the references that lead back to a schema that they stand
// in, straight or through others.
func recursion(all []schemaAt) []breach {
	w := refWalk{root: all[0].node, names: map[string]*prompt.Node{}, state: map[*prompt.Node]int{}}
	for _, s := range all {
		for _, key := range []string{"$anchor", "$dynamicAnchor"} {
			if name := s.node.Field(key).Scalar(); name != "" {
				w.names["#"+name] = s.node
			}
		}
	}
	w.walk(w.root, 0)
	return w.found
}

// refWalk goes through a schema and what its references lead to, each schema
// once.
type refWalk struct {
	root  *prompt.Node
	names map[string]*prompt.Node // what a reference leads to
	state map[*prompt.Node]int
	found []breach
}

// The states of a schema during the walk.
const (
	unseen = iota
	open   // the walk is inside it
	done
)

func (w *refWalk) walk(n *prompt.Node, depth int) {
	if n == nil || n.Kind != prompt.Mapping || w.state[n] != unseen || depth > maxSchemas {
		return
	}
	w.state[n] = open
	for _, f := range n.Fields {
		if f.Key != "$ref" && f.Key != "$dynamicRef" || f.Value.Kind != prompt.String {
			continue
		}
		target := w.target(f.Value.Text.Str)
		if target != nil && w.state[target] == open {
			w.found = append(w.found, breach{f.Value.At, f.Value.Text.Str})
		}
		w.walk(target, depth+1)
	}
	for _, s := range (schemaAt{node: n}).inner() {
		w.walk(s.node, depth+1)
	}
	w.state[n] = done
}

// target gives the schema that a reference within the document leads to.
func (w *refWalk) target(ref string) *prompt.Node {
	if n, ok := w.names[ref]; ok {
		return n
	}
	path, within := strings.CutPrefix(ref, "#")
	if !within || path != "" && path[0] != '/' {
		return nil
	}
	n := w.root
	for _, step := range strings.Split(path, "/")[1:] {
		n = child(n, strings.NewReplacer("~1", "/", "~0", "~").Replace(unescape(step)))
	}
	w.names[ref] = n
	return n
}

// unescape reads the percent-encoding of a step. What is none stays.
func unescape(step string) string {
	var b strings.Builder
	for i := 0; i < len(step); i++ {
		c := step[i]
		if c == '%' && i+2 < len(step) {
			if n, err := strconv.ParseUint(step[i+1:i+3], 16, 8); err == nil {
				c, i = byte(n), i+2
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// child gives a field of a mapping, or an item of a sequence by its index.
func child(n *prompt.Node, step string) *prompt.Node {
	if n == nil || n.Kind != prompt.Sequence {
		return n.Field(step)
	}
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}
