package resolve_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

const expecting = `version: 1
sources:
  tools: {kind: tools, path: tools.json}
prompts:
  agent:
    axes: {mode: [chat, code], tools: [native, none]}
    exclude: [{mode: chat, tools: none}]
    expect: [EXPECT]
    sections:
      - {id: intro, text: Hello.}
      - {id: tools, source: tools, when: {tools: native}, only: [read_file]}
      - {id: end, text: Bye.}
`

const twoTools = `[{"name": "read_file", "inputSchema": {"type": "object"}}, {"name": "write_file", "inputSchema": {"type": "object"}}]`

func TestExpectationsAreBound(t *testing.T) {
	p, found := plan(t, strings.Replace(expecting, "EXPECT",
		"{contains: Hello}, {when: {mode: code}, section: tools}, {order: [intro, end]}, {when: [{tools: none}], tool: read_file}", 1),
		"tools.json", twoTools)
	if len(found) > 0 {
		t.Fatal(found)
	}
	b := p.Builds[0]
	var got []string
	for _, e := range b.Expect {
		got = append(got, setcover.NewCover(b).Describe(e.On))
	}
	if diff := cmp.Diff([]string{"all", "mode=code", "all", "tools=none"}, got); diff != "" {
		t.Errorf("variants (-want +got):\n%s", diff)
	}
	if got := [][]int{b.Expect[0].Sections, b.Expect[1].Sections, b.Expect[2].Sections}; !cmp.Equal(got, [][]int{nil, {1}, {0, 2}}) {
		t.Errorf("sections %v", got)
	}
}

func TestExpectationsNameWhatThereIs(t *testing.T) {
	for _, tc := range []struct {
		expect string
		code   diag.Code
		message,
		hint string
	}{
		{"{section: outro}", diag.UnknownSection, `prompt "agent" has no section "outro"`, `known: "intro", "tools", "end"`},
		{"{order: [intro, ende]}", diag.UnknownSection, `prompt "agent" has no section "ende"`, `did you mean "end"?`},
		{"{tool: write_file}", diag.UnknownTool, `no variant of "agent" has the tool "write_file"`, `known: "read_file"`},
		{"{when: {mod: chat}, contains: x}", diag.UnknownAxis, `prompt "agent" has no axis "mod"`, `did you mean "mode"?`},
		{"{when: {mode: {not: caht}}, contains: x}", diag.UnknownValue, `axis "mode" has no value "caht"`, `did you mean "chat"?`},
		{
			"{when: {mode: chat, tools: none}, contains: x}", diag.IdleExpectation,
			`no variant of "agent" is asked for this: its condition never holds`, "change `when`, or remove the expectation",
		},
	} {
		_, found := plan(t, strings.Replace(expecting, "EXPECT", tc.expect, 1), "tools.json", twoTools)
		if len(found) != 1 || found[0].Code != tc.code || wording.Message(found[0]) != tc.message || wording.Hint(found[0]) != tc.hint || !found[0].Span.Known() {
			t.Errorf("%s: %v", tc.expect, found)
		}
	}
}

func TestSettingsNamePromptsThatThereAre(t *testing.T) {
	_, found := plan(t, `version: 1
checks: [{code: PC6003, level: warn, prompts: [agent, agnet]}]
prompts: {agent: {sections: [{id: s, text: x}]}}
`)
	if len(found) != 1 || found[0].Code != diag.UnknownPrompt || wording.Hint(found[0]) != `did you mean "agent"?` {
		t.Error(found)
	}
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Span.Start == 65 }) {
		t.Errorf("at byte %d", found[0].Span.Start)
	}
}
