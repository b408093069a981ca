//go:build unix

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// newRecordable is a folder with a program that sends two requests and takes its time.
func newRecordable(t *testing.T) func(args ...string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	sends := `$OPENAI_BASE_URL/chat/completions {"model": "m", "messages": [{"role": "user", "content": "$1"}]}
$OPENAI_BASE_URL/chat/completions {"model": "m", "messages": [{"role": "user", "content": "more"}]}
`
	if err := os.WriteFile(filepath.Join(dir, "sends.txt"), []byte(sends), 0o644); err != nil {
		t.Fatal(err)
	}
	program := ourProgram(t)
	return func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, append([]string{"record", "--name", "x", "--", filepath.Join(filepath.Dir(program), fakeProgram), "sends.txt"}, args...)...)
		cmd.Dir = dir
		return cmd
	}
}

// TestAKilledRecordingIsWholeOrNone ends promptc at random moments, in each way. What is
// there then is what was there before, or the new recording, and no program goes on.
func TestAKilledRecordingIsWholeOrNone(t *testing.T) {
	record := newRecordable(t)
	dir := record().Dir
	file := filepath.Join(dir, "prompts", "recorded", "x.json")
	states := map[string][]byte{}
	var took time.Duration
	for _, word := range []string{"a", "b"} {
		start := time.Now()
		if said, err := record(word).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		took = time.Since(start)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		states[word] = text
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		for i := range rounds(t, "PROMPTC_RECORD_ROUNDS", 10) {
			word := []string{"a", "b"}[i%2]
			cmd := record(word)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(rand.N(took))
			if err := cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			text, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(text, states["a"]) && !bytes.Equal(text, states["b"]) {
				t.Fatalf("after %s: %v\n%s", s, err, text)
			}
			if left := running(t, dir); len(left) > 0 {
				t.Fatalf("after %s: %q is left", s, left)
			}
		}
	}
}

// running gives the processes that were started in a folder; only Linux says.
func running(t *testing.T, dir string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	for range 100 { // one that is killed takes a moment
		all, err := filepath.Glob("/proc/[0-9]*/cwd")
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, func(name string) bool {
			to, err := os.Readlink(name)
			return err != nil || to != dir
		})
		if len(all) == 0 {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return []string{"a process"}
}

func TestTwoRecordingsAtOnceAreWhole(t *testing.T) {
	record := newRecordable(t)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if said, err := record("a").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
	both.Wait()
	cmd := record("a")
	cmd.Args = slices.Insert(cmd.Args, 2, "--check")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
