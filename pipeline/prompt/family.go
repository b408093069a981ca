package prompt

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
