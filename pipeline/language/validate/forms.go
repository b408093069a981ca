package validate

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// maxForm is how long a text may be that a hint repeats.
const maxForm = 64

// listForm is how one value was probably meant where a list, or an entry of one, is
// expected; "" for any other mistake.
func (v violation) listForm() string {
	n, key := v.place.node, v.place.key
	switch {
	case !n.IsScalar() || len(n.Text.Str) > maxForm || n.Kind == ground.Null || n.Text.Str == "":
		return ""
	case key == "" && v.place.list == "sections" && n.Kind == ground.String:
		return sectionForm(n.Text.Str)
	case key == "sections" && n.Kind == ground.String:
		return "sections: [" + sectionForm(n.Text.Str) + "]"
	case key == "" || !slices.Contains(v.expected, "array") || !v.takesTexts():
		return ""
	}
	entries := strings.Split(n.Text.Str, ",")
	if key == "run" {
		entries = strings.Fields(n.Text.Str) // a command, as a shell would take it
	}
	for i, e := range entries {
		entries[i] = scalarForm(strings.TrimSpace(e))
	}
	return key + ": [" + strings.Join(entries, ", ") + "]"
}

// takesTexts reports whether the list that a schema describes has texts in it.
func (v violation) takesTexts() bool {
	branches, _ := v.schema["anyOf"].([]any)
	for _, branch := range append(branches, v.schema) {
		list, _ := branch.(map[string]any)
		entry := items(list)
		if ref, ok := entry["$ref"].(string); ok {
			entry = part(v.of, pointer(strings.TrimPrefix(ref, "#")))
		}
		types, _ := entry["type"].([]any)
		if entry["type"] == "string" || slices.Contains(types, any("string")) {
			return true
		}
	}
	return false
}

// sectionForm is the section that a path, the name of a source, or a text stands
// for.
func sectionForm(text string) string {
	id, key := idForm(text), "text"
	switch spaces := strings.ContainsAny(text, " \t\n"); {
	case strings.Contains(text, "/") && !spaces || extension.MatchString(text):
		stem := strings.TrimSuffix(path.Base(text), path.Ext(text))
		id, key = cmp.Or(idForm(stem), idForm(path.Base(path.Dir(text)))), "path"
	case id == text:
		key = "source"
	}
	return "{id: " + cmp.Or(id, "ID") + ", " + key + ": " + scalarForm(text) + "}"
}

// idForm is a text as an id may be written.
func idForm(text string) string {
	return strings.Trim(notID.ReplaceAllString(strings.ToLower(text), "-"), "-._")
}

var (
	notID     = regexp.MustCompile(`[^a-z0-9._-]+`)
	extension = regexp.MustCompile(`\.[A-Za-z0-9]{1,8}$`)
)
