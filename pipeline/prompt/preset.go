package prompt

import (
	"path"
	"slices"
	"strings"
)

// Preset is what a program that reads prompt sources by itself takes of them;
// `limits:` of a source names it. An amount of 0 is no limit.
type Preset struct {
	Name string
	// Says names the program in messages.
	Says string
	// Files are what it reads of all that a source of kind `context` finds: base
	// names, or with a slash at the end folders that files lie in. Nil is all.
	Files []string
	// FileRunes is of one file, ChainBytes or ChainRunes of all files of the
	// source together, with a blank line between them.
	FileRunes, ChainBytes, ChainRunes int
	// FileLines is what the program's documentation advises for one file.
	FileLines int
	// Named are limits of single files, by base name, in runes.
	Named []NamedLimit
	// EntryRunes is what a listing shows of one skill's description,
	// ListingRunes what the whole listing may have.
	EntryRunes, ListingRunes int
}

// Reads reports whether the program finds a file by its name where it looks for
// instructions.
func (p *Preset) Reads(file string) bool {
	return p.Files == nil || slices.ContainsFunc(p.Files, func(name string) bool {
		if strings.HasSuffix(name, "/") {
			return strings.Contains("/"+file, "/"+name)
		}
		return path.Base(file) == name
	})
}

// Lists reports whether the program has a limit for what it lists of skills.
func (p *Preset) Lists() bool { return p.EntryRunes > 0 || p.ListingRunes > 0 }

// NamedLimit is the limit of files of one name, in runes.
type NamedLimit struct {
	Name  string
	Runes int
}

// Presets is the table of presets. From the programs' documentation and source,
// 2026-11: Codex `project_doc_max_bytes`; GitHub's page on instructions for
// Copilot's code review; OpenClaw `bootstrapMaxChars`, `bootstrapTotalMaxChars`
// and `maxSkillsPromptChars`; Claude Code's pages on memory and skills; Moltis'
// source; Windsurf's page on rules.
var Presets = []Preset{
	{Name: "codex", Says: "Codex", Files: []string{"AGENTS.override.md", "AGENTS.md"}, ChainBytes: 32 << 10},
	{Name: "copilot-review", Says: "Copilot's code review", FileRunes: 4000},
	{Name: "openclaw", Says: "OpenClaw", Files: []string{"AGENTS.md"}, FileRunes: 20000, ChainRunes: 60000, Named: []NamedLimit{{"USER.md", 4000}}, ListingRunes: 18000},
	{Name: "claude-code", Says: "Claude Code", Files: []string{"CLAUDE.md", "CLAUDE.local.md", ".claude/rules/"}, FileLines: 200, EntryRunes: 1536},
	{Name: "moltis", Says: "Moltis", FileRunes: 32000, Named: []NamedLimit{{"MEMORY.md", 8000}}, ListingRunes: 30000},
	{Name: "windsurf", Says: "Windsurf", Files: []string{"AGENTS.md"}, FileRunes: 12000, Named: []NamedLimit{{"global_rules.md", 6000}}},
}

// Runes gives the limit of a file by its base name, in runes; 0 for none.
func (p *Preset) Runes(name string) int {
	for _, n := range p.Named {
		if n.Name == name {
			return n.Runes
		}
	}
	return p.FileRunes
}

// LookupPreset gives the preset of a name.
func LookupPreset(name string) (*Preset, bool) {
	for i := range Presets {
		if Presets[i].Name == name {
			return &Presets[i], true
		}
	}
	return nil, false
}
