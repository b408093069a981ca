//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package snapshot

import (
	"errors"
	"os"
)

func openLock(dir, _ string) (*os.File, error) { return os.Open(dir) }

// tryLock says that this system has no such locks.
func tryLock(*os.File, bool) (bool, error) { return false, errors.ErrUnsupported }
