package scaffold

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// agent is a program that reads files of a repository by itself. What it reads
// makes one prompt, in the order of the parts.
type agent struct {
	id, says string
	// limits is the preset of what it takes, "" for none.
	limits string
	// counts is the estimator of its models, "" where a built-in encoding is theirs,
	// or nobody knows which they are.
	counts string
	// axis is that of an agent whose files are a prompt each; its values are the
	// names of the files.
	axis  string
	parts []agentPart
}

// agentPart is a section of what an agent reads.
type agentPart struct {
	id    string
	sort  partSort
	files []string // patterns
	// shared says that other agents read the files, too: they are no reason to
	// make the prompt.
	shared bool
	// first says that of the files in a folder only the first counts.
	first bool
	// kind is that of eachFile, "" for text. Subagents are listed, too.
	kind string
	when func(front *ground.Node) reading
}

// partSort is how the files of a part are read.
type partSort int

const (
	wholeFiles partSort = iota // always, as they are
	ruleFiles                  // each says when
	belowFiles                 // names, in sub-folders: once a file there is open
	skillFiles                 // listed
	eachFile                   // each by itself
)

// claudeCounts is the estimator that claudeTokenizer declares.
const claudeCounts = "claude"

// claudeTokenizer declares how to count for Claude, whose tokenizer is not public:
// measured counts were 15 to 20 % above those of o200k_base, 2026-11. Gemini's
// documentation has four characters to a token.
const claudeTokenizer = `
# Claude's tokenizer is not public: an estimate. Measure its error on texts of your own.
tokenizers:
  ` + claudeCounts + `: {base: o200k_base, factor: 1.2, error: 0.15}
`

// agents is the table of agents, in the order of their prompts. From the
// programs' documentation, 2026-11.
var agents = []agent{
	{id: "claude-code", says: "Claude Code", limits: "claude-code", counts: claudeCounts, parts: []agentPart{
		{id: "memory", files: []string{"CLAUDE.md", ".claude/CLAUDE.md"}},
		{id: "local", files: []string{"CLAUDE.local.md"}},
		{id: "rules", sort: ruleFiles, files: []string{".claude/rules/**/*.md"}, when: byPaths},
		{id: "below", sort: belowFiles, files: []string{"CLAUDE.md", "CLAUDE.local.md"}},
		{id: "skills", sort: skillFiles, files: []string{".claude/skills/*/SKILL.md"}},
	}},
	{id: "claude-agents", says: "Claude Code's subagents", counts: claudeCounts, axis: "agent", parts: []agentPart{
		{id: "agent", sort: eachFile, kind: language.SubagentsKind, files: []string{".claude/agents/**/*.md"}},
	}},
	{id: "claude-commands", says: "Claude Code's commands", counts: claudeCounts, axis: "command", parts: []agentPart{
		{id: "command", sort: eachFile, files: []string{".claude/commands/**/*.md"}},
	}},
	{id: "codex", says: "Codex", limits: "codex", parts: []agentPart{
		{id: "agents", files: []string{"AGENTS.override.md", "AGENTS.md"}, first: true},
		{id: "below", sort: belowFiles, files: []string{"AGENTS.override.md", "AGENTS.md"}, first: true},
		{id: "skills", sort: skillFiles, files: []string{".agents/skills/*/SKILL.md", ".codex/skills/*/SKILL.md"}},
	}},
	{id: "cursor", says: "Cursor", parts: []agentPart{
		{id: "legacy", files: []string{".cursorrules"}},
		{id: "rules", sort: ruleFiles, files: []string{".cursor/rules/**/*.{md,mdc}"}, when: byAlwaysApply},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "below", sort: belowFiles, files: []string{"AGENTS.md"}, shared: true},
	}},
	{id: "copilot", says: "GitHub Copilot", limits: "copilot-review", parts: []agentPart{
		{id: "instructions", files: []string{".github/copilot-instructions.md"}},
		{id: "rules", sort: ruleFiles, files: []string{".github/instructions/**/*.instructions.md"}, when: byApplyTo},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "skills", sort: skillFiles, files: []string{".github/skills/*/SKILL.md"}},
	}},
	{id: "gemini-cli", says: "Gemini CLI", counts: "chars/4", parts: []agentPart{
		{id: "memory", files: []string{"GEMINI.md"}},
		{id: "below", sort: belowFiles, files: []string{"GEMINI.md"}},
		{id: "skills", sort: skillFiles, files: []string{".gemini/skills/*/SKILL.md"}},
	}},
	{id: "windsurf", says: "Windsurf", limits: "windsurf", parts: []agentPart{
		{id: "legacy", files: []string{".windsurfrules"}},
		{id: "rules", sort: ruleFiles, files: []string{".windsurf/rules/**/*.md"}, when: byTrigger},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "below", sort: belowFiles, files: []string{"AGENTS.md"}, shared: true},
	}},
	{id: "copilot-agents", says: "GitHub Copilot's agents", axis: "agent", parts: []agentPart{
		{id: "agent", sort: eachFile, kind: language.SubagentsKind, files: []string{".github/agents/**/*.md"}},
	}},
	{id: "copilot-prompts", says: "GitHub Copilot's prompt files", axis: "prompt", parts: []agentPart{
		{id: "prompt", sort: eachFile, files: []string{".github/prompts/**/*.prompt.md"}},
	}},
	{id: "cline", says: "Cline", parts: []agentPart{
		{id: "legacy", files: []string{".clinerules"}},
		{id: "rules", sort: ruleFiles, files: []string{".clinerules/*.{md,txt}"}, when: byPaths},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "skills", sort: skillFiles, files: []string{".cline/skills/*/SKILL.md", ".clinerules/skills/*/SKILL.md"}},
	}},
	{id: "cline-workflows", says: "Cline's workflows", axis: "workflow", parts: []agentPart{
		{id: "workflow", sort: eachFile, files: []string{".clinerules/workflows/**/*.md"}},
	}},
	{id: "roo", says: "Roo Code", parts: []agentPart{
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "rules", files: []string{".roo/rules/**/*.{md,txt}"}},
		{id: "legacy", files: []string{".roorules"}},
		{id: "skills", sort: skillFiles, files: []string{".roo/skills/*/SKILL.md"}},
	}},
	{id: "roo-modes", says: "Roo Code's rules of a mode", axis: "rule", parts: []agentPart{
		{id: "rule", sort: eachFile, files: []string{".roo/rules-*/**/*.{md,txt,xml}"}},
	}},
	{id: "roo-commands", says: "Roo Code's commands", axis: "command", parts: []agentPart{
		{id: "command", sort: eachFile, files: []string{".roo/commands/**/*.md"}},
	}},
	{id: "continue", says: "Continue", parts: []agentPart{
		{id: "rules", sort: ruleFiles, files: []string{".continue/rules/**/*.md"}, when: byContinue},
		{id: "below", sort: belowFiles, files: []string{"rules.md"}, shared: true},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
	}},
	{id: "continue-agents", says: "Continue's agents", axis: "agent", parts: []agentPart{
		{id: "agent", sort: eachFile, kind: language.SubagentsKind, files: []string{".continue/agents/**/*.md"}},
	}},
	{id: "continue-checks", says: "Continue's checks", axis: "check", parts: []agentPart{
		{id: "check", sort: eachFile, files: []string{".continue/checks/**/*.md"}},
	}},
	{id: "continue-prompts", says: "Continue's prompts", axis: "prompt", parts: []agentPart{
		{id: "prompt", sort: eachFile, files: []string{".continue/prompts/**/*.{md,prompt}"}},
	}},
	{id: "openhands", says: "OpenHands", parts: []agentPart{
		{id: "legacy", files: []string{".openhands_instructions"}},
		{id: "microagents", sort: ruleFiles, files: []string{".openhands/microagents/**/*.md"}, when: byTriggers},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
		{id: "skills", sort: skillFiles, files: []string{".openhands/skills/*/SKILL.md"}},
	}},
	{id: "opencode-agents", says: "opencode's agents", axis: "agent", parts: []agentPart{
		{id: "agent", sort: eachFile, kind: language.SubagentsKind, files: []string{".opencode/agent/**/*.md", ".opencode/agents/**/*.md"}},
	}},
	{id: "opencode-commands", says: "opencode's commands", axis: "command", parts: []agentPart{
		{id: "command", sort: eachFile, files: []string{".opencode/command/**/*.md", ".opencode/commands/**/*.md"}},
	}},
	{id: "goose", says: "goose", parts: []agentPart{
		{id: "hints", files: []string{".goosehints"}},
		{id: "agents", files: []string{"AGENTS.md"}, shared: true},
	}},
	{id: "amazon-q", says: "Amazon Q", parts: []agentPart{
		{id: "rules", files: []string{".amazonq/rules/**/*.md"}},
	}},
	{id: "greptile", says: "Greptile", parts: []agentPart{
		{id: "rules", files: []string{".greptile/rules.md"}},
	}},
	{id: "junie", says: "Junie", parts: []agentPart{
		{id: "guidelines", files: []string{".junie/guidelines.md"}},
	}},
}

// AgentFolders are the folders with a dot that agents read.
var AgentFolders = []string{
	".claude", ".agents", ".codex", ".cursor", ".github", ".gemini", ".windsurf", ".clinerules", ".cline", ".roo", ".continue",
	".openhands", ".opencode", ".amazonq", ".junie", ".greptile",
}

// reading is when an agent reads a rule: always, where one of the globs fits an
// open file, by the line that lists it, or else when somebody names it.
type reading struct {
	always, listed bool
	globs          []string
}

// byPaths is how Claude Code reads a rule.
func byPaths(front *ground.Node) reading {
	globs := globsOf(front.Field("paths"))
	return reading{always: len(globs) == 0, globs: globs}
}

// byAlwaysApply is how Cursor reads a rule.
func byAlwaysApply(front *ground.Node) reading {
	if front.Field("alwaysApply").IsTrue() {
		return reading{always: true}
	}
	globs := globsOf(front.Field("globs"))
	return reading{globs: globs, listed: len(globs) == 0 && strings.TrimSpace(front.Field("description").Scalar()) != ""}
}

// byContinue is how Continue reads a rule.
func byContinue(front *ground.Node) reading {
	globs, apply := globsOf(front.Field("globs")), front.Field("alwaysApply")
	switch {
	case apply.IsTrue(), apply == nil && len(globs) == 0:
		return reading{always: true}
	case len(globs) > 0:
		return reading{globs: globs}
	default:
		return reading{listed: strings.TrimSpace(front.Field("description").Scalar()) != ""}
	}
}

// byTriggers is how OpenHands reads a microagent: with words that wake it, when somebody
// uses one.
func byTriggers(front *ground.Node) reading { return reading{always: front.Field("triggers") == nil} }

// byApplyTo is how Copilot reads instructions.
func byApplyTo(front *ground.Node) reading { return reading{globs: globsOf(front.Field("applyTo"))} }

// byTrigger is how Windsurf reads a rule.
func byTrigger(front *ground.Node) reading {
	switch front.Field("trigger").Scalar() {
	case "glob":
		return reading{globs: globsOf(front.Field("globs"))}
	case "model_decision":
		return reading{listed: true}
	case "manual":
		return reading{}
	default:
		return reading{always: true}
	}
}

// globsOf gives the globs of a key: a list, or a text with commas between them.
func globsOf(n *ground.Node) []string {
	if n == nil || n.Kind == ground.Null {
		return nil
	}
	var out []string
	add := func(text string) {
		depth, start := 0, 0
		for i := 0; i <= len(text); i++ {
			switch {
			case i == len(text) || text[i] == ',' && depth == 0:
				if glob := strings.Trim(text[start:i], " \t\n\"'"); glob != "" {
					out = append(out, glob)
				}
				start = i + 1
			case text[i] == '{':
				depth++
			case text[i] == '}':
				depth--
			}
		}
	}
	add(n.Scalar())
	for _, item := range n.Items {
		add(item.Scalar())
	}
	return out
}

// everyFile are the globs that fit whatever is open.
var everyFile = []string{"*", "**", "**/*"}
