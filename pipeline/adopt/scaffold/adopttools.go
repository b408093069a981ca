package scaffold

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
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
		tools = append(tools, Snapshot{Path: f.Path, Sort: ToolList, Tools: f.Tools})
	}
	for _, files := range partition(tools, func(s Snapshot) string { return path.Dir(s.Path) }) {
		for _, set := range toolsetsOf(files, 0, maxOther) {
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
			s := &draftSection{id: "tools", kind: language.ToolsKind, form: "schemas", files: pathsOf(set), patterns: []string{path.Join(literalPath(dir), "*.json")}}
			slices.Sort(s.files)
			d.sections = []*draftSection{s}
			a.keep(d)
		}
	}
}
