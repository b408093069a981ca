package conformance_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// turns are what the programs below send for: a text whole, one streamed, a call of a
// tool whole, one streamed, and another text.
const turns = `- text: One.
- text: Two.
- calls: [{tool: read, arguments: {path: a}}]
- calls: [{tool: read, arguments: {path: a}}]
- text: Three.
`

// TestClientsSendThroughRecord has the official clients, and frameworks over them, send
// requests to promptc record, as they are. They have to take its answers.
func TestClientsSendThroughRecord(t *testing.T) {
	installed, err := filepath.Abs(filepath.Join("testdata", "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(installed, "venv", "bin", "python")
	program := filepath.Join(t.TempDir(), "clients")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/recordings/clients").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, by := range []struct {
		name, tool, runs string // the tool that has to be installed
		command          []string
		clients          string
		requests         string // of each client
	}{
		{"Python", "venv", python, []string{python, "clients.py"}, "openai responses anthropic gemini ollama litellm langchain", "2 requests, sent 5 times"},
		{"Python", "venv", python, []string{python, "clients.py"}, "pydantic", "5 requests"},
		{"Node", "npm", "node", []string{"node", "clients.mjs"}, "openai responses anthropic gemini ollama ai langchain", "2 requests, sent 5 times"},
		{"Go", "go", "go", []string{program}, "openai anthropic gemini", "2 requests, sent 5 times"},
	} {
		for client := range strings.FieldsSeq(by.clients) {
			t.Run(by.name+"/"+client, func(t *testing.T) {
				t.Parallel()
				needAt(t, by.tool, by.runs)
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(filepath.Join(installed, "clients"))); err != nil {
					t.Fatal(err)
				}
				if by.tool == "npm" {
					if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(dir, "turns.yaml"), []byte(turns), 0o644); err != nil {
					t.Fatal(err)
				}
				args := append([]string{"record", "--name", "client", "--fixtures", "turns.yaml", "--"}, by.command...)
				out, stderr, err := run(dir, append(args, client)...)
				if err != nil {
					t.Fatalf("%v\n%s", err, stderr)
				}
				var said []string
				for line := range strings.Lines(string(stderr)) {
					if text, ok := strings.CutPrefix(line, client+": "); ok {
						said = append(said, strings.TrimSpace(text))
					}
				}
				call := `read {"path": "a"}`
				once := []string{"One.", "Two.", call, call, "Three."}
				if diff := cmp.Diff(append(once, once...), said); diff != "" { // the first recording runs it twice
					t.Errorf("it got (-want +got):\n%s\n%s", diff, stderr)
				}
				if want := "new  prompts/recorded/client.json  " + by.requests + "\n"; !strings.HasPrefix(string(out), want) {
					t.Errorf("recorded:\n%s", out)
				}
				if strings.Contains(string(stderr), "promptc: note") {
					t.Errorf("noted:\n%s", stderr)
				}
			})
		}
	}
}

// TestAgentsAreRecordedFromTheManifest records agents in three languages, with two axes
// each, edits one sentence in their code, and records again.
func TestAgentsAreRecordedFromTheManifest(t *testing.T) {
	installed, err := filepath.Abs(filepath.Join("testdata", "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tsc := filepath.Join(here, "testdata", "typescript", "node_modules", ".bin", "tsc")
	for _, by := range []struct {
		name, tool, runs, code, model string
		compile                       []string
		run                           string
	}{
		{"Python", "venv", filepath.Join(installed, "venv", "bin", "python"), "agent.py", "gpt-5", nil, filepath.Join(installed, "venv", "bin", "python") + ", agent.py"},
		{"TypeScript", "npm", tsc, "agent.ts", "claude-opus", []string{tsc, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "out", "agent.ts"}, "node, out/agent.js"},
		{"Go", "go", "go", "agent/agent.go", "gemini-2.5-pro", nil, "./agent.exe"},
	} {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			needAt(t, by.tool, by.runs)
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(installed, "agents"))); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
			do := func(in string, args ...string) {
				t.Helper()
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir = in
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
			}
			compile := func() {
				t.Helper()
				switch by.name {
				case "TypeScript":
					do(dir, by.compile...)
				case "Go": // where its modules are
					overlay := filepath.Join(dir, "overlay.json")
					code := filepath.Join(installed, "agents", "agent", "agent.go")
					if err := os.WriteFile(overlay, []byte(`{"Replace": {"`+code+`": "`+filepath.Join(dir, by.code)+`"}}`), 0o644); err != nil {
						t.Fatal(err)
					}
					do(here, "go", "build", "-overlay", overlay, "-o", filepath.Join(dir, "agent.exe"), "./testdata/recordings/agents/agent")
				}
			}
			manifest := `version: 1
prompts:
  agent:
    axes: {mode: [ask, edit], language: [English, Greek]}
    rendered: "recorded/{mode}-{language}.json"
    record: {run: [` + by.run + `, "{mode}"], env: {LANGUAGE: "{language}"}, pick: {model: ` + by.model + `}}
`
			for name, text := range map[string]string{"prompts.yaml": manifest, "package.json": `{"type": "module"}`, ".gitignore": "node_modules\nout\n*.exe\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			promptc := func(status int, args ...string) string {
				t.Helper()
				out, stderr, err := run(dir, args...)
				if got := statusOf(err); got != status {
					t.Fatalf("promptc %v: exit status %d\n%s%s", args, got, out, stderr)
				}
				return string(out)
			}
			compile()
			promptc(0, "record")
			promptc(0, "build")
			promptc(0, "check")
			promptc(0, "record", "--check")
			do(dir, "git", "init", "-q")
			do(dir, "git", "add", ".")
			do(dir, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "one")
			code := filepath.Join(dir, by.code)
			text, err := os.ReadFile(code)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(code, []byte(strings.Replace(string(text), "Edit the files.", "Edit only these files.", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			compile()
			promptc(1, "record", "--check")
			promptc(0, "record")
			want := `1 change, 1 prompt, 2 of 4 variants                    (HEAD → the working tree)

1  agent  rules  text changed   recorded/edit-English.json:N and recorded/edit-Greek.json:N   +1 token
  affects 2 of 4: mode=edit; 2 others do not have it
  -Edit [-the-] files. Be brief.
  +Edit {+only these+} files. Be brief.
`
			got := placesOf.ReplaceAllString(promptc(0, "diff"), ".json:N")
			if diff := cmp.Diff(want, strings.ReplaceAll(got, "≈", "")); diff != "" {
				t.Errorf("the difference (-want +got):\n%s", diff)
			}
		})
	}
}

var placesOf = regexp.MustCompile(`\.json:\d+`)

// statusOf gives the exit status that an error of a command stands for.
func statusOf(err error) int {
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
