package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// TestRealTextsInAssembledPrompts shows every real text to the checks that look
// at assembled prompts, in a variant with the tools, skills and rules that it
// may name, and in one without. What fires is listed, and right: templates of
// other programs that nothing fills, tools that are named and not there, and an
// empty heading at the end of a file.
func TestRealTextsInAssembledPrompts(t *testing.T) {
	skipIfShort(t)
	eachCorpus(t, checkTexts)
}

func checkTexts(t *testing.T, files fstest.MapFS, published bool) {
	t.Helper()
	files["more.json"] = &fstest.MapFile{Data: []byte(commonTools())}
	var b strings.Builder
	b.WriteString(aroundTexts)
	n := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		dir := strings.SplitN(name, "/", 3)[1:]
		if len(dir) == 2 && slices.Contains([]string{"skills", "rules", "persona"}, dir[0]) && !strings.Contains(name, "LICENSE") {
			fmt.Fprintf(&b, "      - {id: text-%d, path: %q}\n", n, name)
			n++
		}
	}
	if n < pick(published, 150, 8) {
		t.Fatalf("only %d texts", n)
	}
	files["prompts.yaml"] = &fstest.MapFile{Data: []byte(b.String())}
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: files, Manifest: "prompts.yaml", Until: pipeline.Composed})
	if err != nil || r.Stopped {
		t.Fatal(err, r.Findings)
	}
	var got []string
	for _, d := range r.Findings {
		if d.Code >= "PC6019" && d.Code <= "PC6029" && d.Code != diag.SourceTwice { // as aroundTexts has them
			_, name, _ := strings.Cut(d.Span.File.Path, "/")
			_, said, _ := strings.Cut(wording.Message(d), "names ")
			if said == "" {
				said, _, _ = strings.Cut(wording.Message(d), " is emitted")
				said, _, _ = strings.Cut(said, " in \"text")
			}
			line, _ := d.Span.File.Position(d.Span.Start)
			got = append(got, fmt.Sprintf("%s %s:%d %s", d.Code, name, line, said))
		}
	}
	if diff := cmp.Diff(pick(published, wantInTexts, wantInWritten), got); diff != "" {
		t.Error(diff)
	}
}

const aroundTexts = `version: 1
sources:
  tools: {kind: tools, path: "corpora/tools/**/*.json"}
  more: {kind: tools, path: more.json}
  skills: {kind: skills, path: "corpora/skills/**/SKILL.md"}
  rules: {kind: rules, path: "corpora/rules/**/*.{mdc,md}"}
  workspace: {kind: workspace, path: "corpora/persona/openclaw/en/*.md"}
prompts:
  all:
    axes: {have: [much, nothing]}
    sections:
      - {id: skills, source: skills, when: {have: much}}
      - {id: rules, source: rules, when: {have: much}, form: index}
      - {id: workspace, source: workspace, when: {have: much}}
      - {id: tools, source: [tools, more], when: {have: much}}
`

// commonTools defines tools of the names that agents have in common.
func commonTools() string {
	var all []string
	for name := range strings.FieldsSeq(`read write edit bash exec grep glob browser schedule search run task
		web_search web_fetch read_file write_file edit_file list_files todo_write memory_search
		Read Write Edit Bash Grep Glob WebFetch WebSearch Task`) {
		all = append(all, fmt.Sprintf(`{"name": %q, "description": "Does it.", "inputSchema": {"type": "object"}}`, name))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

var wantInWritten = []string{
	`PC6025 skills/written/export-table/SKILL.md:8 "${selection}"`,
	`PC6023 skills/written/export-table/SKILL.md:10 the heading "## Last step"`,
	`PC6019 skills/written/plan-work/SKILL.md:11 the tool "find_files", which is not in the toolset`,
	`PC6025 skills/written/plan-work/SKILL.md:17 "{{question}}"`,
}

var wantInTexts = []string{
	`PC6025 rules/awesome-cursorrules/flutter-riverpod-cursorrules-prompt-file.mdc:13 "{{instructions}}"`,
	`PC6019 skills/awesome-copilot/create-github-issues-for-unmet-specification-requirements/SKILL.md:14 the tool "search_issues", which is not in the toolset`,
	`PC6019 skills/awesome-copilot/create-github-issues-for-unmet-specification-requirements/SKILL.md:15 the tool "create_issue", which is not in the toolset`,
	`PC6023 skills/awesome-copilot/create-spring-boot-java-project/SKILL.md:163 the heading "## Let's do this step by step"`,
	`PC6025 skills/awesome-copilot/dotnet-best-practices/SKILL.md:8 "${selection}"`,
	`PC6019 skills/awesome-copilot/doublecheck/SKILL.md:142 the tool "web_search", which is not in the toolset`,
	`PC6025 skills/awesome-copilot/postgresql-code-review/SKILL.md:8 "${selection}"`,
	`PC6025 skills/awesome-copilot/what-context-needed/SKILL.md:12 "{{question}}"`,
}
