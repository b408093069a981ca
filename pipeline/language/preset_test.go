package language_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/language"
)

func TestProgramsReadTheirOwnInstructions(t *testing.T) {
	for _, tc := range []struct {
		preset, file string
		want         bool
	}{
		{"codex", "AGENTS.md", true},
		{"codex", "a/AGENTS.override.md", true},
		{"codex", "CLAUDE.md", false},
		{"codex", "MYAGENTS.md", false},
		{"claude-code", "a/CLAUDE.local.md", true},
		{"claude-code", ".claude/rules/style.md", true},
		{"claude-code", "a/.claude/rules/style.md", true},
		{"claude-code", "a.claude/rules/style.md", false},
		{"claude-code", "AGENTS.md", false},
		{"openclaw", "CLAUDE.md", false},
		{"windsurf", "AGENTS.md", true},
		{"windsurf", "CLAUDE.md", false},
		{"copilot-review", "CLAUDE.md", true},
		{"moltis", "CLAUDE.md", true},
	} {
		p, ok := language.LookupPreset(tc.preset)
		if !ok || p.Reads(tc.file) != tc.want {
			t.Errorf("%s reads %s: %v", tc.preset, tc.file, !tc.want)
		}
	}
}
