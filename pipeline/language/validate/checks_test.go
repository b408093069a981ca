package validate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestSettingsAreDecoded(t *testing.T) {
	spec := decode(t, `
version: 1
checks:
  - {code: PC6003, level: off, paths: ["sources/legacy/**"], reason: it stays as it was}
  - {code: [PC6005, PC4008], level: error}
  - {code: PC5004, level: warn, prompts: [a, b]}
families: [gemma, openai]
sources: {x: {path: AGENTS.md, kind: context, limits: [codex, copilot-review]}}
prompts: {a: {sections: [{id: s, text: x}]}}
`)
	want := []*language.Setting{
		{Codes: []ground.Word{word("PC6003")}, Level: language.Off, Paths: []ground.Word{word("sources/legacy/**")}, Reason: word("it stays as it was")},
		{Codes: []ground.Word{word("PC6005"), word("PC4008")}, Level: language.CountsAsError},
		{Codes: []ground.Word{word("PC5004")}, Level: language.CountsAsWarning, Prompts: []ground.Word{word("a"), word("b")}},
	}
	if diff := cmp.Diff(want, spec.Checks, bare); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ground.Word{word("gemma"), word("openai")}, spec.Families, bare); diff != "" {
		t.Errorf("families (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ground.Word{word("codex"), word("copilot-review")}, spec.Sources[0].Limits, bare); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

func TestExpectationsAreDecoded(t *testing.T) {
	spec := decode(t, `
version: 1
prompts:
  a:
    axes: {mode: [chat, code]}
    expect:
      - {contains: Never reveal}
      - {when: {mode: chat}, lacks: on}
      - {section: s}
      - {order: [s, t]}
      - {tool: memory_search}
    sections: [{id: s, text: x}]
`)
	contains, lacks := ground.Literal("Never reveal"), ground.Literal("on")
	want := []*language.Expectation{
		{Contains: &contains},
		{Lacks: &lacks, When: language.Condition{{{Axis: word("mode"), Values: []ground.Word{word("chat")}}}}},
		{Section: word("s")},
		{Order: []ground.Word{word("s"), word("t")}},
		{Tool: word("memory_search")},
	}
	if diff := cmp.Diff(want, spec.Prompts[0].Expect, bare); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSettingsThatCannotBeAreRefusedWhereTheyStand(t *testing.T) {
	const rest = "\nprompts: {a: {sections: [{id: s, text: x}]}}\n"
	for _, tc := range []struct{ name, text, want string }{
		{"off without a reason", "checks: [{code: PC6003, level: off}]", `2:10 PC2002 a suppression lacks the key "reason"`},
		{"a blank reason", `checks: [{code: PC6003, level: off, reason: " "}]`, `2:45 PC2004 "reason" is blank`},
		{"no code of a finding", "checks: [{code: PC6oo3, level: warn}]", `2:17 PC2032 no finding has the code "PC6oo3"`},
		{"a code in another case", "checks: [{code: [pc6003], level: warn}]", `2:18 PC2032 no finding has the code "pc6003"`},
		{"an error of meaning", "checks: [{code: [PC6003, PC3002], level: error}]", "2:26 PC2033 no row of `checks` can set PC3002"},
		{"an error of diff", "checks: [{code: PC8001, level: warn}]", "2:17 PC2033 no row of `checks` can set PC8001"},
		{"an error of snapshot", "checks: [{code: PC7004, level: warn}]", "2:17 PC2033 no row of `checks` can set PC7004"},
		{"an error of compose", "checks: [{code: PC5001, level: warn}]", "2:17 PC2033 no row of `checks` can set PC5001"},
		{
			"prompts of findings about the input", "checks: [{code: PC4008, level: error, prompts: a}]",
			"2:17 PC2033 findings of PC4008 are about files, so `prompts` does not apply to them",
		},
		{"a pattern that is not a pattern that can be read", `checks: [{code: PC6003, level: warn, paths: ["a[", b]}]`, `2:46 PC2034 the pattern "a[" is not a pattern that can be read`},
		{
			"braces of all rows", "checks: [" + strings.Repeat(`{code: PC6003, level: warn, paths: ["`+strings.Repeat("{a,b}", 9)+`"]},`, 20) + "]",
			`2:1,680 PC2034 the pattern "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" brings those of all rows to more than 10,000 alternatives`,
		},
		{
			"paths that fit no file", `checks: [{code: PC6003, level: warn, paths: [/a.md, ../a.md, ./a.md, 'a\b', sources/, a//b, "{size}.md", "{a,../b}.md", "a/{b,./c}"]}]`,
			`2:46 PC2034 the pattern "/a.md" fits no path
2:53 PC2034 the pattern "../a.md" fits no path
2:62 PC2034 the pattern "./a.md" fits no path
2:70 PC2034 the pattern "a\\b" fits no path
2:77 PC2034 the pattern "sources/" fits no path
2:87 PC2034 the pattern "a//b" fits no path
2:93 PC2034 the pattern "{size}.md" has the braces of an axis, and a finding is in one file
2:106 PC2034 the pattern "{a,../b}.md" fits no path
2:121 PC2034 the pattern "a/{b,./c}" fits no path`,
		},
		{
			"programs that list no skills", "sources: {s: {kind: skills, path: s/SKILL.md, limits: [codex, openclaw, windsurf]}}",
			`2:56 PC2009 "codex" has no limit for kind "skills"
2:73 PC2009 "windsurf" has no limit for kind "skills"`,
		},
		{
			"limits of what has no files, nor a kind that takes them", "sources: {s: {kind: tools, text: x, limits: [codex]}}",
			`2:28 PC2009 kind "tools" takes no "text"
2:37 PC2009 kind "tools" takes no "limits"`,
		},
		{"a level that there is not", "checks: [{code: PC6003, level: note}]", `2:32 PC2004 "level" is "note"; expected one of "error", "warn", "off"`},
		{"cases", "checks: [{code: PC6003, level: [{value: warn}]}]", `2:32 PC2004 "level" is a list; expected one of "error", "warn", "off"`},
		{"cases of rows", "checks: [{when: {a: b}, value: {}}]", `2:10 PC2002 the setting lacks the key "code"
2:10 PC2002 the setting lacks the key "level"
2:11 PC2001 unknown key "when" in the setting
2:25 PC2001 unknown key "value" in the setting`},
		{"a code twice", "checks: [{code: [PC6003, PC6003], level: warn}]", `2:26 PC2008 "PC6003" appears twice`},
		{"a family that is not known", "families: [gemini]", `2:12 PC2004 item 1 of "families" is "gemini"; expected `},
		{"more rows than anybody writes", "checks: [" + strings.Repeat("{code: PC6003, level: warn},", 1001) + "]", `2:1 PC2004 "checks" has 1,001 entries`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, found := validate.Run(manifest(t, "version: 1\n"+tc.text+rest))
			if got := brief(found); !strings.HasPrefix(got, tc.want) || strings.Count(got, "\n") != strings.Count(tc.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestExpectationsThatSayNothingAreRefused(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{contains: x, lacks: y}", `4:14 PC2005 the expectation has "contains", "lacks"; expected only one of "contains", "lacks", "section", "order", "tool"`},
		{"{when: {mode: chat}}", `4:14 PC2005 the expectation has none of "contains", "lacks", "section", "order", "tool"`},
		{`{lacks: ""}`, `4:22 PC2004 "lacks" is empty`},
		{"{order: [s]}", `4:22 PC2004 "order" has one entry`},
		{"{section: [{value: s}]}", `4:24 PC2003 "section" is a list; expected a text`},
		{"{tol: x}", `4:15 PC2001 unknown key "tol" in the expectation`},
	} {
		_, found := validate.Run(manifest(t, "version: 1\nprompts:\n  a:\n    expect: ["+tc.text+"]\n    sections: [{id: s, text: x}]\n"))
		if got := brief(found); got != tc.want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", tc.text, got, tc.want)
		}
	}
}

// brief writes findings as a place, a code and a message, a line each.
func brief(found diag.List) string {
	var out []string
	for _, d := range found {
		line, column := d.Span.File.Position(d.Span.Start)
		out = append(out, strings.Join([]string{diag.Number(line) + ":" + diag.Number(column), string(d.Code), wording.Message(d)}, " "))
	}
	return strings.Join(out, "\n")
}

// TestManifestSchemaHasTheTables holds because editors offer what a schema
// lists.
func TestManifestSchemaHasTheTables(t *testing.T) {
	type property struct {
		Enum  []string `json:"enum"`
		AnyOf []struct {
			Enum  []string `json:"enum"`
			Items struct {
				Enum []string `json:"enum"`
			} `json:"items"`
		} `json:"anyOf"`
	}
	type definition struct {
		Properties map[string]property `json:"properties"`
	}
	var doc struct {
		Properties  map[string]json.RawMessage `json:"properties"`
		Definitions struct {
			Setting definition `json:"setting"`
			Source  struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"source"`
		} `json:"definitions"`
	}
	if err := json.Unmarshal(schemaText(t, "prompts"), &doc); err != nil {
		t.Fatal(err)
	}
	listed := func(raw json.RawMessage) []string {
		var p property
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		one := p.AnyOf[0].Enum
		if diff := cmp.Diff(one, p.AnyOf[1].Items.Enum); diff != "" {
			t.Errorf("(-one +several):\n%s", diff)
		}
		return one
	}
	var families, presets []string
	for _, f := range language.Families {
		families = append(families, f.Name)
	}
	for _, p := range language.Presets {
		presets = append(presets, p.Name)
	}
	for _, tc := range []struct {
		name      string
		want, got []string
	}{
		{"families", families, listed(doc.Properties["families"])},
		{"limits", presets, listed(doc.Definitions.Source.Properties["limits"])},
		{"levels", []string{"error", "warn", "off"}, doc.Definitions.Setting.Properties["level"].Enum},
	} {
		if diff := cmp.Diff(tc.want, tc.got); diff != "" {
			t.Errorf("%s (-table +schema):\n%s", tc.name, diff)
		}
	}
}

func TestHintsOfSettingsSayWhatToWrite(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"checks: [{code: PC6oo3, level: warn}]", `did you mean "PC6003"?`},
		{"checks: [{code: PC5035, level: warn}]", `did you mean "PC5005"?`},
		{"checks: [{code: PC9035, level: warn}]", "promptc explain CODE says what a code means; promptc explain PC6 lists those that start so"},
		{"checks: [{code: PC5001, level: warn}]", "`over: warn` in the budget makes it a warning"},
		{"checks: [{code: PC8001, level: warn}]", "promptc diff judges it: name `growth` or `budget` in --fail-on"},
		{"checks: [{code: PC7004, level: warn}]", "correct what it reports: something stands where a file must be written"},
		{"checks: [{code: PC6003, level: note}]", "write one of these"},
	} {
		_, found := validate.Run(manifest(t, "version: 1\n"+tc.text+"\n"))
		var hints []string
		for _, d := range found {
			hints = append(hints, wording.Hint(d))
		}
		if !slices.Contains(hints, tc.want) {
			t.Errorf("%s: %q, want %q", tc.text, hints, tc.want)
		}
	}
}

func TestOneNameNeedsNoList(t *testing.T) {
	spec := decode(t, `
version: 1
families: gemma
sources: {x: {path: AGENTS.md, limits: codex}}
prompts: {a: {sections: [{id: s, text: x}]}}
`)
	if diff := cmp.Diff([]ground.Word{word("gemma")}, spec.Families, bare); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]ground.Word{word("codex")}, spec.Sources[0].Limits, bare); diff != "" {
		t.Error(diff)
	}
}
