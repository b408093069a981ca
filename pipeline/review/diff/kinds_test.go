package diff_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// small is a project with one of everything.
func small() fstest.MapFS {
	return testproject.From(map[string]string{
		"prompts.yaml": `version: 1
slots:
  clock: {example: noon, max_tokens: 8, volatile: true}
  note: {example: none, max_tokens: 20}
fragments:
  shell: [{when: {mode: ask}, value: bash}, {value: zsh}]
sources:
  soul: {kind: soul, path: soul.md}
  skills: {kind: skills, path: "skills/*/SKILL.md"}
  template: {kind: text, path: "templates/{mode}.txt", fallback: templates/default.txt}
  rules: {kind: rules, path: "rules/*.md"}
  short: {kind: text, path: short.md}
prompts:
  agent:
    axes:
      mode: [ask, code, plan]
      tier: {values: [small, large], default: large}
    join: "\n\n"
    sections:
      - {id: intro, text: "You help with code."}
      - {id: soul, source: soul, when: {mode: [ask, code]}}
      - {id: template, source: template}
      - {id: skills, source: skills, form: [{when: {tier: small}, value: compact}, {value: full}]}
      - {id: rules, source: rules, when: {tier: large}}
      - {id: clock, text: "It is {{clock}}.", expand: true}
  helper:
    sections:
      - {id: persona, source: soul}
      - {id: closing, path: closing.md}
`,
		"soul.md":                 "Be kind.\nBe brief.\n\n## Limits\n\nAsk before you act.\n",
		"short.md":                "Be.\n",
		"closing.md":              "That is all.\nGood bye.\n",
		"templates/default.txt":   "Do as you are asked.\nSay what you did.\n",
		"templates/ask.txt":       "Answer questions.\nDo not act.\n",
		"skills/commit/SKILL.md":  "---\nname: commit\ndescription: Writes commits.\n---\nHow.\n",
		"skills/review/SKILL.md":  "---\nname: review\ndescription: Reviews changes.\n---\nHow.\n",
		"rules/style.md":          "Two spaces.\n",
		"rules/tests.md":          "Write tests.\n",
		"spare/release/SKILL.md":  "---\nname: release\ndescription: Makes releases.\n---\nHow.\n",
		"spare/templates/ask.txt": "",
	})
}

// step is one replacement in a file; without an old text the file is new, and
// without both it goes.
type step struct{ file, old, now string }

func stepped(t *testing.T, fsys fstest.MapFS, steps []step) fstest.MapFS {
	t.Helper()
	for _, s := range steps {
		fsys = with(t, fsys, s.file, s.old, s.now)
		if s.old+s.now == "" {
			delete(fsys, s.file)
		}
	}
	return fsys
}

const manifest = "prompts.yaml"

// toldOfTexts leaves out what follows for caches and budgets.
func toldOfTexts(d *review.Difference) []string {
	d.Edits = slices.DeleteFunc(d.Edits, func(e *review.Edit) bool {
		return e.Kind == review.CacheChanged || e.Kind == review.BudgetCrossed
	})
	return told(d)
}

// TestEdits holds what is said of one edit of each sort, in both directions.
func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
		back  []string // what the other way says
	}{
		{
			"text of a shared source is one edit for two prompts that call the section otherwise",
			[]step{{"soul.md", "Ask before you act.", "Ask before you act outside."}},
			[]string{
				"text-changed soul soul.md:6 | agent: mode=ask+code +1, not mode=plan: when | helper: all +1",
				"  -Ask before you act.", "  +Ask before you act outside.",
			},
			[]string{
				"text-changed soul soul.md:6 | agent: mode=ask+code -1, not mode=plan: when | helper: all -1",
				"  -Ask before you act outside.", "  +Ask before you act.",
			},
		},
		{
			"two places of a source that reach the same are one edit",
			[]step{{"soul.md", "Be kind.", "Be good."}, {"soul.md", "Ask before you act.", "Act."}},
			[]string{
				"text-changed soul soul.md:1 | agent: mode=ask+code +0, not mode=plan: when | helper: all +0",
				"  -Be kind.", "  +Be good.",
				"text-changed soul soul.md:6 | agent: mode=ask+code -3, not mode=plan: when | helper: all -3",
				"  -Ask before you act.", "  +Act.",
			},
			nil,
		},
		{
			"lines that go have the place where they would stand",
			[]step{{"soul.md", "Be brief.\n", ""}},
			[]string{
				"text-changed soul soul.md:2 | agent: mode=ask+code -3, not mode=plan: when | helper: all -3",
				"  -Be brief.",
			},
			[]string{
				"text-changed soul soul.md:2 | agent: mode=ask+code +3, not mode=plan: when | helper: all +3",
				"  +Be brief.",
			},
		},
		{
			"a blank line has a place, too",
			[]step{{"soul.md", "Be brief.\n", "\nBe brief.\n"}},
			[]string{
				"text-changed soul soul.md:2 | agent: mode=ask+code +0, not mode=plan: when | helper: all +0",
				"  +",
			},
			nil,
		},
		{
			"words of a kind have the place of the section, in each prompt",
			[]step{{manifest, "{kind: soul, path: soul.md}", "{kind: text, path: soul.md}"}},
			[]string{
				"text-changed soul prompts.yaml:21 | agent: mode=ask+code -3, not mode=plan: when | helper: all -3",
				"  -## Soul", "  -",
			},
			nil,
		},
		{
			"an item of a listing is compared by itself, in each form that shows it",
			[]step{{"skills/commit/SKILL.md", "Writes commits.", "Writes good commits."}},
			[]string{
				"text-changed skills commit skills/commit/SKILL.md:3 | agent: tier=large +1, not tier=small: form compact",
				"  -Writes commits.", "  +Writes good commits.",
			},
			nil,
		},
		{
			"an item that comes is one line, its frame and joins are none",
			[]step{{"skills/merge/SKILL.md", "", "---\nname: merge\ndescription: Merges.\n---\nHow.\n"}},
			[]string{
				"follows from 3: text-changed skills merge skills/merge/SKILL.md:2 | agent: tier=small +20",
				`  +<skill name="merge" source="skill" path="skills/merge/SKILL.md"/>`,
				"follows from 3: text-changed skills merge skills/merge/SKILL.md:2 | agent: tier=large +26",
				`  +<skill name="merge" source="skill" path="skills/merge/SKILL.md">`, "  +Merges.", "  +</skill>",
				"item-added skills merge skills/merge/SKILL.md:2 | agent: all +20..+26",
			},
			[]string{
				"follows from 3: text-changed skills merge skills/merge/SKILL.md:2 (base) | agent: tier=small -20",
				`  -<skill name="merge" source="skill" path="skills/merge/SKILL.md"/>`,
				"follows from 3: text-changed skills merge skills/merge/SKILL.md:2 (base) | agent: tier=large -26",
				`  -<skill name="merge" source="skill" path="skills/merge/SKILL.md">`, "  -Merges.", "  -</skill>",
				"item-removed skills merge skills/merge/SKILL.md:2 (base) | agent: all -26..-20",
			},
		},
		{
			"a section that comes has its size with its join",
			[]step{{manifest, "      - {id: clock", "      - {id: greeting, text: Hello., when: {mode: ask}}\n      - {id: clock"}},
			[]string{
				"section-added greeting prompts.yaml:25 | agent: mode=ask +2, not mode=code+plan: when",
				"follows from 1: text-changed greeting prompts.yaml:25 | agent: mode=ask +2",
				"  +Hello.", "  +",
			},
			[]string{
				"section-removed greeting prompts.yaml:25 (base) | agent: mode=ask -2",
				"follows from 1: text-changed greeting prompts.yaml:25 | agent: mode=ask -2",
				"  -Hello.", "  -",
			},
		},
		{
			"a section whose condition changes is kept and dropped",
			[]step{{manifest, "when: {mode: [ask, code]}", "when: {mode: [code, plan]}"}},
			[]string{
				`section-kept soul "when" → "" prompts.yaml:21 | agent: mode=plan +17`,
				`section-dropped soul "" → "when" prompts.yaml:21 | agent: mode=ask -17`,
				"follows from 2: text-changed soul soul.md:1 (base) | agent: mode=ask -17",
				"  -## Soul", "  -", "  -Be kind.", "  -Be brief.", "  -", "  -## Limits", "  -", "  -Ask before you act.", "  -",
				"follows from 1: text-changed soul soul.md:1 | agent: mode=plan +17",
				"  +## Soul", "  +", "  +Be kind.", "  +Be brief.", "  +", "  +## Limits", "  +", "  +Ask before you act.", "  +",
			},
			nil,
		},
		{
			"a form that changes covers the text that follows from it",
			[]step{{manifest, "{when: {tier: small}, value: compact}, {value: full}", "{value: compact}"}},
			[]string{
				`form-changed skills "full" → "compact" prompts.yaml:23 | agent: tier=large -12`,
				"follows from 1: text-changed skills commit skills/commit/SKILL.md:2 | agent: tier=large -6",
				`  -<skill name="commit" source="skill" path="skills/commit/SKILL.md">`, "  -Writes commits.", "  -</skill>", `  +<skill name="commit" source="skill" path="skills/commit/SKILL.md"/>`,
				"follows from 1: text-changed skills review skills/review/SKILL.md:2 | agent: tier=large -6",
				`  -<skill name="review" source="skill" path="skills/review/SKILL.md">`, "  -Reviews changes.", "  -</skill>", `  +<skill name="review" source="skill" path="skills/review/SKILL.md"/>`,
			},
			nil,
		},
		{
			"a file in place of a fallback is one edit with its hunks where most of the lines stay",
			[]step{{"templates/code.txt", "", "Do as you are asked.\nSay what you saw.\n"}},
			[]string{
				`file-changed template "templates/default.txt (fallback)" → "templates/code.txt" templates/code.txt:1 | agent: mode=code +0`,
				"follows from 1: text-changed template templates/code.txt:2 | agent: mode=code +0",
				"  -Say what you did.", "  +Say what you saw.",
			},
			nil,
		},
		{
			"a section that moves is one edit",
			[]step{
				{manifest, "      - {id: intro, text: \"You help with code.\"}\n", ""},
				{manifest, "expand: true}\n", "expand: true}\n      - {id: intro, text: \"You help with code.\"}\n"},
			},
			[]string{
				"follows from 3: text-changed soul prompts.yaml:20 | agent: all -1",
				"  -",
				"follows from 3: text-changed intro prompts.yaml:25 | agent: all +0",
				"  +",
				`moved intro "1" → "last" prompts.yaml:25 | agent: all`,
				"   You help with code.",
			},
			[]string{
				"follows from 2: text-changed intro prompts.yaml:20 | agent: all +0",
				"  -",
				`moved intro "last" → "1" prompts.yaml:20 | agent: all`,
				"   You help with code.",
				"follows from 2: text-changed soul prompts.yaml:21 | agent: all +0",
				"  +",
			},
		},
		{
			"a join is a setting",
			[]step{{manifest, `join: "\n\n"`, `join: "\n"`}},
			[]string{
				`setting-changed join "\"\\n\\n\"" → "\"\\n\"" prompts.yaml:18 | agent: all +0`,
				"follows from 1: text-changed soul prompts.yaml:21 | agent: all +0",
				"  -",
			},
			nil,
		},
		{
			"a tokenizer is a setting that changes no bytes",
			[]step{{manifest, "version: 1\n", "version: 1\ntokenizer: cl100k_base\n"}},
			[]string{
				`setting-changed tokenizer "o200k_base" → "cl100k_base" prompts.yaml:2 | agent: all -2 | helper: all +0`,
			},
			nil,
		},
		{
			"a slot has what is declared of it, for the variants that emit it",
			[]step{{manifest, "max_tokens: 8, volatile: true", "max_tokens: 12"}, {manifest, "max_tokens: 20", "max_tokens: 30"}},
			[]string{
				`slot-changed clock "max_tokens 8, volatile true" → "max_tokens 12, volatile false" prompts.yaml:3 | agent: all +4`,
			},
			nil,
		},
		{
			"a fragment changes the text of the section that names it",
			[]step{{manifest, `text: "It is {{clock}}."`, `text: "It is {{clock}} in {{shell}}."`}},
			[]string{
				"text-changed clock prompts.yaml:25 | agent: mode=ask +2",
				"  -It is {{clock}}.", "  +It is {{clock}} in bash.",
				"text-changed clock prompts.yaml:25 | agent: mode=code+plan +3",
				"  -It is {{clock}}.", "  +It is {{clock}} in zsh.",
			},
			nil,
		},
		{
			"a source that only changes in what is not rendered reaches nothing",
			[]step{{"skills/commit/SKILL.md", "How.", "How, really."}},
			[]string{"idle skills/commit/SKILL.md"},
			nil,
		},
		{
			"a manifest that only changes in its comments reaches nothing",
			[]step{{manifest, "version: 1\n", "version: 1 # the first\n"}},
			[]string{"idle prompts.yaml"},
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := small()
			head := stepped(t, base, tt.steps)
			if diff := cmp.Diff(tt.want, toldOfTexts(differ(t, base, head))); diff != "" {
				t.Error(diff)
			}
			back := toldOfTexts(differ(t, head, base))
			if diff := cmp.Diff(tt.back, back); tt.back != nil && diff != "" {
				t.Errorf("back: %s", diff)
			}
			if tt.back == nil && strings.Join(back, "\n") == "" {
				t.Error("the way back says nothing")
			}
		})
	}
}
