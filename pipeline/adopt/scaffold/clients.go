package scaffold

import (
	"encoding/json"
	"regexp"
)

// clients are the packages by which programs talk to a provider: the providers' own,
// and frameworks over them.
var clients = map[string][]string{
	"package.json": {"openai", "@anthropic-ai/sdk", "@google/genai", "ollama", "ai", "@langchain/openai", "@langchain/anthropic", "@mastra/core", "@openai/agents"},
	"pyproject.toml": {
		"openai", "anthropic", "google-genai", "ollama", "litellm", "langchain-openai", "langchain-anthropic", "pydantic-ai", "pydantic-ai-slim", "smolagents", "openai-agents", "dspy",
	},
	"go.mod":     {"github.com/openai/openai-go", "github.com/anthropics/anthropic-sdk-go", "google.golang.org/genai", "github.com/sashabaranov/go-openai", "github.com/tmc/langchaingo"},
	"Cargo.toml": {"async-openai", "rig-core", "genai", "anthropic-sdk"},
}

// ClientFiles are the files that say what a program depends on, in the order in which
// they are looked at.
func ClientFiles() []string {
	return []string{"package.json", "pyproject.toml", "requirements.txt", "go.mod", "Cargo.toml"}
}

// Client finds the first package in a file of a program by which it talks to a provider,
// and gives the command that probably starts the program; "COMMAND" where the file does
// not say.
func Client(file, text string) (name, command string, ok bool) {
	known, list := file, clients[file]
	if file == "requirements.txt" {
		known, list = "pyproject.toml", clients["pyproject.toml"]
	}
	for _, name := range list {
		if dependsOn(known, text, name) {
			return name, starts(known, text), true
		}
	}
	return "", "", false
}

type packageJSON struct {
	Dependencies, DevDependencies, Scripts map[string]string
}

func dependsOn(file, text, name string) bool {
	if file == "package.json" {
		var p packageJSON
		return json.Unmarshal([]byte(text), &p) == nil && (p.Dependencies[name] != "" || p.DevDependencies[name] != "")
	}
	// A name in quotes, or at the beginning of a line, before a version, an extra or its end.
	return regexp.MustCompile(`(?m)(?:^\s*(?:require\s+)?|["'])` + regexp.QuoteMeta(name) + `(?:$|["'\s\[=<>~!;,/@])`).MatchString(text)
}

// scriptOf matches the first program that a Python project declares.
var scriptOf = regexp.MustCompile(`(?m)^\[(?:project|tool\.poetry)\.scripts\]\s*\n\s*"?([A-Za-z0-9._-]+)"?\s*=`)

func starts(file, text string) string {
	var p packageJSON
	switch file {
	case "package.json":
		if json.Unmarshal([]byte(text), &p) == nil && p.Scripts["start"] != "" {
			return "npm start"
		}
	case "pyproject.toml":
		if m := scriptOf.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	case "Cargo.toml":
		return "cargo run"
	}
	return "COMMAND"
}
