package diff_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// alike is a project whose files say the same in several places.
func alike() fstest.MapFS {
	files := map[string]string{
		manifest: `version: 1
sources:
  rules: {kind: rules, path: "rules/*.md"}
  tools: {kind: tools, path: "tools/{mode}.json"}
  cards: {kind: registry, path: "cards/*.md"}
prompts:
  agent:
    axes:
      mode: [ask, code, plan]
      size: [small, large]
    sections:
      - {id: template, path: "templates/{mode}.md"}
      - {id: rules, source: rules, when: {size: large}}
      - {id: cards, source: cards, select: {tags: [a]}}
      - {id: tools, source: tools, form: schemas}
      - {id: closing, path: closing.md}
  helper:
    sections:
      - {id: last, path: closing.md}
      - {id: all-rules, source: rules}
      - {id: mine, path: mine.md}
`,
		"closing.md":     "Be kind.\nSay good bye.\n",
		"mine.md":        "Be kind.\nThat is mine.\n",
		"rules/style.md": "Two spaces.\nBe kind.\n",
		"rules/tests.md": "Write tests.\nBe kind.\n",
	}
	for i, mode := range []string{"ask", "code", "plan"} {
		files["templates/"+mode+".md"] = fmt.Sprintf("You %s.\nBe kind.\n\nStep %d.\nStop.\n", mode, i)
		files["tools/"+mode+".json"] = `{"name": "exec", "description": "Runs.", "inputSchema": {"type": "object"}}`
		files["cards/"+mode+".md"] = fmt.Sprintf("---\nid: %s\ntags: [a]\nsource: mcp\nserverName: s\n---\nCard %d.\nBe kind.\n", mode, i)
	}
	return testproject.From(files)
}

// TestEqualEditsAreOne holds that lines that are edited alike in several files
// are one edit with several places.
func TestEqualEditsAreOne(t *testing.T) {
	everywhere := func(old, now string, files ...string) []step {
		var out []step
		for _, f := range files {
			out = append(out, step{f, old, now})
		}
		return out
	}
	kind := []string{"  -Be kind.", "  +Be good."}
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{
			"a sentence of all templates", everywhere("Be kind.", "Be good.", "templates/ask.md", "templates/code.md", "templates/plan.md"),
			append([]string{"text-changed template templates/ask.md:2 + templates/code.md:2 + templates/plan.md:2 | agent: all +0"}, kind...),
		},
		{
			"a sentence of some templates is missed by the others", everywhere("Be kind.", "Be good.", "templates/ask.md", "templates/plan.md"),
			append([]string{
				"text-changed template templates/ask.md:2 + templates/plan.md:2 | agent: mode=ask+plan +0, not mode=code: old-text templates/code.md",
			}, kind...),
		},
		{
			"two sentences of the same templates",
			append(everywhere("Be kind.", "Be good.", "templates/ask.md", "templates/plan.md"), everywhere("Stop.", "Go on.", "templates/ask.md", "templates/plan.md")...),
			append(append([]string{
				"text-changed template templates/ask.md:2 + templates/plan.md:2 | agent: mode=ask+plan +0, not mode=code: old-text templates/code.md",
			}, kind...),
				"text-changed template templates/ask.md:5 + templates/plan.md:5 | agent: mode=ask+plan +1, not mode=code: old-text templates/code.md",
				"  -Stop.", "  +Go on."),
		},
		{
			"equal lines of several sections are one edit", everywhere("Be kind.", "Be good.", "templates/ask.md", "closing.md", "mine.md"),
			append([]string{"text-changed template templates/ask.md:2 + closing.md:1 + mine.md:1 | agent: all +0 | helper: all +0"}, kind...),
		},
		{
			"a source that several prompts have brings its equals with it", everywhere("Be kind.", "Be good.", "rules/style.md", "rules/tests.md"),
			append([]string{"text-changed rules rules/style.md:2 + rules/tests.md:2 | agent: size=large +0, not size=small: when | helper: all +0"}, kind...),
		},
		{
			"one item alone is named", everywhere("Be kind.", "Be good.", "rules/tests.md"),
			append([]string{"text-changed rules tests rules/tests.md:2 | agent: size=large +0, not size=small: when | helper: all +0"}, kind...),
		},
		{
			"blank lines of several items are one edit", everywhere("Be kind.", "\nBe kind.", "rules/style.md", "rules/tests.md"),
			[]string{
				"text-changed rules rules/style.md:2 + rules/tests.md:2 | agent: size=large +0, not size=small: when | helper: all +0",
				"  +",
			},
		},
		{
			"blank lines have all their places",
			append(everywhere("Be kind.", "\nBe kind.", "templates/ask.md", "templates/code.md"), everywhere("Stop.", "\nStop.", "templates/ask.md", "templates/code.md")...),
			[]string{
				"text-changed template templates/ask.md:2 + templates/ask.md:6 + templates/code.md:2 + templates/code.md:6 | agent: mode=ask+code +0",
				"  +",
			},
		},
		{
			"a tool that several files define",
			everywhere("Runs.", "Runs it.", "tools/ask.json", "tools/code.json"),
			[]string{
				"tool-changed exec tools/ask.json:1 + tools/code.json:1 | agent: mode=ask+code +1, not mode=plan: file tools/plan.json",
				`  tools.exec.description: "Runs." → "Runs it."`,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := alike()
			if diff := cmp.Diff(tt.want, toldOfTexts(differ(t, base, stepped(t, base, tt.steps)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEditsOfSeveralItemsKeepTheirClass holds that what no item names alone is
// still what its items are.
func TestEditsOfSeveralItemsKeepTheirClass(t *testing.T) {
	base := alike()
	head := stepped(t, base, []step{{"cards/ask.md", "Be kind.", "Be good."}, {"cards/plan.md", "Be kind.", "Be good."}})
	d := differ(t, base, head)
	if len(d.Edits) != 1 || d.Edits[0].Item != "" || d.Edits[0].Event != review.MCPUpdated {
		t.Errorf("%v: %q", told(d), d.Edits[0].Event)
	}
}
