package language

import (
	"path"
	"slices"
	"strings"
)

// Family is a model family with the special tokens that end a turn, open a role
// or call a tool in its format. Text that holds one may be read as that.
type Family struct {
	Name   string
	Tokens []string
	// Common is how many of the last tokens people write for other reasons, too, as
	// tags or in prose: these are looked for only where the manifest names the
	// family.
	Common int
}

// Families is the table of model families. From the tokenizers' published
// configurations (tokenizer_config.json and special_tokens_map.json of each
// model, tiktoken's openai_public.py, mistral-common, the harmony
// specification) and the providers' pages on prompt formats, 2026-11. Left out
// are tokens that are words of other languages (`<pad>`, `[EOS]`, `[ARGS]`,
// `[PREFIX]`).
var Families = []Family{
	{Name: "openai", Tokens: []string{"<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"}},
	{Name: "chatml", Tokens: []string{"<|im_start|>", "<|im_end|>", "<|im_sep|>"}},
	{Name: "harmony", Tokens: []string{
		"<|startoftext|>", "<|endoftext|>", "<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>", "<|endofprompt|>",
	}},
	{Name: "llama2", Tokens: []string{"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<s>", "</s>"}, Common: 2},
	{Name: "llama3", Tokens: []string{
		"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>",
		"<|python_tag|>", "<|finetune_right_pad_id|>", "<|step_id|>", "<|image|>",
	}},
	{Name: "llama4", Tokens: []string{
		"<|begin_of_text|>", "<|end_of_text|>", "<|header_start|>", "<|header_end|>", "<|eot|>", "<|eom|>", "<|step|>",
		"<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>", "<|image_start|>", "<|image_end|>", "<|image|>", "<|patch|>",
		"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>",
	}},
	{Name: "mistral", Tokens: []string{
		"[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]",
		"[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]", "[IMG_BREAK]", "[IMG_END]", "[BEGIN_AUDIO]",
		"<s>", "</s>",
	}, Common: 2},
	{Name: "gemma", Tokens: []string{"<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>", "<start_function_call>", "<end_function_call>", "<bos>", "<eos>"}, Common: 2},
	{Name: "deepseek", Tokens: []string{
		"<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>", "<｜User｜>", "<｜Assistant｜>", "<|EOT|>",
		"<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>", "<｜tool▁sep｜>",
		"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>",
		"<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>", "<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>",
	}},
	{Name: "qwen", Tokens: []string{
		"<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>",
		"<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>",
		"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>",
		"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>",
	}, Common: 4},
	{Name: "phi", Tokens: []string{
		"<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|im_start|>", "<|im_end|>", "<|im_sep|>",
		"<|tool|>", "<|/tool|>", "<|tool_call|>", "<|/tool_call|>", "<|tool_response|>",
	}},
	{Name: "glm", Tokens: []string{
		"<|endoftext|>", "[gMASK]", "<|system|>", "<|user|>", "<|assistant|>", "<|observation|>", "<|begin_of_image|>", "<|end_of_image|>",
		"<sop>", "<eop>", "<tool_call>", "</tool_call>",
	}, Common: 4},
	{Name: "kimi", Tokens: []string{
		"<|im_end|>", "<|im_user|>", "<|im_assistant|>", "<|im_system|>", "<|im_middle|>",
		"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>",
	}},
	{Name: "granite", Tokens: []string{"<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>", "<|tool_call|>"}},
	{Name: "cohere", Tokens: []string{
		"<BOS_TOKEN>", "<EOS_TOKEN>", "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|SYSTEM_TOKEN|>",
		"<|START_THINKING|>", "<|END_THINKING|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_ACTION|>", "<|END_ACTION|>",
		"<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>",
	}},
	{Name: "anthropic", Tokens: []string{"\n\nHuman:", "\n\nAssistant:"}, Common: 2},
}

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
