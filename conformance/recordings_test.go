package conformance_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leastAnswers are the least that the clients take, by the ends of paths.
var leastAnswers = map[string]string{
	"/chat/completions": `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"ok"}}]}`,
	"/responses":        `{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}`,
	"/messages":         `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
	":generateContent":  `{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}]}`,
	"/api/chat":         `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"ok"},"done":true}`,
}

// provider leastAnswers requests as their providers do.
func provider(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		for end, answer := range leastAnswers {
			if strings.HasSuffix(r.URL.Path, end) {
				_, _ = io.WriteString(w, answer)
				return
			}
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html></html>")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestRecordingsOfRealToolsAreRead has programs record what the official clients send,
// edits the prompt in the program, and records again: the diff is the one sentence.
func TestRecordingsOfRealToolsAreRead(t *testing.T) {
	installed, err := filepath.Abs(filepath.Join("testdata", "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(installed, "venv", "bin", "python")
	node := func(script string) []string { return []string{"node", script + ".mjs"} }
	for _, c := range []struct {
		name, tool, program string // the tool that has to be installed
		record              []string
		edited              string // the file with the prompt
		glob                string
		list, diff          string
	}{
		{
			name: "pytest-recording", tool: "venv", program: python, edited: "agent.py",
			record: []string{python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--record-mode=rewrite"}, glob: "tests/cassettes/**/*.yaml",
			list: `legacy/case=test-claude-ann
legacy/case=test-claude-bob-smith
legacy/case=test_chat
legacy/case=test_gemini
legacy/case=test_llama
legacy/case=test_respond
`, diff: `1 change, 1 prompt, 6 of 6 variants   (HEAD → the working tree)

1  legacy  rules  text changed   tests/cassettes/test_agent/test_claude[ann].yaml:N and 5 more files   ≈+1 token
  affects all 6
  -Be brief. It’s “fine” 🐦.
  +Be{+ very+} brief. It’s “fine” 🐦.
`,
		},
		{
			name: "nock", tool: "npm", program: "node", record: node("nock"), edited: "agent.mjs", glob: "recordings/*.json",
			list: threeProviders, diff: oneSentence("recordings/nock.json:N and 3 more places"),
		},
		{
			name: "Polly", tool: "npm", program: "node", record: node("polly"), edited: "agent.mjs", glob: "recordings/**/*.har",
			list: threeProviders, diff: oneSentence("recordings/agent_1340600742/recording.har:N and 3 more places"),
		},
		{
			name: "Chromium", tool: "npm", program: "node", record: node("har"), edited: "agent.mjs", glob: "recordings/*.har",
			list: "legacy\n", diff: strings.NewReplacer("4 of 4 variants", "1 of 1 variant", "all 4", "its only variant", "≈", "").Replace(oneSentence("recordings/page.har:N")),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			needAt(t, c.tool, c.program)
			chromium := ""
			if c.name == "Chromium" {
				need(t, "chromium")
				chromium, _ = exec.LookPath("chromium")
			}
			dir, server := t.TempDir(), provider(t)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(installed, "programs"))); err != nil {
				t.Fatal(err)
			}
			if c.tool == "npm" {
				if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			record := func() {
				cmd := exec.Command(c.record[0], c.record[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "SERVER="+server, "CHROMIUM="+chromium, "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=127.0.0.1")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			git := func(args ...string) {
				cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			promptc := func(args ...string) string {
				out, stderr, err := run(dir, args...)
				if err != nil {
					t.Fatalf("promptc %v: %v\n%s", args, err, stderr)
				}
				return string(out)
			}
			record()
			git("init", "-q")
			promptc("init", "--rendered", c.glob)
			promptc("check")
			if diff := cmp.Diff(c.list, promptc("list")); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			git("add", ".")
			git("commit", "-q", "-m", "one")
			record()
			if got := promptc("diff"); !strings.HasPrefix(got, "no change in ") {
				t.Errorf("recorded twice:\n%s", got)
			}
			program := filepath.Join(dir, c.edited)
			text, err := os.ReadFile(program)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(program, []byte(strings.Replace(string(text), "Be brief", "Be very brief", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			record()
			if diff := cmp.Diff(c.diff, placeless(promptc("diff"))); diff != "" {
				t.Errorf("after the edit (-want +got):\n%s", diff)
			}
		})
	}
}

// threeProviders are the entries of agent.mjs, which sends one request in each dialect.
const threeProviders = `legacy/case=claude-1
legacy/case=gemini-1
legacy/case=gpt-5-1
legacy/case=gpt-5-2
`

// oneSentence is the diff of these entries after the edit, which stands at a place.
func oneSentence(at string) string {
	return `1 change, 1 prompt, 4 of 4 variants   (HEAD → the working tree)

1  legacy  rules  text changed   ` + at + `   ≈+1 token
  affects all 4
  -Be brief. It’s “fine” 🐦.
  +Be{+ very+} brief. It’s “fine” 🐦.
`
}

var (
	lineNumber = regexp.MustCompile(`(\.(?:yaml|json|har)):\d+( |\n)`)
	columns    = regexp.MustCompile(`(\S) {3,}`)
)

// placeless gives a diff without the numbers of lines, which hang on the program that
// records, and without the width of its columns.
func placeless(diff string) string {
	return columns.ReplaceAllString(lineNumber.ReplaceAllString(diff, "$1:N$2"), "$1   ")
}
