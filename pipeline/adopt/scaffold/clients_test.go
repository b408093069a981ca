package scaffold_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
)

func TestClientsOfProvidersAreFound(t *testing.T) {
	for _, tc := range []struct{ file, text, name, command string }{
		{"package.json", `{"dependencies": {"openai": "^6"}, "scripts": {"start": "node a.js"}}`, "openai", "npm start"},
		{"package.json", `{"devDependencies": {"ai": "^6"}}`, "ai", "COMMAND"},
		{"package.json", `{"dependencies": {"openai-fake": "^6", "main": "x"}}`, "", ""},
		{"package.json", `{`, "", ""},
		{"pyproject.toml", "[project]\ndependencies = [\"anthropic>=0.5\"]\n[project.scripts]\nmy-agent = \"a:main\"\n", "anthropic", "my-agent"},
		{"pyproject.toml", "[project]\ndependencies = [\"pydantic-ai-slim[openai]\"]\n", "pydantic-ai-slim", "COMMAND"},
		{"pyproject.toml", "[tool.poetry.dependencies]\nopenai = \"^3\"\n", "openai", "COMMAND"},
		{"pyproject.toml", "name = \"my-openai-thing\"\n", "", ""},
		{"requirements.txt", "requests\nlitellm==1.2\n", "litellm", "COMMAND"},
		{"go.mod", "module m\n\nrequire (\n\tgithub.com/openai/openai-go/v3 v3.9.0\n)\n", "github.com/openai/openai-go", "COMMAND"},
		{"go.mod", "module m\n\nrequire google.golang.org/genai v1.0.0\n", "google.golang.org/genai", "COMMAND"},
		{"Cargo.toml", "[dependencies]\nasync-openai = \"0.30\"\n", "async-openai", "cargo run"},
		{"Cargo.toml", "[dependencies]\nserde = \"1\"\n", "", ""},
	} {
		name, command, ok := scaffold.Client(tc.file, tc.text)
		if name != tc.name || command != tc.command || ok != (tc.name != "") {
			t.Errorf("%s %q: %q, %q, %v", tc.file, tc.text, name, command, ok)
		}
	}
}
