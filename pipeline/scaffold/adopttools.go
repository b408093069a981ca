package scaffold

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolsets makes a prompt of the files in a folder that define tools.
func (a *Adoption) toolsets() {
	var tools []Snapshot
	for _, f := range a.files {
		if f.Tools == nil || f.Bad || isFixture(f.Path) {
			continue
		}
		if f.Ignored {
			a.say(&f, diag.Say("nobody-else-has"))
			continue
		}
		tools = append(tools, Snapshot{Path: f.Path, Sort: ToolList, Tools: f.Tools, Schemas: true})
	}
	for _, files := range partition(tools, func(s Snapshot) string { return path.Dir(s.Path) }) {
		for _, set := range toolsetsOf(files, 0) {
			dir := path.Dir(set[0].Path)
			d := &Draft{What: "The tools in " + dir + "."}
			words := strings.TrimSuffix(dir, "tools")
			if len(set) == 1 || dir == "." {
				words = strings.TrimSuffix(strings.TrimSuffix(set[0].Path, path.Ext(set[0].Path)), "tools")
				d.What = "The tools in " + set[0].Path + "."
			}
			if d.ID = a.unusedID("tools " + strings.TrimPrefix(words, "tools/")); words == "." || words == "" {
				d.ID = a.unusedID("tools")
			}
			s := &draftSection{id: "tools", kind: prompt.ToolsKind, form: "schemas", files: pathsOf(set), patterns: []string{path.Join(literalPath(dir), "*.json")}}
			slices.Sort(s.files)
			d.sections = []*draftSection{s}
			a.keep(d)
		}
	}
}

// ToolNames gives the names of the tools in JSON that is one, or a list of them,
// each with a schema, in the shape of any provider; nil for anything else.
func ToolNames(text []byte) []string {
	isSchema := func(schema json.RawMessage) bool {
		var s struct {
			Type       string          `json:"type"`
			Properties json.RawMessage `json:"properties"`
		}
		return json.Unmarshal(schema, &s) == nil && (strings.EqualFold(s.Type, "object") || s.Properties != nil)
	}
	var names []string
	for _, t := range toolShapes(text) {
		if t.name == "" || t.schema == nil && !t.isFunction || t.schema != nil && !isSchema(t.schema) {
			return nil
		}
		names = append(names, t.name)
	}
	return names
}
