package token_test

import (
	"slices"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

func TestModelsHaveTheEncodingThatTheyRead(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{"gpt-5", "o200k_base"},
		{"gpt-5-mini", "o200k_base"},
		{"gpt-5.1", "o200k_base"},
		{"gpt-5.6-codex-2026-01-01", "o200k_base"},
		{"gpt-4.5-preview", "o200k_base"},
		{"gpt-4.1", "o200k_base"},
		{"gpt-4.1-nano", "o200k_base"},
		{"gpt-4o", "o200k_base"},
		{"gpt-4o-2024-05-13", "o200k_base"},
		{"chatgpt-4o-latest", "o200k_base"},
		{"o1", "o200k_base"},
		{"o1-preview", "o200k_base"},
		{"o3-pro", "o200k_base"},
		{"o4-mini-2025-04-16", "o200k_base"},
		{"gpt-oss-120b", "o200k_harmony"},
		{"openai/gpt-oss-20b", "o200k_harmony"},
		{"gpt-oss:20b", "o200k_harmony"},
		{"gpt-4", "cl100k_base"},
		{"gpt-4-32k", "cl100k_base"},
		{"gpt-4-turbo", "cl100k_base"},
		{"gpt-3.5", "cl100k_base"},
		{"gpt-3.5-turbo-0301", "cl100k_base"},
		{"gpt-35-turbo-16k", "cl100k_base"},
		{"text-embedding-3-small", "cl100k_base"},
		{"text-embedding-ada-002", "cl100k_base"},
		{"babbage-002", "cl100k_base"},
		{"text-davinci-003", "p50k_base"},
		{"text-davinci-002", "p50k_base"},
		{"code-davinci-edit-001", "p50k_base"},
		{"code-cushman-001", "p50k_base"},
		{"text-davinci-001", "r50k_base"},
		{"davinci", "r50k_base"},
		{"davinci:ft-acme-2023-01-01", "r50k_base"},
		{"text-search-ada-doc-001", "r50k_base"},
		{"code-search-ada-code-001", "r50k_base"},
		{"gpt2", "r50k_base"},
		{"ft:gpt-4o-2024-08-06:acme::id", "o200k_base"},
		{"ft:gpt-4-0613:acme::id", "cl100k_base"},
		{"ft:davinci-002:acme", "cl100k_base"},

		{"", ""},
		{"gpt", ""},
		{"gpt-", ""},
		{"gpt-4-", ""},
		{"gpt-4.2", ""},
		{"gpt-50", ""},
		{"gpt-6", ""},
		{"o2", ""},
		{"o10", ""},
		{"o1x", ""},
		{"GPT-4o", ""},
		{"ada-lovelace", ""},
		{"gpt-image-1", ""},
		{"text-embedding-004", ""},
		{"claude-opus-4-5", ""},
		{"acme/gpt-4o", ""},
	} {
		got, ok := token.ForModel(tt.model)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("ForModel(%q) = %q, %v; want %q", tt.model, got, ok, tt.want)
		}
	}
}

func TestEveryRowOfTheModelsIsReached(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range token.Models() {
		encoding, ok := token.ForModel(name)
		if !ok || !slices.Contains(token.Names(), encoding) {
			t.Errorf("ForModel(%q) = %q, %v, which no counter has", name, encoding, ok)
		}
		if seen[name] {
			t.Errorf("%q has two rows", name)
		}
		seen[name] = true
		if family, ok := token.Family(name); ok {
			t.Errorf("%q belongs to the family %q, but has an encoding", name, family)
		}
	}
}

func TestFamiliesWithoutAnEncoding(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{"claude-opus-4-5", "claude"},
		{"claude", "claude"},
		{"anthropic/claude-sonnet-4.5", "claude"},
		{"gemini-2.5-pro", "gemini"},
		{"meta-llama/Llama-3.3-70B-Instruct", "llama"},
		{"qwen3-coder", "qwen"},
		{"phi-4", "phi"},
		{"philosopher", ""},
		{"novatel", ""},
		{"clau", ""},
		{"", ""},
		{"gpt-5", ""},
	} {
		got, ok := token.Family(tt.model)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Family(%q) = %q, %v; want %q", tt.model, got, ok, tt.want)
		}
	}
}
