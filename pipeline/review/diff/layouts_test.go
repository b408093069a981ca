package diff_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

// crowded is a prompt whose sections compete for room.
func crowded() fstest.MapFS {
	return testproject.From(map[string]string{
		"prompts.yaml": `version: 1
tokenizer: chars/4
prompts:
  p:
    axes: {size: [small, large]}
    layout: {name: phases, notice: true}
    budget: {tokens: [{when: {size: small}, value: 26}, {value: 400}], over: warn}
    sections:
      - {id: task, phase: task, priority: 90, sticky: true, path: task.md}
      - {id: notes, phase: memory, priority: 50, path: notes.md}
      - {id: past, phase: memory, priority: 40, path: past.md}
`,
		"task.md":  "Do this.\n",
		"notes.md": "A note that is about as long as a line.\n",
		"past.md":  "Something that happened a while ago.\n",
	})
}

// stepping is a prompt of which a section steps down when it is too long.
func stepping() fstest.MapFS {
	return testproject.From(map[string]string{
		"prompts.yaml": `version: 1
tokenizer: chars/4
sources: {long: {path: long.md}, brief: {path: brief.md}}
prompts:
  p:
    budget: {tokens: 30, over: warn}
    sections:
      - {id: one, path: one.md}
      - {id: two, source: long, degrade: [{source: brief}]}
`,
		"one.md":   "One.\n",
		"long.md":  "A long text that has about as many words as there are here.\n",
		"brief.md": "A brief text.\n",
	})
}

// calling is a prompt with tools in three forms, and a registry.
func calling() fstest.MapFS {
	return testproject.From(map[string]string{
		"prompts.yaml": `version: 1
sources:
  tools: {kind: tools, path: "tools/*.json"}
  registry: {kind: registry, path: "registry/*.md"}
prompts:
  p:
    axes: {form: [native, fallback, schemas], topic: [a, b]}
    sections:
      - {id: tools, source: tools, form: "{form}", before: <tools>, after: </tools>}
      - {id: advice, source: registry, select: [{when: {topic: a}, value: {tags: [a]}}, {value: {tags: [b]}}]}
`,
		"tools/exec.json": `{"name": "exec", "description": "Runs a command.",
  "inputSchema": {"type": "object", "properties": {"cmd": {"type": "string"}}, "required": ["cmd"]}}`,
		"tools/read.json": `{"name": "read", "description": "Reads a file.",
  "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}`,
		"registry/one.md": "---\nid: one\ntags: [a, b]\n---\nFirst advice.\n",
		"registry/two.md": "---\nid: two\ntags: [b]\n---\nSecond advice.\n",
	})
}

// talking is a prompt of two conversations over one workspace.
func talking() fstest.MapFS {
	return testproject.From(map[string]string{
		"prompts.yaml": `version: 1
sources:
  chat: {kind: conversation, path: "chats/{state}.yaml"}
prompts:
  p:
    axes: {state: [short, long], dialect: [openai-chat, anthropic]}
    dialect: "{dialect}"
    layout: {name: messages, conversation: chat, reminder: last}
    sections:
      - {id: first, text: You edit code.}
      - {id: last, text: Be brief.}
`,
		"chats/short.yaml": "workspace: ws\nselected: [a.go]\nprompt: Fix it.\n",
		"chats/long.yaml":  "workspace: ws\nselected: [a.go, b.go]\nhistory:\n  - {role: user, content: Hello.}\n  - {role: assistant, content: Hi.}\nprompt: And now?\n",
		"ws/a.go":          "package a\n\nfunc A() {}\n",
		"ws/b.go":          "package a\n\nfunc B() {}\n",
	})
}

// TestEditsInLayouts holds what is said where sections compete, where tools and
// their definitions say the same, and where messages are laid out.
func TestEditsInLayouts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		base  fstest.MapFS
		steps []step
		want  []string
	}{
		{
			"what no longer fits is dropped, and the notice follows", crowded(),
			[]step{{"notes.md", "A note", "A very, very, very, very long note"}},
			[]string{
				"follows from 3: text-changed | p: size=small +6",
				"  +[Left out to fit: past]",
				"text-changed notes notes.md:1 | p: all +7",
				"  -A note that is about as long as a line.",
				"  +A very, very, very, very long note that is about as long as a line.",
				`section-dropped past "" → "budget" prompts.yaml:11 | p: size=small -9`,
				"follows from 3: text-changed past past.md:1 (base) | p: size=small -9",
				"  -Something that happened a while ago.",
			},
		},
		{
			"what steps down is in another form, and the text of its file is no edit", stepping(),
			[]step{{"one.md", "One.", "One, and then some more words so that it is no longer short, not at all."}, {"long.md", "A long", "The long"}},
			[]string{
				"text-changed one one.md:1 | p: all +17",
				"  -One.", "  +One, and then some more words so that it is no longer short, not at all.",
				`form-changed two "long" → "brief (budget)" prompts.yaml:9 | p: all -11`,
				"follows from 2: text-changed two brief.md:1 | p: all -12",
				"  -A long text that has about as many words as there are here.", "  +A brief text.",
			},
		},
		{
			"a source that is called otherwise is no other form", stepping(),
			[]step{
				{manifest, "{long: {path: long.md},", "{lengthy: {path: long.md},"},
				{manifest, "source: long,", "source: lengthy,"},
				{"long.md", "A long", "The long"},
			},
			[]string{
				"text-changed two long.md:1 | p: all +0",
				"  -A long text that has about as many words as there are here.",
				"  +The long text that has about as many words as there are here.",
			},
		},
		{
			"what is out for another reason than before is said, and changes nothing",
			stepped(t, crowded(), []step{{manifest, "value: 26}", "value: 20}"}, {manifest, ", notice: true", ""}}),
			[]step{{manifest, "path: past.md}", "path: past.md, when: {size: large}}"}},
			[]string{`section-dropped past "budget" → "when" prompts.yaml:11 | p: size=small`},
		},
		{
			"a notice that says so is the only difference in what is sent",
			stepped(t, crowded(), []step{{manifest, "value: 26}", "value: 20}"}}),
			[]step{{manifest, "path: past.md}", "path: past.md, when: {size: large}}"}},
			[]string{
				"follows from 2: text-changed | p: size=small -7",
				"  -", "  -[Left out to fit: past]",
				`section-dropped past "budget" → "when" prompts.yaml:11 | p: size=small`,
			},
		},
		{
			"tools of another file are edits of the tools, and the file is none",
			calling(),
			[]step{
				{manifest, `"tools/*.json"`, `"more/*.json"`},
				{"more/all.json", "", `[{"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}]`},
			},
			[]string{
				"follows from 5: text-changed tools more/all.json:1 | p: form=fallback +0",
				"  -For example, this calls `exec`:", "  +For example, this calls `read`:",
				"follows from 5: text-changed tools more/all.json:1 | p: form=fallback +0",
				`  -{"tool": "exec", "arguments": {"cmd": "example"}}`,
				`  +{"tool": "read", "arguments": {"path": "example"}}`,
				"follows from 5: text-changed tools tools/exec.json:1 (base) | p: form=native -8",
				"  -- `exec`: Runs a command.",
				"follows from 5: text-changed tools exec tools/exec.json:1 (base) | p: form=fallback -55",
				"  -### exec", "  -", "  -Runs a command.", "  -", "  -Parameters:", "  -", "  -```json", "  -{", `  -  "properties": {`, `  -    "cmd": {`, `  -      "type": "string"`, "  -    }", "  -  },", `  -  "required": [`, `  -    "cmd"`, "  -  ],", `  -  "type": "object"`, "  -}", "  -```", "  -",
				"tool-removed exec tools/exec.json:1 (base) | p: all -55..-32",
			},
		},
		{
			"a tool that changes covers its line, its item and the example", calling(),
			[]step{{"tools/exec.json", "Runs a command.", "Runs one command."}},
			[]string{
				"follows from 3: text-changed tools tools/exec.json:1 | p: form=native +0",
				"  -- `exec`: Runs a command.", "  +- `exec`: Runs one command.",
				"follows from 3: text-changed tools exec tools/exec.json:1 | p: form=fallback +0",
				"  -Runs a command.", "  +Runs one command.",
				"tool-changed exec tools/exec.json:1 | p: all +0",
				`  tools.exec.description: "Runs a command." → "Runs one command."`,
			},
		},
		{
			"lines around the tools are text", calling(),
			[]step{{manifest, "before: <tools>", "before: <T>"}},
			[]string{
				"text-changed tools prompts.yaml:9 | p: form=native+fallback -1, not form=schemas: form schemas",
				"  -<tools>", "  +<T>",
			},
		},
		{
			"an item that only some select is missed by the others", calling(),
			[]step{{"registry/two.md", "Second", "Another"}},
			[]string{
				"text-changed advice two registry/two.md:5 | p: topic=b +0, not topic=a: only",
				"  -Second advice.", "  +Another advice.",
			},
		},
		{
			"a file that conversations show is one piece in all of them", talking(),
			[]step{{"ws/b.go", "func B() {}", "func B() { A() }"}},
			[]string{
				"text-changed files/b.go ws/b.go:3 | p: state=long +3, not state=short: file chats/short.yaml",
				"  -func B() {}", "  +func B() { A() }",
			},
		},
		{
			"what is said comes and goes by its place in the history", talking(),
			[]step{{"chats/long.yaml", "  - {role: user, content: Hello.}\n  - {role: assistant, content: Hi.}\n", "  - {role: user, content: Hello.}\n  - {role: assistant, content: Hi.}\n  - {role: user, content: Well.}\n  - {role: assistant, content: Yes.}\n"}},
			[]string{
				"follows from 3: text-changed history/2-user chats/long.yaml:6 | p: state=long +2",
				"  +Well.⏎",
				"follows from 4: text-changed history/3-assistant chats/long.yaml:7 | p: state=long +2",
				"  +Yes.⏎",
				"item-added history/2-user chats/long.yaml:6 | p: state=long +2, not state=short: file chats/short.yaml",
				"item-added history/3-assistant chats/long.yaml:7 | p: state=long +2, not state=short: file chats/short.yaml",
			},
		},
		{
			"another assembly is a setting, and the order that follows is none", talking(),
			[]step{{manifest, "conversation: chat,", "conversation: chat, assembly: flat,"}},
			[]string{`setting-changed layout.assembly "tiered" → "flat" prompts.yaml:8 | p: all`},
		},
		{
			"a selection is no text", talking(),
			[]step{{"chats/long.yaml", "selected: [a.go, b.go]", "selected: [b.go]"}},
			[]string{
				"follows from 2: text-changed files/a.go ws/a.go:1 (base) | p: state=long -14",
				"  -a.go", "  -```", "  -package a", "  -", "  -func A() {}", "  -```", "  -",
				"item-removed files/a.go ws/a.go:1 (base) | p: state=long -14",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			head := stepped(t, tt.base, tt.steps)
			if diff := cmp.Diff(tt.want, toldOfTexts(differ(t, tt.base, head))); diff != "" {
				t.Error(diff)
			}
			if len(told(differ(t, head, tt.base))) == 0 {
				t.Error("the way back says nothing")
			}
		})
	}
}
