package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEveryCommandHasAnExample(t *testing.T) {
	for _, cmd := range newApp(Console{}).Commands {
		if !strings.Contains(cmd.Description, "Examples:\n\n  ") {
			t.Errorf("%s has none", cmd.Name)
		}
	}
}

// recordedProject is a project that a program called node sends the prompts of.
const recordedProject = `printf '#!/bin/sh\nexec agent sends.txt\n' >node
chmod +x node
echo '$OPENAI_BASE_URL/chat/completions {"model": "m", "messages": [{"role": "system", "content": "You help."}]}' >sends.txt
printf 'version: 1\nprompts:\n  bot: {rendered: bot.json, record: {run: [./node, agent.js]}}\n' >prompts.yaml
promptc record`

// Each example runs in a repository with the project that init writes, and with
// files of another program's tests.
func TestExamplesRun(t *testing.T) {
	needs(t, "sh")
	env := slices.Concat(os.Environ(), gitWorld(t.TempDir()), []string{
		"NO_COLOR=1", "FAKE_SERVER=" + os.Args[0], "PATH=" + filepath.Dir(ourProgram(t)) + string(os.PathListSeparator) + os.Getenv("PATH"),
	})
	run := func(dir, line string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", line)
		cmd.Dir, cmd.Env = dir, env
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, said)
		}
	}
	project := t.TempDir()
	run(project, `git init -qb main
promptc init
echo 'artifacts: dist' >>prompts.yaml
promptc build
mkdir -p test/__snapshots__
cat >test/__snapshots__/a.test.ts.snap <<'END'
// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[`+"`greets 1`] = `\n\"Hello.\nHow can I help?\"\n`;"+`
END
echo '{"mcpServers": {"files": {"command": "${FAKE_SERVER}", "env": {"PROMPTC_FAKE_SERVER": "offer.json"}}}}' >.mcp.json
echo '{"tools": [{"name": "read", "inputSchema": {"type": "object"}}]}' >offer.json
promptc pull files
git add . && git commit -qm first && git tag v1.2 && git tag v1.3
echo 'Say what you did not test.' >>prompts/role.md
promptc build && git add .`)
	for _, e := range examples {
		dir := t.TempDir()
		if e.command == "init" {
			run(dir, "git init -q")
			if strings.Contains(e.line, "--rendered") {
				run(dir, "cp -r '"+project+"/test' .")
			}
		} else if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
			t.Fatal(err)
		}
		if e.command == "record" {
			run(dir, recordedProject)
			e.line = "PATH=$PWD:$PATH; " + e.line
		}
		if e.command == "watch" { // it ends when it is told to
			e.line += " & sleep 1; kill $!"
		}
		run(dir, e.line)
	}
}

func TestManualHasNoMistakes(t *testing.T) {
	need(t, "mandoc")
	was := releaseDate
	t.Cleanup(func() { releaseDate = was })
	releaseDate = "2026-01-31T12:00:00Z" // as a release has it
	app := newApp(Console{})
	app.Setup()
	cmd := exec.Command("mandoc", "-Tlint")
	cmd.Stdin = strings.NewReader(manual(app))
	if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%v\n%s", err, said)
	}
}
