package token

import "strings"

// model is a model, or a family of models, and its encoding.
type model struct {
	name string
	// more holds the characters with which the names of the family go on:
	// "gpt-4" with "-" has gpt-4-turbo, but not gpt-4o. A name without is one
	// model.
	more     string
	encoding string
}

// models says which encoding a model reads, as OpenAI's tiktoken does in its
// table of models (tiktoken/model.py), and goes on for what is newer: all that
// is called gpt-5 and o4. The first row that holds counts. Two of tiktoken's
// encodings, p50k_edit and gpt2, are p50k_base and r50k_base for ordinary text:
// only their special tokens differ.
var models = []model{
	// Chat and reasoning.
	{"gpt-5", "-.", "o200k_base"},
	{"gpt-4.5", "-", "o200k_base"},
	{"gpt-4.1", "-", "o200k_base"},
	{"gpt-4o", "-", "o200k_base"},
	{"chatgpt-4o", "-", "o200k_base"},
	{"o1", "-", "o200k_base"},
	{"o3", "-", "o200k_base"},
	{"o4", "-", "o200k_base"},
	{"gpt-oss", "-", "o200k_harmony"},
	{"gpt-4", "-", "cl100k_base"},
	{"gpt-3.5", "", "cl100k_base"},
	{"gpt-3.5-turbo", "-", "cl100k_base"},
	{"gpt-35-turbo", "-", "cl100k_base"}, // what Azure calls it
	// Base models and embeddings.
	{"davinci-002", "", "cl100k_base"},
	{"babbage-002", "", "cl100k_base"},
	{"text-embedding-3", "-", "cl100k_base"},
	{"text-embedding-ada-002", "", "cl100k_base"},
	// What is no longer served.
	{"text-davinci-003", "", "p50k_base"},
	{"text-davinci-002", "", "p50k_base"},
	{"text-davinci-edit-001", "", "p50k_base"},
	{"code-davinci", "-", "p50k_base"},
	{"code-cushman", "-", "p50k_base"},
	{"davinci-codex", "", "p50k_base"},
	{"cushman-codex", "", "p50k_base"},
	{"text-davinci-001", "", "r50k_base"},
	{"text-curie-001", "", "r50k_base"},
	{"text-babbage-001", "", "r50k_base"},
	{"text-ada-001", "", "r50k_base"},
	{"davinci", "", "r50k_base"},
	{"curie", "", "r50k_base"},
	{"babbage", "", "r50k_base"},
	{"ada", "", "r50k_base"},
	{"text-similarity", "-", "r50k_base"},
	{"text-search", "-", "r50k_base"},
	{"code-search", "-", "r50k_base"},
	{"gpt2", "", "r50k_base"},
	{"gpt-2", "", "r50k_base"},
}

// families are those whose tokens are not counted here: their tokenizers are
// not public, or are none of the encodings.
var families = []string{
	"claude", "gemini", "gemma", "grok", "llama", "codellama", "mistral", "ministral", "mixtral", "magistral", "codestral",
	"devstral", "pixtral", "qwen", "qwq", "deepseek", "kimi", "glm", "minimax", "phi", "command", "nova", "jamba", "granite",
}

// ForModel gives the encoding that a model reads, false where none is known. A
// name may have its vendor in front ("openai/gpt-oss-120b"), and may be that of
// a model that was tuned further ("ft:gpt-4o-2024-08-06:acme::id"), which reads
// as the one that it was made from.
func ForModel(name string) (encoding string, ok bool) {
	name, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "openai/"), "ft:"), ":")
	for _, m := range models {
		rest, ok := strings.CutPrefix(name, m.name)
		if ok && (rest == "" || len(rest) > 1 && strings.IndexByte(m.more, rest[0]) >= 0) {
			return m.encoding, true
		}
	}
	return "", false
}

// Models lists the models and families of models that [ForModel] knows. The
// caller owns the slice.
func Models() []string {
	names := make([]string, 0, len(models))
	for _, m := range models {
		names = append(names, m.name)
	}
	return names
}

// Family names the family that a model belongs to, where it is one whose tokens
// nobody can count here: an estimate is what remains.
func Family(name string) (family string, ok bool) {
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, f := range families {
		if rest, ok := strings.CutPrefix(name, f); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return f, true
		}
	}
	return "", false
}
