package scaffold_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// adopted gives what is taken and left of files.
func adopted(files ...scaffold.RepoFile) []string {
	a := scaffold.Adopt(files)
	var out []string
	for _, w := range a.Left {
		out = append(out, wording.Text(w))
	}
	for _, p := range a.Took() {
		out = append(out, "took "+p.ID+": "+wording.Text(p.From))
	}
	return out
}

func TestFilesAreTakenOrLeftOutWithAReason(t *testing.T) {
	file := func(name string) scaffold.RepoFile { return scaffold.RepoFile{Path: name} }
	tests := []struct {
		name  string
		files []scaffold.RepoFile
		want  []string
	}{
		{"none", []scaffold.RepoFile{file("README.md"), file("src/main.go")}, nil},
		{
			"a file that stands in for another",
			[]scaffold.RepoFile{file("AGENTS.md"), file("AGENTS.override.md"), file("a/AGENTS.md"), file("a/AGENTS.override.md")},
			[]string{
				`left out "AGENTS.md": Codex reads "AGENTS.override.md" in its place`,
				`left out "a/AGENTS.md": Codex reads "a/AGENTS.override.md" in its place`,
				`took codex: "AGENTS.override.md" and 1 other; 1 case of an open file`,
			},
		},
		{"files that others read, too, are no reason", []scaffold.RepoFile{file("AGENTS.md")}, []string{`took codex: "AGENTS.md"`}},
		{
			"ignored",
			[]scaffold.RepoFile{{Path: "CLAUDE.md", Ignored: true}, {Path: "a.json", Tools: []string{"x"}, Ignored: true}},
			[]string{
				`left out "CLAUDE.md": git ignores it, so clones do not have it`,
				`left out "a.json": git ignores it, so clones do not have it`,
			},
		},
		{"with an error", []scaffold.RepoFile{{Path: "CLAUDE.md", Bad: true}}, nil},
		{
			"others' code",
			[]scaffold.RepoFile{file("vendor/x/AGENTS.md"), file("a/fixtures/SKILL.md"), file("tests/CLAUDE.md")},
			[]string{
				`left out 2 files in folders of fixtures and of others' code: "CLAUDE.md", "AGENTS.md", "GEMINI.md", "SKILL.md"`,
				`took claude-code: "tests/CLAUDE.md"; 1 case of an open file`,
			},
		},
		{
			"agents in sub-folders",
			[]scaffold.RepoFile{file("AGENTS.md"), file("web/.claude/rules/a.md"), file("web/.cursor/rules/b.mdc"), file(".github/CLAUDE.md")},
			[]string{
				`left out ".github/CLAUDE.md": no agent reads it there`,
				`left out "web/.claude/rules/a.md" and 1 other: agents read them in sub-folders, and promptc init "web" makes a project of those there`,
				`took codex: "AGENTS.md"`,
			},
		},
		{
			"skills of two folders",
			[]scaffold.RepoFile{file("a/skills/x/SKILL.md"), file("b/x/SKILL.md"), file("SKILL.md")},
			[]string{
				`took skills: "SKILL.md"`, `took skills-texts: "SKILL.md"; one variant for each skill`,
				`took skills-a: "a/skills/x/SKILL.md"`, `took skills-a-texts: "a/skills/x/SKILL.md"; one variant for each skill`,
				`took skills-b: "b/x/SKILL.md"`, `took skills-b-texts: "b/x/SKILL.md"; one variant for each skill`,
			},
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, adopted(tt.files...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		slices.Reverse(tt.files)
		if diff := cmp.Diff(tt.want, adopted(tt.files...)); diff != "" {
			t.Errorf("%s, the other way round (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPatternsTakeNoFileThatWasLeftOut(t *testing.T) {
	files := []scaffold.RepoFile{{Path: ".claude/skills/a/SKILL.md"}, {Path: ".claude/skills/b/SKILL.md"}, {Path: ".claude/skills/c/SKILL.md"}}
	if text := scaffold.Adopt(files).Manifest("snapshots").Text; !strings.Contains(text, `path: ".claude/skills/*/SKILL.md"`) {
		t.Error(text)
	}
	files[1].Bad = true
	if text := scaffold.Adopt(files).Manifest("snapshots").Text; !strings.Contains(text, `path: [".claude/skills/a/SKILL.md", ".claude/skills/c/SKILL.md"]`) {
		t.Error(text)
	}
}

func TestSkillsBesideTheManifestAreHere(t *testing.T) {
	text := scaffold.Adopt([]scaffold.RepoFile{{Path: "a/SKILL.md"}, {Path: "b/SKILL.md"}}).Manifest("snapshots").Text
	if !strings.Contains(text, `description: "The list of the skills here."`) || !strings.Contains(text, `path: "*/SKILL.md"`) {
		t.Error(text)
	}
}

func TestPlacesOfAManifestNameTheirFiles(t *testing.T) {
	a := scaffold.Adopt([]scaffold.RepoFile{{Path: "CLAUDE.md"}, {Path: ".claude/rules/x.md"}, {Path: ".cursorrules"}, {Path: "AGENTS.md"}})
	written := a.Manifest("snapshots")
	for _, tt := range []struct {
		at   string
		want []string
	}{
		{"claude-code-rules: {", []string{".claude/rules/x.md"}},
		{"  claude-code:\n", []string{"CLAUDE.md", ".claude/rules/x.md"}},
		{"{id: memory,", []string{"CLAUDE.md"}},
		{"{id: legacy,", []string{".cursorrules"}},
		{"version: 1", nil},
	} {
		i := strings.Index(written.Text, tt.at)
		if i < 0 {
			t.Fatalf("no %q in:\n%s", tt.at, written.Text)
		}
		if diff := cmp.Diff(tt.want, written.At(i)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.at, diff)
		}
	}
}
