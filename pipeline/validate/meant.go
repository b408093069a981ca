package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ofTools is what becomes of the calls of tools, for which a conversation has
// no place.
const ofTools = "results of tools are written as text of the user, or left out"

// roles are those of other programs' messages, and what to do about each.
var roles = []struct{ theirs, hint string }{
	{"model", `did you mean "assistant"?`},
	{"ai", `did you mean "assistant"?`},
	{"bot", `did you mean "assistant"?`},
	{"human", `did you mean "user"?`},
	{"developer", `did you mean "system"?`},
	{"tool", ofTools},
	{"function", ofTools},
}

// roleHint says what a role of another program is here, "" where that is not
// known.
func (v violation) roleHint() string {
	if v.schema["title"] != "Role" {
		return ""
	}
	for _, r := range roles {
		if strings.EqualFold(r.theirs, v.place.node.Scalar()) {
			return r.hint
		}
	}
	return ""
}

// toolKeys are the keys of messages that are about calls of tools.
var toolKeys = []string{"tool_calls", "tool_call_id", "function_call", "tool_use_id"}

// elsewhere says where an unknown key of a mapping belongs, "" where that is
// not known.
func (v violation) elsewhere(key string) string {
	if v.schema["title"] == "Message" && slices.Contains(toolKeys, key) {
		return ofTools
	}
	if hint := v.belongs(key); hint != "" {
		return hint
	}
	for _, f := range v.place.node.Fields[:min(len(v.place.node.Fields), maxHints)] {
		if !has(property(v.schema, f.Key), key) {
			continue
		}
		if isJSON(v.place.node) {
			return "put it into " + quote(f.Key)
		}
		return "indent it below " + quote(f.Key)
	}
	return ""
}

// outdented reports whether a mapping that is empty has keys of its own beside
// it: they lack their indentation.
func (v violation) outdented() bool {
	if v.place.owner == nil || v.parent == nil {
		return false
	}
	fields := v.place.owner.Fields
	return slices.ContainsFunc(fields[:min(len(fields), maxHints)], func(f prompt.Field) bool {
		return has(v.schema, f.Key) && !has(v.parent, f.Key)
	})
}

// has reports whether a schema names a key.
func has(schema map[string]any, key string) bool { return property(schema, key) != nil }

// property gives the schema of a key as a schema writes it, nil for none. Of
// alternatives it is the first, beside which the value may be empty.
func property(schema map[string]any, key string) map[string]any {
	known, _ := schema["properties"].(map[string]any)
	out, _ := known[key].(map[string]any)
	if branches, _ := out["anyOf"].([]any); len(branches) > 0 {
		if first, _ := branches[0].(map[string]any); first["properties"] != nil {
			return first
		}
	}
	return out
}

// needed reports whether the value stands under a key that cannot be left out.
func (v violation) needed() bool {
	return v.place.key != "" && (slices.Contains(texts(v.parent["required"]), v.place.key) || v.chosen())
}

// chosen reports whether the value stands under the only one that is there of
// the keys that a prompt has one of.
func (v violation) chosen() bool {
	if v.parent["title"] != "Prompt" || v.place.owner == nil {
		return false
	}
	var there []string
	for _, set := range requirements(v.parent["oneOf"]) {
		for _, key := range set {
			if v.place.owner.Field(key) != nil {
				there = append(there, key)
			}
		}
	}
	return slices.Equal(there, []string{v.place.key})
}

// orRemove adds what else can be done about a value, where something can.
func (v violation) orRemove(remedy, what string) string {
	if v.needed() {
		return remedy
	}
	return remedy + ", or remove " + what
}

// misspelt reports whether a missing key is there under a name that is
// refused with a hint to the right one, so that one slip is one finding.
func misspelt(key string, v violation) bool {
	if v.schema["additionalProperties"] != false {
		return false
	}
	unknown := unknownFields(v.place.node, v.schema)
	known := knownKeys(v.schema)
	for _, f := range unknown[:min(len(unknown), maxHints)] {
		if meant, ok := meantKey(f.Key, known); ok && meant == key {
			return true
		}
	}
	return false
}

// meantBy reports whether a mapping has an unknown key that is refused with a
// hint to a known one.
func meantBy(n *prompt.Node, key string, known []string) bool {
	for _, f := range n.Fields[:min(len(n.Fields), maxHints)] {
		if slices.Contains(known, f.Key) {
			continue
		}
		if meant, ok := meantKey(f.Key, known); ok && meant == key {
			return true
		}
	}
	return false
}

// axisKeys are the keys of one word that an axis varies.
var axisKeys = []string{"dialect", "assembly"}

// asAxis says how several values of such a key are written, "" for others.
func (v violation) asAxis() string {
	key := v.place.key
	if v.place.node.Kind != prompt.Sequence || isCases(v.place.node) || !slices.Contains(axisKeys, key) {
		return ""
	}
	return "make it an axis, `axes: {" + key + ": " + written(v.place.node) + "}`, and write `" + key + ": \"{" + key + "}\"`"
}
