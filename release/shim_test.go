//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// installed lays the package promptc out as npm does, with a shell script in
// the place of the program, and gives the command that people call.
func installed(t *testing.T, script string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is missing: the program of the npm package is not tested")
	}
	modules := filepath.Join(t.TempDir(), "node_modules")
	out, err := exec.Command("node", "-p", "process.platform + '-' + process.arch").Output()
	must(t, err)
	main, _ := npmMain("1.2.3", nil)
	files, err := untar(main.data)
	must(t, err)
	for _, f := range files {
		path := filepath.Join(modules, "promptc", strings.TrimPrefix(f.name, "package/"))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		write(t, path, f.data)
	}
	if script != "" {
		path := filepath.Join(modules, "@promptc-build", strings.TrimSpace(string(out)), "bin", "promptc")
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	return filepath.Join(modules, "promptc", "bin", "promptc.js")
}

func TestShimPassesArgumentsInputAndStatus(t *testing.T) {
	cmd := exec.Command("node", installed(t, `printf '<%s>' "$@"; cat; echo wrong >&2; exit 7`), "a b", "", "*", "--", "-x")
	cmd.Stdin = strings.NewReader("input")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var status *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &status) || status.ExitCode() != 7 {
		t.Errorf("it ends with %v, want 7", err)
	}
	if got, want := stdout.String()+stderr.String(), "<a b><><*><--><-x>inputwrong\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestShimEndsByTheSignalThatEndedTheProgram(t *testing.T) {
	err := exec.Command("node", installed(t, `kill -TERM $$`)).Run()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("it ends with %v, want SIGTERM", err)
	}
}

func TestShimPassesSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		cmd := exec.Command("node", installed(t, `trap 'exit 42' TERM INT HUP; echo ready; while :; do sleep 0.05; done`))
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("it says %q (%v)", line, err)
		}
		must(t, cmd.Process.Signal(s))
		var status *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &status) || status.ExitCode() != 42 {
			t.Errorf("%s: it ends with %v, want 42", s, err)
		}
	}
}

func TestShimSaysWhatIsMissing(t *testing.T) {
	out, err := exec.Command("node", installed(t, "")).CombinedOutput()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != 3 || !strings.Contains(string(out), "--omit=optional") {
		t.Errorf("it ends with %v and says %q", err, out)
	}
	out, err = exec.Command("node", "-e", `
		Object.defineProperty(process, "platform", {value: "plan9"});
		require(process.argv[1]);`, installed(t, "")).CombinedOutput()
	if !errors.As(err, &status) || status.ExitCode() != 3 || !strings.Contains(string(out), "no program for plan9") {
		t.Errorf("it ends with %v and says %q", err, out)
	}
}
