// Package lock keeps two builds from writing into one folder at a time.
package lock

import (
	"context"
	"errors"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// A process that waits for the lock tries again after each pause, reports it
// after a moment, and gives up at the limit.
const (
	pause  = 20 * time.Millisecond
	moment = 500 * time.Millisecond
	limit  = 10 * time.Second
)

// ErrHeld is the error of a lock that another build kept for too long.
var ErrHeld error = diag.Fail("build-has-not-ended").WithHint("wait-for-build")

// Take keeps other builds away from the manifest's folder dir until release is
// called or the process ends. It waits for a build that has the lock, and calls
// waiting once if that takes longer than a moment. The lock is advisory, and makes
// no file: it is on the folder, or on Windows on a byte of the manifest behind its
// end. On a file system without locks it is free.
func Take(ctx context.Context, dir, manifest string, waiting func() error) (release func(), err error) {
	release, _, err = acquire(ctx, dir, manifest, true, limit, waiting)
	return release, err
}

// Held reports whether a build has the lock of the manifest's folder now.
func Held(dir, manifest string) (bool, error) {
	release, _, err := acquire(context.Background(), dir, manifest, false, 0, nil) // it does not wait
	if errors.Is(err, ErrHeld) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	release()
	return false, nil
}

// Await waits until no build has the lock, and reports whether one had.
func Await(ctx context.Context, dir, manifest string, waiting func() error) (bool, error) {
	release, waited, err := acquire(ctx, dir, manifest, false, limit, waiting)
	if err != nil {
		return waited, err
	}
	release()
	return waited, nil
}

// acquire takes the lock alone, or with others who only look.
func acquire(ctx context.Context, dir, manifest string, alone bool, most time.Duration, waiting func() error) (release func(), waited bool, err error) {
	f, err := open(dir, manifest)
	if err != nil {
		return nil, false, diag.Fail("cannot-lock", err)
	}
	for took := time.Duration(0); ; took += pause {
		free, err := try(f, alone)
		switch {
		case err == nil && free, err != nil: // without locks, as if it were free
			return func() { _ = f.Close() }, waited, nil //nolint:nilerr // see above
		case took >= most:
			return nil, waited, errors.Join(diag.Fail("waited-for", most.Seconds(), ErrHeld), f.Close())
		case took >= moment && took < moment+pause:
			if err := waiting(); err != nil {
				return nil, waited, errors.Join(err, f.Close())
			}
		}
		waited = true
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, waited, errors.Join(ctx.Err(), f.Close())
		}
	}
}
