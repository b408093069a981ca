package idle_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestOnlyFilesThatChangeNoVariantAreNamed holds what is said of a source beside
// others: it is named unless what it gives to some text differs.
func TestOnlyFilesThatChangeNoVariantAreNamed(t *testing.T) {
	const manifest = `version: 1
sources:
  memory: {path: CLAUDE.md}
  skills: {kind: skills, path: "skills/*/SKILL.md"}
prompts:
  memory:
    sections: [{id: memory, source: memory}]
  skills:
    sections: [{id: skills, source: skills}]
`
	skill := func(name, description, body string) string {
		return "---\nname: " + name + "\ndescription: " + description + "\n---\n" + body + "\n"
	}
	base := map[string]string{
		"prompts.yaml":           manifest,
		"CLAUDE.md":              "Work.\n\n@note.md\n",
		"note.md":                "Note.\n",
		"skills/ask/SKILL.md":    skill("ask", "Asks.", "Ask."),
		"skills/edit/SKILL.md":   skill("edit", "Edits.", "Edit."),
		"skills/extra/readme.md": "Extra.\n",
	}
	for name, tc := range map[string]struct {
		head map[string]string // what is otherwise; "" where the file is gone
		want []string
	}{
		"an import":                     {map[string]string{"note.md": "Notes.\n"}, nil},
		"an import is gone":             {map[string]string{"note.md": ""}, nil},
		"the text of a skill":           {map[string]string{"skills/ask/SKILL.md": skill("ask", "Asks.", "Ask first.")}, []string{"skills/ask/SKILL.md"}},
		"its description":               {map[string]string{"skills/ask/SKILL.md": skill("ask", "Asks first.", "Ask.")}, nil},
		"the one's text, the other's":   {map[string]string{"skills/ask/SKILL.md": skill("ask", "Asks.", "Ask first."), "skills/edit/SKILL.md": skill("edit", "Writes.", "Write.")}, []string{"skills/ask/SKILL.md"}},
		"one's text, another came":      {map[string]string{"skills/ask/SKILL.md": skill("ask", "Asks.", "Ask first."), "skills/new/SKILL.md": skill("new", "Is new.", "New.")}, []string{"skills/ask/SKILL.md"}},
		"an import that is a skill too": {map[string]string{"CLAUDE.md": "Work.\n\n@skills/ask/SKILL.md\n", "skills/ask/SKILL.md": skill("ask", "Asks.", "Ask first."), "note.md": ""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			was, is := fstest.MapFS{}, fstest.MapFS{}
			for path, text := range base {
				was[path] = &fstest.MapFile{Data: []byte(text)}
				is[path] = was[path]
			}
			for path, text := range tc.head {
				if delete(is, path); text != "" {
					is[path] = &fstest.MapFile{Data: []byte(text)}
				}
			}
			var got []string
			for _, i := range compared(t, was, is).Idle {
				got = append(got, strings.TrimSpace(i.Path+" "+i.Was))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
