package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v4"
)

// offering makes a project with what the test program offers as a server, pulled.
func offering(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	put(t, dir, map[string]string{
		"prompts.yaml": "version: 1\nservers: {files: {command: \"${FAKE_SERVER}\", env: {PROMPTC_FAKE_SERVER: offer.json}}}\n" +
			"sources: {tools: {kind: tools, pull: files}}\nprompts: {agent: {sections: [{id: tools, source: tools}]}}\n",
		"offer.json": `{"tools": [{"name": "read", "description": "Reads.", "inputSchema": {"type": "object"}}]}`,
	})
	env = append(gitWorld(dir), "FAKE_SERVER="+os.Args[0], "PATH="+filepath.Dir(ourProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if status, said := bash(t, dir, "promptc pull && promptc build && git init -q && git add . && git commit -qm one", env...); status != 0 {
		t.Fatal(said)
	}
	return dir, env
}

// Only pull and check --live open a connection, and only to a URL; watch --report and
// record alone listen, and only on the loopback address. strace sees all that a program asks the
// system for.
func TestNothingElseOpensASocket(t *testing.T) {
	needs(t, "bash", "git", "strace")
	dir, env := offering(t)
	if err := exec.Command("strace", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("strace may not look: ", err)
	}
	for _, command := range []string{
		"build", "check", "check --staged", "diff", "list --tokens", "show agent", "explain agent", "tokens offer.json", "init new", "version", "check --live",
	} {
		status, said := bash(t, dir, "strace -f -e trace=socket,connect -o trace promptc "+command, env...)
		if status != 0 {
			t.Errorf("%s exits %d: %s", command, status, said)
		}
		if calls := content(filepath.Join(dir, "trace")); strings.Contains(calls, "socket(") || strings.Contains(calls, "connect(") {
			t.Errorf("%s:\n%s", command, calls)
		}
	}
	local := regexp.MustCompile(`socket\(|listen\(|bind\(.*"(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)"`)
	onlyLocal := func(command string, listens int) {
		calls := content(filepath.Join(dir, "trace"))
		if strings.Count(calls, "listen(") != listens {
			t.Errorf("%s:\n%s", command, calls)
		}
		for line := range strings.Lines(calls) {
			if strings.Contains(line, "(") && (listens == 0 || !local.MatchString(line)) {
				t.Errorf("%s: %s", command, line)
			}
		}
	}
	if status, said := bash(t, dir, "strace -f -e trace=socket,connect,bind,listen -e signal=none -o trace promptc record -- true", env...); status != exitFindings {
		t.Errorf("record exits %d: %s", status, said)
	}
	onlyLocal("record", 2) // for requests, and those that go elsewhere
	for command, listens := range map[string]int{"watch": 0, "watch --report": 1} {
		status, said := bash(t, dir, `strace -f -e trace=socket,connect,bind,listen -e signal=none -o trace sh -c 'echo $$ >pid; exec promptc `+command+` 2>said' &
for i in $(seq 600); do grep -Eq '`+map[int]string{0: "watching", 1: "the page is at"}[listens]+`' said && break; sleep 0.1; done
kill $(cat pid); wait || true; rm said`, env...)
		if status != 0 {
			t.Errorf("%s exits %d: %s", command, status, said)
		}
		onlyLocal(command, listens)
	}
}

// A signal ends the server, too, and nothing is written.
func TestASignalEndsServers(t *testing.T) {
	needs(t, "bash", "ps")
	dir := t.TempDir()
	const mark = "1023.25" // seconds, by which ps finds it
	put(t, dir, map[string]string{"prompts.yaml": "version: 1\nservers: {slow: {command: sleep, args: [\"" + mark + "\"]}}\nprompts: {a: {sections: [{id: a, text: x}]}}\n"})
	status, said := bash(t, dir, `promptc pull slow & pid=$!
for i in $(seq 300); do ps ax -o args | grep -q '^sleep `+mark+`$' && break; sleep 0.1; done
kill -TERM $pid; wait $pid; status=$?
ps ax -o args | grep '^sleep `+mark+`$'
[ ! -e mcp ] && exit $status`, "PATH="+filepath.Dir(ourProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if want := "promptc: stopped: nothing was written\n"; status != exitStopped+int(syscall.SIGTERM) || said != want {
		t.Errorf("exits %d: %s", status, said)
	}
}

// The job that starts servers may write nothing, and the one that opens an issue starts
// nothing.
func TestTheRecipeThatAsksServers(t *testing.T) {
	needs(t, "bash", "git")
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Uses, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "Ask servers every night", "yaml")), &workflow); err != nil {
		t.Fatal(err)
	}
	ask, tell := workflow.Jobs["ask"], workflow.Jobs["tell"]
	if len(workflow.Permissions) > 0 || !maps.Equal(ask.Permissions, map[string]string{"contents": "read"}) ||
		!maps.Equal(tell.Permissions, map[string]string{"issues": "write"}) || len(tell.Steps) != 1 || strings.Contains(tell.Steps[0].Run, "promptc check") {
		t.Errorf("%+v", workflow)
	}
	for name, tc := range map[string]struct{ before, status, title string }{
		"equal":       {"true", "0", ""},
		"drift":       {`sed -i.bak s/Reads/Writes/ offer.json`, "1", "MCP servers offer something else than was pulled"},
		"unreachable": {"rm offer.json", "3", "An MCP server could not be asked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := offering(t)
			put(t, dir, map[string]string{"bin/gh": "#!/bin/sh\n[ \"$1 $2\" = 'issue create' ] && echo \"$6\" > asked\n"})
			if err := os.Chmod(filepath.Join(dir, "bin", "gh"), 0o755); err != nil {
				t.Fatal(err)
			}
			env = append(slices.Clip(env), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "GITHUB_OUTPUT="+filepath.Join(dir, "output"), "GITHUB_REPOSITORY=a/b")
			status, said := bash(t, dir, tc.before+"\nset -eo pipefail\n"+ask.Steps[len(ask.Steps)-1].Run, env...)
			if got := content(filepath.Join(dir, "output")); status != 0 || got != "status="+tc.status+"\n" {
				t.Fatalf("exits %d, %q:\n%s", status, got, said)
			}
			if tc.title == "" {
				return
			}
			status, said = bash(t, dir, "set -eo pipefail\nPATH=$PWD/bin:$PATH\n"+tell.Steps[0].Run, append(env, "STATUS="+tc.status, "RUN=URL")...)
			if got := content(filepath.Join(dir, "asked")); status != 0 || got != tc.title+"\n" {
				t.Errorf("exits %d, asked %q:\n%s", status, got, said)
			}
		})
	}
}

// Who waits at a terminal is told for which server; a log is not.
func TestTheServerThatIsAskedIsNamedOnATerminal(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"prompts.yaml": "version: 1\nservers: {files: {command: \"${FAKE_SERVER}\", env: {PROMPTC_FAKE_SERVER: offer.json}}}\nprompts: {a: {sections: [{id: a, text: x}]}}\n",
		"offer.json":   "{}",
	})
	for _, terminal := range []bool{true, false} {
		var stdout, stderr bytes.Buffer
		con := Console{Stdout: &stdout, Stderr: &stderr, ErrTerminal: terminal, Getenv: func(name string) string {
			return map[string]string{"FAKE_SERVER": os.Args[0]}[name]
		}}
		if status := Run([]string{"promptc", "pull", "--dry-run", "-C", dir, "files"}, con); status != 0 || strings.Contains(stderr.String(), "asking files") != terminal {
			t.Errorf("exits %d, %q", status, stderr.String())
		}
	}
}
