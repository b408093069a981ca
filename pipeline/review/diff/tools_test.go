package diff_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
)

func TestAChangeOfStrictModeIsOnePlace(t *testing.T) {
	strict := func(yes bool) map[string]string {
		return map[string]string{
			"prompts.yaml": `version: 1
sources: {tools: {kind: tools, path: t.json}}
prompts:
  agent:
    axes: {dialect: [text, openai-chat]}
    dialect: "{dialect}"
    sections: [{id: intro, text: Work.}, {id: tools, source: tools, form: schemas}]
`,
			"t.json": fmt.Sprintf(`{"type": "function", "name": "exec", "strict": %t, "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": false}}`, yes),
		}
	}
	d, _ := toolStates(t, strict(false), strict(true))
	mustSay(t, d,
		`tool-changed exec [tools.exec.strict: false → true] at t.json:1`,
		"  agent 2: all, +0 tokens",
	)
}

// TestToolsOfServersAreAnEventOfTheirOwn: an agent is told which of its tools
// are others than before.
func TestToolsOfServersAreAnEventOfTheirOwn(t *testing.T) {
	files := func(source, folder string) map[string]string {
		return map[string]string{
			"prompts.yaml": `version: 1
sources: {` + source + `: {kind: tools, path: "` + folder + `/*.json"}}
prompts: {agent: {sections: [{id: intro, text: Work.}, {id: tools, source: ` + source + `}]}}
`,
			folder + "/exec.json": toolDoc("exec", "Run a command.", ""),
		}
	}
	for _, tt := range []struct {
		source, folder string
		want           review.Event
	}{
		{"tools", "tools", review.ToolsUpdated},
		{"mcp", "tools", review.MCPUpdated},
		{"our-mcp-tools", "tools", review.MCPUpdated},
		{"tools", "servers/MCP", review.MCPUpdated},
		{"mcps", "amcp", review.ToolsUpdated},
	} {
		base := files(tt.source, tt.folder)
		head := maps.Clone(base)
		head[tt.folder+"/more.json"] = toolDoc("more", "Do more.", "")
		for _, d := range []*review.Difference{first(toolStates(t, base, head)), first(toolStates(t, head, base))} {
			if of := causes(d); len(of) != 1 || of[0].Event != tt.want {
				t.Errorf("source %s in %s: %v", tt.source, tt.folder, editLines(d))
			}
		}
	}
}

func TestATypeOfOurOwnToolIsOnePlace(t *testing.T) {
	base := ownFiles(t)
	head := withEdit(t, base, "sources/persona/tools/exec.json", `"command": {
        "type": "string",`, `"command": {
        "type": "array",`)
	d, _ := toolStates(t, base, head)
	of := causes(d)
	if len(of) != 1 {
		t.Fatalf("edits:\n%s", strings.Join(editLines(d), "\n"))
	}
	e := of[0]
	if e.Kind != review.ToolChanged || e.Tool != "exec" || e.Event != review.ToolsUpdated {
		t.Errorf("it is a %s of %q, %s", e.Kind, e.Tool, e.Event)
	}
	steps := []ground.PathStep{{Key: "parameters"}, {Key: "properties"}, {Key: "command"}, {Key: "type"}}
	want := []review.Leaf{{Steps: steps, From: `"string"`, To: `"array"`}}
	if diff := cmp.Diff(want, e.Leaves); diff != "" {
		t.Errorf("leaves (-want +got):\n%s", diff)
	}
	if at := placeText(e); at != "sources/persona/tools/exec.json:8" {
		t.Errorf("it is placed at %s", at)
	}
	var reached []string
	for _, r := range e.Reach {
		reached = append(reached, fmt.Sprintf("%s %d: %s", r.Pair.ID, r.In.Len(), setcover.NewCover(r.Pair.Head).Describe(r.In)))
		for _, m := range r.Missed {
			reached = append(reached, fmt.Sprintf("not %s (%s)", setcover.NewCover(r.Pair.Head).Describe(m.Set), m.Cause))
		}
	}
	if diff := cmp.Diff([]string{"persona 4: entry=full+simple", "not entry=minimal (when)", "persona-large 1: all"}, reached); diff != "" {
		t.Errorf("reach (-want +got):\n%s", diff)
	}
}

// declaredTools is a prompt with texts about tools that people wrote by hand: of 57
// variants, the first 24 name one more tool than the others.
func declaredTools(also bool) map[string]string {
	files := map[string]string{
		"tools/read.json": `{"name": "read", "description": "Read a file.", "inputSchema": {"type": "object"}}`,
	}
	if also {
		files["tools/use_subagents.json"] = `{"name": "use_subagents", "description": "Ask others.", "inputSchema": {"type": "object"}}`
	}
	var values []string
	for i := range 57 {
		family := fmt.Sprintf("f%02d", i)
		values = append(values, family)
		text := "Use `read` for files.\n\nThere is no use_subagents2 and no re-use_subagents."
		if also && i < 24 {
			text += "\nUse `use_subagents` for what takes long."
		}
		files["texts/"+family+".md"] = text + "\n"
	}
	files["prompts.yaml"] = `version: 1
sources:
  tools: {kind: tools, path: "tools/*.json"}
prompts:
  cline:
    axes: {family: [` + strings.Join(values, ", ") + `]}
    sections:
      - {id: tool-use, path: "texts/{family}.md"}
      - {id: tools, source: tools, form: declare}
`
	return files
}

func TestAToolThatMostTextsDoNotNameIsMissedThere(t *testing.T) {
	d, _ := toolStates(t, declaredTools(false), declaredTools(true))
	var added []*review.Edit
	for _, e := range d.Edits {
		if e.Kind == review.ToolAdded {
			added = append(added, e)
		}
	}
	if len(added) != 1 || added[0].Tool != "use_subagents" || len(added[0].Reach) != 1 {
		t.Fatalf("edits:\n%s", strings.Join(editLines(d), "\n"))
	}
	r := added[0].Reach[0]
	if r.In.Len() != 24 || !r.In.Has(0) || !r.In.Has(23) || r.In.Has(24) {
		t.Errorf("it reaches %d: %s", r.In.Len(), setcover.NewCover(r.Pair.Head).Describe(r.In))
	}
	if len(r.Missed) != 1 || r.Missed[0].Cause != review.CauseUnnamed || r.Missed[0].Set.Len() != 33 || r.Missed[0].Set.Has(23) {
		t.Errorf("missed: %v", editLines(d))
	}
}

const someTools = `version: 1
tokenizer: chars/4
sources:
  tools: {kind: tools, path: "tools/{kit}/*.json", fallback: ["tools/own/*.json"]}
  mcp: {kind: tools, path: "servers/*.json"}
prompts:
  agent:
    axes: {form: [native, fallback, schemas, declare], kit: [own, other]}
    dialect: text
    sections:
      - {id: intro, text: "Work."}
      - {id: tools, source: tools, form: "{form}", when: {kit: own}}
      - {id: few, source: tools, form: "{form}", when: {kit: other}, only: [exec]}
`

func toolDoc(name, description, properties string) string {
	return fmt.Sprintf(`{"name": %q, "description": %q, "inputSchema": {"type": "object", "properties": {%s}}}`, name, description, properties)
}

func someFiles() map[string]string {
	return map[string]string{
		"prompts.yaml":          someTools,
		"tools/own/exec.json":   toolDoc("exec", "Run a command.", `"cmd": {"type": "string"}`),
		"tools/own/list.json":   toolDoc("list", "List files.", ""),
		"tools/other/exec.json": toolDoc("exec", "Run a program.", `"cmd": {"type": "string"}`),
		"tools/other/stop.json": toolDoc("stop", "Stop it.", ""),
		"servers/mail.json":     toolDoc("mail", "Send a letter.", ""),
	}
}

func TestEditsOfToolsAndWhomTheyReach(t *testing.T) {
	base := someFiles()
	with := func(path, text string) map[string]string {
		out := maps.Clone(base)
		out[path] = text
		if text == "" {
			delete(out, path)
		}
		return out
	}
	tests := []struct {
		name       string
		base, head map[string]string
		want       []string
	}{
		{
			name: "a description: the schema beside the text, and the text of the others", base: base,
			head: with("tools/own/exec.json", toolDoc("exec", "Run one command.", `"cmd": {"type": "string"}`)),
			want: []string{
				`tool-changed exec [tools.exec.description: "Run a command." → "Run one command."] at tools/own/exec.json:1`,
				"  agent 3: form=native+fallback+schemas,kit=own, +0..+2 tokens",
				"    not 4 kit=other (file) tools/other/exec.json",
				"    not 1 form=declare,kit=own (form) declare",
			},
		},
		{
			name: "a schema: not the text of a form that has no schemas in it, but what goes beside it", base: base,
			head: with("tools/other/exec.json", toolDoc("exec", "Run a program.", `"cmd": {"type": ["string"]}`)),
			want: []string{
				`tool-changed exec [tools.exec.parameters.properties.cmd.type: "string" → ["string"]] at tools/other/exec.json:1`,
				"  agent 3: form=native+fallback+schemas,kit=other, +1..+4 tokens",
				"    not 4 kit=own (file) tools/own/exec.json",
				"    not 1 form=declare,kit=other (form) declare",
			},
		},
		{
			name: "a tool that came", base: base, head: with("tools/own/copy.json", toolDoc("copy", "Copy files.", "")),
			want: []string{
				`tool-added copy at tools/own/copy.json:1`,
				"  agent 3: form=native+fallback+schemas,kit=own, +23..+28 tokens",
				"    not 4 kit=other (when)",
				"    not 1 form=declare,kit=own (unnamed)",
			},
		},
		{
			name: "a tool that went", base: base, head: with("tools/own/list.json", ""),
			want: []string{
				`tool-removed list at tools/own/list.json:1 of the base`,
				"  agent 3: form=native+fallback+schemas,kit=own, -28..-23 tokens",
				"    not 1 form=declare,kit=own (form) declare",
			},
		},
		{
			name: "several at once: each has its share", base: base,
			head: func() map[string]string {
				out := with("tools/own/exec.json", toolDoc("exec", "Run a command, and wait for it.", `"cmd": {"type": "string"}`))
				out["tools/own/list.json"] = toolDoc("list", "List all of the files there are.", "")
				return out
			}(),
			want: []string{
				`tool-changed exec [tools.exec.description: "Run a command." → "Run a command, and wait for it."] at tools/own/exec.json:1`,
				"  agent 3: form=native+fallback+schemas,kit=own, +4..+8 tokens",
				"    not 4 kit=other (file) tools/other/exec.json",
				"    not 1 form=declare,kit=own (form) declare",
				`tool-changed list [tools.list.description: "List files." → "List all of the files there are."] at tools/own/list.json:1`,
				"  agent 3: form=native+fallback+schemas,kit=own, +5..+11 tokens",
				"    not 4 kit=other (when)",
				"    not 1 form=declare,kit=own (form) declare",
			},
		},
		{
			name: "two tools in the same way, which other variants miss for other causes", base: base,
			head: func() map[string]string {
				out := maps.Clone(base)
				for _, path := range []string{"tools/own/exec.json", "tools/own/list.json", "tools/other/stop.json"} {
					out[path] = strings.TrimSuffix(base[path], "}") + `, "annotations": {"title": "T"}}`
				}
				return out
			}(),
			want: []string{
				`tool-changed exec [tools.exec.annotations:  → {"title":"T"}] at tools/own/exec.json:1`,
				"  agent 2: form=native+schemas,kit=own, +0 tokens",
				"    not 4 kit=other (file) tools/other/exec.json",
				"    not 1 form=fallback,kit=own (form) fallback",
				"    not 1 form=declare,kit=own (form) declare",
				`tool-changed list [tools.list.annotations:  → {"title":"T"}] at tools/own/list.json:1`,
				"  agent 2: form=native+schemas,kit=own, +0 tokens",
				"    not 4 kit=other (when)",
				"    not 1 form=fallback,kit=own (form) fallback",
				"    not 1 form=declare,kit=own (form) declare",
			},
		},
		{
			name: "two tools in the same way, for the same variants", base: map[string]string{
				"prompts.yaml":        someTools,
				"tools/own/exec.json": base["tools/own/exec.json"], "tools/own/list.json": base["tools/own/list.json"], "tools/own/read.json": toolDoc("read", "Read.", ""),
				"tools/other/exec.json": base["tools/other/exec.json"],
			},
			head: map[string]string{
				"prompts.yaml":          someTools,
				"tools/own/exec.json":   base["tools/own/exec.json"],
				"tools/own/list.json":   strings.Replace(base["tools/own/list.json"], `"properties"`, `"additionalProperties": false, "properties"`, 1),
				"tools/own/read.json":   strings.Replace(toolDoc("read", "Read.", ""), `"properties"`, `"additionalProperties": false, "properties"`, 1),
				"tools/other/exec.json": base["tools/other/exec.json"],
			},
			want: []string{
				"tool-changed list read [tools.*.parameters.additionalProperties:  → false] at tools/own/list.json:1",
				"  agent 3: form=native+fallback+schemas,kit=own, +14..+16 tokens",
				"    not 4 kit=other (when)",
				"    not 1 form=declare,kit=own (form) declare",
			},
		},
		{
			name: "another order", base: base,
			head: withEdit(t, base, "prompts.yaml", `when: {kit: own}}`, `when: {kit: own}, only: [list, exec]}`),
			want: []string{
				`moved list "last" → "1" at prompts.yaml:12`,
				"  agent 3: form=native+fallback+schemas,kit=own",
			},
		},
		{
			name: "a tool that one of two sections selects no more", base: base,
			head: withEdit(t, base, "prompts.yaml", `when: {kit: own}}`, `when: {kit: own}, only: [{when: {form: native}, value: [exec]}, {value: [exec, list]}]}`),
			want: []string{
				`tool-removed list at tools/own/list.json:1 of the base`,
				"  agent 1: form=native,kit=own, -28 tokens",
				"    not 3 form=fallback+schemas+declare,kit=own (only)",
			},
		},
		{
			name: "a section with all its tools: the text is the section's", base: base,
			head: withEdit(t, base, "prompts.yaml", `when: {kit: own}}`, `when: {kit: own, form: {not: native}}}`),
			want: []string{
				`section-dropped tools "" → "when" at prompts.yaml:12`,
				"  agent 1: form=native,kit=own, -17 tokens",
				`tool-removed exec at tools/own/exec.json:1 of the base`,
				"  agent 1: form=native,kit=own, -30 tokens",
				"    not 4 kit=other (only)",
				"    not 3 form=fallback+schemas+declare,kit=own (file) tools/own/exec.json",
				`tool-removed list at tools/own/list.json:1 of the base`,
				"  agent 1: form=native,kit=own, -23 tokens",
				"    not 3 form=fallback+schemas+declare,kit=own (file) tools/own/list.json",
			},
		},
		{
			name: "a tool that nobody selects", base: base, head: with("tools/other/copy.json", toolDoc("copy", "Copy files.", "")),
			want: nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := toolStates(t, tt.base, tt.head)
			mustSay(t, d, tt.want...)
		})
	}
}
