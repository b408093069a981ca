package diff_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// competing is a project whose sections compete for a budget, with variants
// that get everything and variants that do not.
func competing() fstest.MapFS {
	return testproject.From(map[string]string{
		manifest: `version: 1
tokenizer: chars/4
slots:
  now: {example: noon, max_tokens: 30}
prompts:
  p:
    axes:
      size: {values: [s, l], default: l}
      mcp: {values: [off, on], default: off}
    layout: phases
    budget:
      tokens: [{when: {size: s}, value: 13}, {value: 500}]
      plus:
        - {when: {mcp: on}, tokens: 2}
    sections:
      - {id: a, phase: task, priority: 50, path: a.md}
      - {id: b, phase: task, priority: 40, path: b.md}
      - {id: c, phase: memory, priority: 40, path: c.md, when: {size: l}, expand: true}
`,
		"a.md": "The first of two texts of a dozen.\n",
		"b.md": "The second of two.\n",
		"c.md": "It is {{now}} here, {{now}}.\n",
	})
}

// TestDeclarationsHoldAndDoNotAffect holds that what changes no byte of a
// variant is not said to affect it, and that one edited line is one edit.
func TestDeclarationsHoldAndDoNotAffect(t *testing.T) {
	for _, tt := range []struct {
		name           string
		file, old, now string
		want           []string
	}{
		{
			"what raises a limit is its own line, whatever limits it raises", manifest, "{mcp: on}, tokens: 2}", "{mcp: on}, tokens: 3}",
			[]string{`budget-changed plus.tokens "2" → "3" prompts.yaml:14 | p: mcp=on`},
		},
		{
			"what no longer raises it has the line in the base", manifest, "      plus:\n        - {when: {mcp: on}, tokens: 2}\n", "",
			[]string{
				`budget-changed plus.tokens "2" → "0" prompts.yaml:14 (base) | p: mcp=on`,
				`section-dropped b "" → "budget" prompts.yaml:15 | p: size=s,mcp=on -5`,
				"follows from 2: text-changed b b.md:1 (base) | p: size=s,mcp=on -5",
				"  -", "  -The second of two.",
			},
		},
		{
			"a limit is told without what raises it", manifest, "value: 500}", "value: 600}",
			[]string{`budget-changed tokens "500" → "600" prompts.yaml:12 | p: size=l`},
		},
		{
			"a layout's key affects those that emit something else", manifest, "layout: phases", "layout: {name: phases, order: [constraint, memory, task, tools, history, user]}",
			[]string{
				`setting-changed layout.order "constraint, task, memory, tools, history, user" → "constraint, memory, task, tools, history, user" prompts.yaml:10 | p: size=l`,
				"follows from 1: text-changed a prompts.yaml:16 | p: size=l +1",
				"  +",
				"follows from 1: text-changed c prompts.yaml:18 | p: size=l +0",
				"  -",
				`follows from 1: moved c "last" → "1" prompts.yaml:18 | p: size=l`,
				"   It is {{now}} here, {{now}}.",
			},
		},
		{
			"a layout's key that does nothing holds", manifest, "layout: phases", "layout: {name: phases, fill: stop}",
			[]string{`setting-changed layout.fill "first-fit" → "stop" prompts.yaml:10 | p: all`},
		},
		{
			"a notice has its text and size where it says something", manifest, "layout: phases", "layout: {name: phases, notice: true}",
			[]string{
				`setting-changed layout.notice "false" → "true" prompts.yaml:10 | p: size=s,mcp=off +5`,
				"follows from 1: text-changed | p: size=s,mcp=off +5",
				"  +[Left out to fit: a]",
				`section-dropped a "" → "budget" prompts.yaml:16 | p: size=s,mcp=off -9`,
				"follows from 3: text-changed a a.md:1 (base) | p: size=s,mcp=off -9",
				"  -The first of two texts of a dozen.",
				`section-kept b "budget" → "" prompts.yaml:17 | p: size=s,mcp=off +5`,
				"follows from 5: text-changed b b.md:1 | p: size=s,mcp=off +5",
				"  +The second of two.", "  +",
			},
		},
		{
			"a priority that decides nothing holds", manifest, "priority: 50", "priority: 60",
			[]string{`setting-changed a priority "50" → "60" prompts.yaml:16 | p: all`},
		},
		{
			"a priority that decides is said before what follows", manifest, "priority: 40, path: b.md", "priority: 60, path: b.md",
			[]string{
				`setting-changed b priority "40" → "60" prompts.yaml:17 | p: all`,
				`section-dropped a "" → "budget" prompts.yaml:16 | p: size=s,mcp=off -9`,
				"follows from 2: text-changed a a.md:1 (base) | p: size=s,mcp=off -9",
				"  -The first of two texts of a dozen.",
				"follows from 5: text-changed a prompts.yaml:16 | p: size=s,mcp=on +0",
				"  +",
				`follows from 1: moved a "1" → "last" prompts.yaml:16 | p: size=s,mcp=on`,
				"   The first of two texts of a dozen.",
				`follows from 1: moved a "1" → "2" prompts.yaml:16 | p: size=l`,
				"   The first of two texts of a dozen.", "   ",
				`section-kept b "budget" → "" prompts.yaml:17 | p: size=s,mcp=off +5`,
				"follows from 7: text-changed b b.md:1 | p: size=s,mcp=off +5",
				"  +The second of two.",
				"follows from 5: text-changed b prompts.yaml:17 | p: size=s,mcp=on +0",
				"  -",
			},
		},
		{
			"another tokenizer has what it finds more", manifest, "chars/4", "o200k_base",
			[]string{`setting-changed tokenizer "chars/4" → "o200k_base" prompts.yaml:2 | p: all +0..+3`},
		},
		{
			"another default is one edit", manifest, "[off, on], default: off", "[off, on], default: on",
			[]string{`setting-changed axes.mcp.default "off" → "on" prompts.yaml:9 | p: all`},
		},
		{
			"axes in another order name variants otherwise", manifest,
			"      size: {values: [s, l], default: l}\n      mcp: {values: [off, on], default: off}\n",
			"      mcp: {values: [off, on], default: off}\n      size: {values: [s, l], default: l}\n",
			[]string{`setting-changed axes "size, mcp" → "mcp, size" prompts.yaml:8 | p: all`},
		},
		{
			"a slot that a text no longer has is in its size, and said", "c.md", " here, {{now}}", "",
			[]string{
				"text-changed c c.md:1 | p: size=l -34, not size=s: when",
				"  -It is {{now}} here, {{now}}.", "  +It is {{now}}.",
			},
		},
		{
			"the last place of a slot that goes", "c.md", "It is {{now}} here, {{now}}.", "It is noon.",
			[]string{
				`slot-changed c now "2 places" → "" prompts.yaml:18 | p: size=l`,
				`text-changed c c.md:1 | p: size=l -64, not size=s: when`,
				"  -It is {{now}} here, {{now}}.", "  +It is noon.",
			},
		},
		{
			"a slot that is only text now", manifest, ", expand: true", "",
			[]string{`slot-changed c now "2 places" → "" prompts.yaml:18 | p: size=l -60`},
		},
		{
			"a section that goes takes its slots", manifest, "      - {id: c, phase: memory, priority: 40, path: c.md, when: {size: l}, expand: true}\n", "",
			[]string{
				`slot-changed c now "2 places" → "" prompts.yaml:18 (base) | p: size=l`,
				"section-removed c prompts.yaml:18 (base) | p: size=l -67",
				"follows from 2: text-changed c c.md:1 (base) | p: size=l -68",
				"  -", "  -It is {{now}} here, {{now}}.",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := competing()
			head := with(t, base, tt.file, tt.old, tt.now)
			if diff := cmp.Diff(tt.want, told(differ(t, base, head))); diff != "" {
				t.Error(diff)
			}
			differ(t, head, base)
		})
	}
}

// TestAxesThatAreCalledOtherwiseAreOneEdit holds that an axis with another name
// at its place is the same, and that one with other values is another.
func TestAxesThatAreCalledOtherwiseAreOneEdit(t *testing.T) {
	const files = `version: 1
prompts:
  p:
    axes:
      AXIS
    sections:
      - {id: a, text: A.}
      - {id: b, text: B., when: {TERM}}
`
	side := func(axis, term string) fstest.MapFS {
		fsys := testproject.From(map[string]string{manifest: files})
		return with(t, with(t, fsys, manifest, "AXIS", axis), manifest, "TERM", term)
	}
	base := side("mode: [ask, act]", "mode: act")
	for _, tt := range []struct {
		axis, term string
		want       []string
		event      review.Event
	}{
		{"kind: [ask, act]", "kind: act", []string{`setting-changed axes "mode" → "kind" prompts.yaml:5 | p: all`}, ""},
		{
			"kind: [act]", "kind: act",
			[]string{
				`axis-added kind "" → "act" prompts.yaml:5 | p: all`,
				`axis-removed mode "ask, act" → "" prompts.yaml:5 (base) | p: mode=act (of the base) -4`,
				`section-kept b "when" → "" prompts.yaml:8 | p: all +2`,
				"follows from 3: text-changed b prompts.yaml:8 | p: all +2",
				"  +", "  +B.",
			},
			review.ModeChanged,
		},
	} {
		d := differ(t, base, side(tt.axis, tt.term))
		if diff := cmp.Diff(tt.want, told(d)); diff != "" {
			t.Error(diff)
		}
		for _, e := range d.Edits {
			if e.Name == "mode" && e.Event != tt.event {
				t.Errorf("%s is the event %q", toldEdit(e), e.Event)
			}
		}
	}
}

// TestAnExceededLimitSaysByHowMuch holds the range of what is too much.
func TestAnExceededLimitSaysByHowMuch(t *testing.T) {
	d := differ(t, testproject.From(essay("{tokens: 200}", "", 400, 440, 500)), testproject.From(essay("{tokens: 103}", "", 400, 440, 500)))
	var got []string
	for _, e := range d.Edits {
		if e.Kind == review.BudgetCrossed {
			got = append(got, toldEdit(e))
			if want := (review.Amounts{Low: 7, High: 22, Known: true}); e.Excess != want {
				t.Errorf("over by %v, want %v", e.Excess, want)
			}
		}
	}
	want := []string{`budget-crossed tokens "110..125 of 200" → "110..125 of 103" prompts.yaml:6 | essay: size=m+l +0`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
