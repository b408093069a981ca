//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/store/lock"
)

// killable is a project that changes between two states, and what a build of
// each writes. Files come, go and change.
type killable struct {
	program, dir string
	manifests    [2]string
	want         [2]outputs
	took         time.Duration // by one build
}

func newKillable(t *testing.T) *killable {
	t.Helper()
	k := &killable{program: ourProgram(t), dir: t.TempDir()}
	for state := range k.manifests {
		var b strings.Builder
		b.WriteString("version: 1\nartifacts: dist\nprompts:\n")
		for p := range 20 {
			fmt.Fprintf(&b, "  p%d:\n    sections:\n      - {id: a, text: %q}\n      - {id: b, text: \"Same %d.\"}\n",
				p+state*8, strings.Repeat(fmt.Sprintf("State %d says much. ", state), 200), p)
		}
		k.manifests[state] = b.String()
		k.set(t, state)
		start := time.Now()
		k.succeeds(t, "build")
		k.took = time.Since(start)
		k.want[state] = written(t, k.dir)
	}
	return k
}

func (k *killable) set(t *testing.T, state int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, "prompts.yaml"), []byte(k.manifests[state]), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (k *killable) command(args ...string) *exec.Cmd {
	cmd := exec.Command(k.program, args...)
	cmd.Dir = k.dir
	return cmd
}

func (k *killable) succeeds(t *testing.T, command string) {
	t.Helper()
	if said, err := k.command(command).CombinedOutput(); err != nil {
		t.Fatalf("promptc %s: %v\n%s", command, err, said)
	}
}

// stop starts a build and sends it a signal at a random moment. It reports
// whether the signal is what ended it.
func (k *killable) stop(t *testing.T, s syscall.Signal) bool {
	t.Helper()
	cmd := k.command("build")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(rand.Int64N(int64(k.took) * 5 / 4)))
	_ = cmd.Process.Signal(s) // it may have ended
	var ended *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return status.Signaled() || status.ExitStatus() == 128+int(s)
}

var temporary = regexp.MustCompile(`/\.[^/]*[0-9]+$`)

// whole holds that one build makes the tree what it has to be.
func (k *killable) whole(t *testing.T, state int) {
	t.Helper()
	k.succeeds(t, "build")
	k.succeeds(t, "check")
	if diff := cmp.Diff(k.want[state], written(t, k.dir)); diff != "" {
		t.Fatalf("after one build:\n%s", diff)
	}
}

// TestBuildsThatMeetAndEnd tries what a killed build leaves, and builds at once,
// on one project.
func TestBuildsThatMeetAndEnd(t *testing.T) {
	t.Parallel()
	k := newKillable(t)
	t.Run("killed", k.killed)
	t.Run("stopped", k.stopped)
	t.Run("at once", k.atOnce)
	t.Run("a check meets a build", k.waits)
}

// killed kills builds at random moments: PROMPTC_KILLS=500 for the full number.
func (k *killable) killed(t *testing.T) {
	wanted, killed, torn, leftovers, further := rounds(t, "PROMPTC_KILLS", 4), 0, 0, 0, 0
	for round := 0; killed < wanted; round++ {
		state := round % 2
		k.set(t, state)
		if !k.stop(t, syscall.SIGKILL) {
			continue
		}
		killed++
		now := written(t, k.dir)
		for p := range now {
			if temporary.MatchString(p) {
				leftovers++
				break
			}
		}
		if !maps.Equal(now, k.want[0]) && !maps.Equal(now, k.want[1]) {
			torn++
		}
		if rand.IntN(3) == 0 || killed == wanted {
			further++
			k.whole(t, state)
		}
	}
	t.Logf("%d kills: %d left temporary files or torn sets, %d temporary files; a further build after %d made all whole", killed, torn, leftovers, further)
}

// stopped ends builds as people and machines do: what was
// there before or all that the build writes, and nothing else. PROMPTC_KILLS=500
// tries each signal 50 times.
func (k *killable) stopped(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			t.Logf("%v is ignored here, as nohup asks, and so by what is started", s)
			continue
		}
		finished := 0
		for stopped, round := 0, 0; stopped < max(1, rounds(t, "PROMPTC_KILLS", 10)/10); round++ {
			state := round % 2
			before := written(t, k.dir)
			k.set(t, state)
			if k.stop(t, s) {
				stopped++
			}
			now := written(t, k.dir)
			if maps.Equal(now, k.want[state]) {
				finished++
			} else if !maps.Equal(now, before) {
				t.Fatalf("%v tears the set:\n%s", s, cmp.Diff(before, now))
			}
			k.whole(t, state)
		}
		t.Logf("%v: after %d of the rounds everything was written", s, finished)
	}
}

// atOnce starts sixteen builds at once:
// PROMPTC_BUILDS=20 for the full number of rounds.
func (k *killable) atOnce(t *testing.T) {
	for round := range rounds(t, "PROMPTC_BUILDS", 1) {
		state := round % 2
		k.set(t, state)
		var builds [16]*exec.Cmd
		var said [16]bytes.Buffer
		for i := range builds {
			builds[i] = k.command("build")
			builds[i].Stderr = &said[i]
			if err := builds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		waited := 0
		for i, b := range builds {
			err := b.Wait()
			if strings.Contains(said[i].String(), "waiting for another promptc build") {
				waited++
			} else if err != nil {
				t.Errorf("build %d: %v\n%s", i, err, said[i].String())
			}
			if err != nil && !strings.Contains(said[i].String(), "has not ended") {
				t.Errorf("build %d: %v\n%s", i, err, said[i].String())
			}
		}
		if diff := cmp.Diff(k.want[state], written(t, k.dir)); diff != "" {
			t.Fatalf("round %d:\n%s", round, diff)
		}
		k.succeeds(t, "check")
		t.Logf("round %d: %d said that they waited", round, waited)
	}
}

// waits holds the lock as a build does,
// in front of a set that is torn and becomes whole before the lock is free.
func (k *killable) waits(t *testing.T) {
	k.set(t, 1)
	k.whole(t, 1)
	for _, command := range []string{"check", "build"} {
		release, err := lock.Take(t.Context(), k.dir, "prompts.yaml", func() error { return errors.New("somebody has the lock") })
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{"dist/p8/p8.txt", "snapshots/p9/outline.txt"} {
			if err := os.Remove(filepath.Join(k.dir, p)); err != nil {
				t.Fatal(err)
			}
		}
		cmd := k.command(command)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		const want = "promptc: note: waiting for another promptc build in this folder\n"
		said := make([]byte, len(want))
		if _, err := io.ReadFull(stderr, said); err != nil || string(said) != want {
			t.Fatalf("%s says %q: %v", command, said, err)
		}
		for _, p := range []string{"dist/p8/p8.txt", "snapshots/p9/outline.txt"} {
			if err := os.WriteFile(filepath.Join(k.dir, p), []byte(k.want[1][p]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		release()
		rest, _ := io.ReadAll(stderr)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, rest)
		}
		k.whole(t, 1)
	}
}
