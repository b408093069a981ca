package watch_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/world/watch"
)

var errEnough = errors.New("enough")

// patience is how long a change may take to be noticed.
const patience = time.Minute

// each runs watch.Each in a goroutine, and gives what it returns. It fails the test
// where that takes too long.
func each(t *testing.T, run func(*watch.Watcher) error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- watch.Each(t.Context(), run) }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatal("no change was noticed")
		return nil
	}
}

func write(t *testing.T, text string, elem ...string) {
	t.Helper()
	file := filepath.Join(elem...)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file+".new", []byte(text), 0o644), os.Rename(file+".new", file)); err != nil {
		t.Error(err)
	}
}

// read looks at a file as a run does.
func read(w *watch.Watcher, dir, name string) string {
	w.See(dir, name)
	text, _ := os.ReadFile(filepath.Join(dir, name))
	return string(text)
}

func TestEveryChangeRunsAgain(t *testing.T) {
	dir, before := t.TempDir(), runtime.NumGoroutine()
	write(t, "0", dir, "a")
	var got []string
	err := each(t, func(w *watch.Watcher) error {
		got = append(got, read(w, dir, "a"))
		if len(got) == 5 {
			return errEnough
		}
		// Before the run has ended, and after it was read.
		write(t, strconv.Itoa(len(got)), dir, "a")
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"0", "1", "2", "3", "4"}, got); d != "" {
		t.Error(d)
	}
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before { // one of each() may have ended after it
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// What nobody looked at is no change: a log, say, or what editors write beside a file.
func TestWhatNobodyLookedAtIsNoChange(t *testing.T) {
	dir := t.TempDir()
	write(t, "0", dir, "sub", "a")
	runs := 0
	err := each(t, func(w *watch.Watcher) error {
		if runs++; runs == 2 {
			return errEnough
		}
		read(w, filepath.Join(dir, "sub"), "a")
		time.AfterFunc(0, func() {
			for i := range 20 {
				write(t, strconv.Itoa(i), dir, "sub", "log")
				time.Sleep(5 * time.Millisecond)
			}
			write(t, "1", dir, "sub", "a")
		})
		return nil
	})
	if text, _ := os.ReadFile(filepath.Join(dir, "sub", "a")); !errors.Is(err, errEnough) || string(text) != "1" {
		t.Errorf("ran again at %q: %v", text, err)
	}
}

// A folder that is not there yet, or not any more, is seen when it comes.
func TestFoldersComeAndGo(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	steps := []func(){
		func() { write(t, "1", deep, "c") },
		func() { _ = os.RemoveAll(filepath.Join(dir, "a")) },
		func() { write(t, "2", deep, "c") },
		func() { _ = os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "other")) },
		func() { _ = os.Rename(filepath.Join(dir, "other"), filepath.Join(dir, "a")) },
		func() { write(t, "3", deep, "c") },
	}
	want := []string{"", "1", "", "2", "", "2", "3"}
	var got []string
	err := each(t, func(w *watch.Watcher) error {
		w.See(dir, "a")
		w.See(filepath.Join(dir, "a"), "b")
		text := read(w, deep, "c")
		if text != want[len(got)] {
			return nil // between two states
		}
		if got = append(got, text); len(got) == len(want) {
			return errEnough
		}
		time.AfterFunc(0, steps[len(got)-1])
		return nil
	})
	if d := cmp.Diff(want, got); d != "" || !errors.Is(err, errEnough) {
		t.Errorf("%v\n%s", err, d)
	}
}

// A name that comes into a folder that was listed is a change.
func TestNewNamesInListedFolders(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	err := each(t, func(w *watch.Watcher) error {
		w.See(dir, "")
		if runs++; runs == 2 {
			return errEnough
		}
		time.AfterFunc(0, func() { write(t, "x", dir, "new") })
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Error(err)
	}
}

// Folders that are moved and removed while others are watched keep nobody waiting.
func TestFoldersThatGoAwayMeanwhile(t *testing.T) {
	dir := t.TempDir()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			from, to := filepath.Join(dir, strconv.Itoa(i%50)), filepath.Join(dir, "gone")
			_ = os.MkdirAll(filepath.Join(from, "sub"), 0o755)
			_ = os.Rename(from, to)
			_ = os.RemoveAll(to)
		}
	}()
	runs := 0
	err := each(t, func(w *watch.Watcher) error {
		for i := range 500 {
			w.See(filepath.Join(dir, strconv.Itoa(i%50)), "")
			w.See(filepath.Join(dir, strconv.Itoa(i%50), "sub"), "x")
		}
		if runs++; runs == 5 {
			return errEnough
		}
		return nil
	})
	close(stop)
	<-stopped
	if !errors.Is(err, errEnough) {
		t.Error(err)
	}
}

func TestFoldersThatMayNotBeRead(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("the superuser may read everything, and Windows has other rights")
	}
	dir := t.TempDir()
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o311); err != nil {
		t.Fatal(err)
	}
	err := each(t, func(w *watch.Watcher) error {
		read(w, dir, "a")
		read(w, closed, "b")
		if d := cmp.Diff([]string{closed}, w.Unseen()); d != "" {
			t.Error(d)
		}
		return errEnough
	})
	if !errors.Is(err, errEnough) {
		t.Error(err)
	}
}
