//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package lock

import (
	"errors"
	"os"
)

func open(dir, _ string) (*os.File, error) { return os.Open(dir) }

// try says that this system has no such locks.
func try(*os.File, bool) (bool, error) { return false, errors.ErrUnsupported }
