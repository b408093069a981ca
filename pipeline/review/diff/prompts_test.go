package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEditsOfPrompts holds what is said of prompts as a whole: prompts, axes,
// values and variants that come and go, and how variants are paired.
func TestEditsOfPrompts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
		back  []string
	}{
		{
			"a prompt that comes",
			[]step{{manifest, "  helper:\n", "  third: {sections: [{id: one, text: Hello.}]}\n  helper:\n"}},
			[]string{
				"prompt-added prompts.yaml:26 | third: all +2",
				"follows from 1: text-changed one prompts.yaml:26 | third: all +2",
				"  +Hello.",
			},
			[]string{
				"prompt-removed prompts.yaml:26 (base) | third: all (of the base) -2",
				"follows from 1: text-changed one prompts.yaml:26 (base) | third: all (of the base) -2",
				"  -Hello.",
			},
		},
		{
			"a value that comes has nothing to be compared with",
			[]step{{manifest, "[ask, code, plan]", "[ask, code, plan, review]"}},
			[]string{
				`value-added mode "" → "review" prompts.yaml:16 | agent: mode=review +103..+121`,
				"follows from 1: text-changed soul soul.md:1 (base) | agent: mode=review -17",
				"  -## Soul", "  -", "  -Be kind.", "  -Be brief.", "  -", "  -## Limits", "  -", "  -Ask before you act.", "  -",
			},
			[]string{
				`value-removed mode "review" → "" prompts.yaml:16 (base) | agent: mode=review (of the base) -121..-103`,
				"follows from 1: text-changed soul soul.md:1 | agent: mode=review (of the base) +17",
				"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.", "  +",
			},
		},
		{
			"each value of a new axis is compared with the one variant that was there",
			[]step{
				{manifest, "      tier:", "      style: [terse, rich]\n      tier:"},
				{manifest, `text: "You help with code."`, `text: [{when: {style: rich}, value: "You gladly help."}, {value: "You help with code."}]`},
			},
			[]string{
				`axis-added style "" → "terse, rich" prompts.yaml:17 | agent: all`,
				"text-changed intro prompts.yaml:21 | agent: style=rich -1, not style=terse: old-text prompts.yaml",
				"  -You help with code.", "  +You gladly help.",
			},
			[]string{
				`axis-removed style "terse, rich" → "" prompts.yaml:17 (base) | agent: style=rich (of the base) -137..-102`,
				"follows from 1: text-changed intro prompts.yaml:20 | agent: mode=ask+code,style=rich (of the base) +1",
				"  -You gladly help.", "  +You help with code.",
				"follows from 1: text-changed intro prompts.yaml:20 | agent: mode=plan,style=rich (of the base) +1",
				"  -You gladly help.", "  +You help with code.", "  +",
				"follows from 1: text-changed soul soul.md:1 | agent: mode=plan,style=rich (of the base) +17",
				"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.",
			},
		},
		{
			"an axis with a default that goes is compared at the default",
			[]step{{manifest, "      tier: {values: [small, large], default: large}\n", ""}, {manifest, "[{when: {tier: small}, value: compact}, {value: full}]", "full"}, {manifest, ", when: {tier: large}", ""}},
			[]string{
				`axis-removed tier "small, large" → "" prompts.yaml:17 (base) | agent: tier=small (of the base) -120..-103`,
				"follows from 1: text-changed soul soul.md:1 | agent: mode=plan,tier=small (of the base) +17",
				"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.", "  +",
				"follows from 1: text-changed skills skills/commit/SKILL.md:3 | agent: tier=small (of the base) +12",
				`  -<skill name="commit" source="skill" path="skills/commit/SKILL.md"/>`,
				`  -<skill name="review" source="skill" path="skills/review/SKILL.md"/>`,
				`  +<skill name="commit" source="skill" path="skills/commit/SKILL.md">`, "  +Writes commits.", "  +</skill>", `  +<skill name="review" source="skill" path="skills/review/SKILL.md">`, "  +Reviews changes.", "  +</skill>",
				"follows from 1: text-changed rules rules/style.md:1 | agent: tier=small (of the base) +6",
				"  +Two spaces.", "  +", "  +Write tests.", "  +",
			},
			nil,
		},
		{
			"variants that are no longer excluded",
			[]step{{manifest, "    join: ", "    exclude: [{mode: plan, tier: small}]\n    join: "}},
			[]string{
				"variants-removed prompts.yaml:18 | agent: mode=plan,tier=small (of the base) -103",
				"follows from 1: text-changed soul soul.md:1 | agent: mode=plan,tier=small (of the base) +17",
				"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.", "  +",
			},
			[]string{
				"variants-added prompts.yaml:14 | agent: mode=plan,tier=small +103",
				"follows from 1: text-changed soul soul.md:1 (base) | agent: mode=plan,tier=small -17",
				"  -## Soul", "  -", "  -Be kind.", "  -Be brief.", "  -", "  -## Limits", "  -", "  -Ask before you act.", "  -",
			},
		},
		{
			"another default renames variants, which are compared by name",
			[]step{{manifest, "default: large", "default: small"}},
			nil,
			nil,
		},
		{
			"a dialect changes what is sent of every variant",
			[]step{{manifest, "    join: ", "    dialect: anthropic\n    join: "}},
			[]string{
				`setting-changed dialect "text" → "anthropic" prompts.yaml:18 | agent: all`,
				"follows from 1: text-changed clock prompts.yaml:26 | agent: all +0",
				"  -It is {{clock}}.", "  +It is {{clock}}.⏎",
			},
			nil,
		},
		{
			"a breakpoint is a setting of its section",
			[]step{{manifest, "{id: template, source: template}", "{id: template, source: template, breakpoint: true}"}},
			[]string{`setting-changed template breakpoint "false" → "true" prompts.yaml:22 | agent: all`},
			nil,
		},
		{
			"a section's own join is a setting of it",
			[]step{{manifest, "{id: template, source: template}", `{id: template, source: template, join: "\n"}`}},
			[]string{
				`setting-changed template join "\"\\n\\n\"" → "\"\\n\"" prompts.yaml:22 | agent: all +0`,
				"follows from 1: text-changed template prompts.yaml:22 | agent: all +0",
				"  -",
			},
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := small()
			head := stepped(t, base, tt.steps)
			got, back := toldOfTexts(differ(t, base, head)), toldOfTexts(differ(t, head, base))
			if diff := cmp.Diff(tt.want, got); tt.want != nil && diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.back, back); tt.back != nil && diff != "" {
				t.Errorf("back: %s", diff)
			}
			if len(got) == 0 || len(back) == 0 {
				t.Error("one way says nothing")
			}
		})
	}
}

func TestABaseWithoutAManifestAddsEverything(t *testing.T) {
	want := []string{
		"prompt-added prompts.yaml:14 | agent: all +103..+138",
		"follows from 1: text-changed intro prompts.yaml:20 | agent: all +5",
		"  +You help with code.", "  +",
		"text-changed soul soul.md:1 | agent: mode=ask+code +17 | helper: all +17",
		"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.", "  +",
		"follows from 1: text-changed template templates/ask.txt:1 | agent: mode=ask +7",
		"  +Answer questions.", "  +Do not act.", "  +",
		"follows from 1: text-changed template templates/default.txt:1 | agent: mode=code+plan +11",
		"  +Do as you are asked.", "  +Say what you did.", "  +",
		"follows from 1: text-changed skills prompts.yaml:23 | agent: all +9",
		"  +## Available Skills", "  +", "  +<available_skills>",
		"follows from 1: text-changed skills prompts.yaml:23 | agent: all +24",
		"  +</available_skills>", "  +", "  +To use a skill, read the file at its path first, then follow what it says.", "  +",
		"follows from 1: text-changed skills skills/commit/SKILL.md:2 | agent: tier=small +40",
		`  +<skill name="commit" source="skill" path="skills/commit/SKILL.md"/>`,
		`  +<skill name="review" source="skill" path="skills/review/SKILL.md"/>`,
		"follows from 1: text-changed skills skills/commit/SKILL.md:2 | agent: tier=large +52",
		`  +<skill name="commit" source="skill" path="skills/commit/SKILL.md">`, "  +Writes commits.", "  +</skill>", `  +<skill name="review" source="skill" path="skills/review/SKILL.md">`, "  +Reviews changes.", "  +</skill>",
		"follows from 1: text-changed rules rules/style.md:1 | agent: tier=large +6",
		"  +Two spaces.", "  +", "  +Write tests.", "  +",
		"follows from 1: text-changed clock prompts.yaml:25 | agent: all +14",
		"  +It is {{clock}}.",
		"prompt-added prompts.yaml:26 | helper: all +24",
		"follows from 12: text-changed closing closing.md:1 | helper: all +7",
		"  +That is all.", "  +Good bye.",
	}
	if diff := cmp.Diff(want, told(differ(t, nil, small()))); diff != "" {
		t.Error(diff)
	}
	if got := told(differ(t, nil, nil)); len(got) > 0 {
		t.Errorf("nothing against nothing: %q", got)
	}
}
