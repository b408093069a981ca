package pipeline_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// TestExpectationsHoldInEveryLayout has an entry that holds, and one that does
// not, of each kind where another program or another layout made the prompt.
func TestExpectationsHoldInEveryLayout(t *testing.T) {
	for _, tc := range []struct {
		name, manifest string
		files          map[string]string
		want           []string
	}{
		{
			"rendered elsewhere", `
  p:
    rendered: "out/{m}.md"
    tools: "out/{m}.json"
    axes: {m: [a, b]}
    expect:
      - {contains: "One.\n\n## Two"}
      - {when: {m: a}, contains: "Three."}
      - {section: two}
      - {order: [two, one]}
      - {tool: read}
      - {lacks: Three}`,
			map[string]string{
				"out/a.md": "## One\n\nOne.\n\n## Two\n\nThree.\n", "out/b.md": "## One\n\nOne.\n",
				"out/a.json": `[{"name": "read", "inputSchema": {"type": "object"}}]`, "out/b.json": `[]`,
			},
			[]string{
				`"p" does not contain "One.\n\n## Two" | in 1 of 2 variants: m=b`,
				`"p" does not have the section "two" | in 1 of 2 variants: m=b`,
				`"one" stands before "two" in "p" | in 1 of 2 variants: m=a`,
				`"p" does not have the tool "read" | in 1 of 2 variants: m=b`,
				`"p" contains "Three" | in 1 of 2 variants: m=a | it is at out/a.md:7:1`,
			},
		},
		{
			"phases", `
  p:
    layout: {name: phases, notice: true}
    budget: {tokens: 40}
    expect:
      - {section: short}
      - {section: long}
      - {order: [long, short]}
      - {contains: "Be brief.\n\n["}
    sections:
      - {id: short, text: "Be brief.", phase: task, priority: 2}
      - {id: long, path: long.txt, phase: task, priority: 1}`,
			map[string]string{"long.txt": strings.Repeat("word ", 100)},
			[]string{`"p" does not have the section "long"`},
		},
		{
			"messages", `
  p:
    layout: {name: messages, conversation: talk, reminder: last}
    dialect: anthropic
    expect:
      - {contains: "What now?"}
      - {contains: "Hello.\n\nWhat"}
      - {contains: "now?\n\nBe kind."}
      - {order: [last, role]}
    sections:
      - {id: role, text: Hello.}
      - {id: last, text: Be kind.}`,
			map[string]string{"talk.yaml": "prompt: What now?\n"},
			[]string{`"p" does not contain "Hello.\n\nWhat"`, `"role" stands before "last" in "p"`},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := testproject.Of("prompts.yaml", "version: 1\nsources:\n  talk: {kind: conversation, path: talk.yaml}\nprompts:"+tc.manifest+"\n")
			if tc.name != "messages" {
				f["prompts.yaml"].Data = []byte(strings.Replace(string(f["prompts.yaml"].Data), "sources:\n  talk: {kind: conversation, path: talk.yaml}\n", "", 1))
			}
			for path, text := range tc.files {
				f[path] = &fstest.MapFile{Data: []byte(text)}
			}
			r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: f, Manifest: "prompts.yaml", Until: pipeline.Compared})
			if err != nil || r.Stopped {
				t.Fatal(err, sayings(r.Findings))
			}
			var got []string
			for _, d := range r.Findings {
				if d.Code == diag.NotAsExpected {
					got = append(got, strings.Join(append([]string{wording.Message(d)}, wording.Detail(d)...), " | "))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
