package lock

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestTheLockOfAFolderIsForOneAtATime(t *testing.T) {
	if runtime.GOOS != "windows" && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("no locks here")
	}
	dir, name := t.TempDir(), "prompts.yaml"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("version: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	held := func(want bool) {
		t.Helper()
		if got, err := Held(dir, name); err != nil || got != want {
			t.Errorf("held is %v, want %v: %v", got, want, err)
		}
	}
	held(false)
	release, err := Take(t.Context(), dir, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	held(true)
	if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "version: 1\n" {
		t.Errorf("the manifest cannot be read: %q, %v", text, err)
	}
	said := 0
	_, waited, err := acquire(t.Context(), dir, name, true, moment+5*pause, func() error { said++; return nil })
	if !errors.Is(err, ErrHeld) || !waited || said != 1 {
		t.Errorf("waited is %v, said so %d times: %v", waited, said, err)
	}
	_, _, err = acquire(t.Context(), dir, name, true, time.Hour, func() error { return os.ErrClosed })
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
	release()
	held(false)
	if waited, err := Await(t.Context(), dir, name, nil); err != nil || waited {
		t.Errorf("nobody has it: %v, %v", waited, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the lock made a file: %v, %v", entries, err)
	}
	if _, err := Take(t.Context(), filepath.Join(dir, "nowhere"), name, nil); err == nil {
		t.Error("no error")
	}
}
