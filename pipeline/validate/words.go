package validate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// nouns are the titles of schemas that do not read well after an article.
var nouns = []struct{ title, words string }{
	{"Manifest", "the manifest"},
	{"Snapshots", `"snapshots"`},
	{"Needs", `"needs"`},
	{"Host", `"host"`},
	{"Sandbox", `"sandbox"`},
	{"Runtime", "the runtime file"},
	{"Identity", "the identity file"},
	{"User", "the user file"},
	{"Records", "the records file"},
	{"Registry", "the registry file"},
	{"Select", `"select"`},
	{"Conversation", "the conversation"},
	{"Tiers", "the tiers"},
	{"Layout with settings", "a layout"},
}

// noun names the thing that a schema describes.
func noun(schema map[string]any) string {
	title, _ := schema["title"].(string)
	for _, n := range nouns {
		if n.title == title {
			return n.words
		}
	}
	title = strings.ToLower(title)
	switch {
	case title == "":
		return "the value"
	case strings.ContainsRune("aeiou", rune(title[0])):
		return "an " + title
	default:
		return "a " + title
	}
}

// quote puts the user's text in quotes, shortened where it is long.
func quote(s string) string { return diag.Quote(short(s)) }

// short gives the start of a text that would make no line of a message.
func short(s string) string {
	const most = 60 // characters
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}

// is describes the value: a scalar by its text, anything else by its shape.
func is(n *prompt.Node) string {
	switch {
	case n == nil:
		return "missing"
	case n.Kind == prompt.Mapping:
		return "a mapping"
	case n.Kind == prompt.Sequence:
		return "a list"
	case n.Text.Str == "":
		return "empty"
	case n.Kind == prompt.String:
		return quote(n.Text.Str)
	default:
		return short(n.Text.Str)
	}
}

// typeNames are the types of JSON Schema in the words of the language, and how
// a value of each is written in YAML and in JSON.
var typeNames = []struct{ json, words, hint, inJSON string }{
	{"string", "a text", "write one text; quote it if it starts with a bracket or a brace", "write a text in double quotes"},
	{"integer", "a whole number", "write a whole number, without quotes", "write a whole number, without quotes"},
	{"number", "a number", "write a number, without quotes", "write a number, without quotes"},
	{"boolean", "true or false", "write true or false, without quotes", "write true or false, without quotes"},
	{"object", "a mapping", "write `key: value` lines below it, or `{key: value}`", "write `{\"key\": …}`"},
	{"array", "a list", "write lines that start with `- `, or `[one, two]`", "write `[…]`"},
	{casesType, "a list of cases", "write `[{when: {…}, value: …}, {value: …}]`", ""},
}

func expectedTypes(types []string) string {
	var out []string
	scalar := true
	for _, t := range []string{"string", "number", "boolean"} {
		scalar = scalar && slices.Contains(types, t)
	}
	if scalar {
		out = append(out, "a scalar")
	}
	for _, t := range typeNames {
		isScalar := t.json != "object" && t.json != "array" && t.json != casesType
		if slices.Contains(types, t.json) && (!scalar || !isScalar) {
			out = append(out, t.words)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return alternatives(out)
}

// alternatives joins words as `a, b or c`.
func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// list joins words as `a, b and c`.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
