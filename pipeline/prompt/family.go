package prompt

// Family is a model family with the special tokens that end a turn, open a role
// or call a tool in its format. Text that holds one may be read as that.
type Family struct {
	Name   string
	Tokens []string
}

// Families is the table of model families. From the tokenizers' published
// configurations and the providers' pages on prompt formats, 2026-11.
var Families = []Family{
	{"openai", []string{"<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"}},
	{"chatml", []string{"<|im_start|>", "<|im_end|>", "<|im_sep|>"}},
	{"harmony", []string{"<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>"}},
	{"llama2", []string{"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"}},
	{"llama3", []string{"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>", "<|python_tag|>"}},
	{"gemma", []string{"<start_of_turn>", "<end_of_turn>"}},
}

// LookupFamily gives the family of a name.
func LookupFamily(name string) (*Family, bool) {
	for i := range Families {
		if Families[i].Name == name {
			return &Families[i], true
		}
	}
	return nil, false
}
