package diff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKeysOfTheManifest holds that what a key of the manifest does to the texts
// of sources that stayed as they are is one edit, at the key.
func TestKeysOfTheManifest(t *testing.T) {
	base := small()
	skills := `skills: {kind: skills, path: "skills/*/SKILL.md"}`
	base = with(t, base, manifest, skills, `skills: {kind: skills, path: "skills/*/SKILL.md", location: "/s/{name}"}`)
	base = with(t, base, manifest, "{id: persona, source: soul}", "{id: persona, source: soul, heading: \"# Persona\"}")
	base = with(t, base, manifest, "{value: zsh}]", "{value: zsh}]\n  place: zsh")
	base = with(t, base, "closing.md", "Good bye.", "In {{place}}.")
	base = with(t, base, manifest, "{id: closing, path: closing.md}", "{id: closing, path: closing.md, expand: true}")
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{
			"where items are said to be",
			[]step{{manifest, `location: "/s/{name}"`, `location: "/skills/{name}"`}},
			[]string{
				`setting-changed skills location "\"/s/{name}\"" → "\"/skills/{name}\"" prompts.yaml:10 | agent: all +0`,
				"follows from 1: text-changed skills commit skills/commit/SKILL.md:2 | agent: tier=small +0",
				`  -<skill name="commit" source="skill" path="/s/commit"/>`,
				`  +<skill name="commit" source="skill" path="/skills/commit"/>`,
				"follows from 1: text-changed skills commit skills/commit/SKILL.md:2 | agent: tier=large +0",
				`  -<skill name="commit" source="skill" path="/s/commit">`,
				`  +<skill name="commit" source="skill" path="/skills/commit">`,
				"follows from 1: text-changed skills review skills/review/SKILL.md:2 | agent: tier=small +0",
				`  -<skill name="review" source="skill" path="/s/review"/>`,
				`  +<skill name="review" source="skill" path="/skills/review"/>`,
				"follows from 1: text-changed skills review skills/review/SKILL.md:2 | agent: tier=large +0",
				`  -<skill name="review" source="skill" path="/s/review">`,
				`  +<skill name="review" source="skill" path="/skills/review">`,
			},
		},
		{
			"a heading that goes",
			[]step{{manifest, `, heading: "# Persona"`, ""}},
			[]string{
				`setting-changed persona heading "\"# Persona\"" → "" prompts.yaml:29 | helper: all +0`,
				"follows from 1: text-changed persona prompts.yaml:29 (base) | helper: all +0",
				"  -# Persona", "  +## Soul",
			},
		},
		{
			"a fragment is said where it stands",
			[]step{{manifest, "place: zsh", "place: fish"}},
			[]string{
				`setting-changed fragments.place "\"zsh\"" → "\"fish\"" prompts.yaml:7 | helper: all -1`,
				"follows from 1: text-changed closing closing.md:2 | helper: all -1",
				"  -In zsh.", "  +In fish.",
			},
		},
		{
			"text that is no longer expanded",
			[]step{{manifest, "closing.md, expand: true", "closing.md"}},
			[]string{
				`setting-changed closing expand "true" → "false" prompts.yaml:30 | helper: all +1`,
				"follows from 1: text-changed closing closing.md:2 | helper: all +1",
				"  -In zsh.", "  +In {{place}}.",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, toldOfTexts(differ(t, base, stepped(t, base, tt.steps)))); d != "" {
				t.Error(strings.TrimSpace(d))
			}
		})
	}
}
