// Package watch runs a function again whenever something changes that its last
// run looked at.
//
// The run says what it looks at before it looks, and that is watched from then on,
// so no change is lost: what came before is read, and what comes later is an event.
// Each run has watches of its own. They are on the folders that were there when it
// looked, so nothing has to be known of folders that were renamed since.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
)

// Most editors save a file in several steps. A change has settled when nothing else
// changes for a moment; where changes do not end, it counts as settled at the limit.
const (
	moment = 30 * time.Millisecond
	limit  = time.Second
)

// ErrFull is the error of a system that takes no more watches.
var ErrFull error = diag.Fail("no-more-watches").WithHint("raise-watches")

// Each calls run, and calls it again after every change of what it saw, until it
// fails, the system takes no more watches, or the context ends.
func Each(ctx context.Context, run func(*Watcher) error) error {
	for {
		if err := once(ctx, run); err != nil {
			return err
		}
	}
}

// once calls run and waits until something has changed.
func once(ctx context.Context, run func(*Watcher) error) error {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return full(err)
	}
	w := &Watcher{
		system: system, changed: make(chan struct{}, 1),
		folders: map[string]error{}, names: map[string]bool{}, listed: map[string]bool{},
	}
	work := func() error {
		defer func() { _ = system.Close() }() // which ends listen
		if err := run(w); err != nil {
			return err
		}
		if err := w.full(); err != nil {
			return err
		}
		w.settle(ctx)
		return ctx.Err()
	}
	_, err = par.TryWaiting([]func() error{w.listen, work}, func(f func() error) (struct{}, error) { return struct{}{}, f() })
	return err
}

// Watcher watches what one run looks at.
type Watcher struct {
	system *fsnotify.Watcher
	// changed holds one value as soon as something has changed.
	changed chan struct{}

	// folders are those that were to be watched, and what kept them from it. Their
	// mutex is held while the system adds one, which can wait for listen; listen
	// never takes it.
	adding  sync.Mutex
	folders map[string]error

	// names are the base names of what was looked at, and listed those of the
	// folders that were listed: in lower case, since some file systems ignore case,
	// and without their paths, since a folder can have several.
	mu            sync.Mutex
	names, listed map[string]bool
}

// See watches a name in a folder or, without a name, all names in it. It is called
// before anybody looks there, and may be called from several goroutines at once.
func (w *Watcher) See(folder, name string) {
	if name == "" {
		w.keep(w.listed, folder)
	} else {
		w.keep(w.names, name)
	}
	w.adding.Lock()
	defer w.adding.Unlock()
	if _, known := w.folders[folder]; !known {
		w.folders[folder] = w.add(folder)
	}
}

func (w *Watcher) keep(in map[string]bool, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in[key(path)] = true
}

// Unseen gives the folders that the user may not watch, sorted.
func (w *Watcher) Unseen() []string {
	w.adding.Lock()
	defer w.adding.Unlock()
	var out []string
	for _, folder := range slices.Sorted(maps.Keys(w.folders)) {
		if errors.Is(w.folders[folder], fs.ErrPermission) {
			out = append(out, folder)
		}
	}
	return out
}

// full gives the error of the first folder that nobody could watch.
func (w *Watcher) full() error {
	w.adding.Lock()
	defer w.adding.Unlock()
	for _, folder := range slices.Sorted(maps.Keys(w.folders)) {
		if err := w.folders[folder]; err != nil && !errors.Is(err, fs.ErrPermission) {
			return full(err)
		}
	}
	return nil
}

// full names the limits that people run into by what they are.
func full(err error) error {
	for _, e := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, e) {
			return ErrFull
		}
	}
	return err
}

// add watches a folder; one that is not there, by the nearest folder above it.
func (w *Watcher) add(folder string) error {
	w.keep(w.names, folder)
	err := w.system.Add(folder)
	above := filepath.Dir(folder)
	if !missing(err) || above == folder {
		return err
	}
	if err := w.add(above); err != nil {
		return err
	}
	// It may have come before the folder above it was watched.
	if err := w.system.Add(folder); !missing(err) {
		return err
	}
	return nil
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// listen takes what the system reports until the watches are closed. It waits for
// nothing else: fsnotify adds no folder while a report waits.
func (w *Watcher) listen() error {
	for {
		select {
		case e, open := <-w.system.Events:
			if !open {
				return nil
			}
			if !w.concerns(e) {
				continue
			}
		case _, open := <-w.system.Errors:
			if !open {
				return nil
			}
			// Reports were lost, or a folder went away: look again.
		}
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}

// concerns tells a change of what was looked at from one beside it, such as the log
// of another program.
func (w *Watcher) concerns(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	const inside = fsnotify.Write | fsnotify.Chmod // of a file, whose name stays
	return w.names[key(e.Name)] || e.Op&^inside != 0 && w.listed[key(filepath.Dir(e.Name))]
}

func key(path string) string { return strings.ToLower(filepath.Base(path)) }

// settle waits for a change, and until changes have settled.
func (w *Watcher) settle(ctx context.Context) {
	select {
	case <-w.changed:
	case <-ctx.Done():
		return
	}
	last := time.After(limit)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.changed:
		case <-time.After(moment):
			return
		case <-last:
			return
		}
	}
}
