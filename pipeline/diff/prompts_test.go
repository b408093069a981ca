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
			[]string{"prompt-added prompts.yaml:26 | third: all +2"},
			[]string{"prompt-removed prompts.yaml:26 (base) | third: all (of the base) -2"},
		},
		{
			"a value that comes has nothing to be compared with",
			[]step{{manifest, "[ask, code, plan]", "[ask, code, plan, review]"}},
			[]string{`value-added mode "" → "review" prompts.yaml:16 | agent: mode=review +103..+121`},
			[]string{`value-removed mode "review" → "" prompts.yaml:16 (base) | agent: mode=review (of the base) -121..-103`},
		},
		{
			"each value of a new axis is compared with the one variant that was there",
			[]step{
				{manifest, "      tier:", "      style: [terse, rich]\n      tier:"},
				{manifest, `text: "You help with code."`, `text: [{when: {style: rich}, value: "You gladly help."}, {value: "You help with code."}]`},
			},
			[]string{
				`axis-added style "" → "terse, rich" prompts.yaml:17 | agent: all`,
				"text-changed intro prompts.yaml:21 | agent: style=rich -1, not style=terse: old-text",
				"  -You help with code.", "  +You gladly help.",
			},
			[]string{
				`axis-removed style "terse, rich" → "" prompts.yaml:17 (base) | agent: style=rich (of the base) -137..-102`,
			},
		},
		{
			"an axis with a default that goes is compared at the default",
			[]step{{manifest, "      tier: {values: [small, large], default: large}\n", ""}, {manifest, "[{when: {tier: small}, value: compact}, {value: full}]", "full"}, {manifest, ", when: {tier: large}", ""}},
			[]string{
				`axis-removed tier "small, large" → "" prompts.yaml:17 (base) | agent: tier=small (of the base) -120..-103`,
			},
			nil,
		},
		{
			"variants that are no longer excluded",
			[]step{{manifest, "    join: ", "    exclude: [{mode: plan, tier: small}]\n    join: "}},
			[]string{"variants-removed prompts.yaml:18 | agent: mode=plan,tier=small (of the base) -103"},
			[]string{"variants-added prompts.yaml:14 | agent: mode=plan,tier=small +103"},
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
			[]string{`setting-changed dialect "text" → "anthropic" prompts.yaml:18 | agent: all`},
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
			[]string{`setting-changed template join "\"\\n\\n\"" → "\"\\n\"" prompts.yaml:22 | agent: all +0`},
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
		"prompt-added prompts.yaml:26 | helper: all +24",
	}
	if diff := cmp.Diff(want, told(differ(t, nil, small()))); diff != "" {
		t.Error(diff)
	}
	if got := told(differ(t, nil, nil)); len(got) > 0 {
		t.Errorf("nothing against nothing: %q", got)
	}
}
