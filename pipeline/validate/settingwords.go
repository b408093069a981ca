package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// misplaced are keys that belong elsewhere, and where.
var misplaced = []struct {
	key  string
	in   []string // titles of the mappings that do not have it
	hint string
}{
	{"limits", []string{"Section", "Prompt", "Manifest"}, "it belongs to a source: the programs that read its files by themselves"},
	{"checks", []string{"Section", "Prompt", "Source"}, "it stands at the top of the manifest; `prompts` of a row names those that it is for, and `paths` the files"},
	{"families", []string{"Section", "Prompt", "Source"}, "it stands at the top of the manifest: the families of all prompts"},
	{"expect", []string{"Section", "Source", "Manifest"}, "it belongs to a prompt, beside its sections"},
}

// belongs says where a key of another mapping stands, "" where that is not known.
func (v violation) belongs(key string) string {
	title, _ := v.schema["title"].(string)
	for _, m := range misplaced {
		if m.key == key && slices.Contains(m.in, title) {
			return m.hint
		}
	}
	return ""
}

// asExpectation says how several texts of an expectation are written, or one for
// some variants; "" for values of other mappings.
func (v violation) asExpectation() string {
	n, key := v.place.node, v.place.key
	switch {
	case v.parent["title"] != "Expectation":
		return ""
	case key == "order" && n.IsScalar() && n.Text.Str != "":
		return "name two or more: `[" + short(n.Text.Str) + ", …]`"
	case key == "order":
		return ""
	case isCases(n), n.Field("when") != nil:
		return "put `when` on the entry: `{when: {…}, " + key + ": …}`"
	case n.Kind == prompt.Sequence:
		return "write an entry for each text: `{" + key + ": …}`"
	}
	return ""
}
