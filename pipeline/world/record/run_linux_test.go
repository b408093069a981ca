package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/promptc-build/promptc/pipeline/world/record"
)

// TestMain is, for a test, the program that is recorded.
func TestMain(m *testing.M) {
	switch os.Getenv("RECORDED_AS") {
	case "":
		os.Exit(m.Run())
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		write(os.Getenv("PID_FILE"))
		time.Sleep(time.Hour)
	case "daemon":
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RECORDED_AS=deaf")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			os.Exit(1)
		}
		for {
			if _, err := os.Stat(os.Getenv("PID_FILE")); err == nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func write(file string) {
	_ = os.WriteFile(file+".new", []byte(strconv.Itoa(os.Getpid())), 0o600)
	_ = os.Rename(file+".new", file)
}

func TestNothingIsLeftOfAProgram(t *testing.T) {
	for as, within := range map[string]time.Duration{"deaf": 500 * time.Millisecond, "daemon": time.Minute} {
		t.Run(as, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			recording(t, record.Usual(), nil, func(r *record.Recorder) {
				ended, err := r.Run(t.Context(), record.Command{
					Args: []string{os.Args[0]}, Own: []string{"RECORDED_AS=" + as, "PID_FILE=" + file}, Out: io.Discard, Within: within,
				})
				if err != nil || ended.Late != (as == "deaf") {
					t.Errorf("it ended with %+v: %v", ended, err)
				}
			})
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			for range 200 {
				if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(pid) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("the process %d is still there", pid)
		})
	}
}

// isZombie reports a process that ended, for which nobody asked yet.
func isZombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(text, []byte(") Z "))
}

func TestAProgramEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	file := filepath.Join(t.TempDir(), "pid")
	recording(t, record.Usual(), nil, func(r *record.Recorder) {
		go func() {
			for {
				if _, err := os.Stat(file); err == nil {
					stop()
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		ended, err := r.Run(ctx, record.Command{
			Args: []string{os.Args[0]}, Own: []string{"RECORDED_AS=deaf", "PID_FILE=" + file}, Out: io.Discard, Within: time.Hour,
		})
		if err != nil || ended.Late {
			t.Errorf("it ended with %+v: %v", ended, err)
		}
	})
}
