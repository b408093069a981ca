package scaffold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// TestPathsThatMayHoldPrompts says for each path what is looked for in the file.
func TestPathsThatMayHoldPrompts(t *testing.T) {
	for _, tt := range []struct {
		path string
		want scaffold.Sought
	}{
		{"src/prompts/planner.md", scaffold.PromptFile},
		{"src/agent_prompts/planner.txt", scaffold.PromptFile},
		{"agent/system_prompt.txt", scaffold.PromptFile},
		{"agent/SYSTEM.md", scaffold.PromptFile},
		{"agent/systemPrompt.md", scaffold.PromptFile},
		{"agent/review.prompt.md", scaffold.PromptFile},
		{"agent/review.prompty", scaffold.PromptFile},
		{"agent/summary.j2", scaffold.PromptFile},
		{"agent/skill.md.j2", scaffold.PromptFile},
		{"agent/system.md", scaffold.PromptFile},
		{"agent/instructions.md", scaffold.Nothing},
		{"agent/prompting-guide.md", scaffold.Nothing},
		{"mail/welcome.html.j2", scaffold.Nothing},
		{"deploy/values.yaml.j2", scaffold.Nothing},
		{"prompts/README.md", scaffold.Nothing},
		{"docs/prompts/guide.md", scaffold.Nothing},
		{"tests/prompts/a.md", scaffold.Nothing},
		{"evals/smoke-tests/a/config.json", scaffold.Nothing},
		{"web/locales/en/prompts.json", scaffold.Nothing},
		{"config/agents.yaml", scaffold.ValueFile},
		{"config/agents.toml", scaffold.ValueFile},
		{"package.json", scaffold.Nothing},
		{"pnpm-lock.yaml", scaffold.Nothing},
		{"prompts.yaml", scaffold.Nothing},
		{".github/workflows/prompt.yml", scaffold.Nothing},
		{"src/__tests__/__snapshots__/prompt.test.ts.snap", scaffold.SavedText},
		{"tests/__snapshots__/test_prompt.ambr", scaffold.SavedText},
		{"test/golden/ask.txt", scaffold.SavedText},
		{"tests/cassettes/test_agent/test_run.yaml", scaffold.SentBody},
		{"src/main.py", scaffold.CodeFile},
		{"src/main_test.go", scaffold.Nothing},
		{"src/api.d.ts", scaffold.Nothing},
		{"src/app.min.js", scaffold.Nothing},
		{"src/main.rs", scaffold.Nothing},
	} {
		if got := scaffold.Seek(tt.path); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.path, got, tt.want)
		}
	}
}

// TestValuesThatArePrompts gives the patterns that are found in a file of data.
func TestValuesThatArePrompts(t *testing.T) {
	for _, tt := range []struct {
		name, path, text string
		want             []string
	}{
		{"a key that says so", "config/app.yaml", "name: x\nsystem_prompt: You help people with their work.\n", []string{"/system_prompt"}},
		{"a key that may be anything", "config/app.yaml", "system: linux on a small machine\n", nil},
		{"a short value", "config/app.yaml", "prompt: \"> \"\n", nil},
		{"keys of one mapping", "config/app.yaml", "a:\n  ask_prompt: You answer what people ask you.\n  plan_prompt: You plan what is to be done.\n", []string{"/a/{part}"}},
		{"and others in it", "config/app.yaml", "a:\n  ask_prompt: You answer what people ask you.\n  plan_prompt: You plan what is to be done.\n  model: x\n", []string{"/a/{part} part=ask_prompt,plan_prompt"}},
		{"a mapping each", "agents.yaml", "x:\n  goal: Find it.\n  backstory: You know a lot about many things.\ny:\n  goal: Write it.\n  backstory: You wrote a lot of things before.\n", []string{"/{entry}/{part}"}},
		{"a list of messages", "chat.json", `{"prompt": [{"role": "system", "content": "You help."}, {"role": "user", "content": "{x}"}]}`, []string{"/prompt"}},
		{"a set of examples", "data.json", `{"all": [` + examples(40) + `]}`, nil},
		{"a schema", "config.json", `{"$defs": {"a": {"instructions": "You write here what the model has to do."}}}`, nil},
		{"a folder that says so", "prompts/a.yaml", "plan: Write down step by step what has to be done.\ntitle: A title for people who look at it in a list\n", []string{"/plan"}},
		{"a key with a slash", "config/app.json", `{"a/b": {"system_prompt": "You help people with their work."}}`, []string{"/a~1b/system_prompt"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := load.Data(tt.path, []byte(tt.text))
			if root == nil {
				t.Fatal("the file cannot be read")
			}
			if diff := cmp.Diff(tt.want, patternsOf(tt.path, root)); diff != "" {
				t.Errorf("patterns (-want +got):\n%s", diff)
			}
		})
	}
}

func examples(n int) string {
	out := `{"prompt": "You are asked what this is about."}`
	for range n {
		out += `,{"prompt": "You are asked what that is about."}`
	}
	return out
}

func patternsOf(path string, root *ground.Node) []string {
	var out []string
	for _, p := range scaffold.Values(path, root) {
		said := p.Pointer
		for _, a := range p.Axes {
			for i, v := range a.Values {
				said += []string{" " + a.Name + "=", ","}[min(i, 1)] + v
			}
		}
		out = append(out, said)
	}
	return out
}
