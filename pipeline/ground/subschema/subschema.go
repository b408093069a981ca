// Package subschema knows where a JSON Schema holds further schemas. A tool's
// schema is only ever walked, never compiled and run: compiling follows
// references, and a small schema can be built so that this takes for ever.
package subschema

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// Child is a schema directly in another one.
type Child struct {
	Node *ground.Node
	// Keyword is the one whose value holds it.
	Keyword string
	// Name is its key among those of the keyword, "" for schemas without one.
	Name string
	// SameValue says that it speaks of the same value as the schema around it.
	SameValue bool
}

// holder is a keyword whose value holds schemas: itself, in a list, or in a
// mapping of names.
type holder struct {
	keyword             string
	single, list, named bool
	sameValue           bool
}

// holders are the keywords that hold schemas, of all drafts. What else holds a
// mapping, such as a default, holds data.
var holders = []holder{
	{keyword: "properties", named: true},
	{keyword: "patternProperties", named: true},
	{keyword: "$defs", named: true},
	{keyword: "definitions", named: true},
	{keyword: "dependentSchemas", named: true, sameValue: true},
	{keyword: "dependencies", named: true, sameValue: true},
	{keyword: "items", single: true, list: true},
	{keyword: "prefixItems", list: true},
	{keyword: "allOf", list: true, sameValue: true},
	{keyword: "anyOf", list: true, sameValue: true},
	{keyword: "oneOf", list: true, sameValue: true},
	{keyword: "additionalProperties", single: true},
	{keyword: "additionalItems", single: true},
	{keyword: "unevaluatedProperties", single: true},
	{keyword: "unevaluatedItems", single: true},
	{keyword: "propertyNames", single: true},
	{keyword: "contains", single: true},
	{keyword: "contentSchema", single: true},
	{keyword: "not", single: true, sameValue: true},
	{keyword: "if", single: true, sameValue: true},
	{keyword: "then", single: true, sameValue: true},
	{keyword: "else", single: true, sameValue: true},
}

// holderOf gives what a keyword holds, nothing for those that hold no schema.
func holderOf(keyword string) holder {
	for _, h := range holders {
		if h.keyword == keyword {
			return h
		}
	}
	return holder{}
}

// In gives the schemas directly in one, in its order. Values that stand where a
// schema is expected are among them, whatever they are, but for true and false
// of a keyword that holds one schema.
func In(schema *ground.Node) []Child {
	if schema == nil || schema.Kind != ground.Mapping {
		return nil
	}
	var out []Child
	for _, f := range schema.Fields {
		h := holderOf(f.Key)
		child := Child{Keyword: f.Key, SameValue: h.sameValue}
		switch {
		case h.single && f.Value.Kind == ground.Mapping:
			child.Node = f.Value
			out = append(out, child)
		case h.list:
			for _, item := range f.Value.Items {
				child.Node = item
				out = append(out, child)
			}
		case h.named:
			for _, named := range f.Value.Fields {
				child.Node, child.Name = named.Value, named.Key
				out = append(out, child)
			}
		}
	}
	return out
}

// Each calls visit for a schema and every schema in it, outermost first.
func Each(schema *ground.Node, visit func(*ground.Node)) {
	if schema == nil || schema.Kind != ground.Mapping {
		return
	}
	visit(schema)
	for _, child := range In(schema) {
		Each(child.Node, visit)
	}
}

// Keyword reports whether steps from a schema lead to a keyword of it, or of a
// schema in it: not into data, such as a default, nor to a name, such as that of a
// property.
func Keyword(steps []ground.PathStep) bool {
	for len(steps) > 1 {
		h := holderOf(steps[0].Key)
		switch {
		case steps[1].Element && h.list, !steps[1].Element && h.named:
			steps = steps[2:]
		case !steps[1].Element && h.single:
			steps = steps[1:]
		default:
			return false
		}
	}
	return len(steps) == 1
}

// Rewrite gives a copy of a schema in which every keyword of it, and of every
// schema in it, is what replace makes of it. The schema itself stays as it is.
func Rewrite(schema *ground.Node, replace func(ground.Field) ground.Field) *ground.Node {
	if schema.Kind != ground.Mapping {
		return schema
	}
	out := *schema
	out.Fields = slices.Clone(schema.Fields)
	for i, f := range out.Fields {
		f.Value = inner(f, replace)
		out.Fields[i] = replace(f)
	}
	return &out
}

// inner gives the value of a keyword with the schemas in it rewritten.
func inner(f ground.Field, replace func(ground.Field) ground.Field) *ground.Node {
	h := holderOf(f.Key)
	if h.single && f.Value.Kind == ground.Mapping {
		return Rewrite(f.Value, replace)
	}
	if !h.list && !h.named {
		return f.Value
	}
	out := *f.Value
	if h.list {
		out.Items = slices.Clone(out.Items)
		for i, item := range out.Items {
			out.Items[i] = Rewrite(item, replace)
		}
	}
	if h.named {
		out.Fields = slices.Clone(out.Fields)
		for i, named := range out.Fields {
			out.Fields[i].Value = Rewrite(named.Value, replace)
		}
	}
	return &out
}
