package surely

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Schema reports that a value is surely a JSON Schema, whichever draft it is
// written in: what it says is what tools say of their parameters, in the way
// that all drafts allow.
func Schema(n *prompt.Node) bool {
	if n == nil || n.Kind != prompt.Mapping {
		return false
	}
	for i := range n.Fields {
		f := &n.Fields[i]
		if f.Value == nil || !keyword(f.Key, f.Value) {
			return false
		}
	}
	return true
}

// keyword reports that the value of a keyword is surely a possible one. Names
// that are not known here may mean something to a draft.
func keyword(name string, v *prompt.Node) bool {
	switch name {
	case "$schema", "default", "const":
		return true // the caller sees to the dialect
	case "title", "description", "$comment", "format", "pattern":
		return v.Kind == prompt.String
	case "uniqueItems", "readOnly", "writeOnly", "deprecated":
		return v.Kind == prompt.Bool
	case "minimum", "maximum":
		return v.Kind == prompt.Number && plain(v.Text.Str)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return isCount(v)
	case "examples":
		return v.Kind == prompt.Sequence
	case "enum":
		return len(v.Items) > 0 && distinct(v.Items) == yes
	case "required":
		return isTexts(v) && distinct(v.Items) == yes
	case "type":
		return isType(v) || isTexts(v) && distinct(v.Items) == yes && all(v.Items, isType)
	case "$ref":
		return isInner(v)
	case "additionalProperties":
		return v.Kind == prompt.Bool || Schema(v)
	case "items", "propertyNames", "contains", "not":
		return Schema(v)
	case "anyOf", "oneOf", "allOf":
		return len(v.Items) > 0 && all(v.Items, Schema)
	case "properties", "$defs", "definitions":
		other := func(f prompt.Field) bool { return !Schema(f.Value) }
		return v.Kind == prompt.Mapping && !slices.ContainsFunc(v.Fields, other)
	default:
		return false
	}
}

func all(items []*prompt.Node, holds func(*prompt.Node) bool) bool {
	return !slices.ContainsFunc(items, func(n *prompt.Node) bool { return !holds(n) })
}

// isCount reports that a value is a whole number that is not negative.
func isCount(n *prompt.Node) bool {
	return n.Kind == prompt.Number && plain(n.Text.Str) && isOnly(n.Text.Str, isDigit)
}

// isTexts reports that a value is a list of texts with something in it.
func isTexts(n *prompt.Node) bool {
	return len(n.Items) > 0 && all(n.Items, func(n *prompt.Node) bool { return n != nil && n.Kind == prompt.String })
}

func isType(n *prompt.Node) bool {
	switch n.Text.Str {
	case "array", "boolean", "integer", "null", "number", "object", "string":
		return n.Kind == prompt.String
	default:
		return false
	}
}

// isInner reports that a reference is an address, and one within the schema.
// Where it leads is not looked at.
func isInner(n *prompt.Node) bool {
	steps, ok := strings.CutPrefix(n.Text.Str, "#/")
	step := func(c byte) bool { return isAlnum(c) || c == '_' || c == '$' || c == '/' }
	return ok && n.Kind == prompt.String && isOnly(steps, step)
}
