package snapshot

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// openLock opens what the lock is on: the manifest.
func openLock(dir, manifest string) (*os.File, error) {
	return os.Open(filepath.Join(dir, manifest))
}

// As in Microsoft's documentation of LockFileEx and of system error codes.
const (
	lockFailImmediately = 1
	lockExclusive       = 2
	errLockViolation    = syscall.Errno(33)
	behindTheEnd        = 0x7fffffff // of any file, as the upper half of an offset
)

// tryLock takes the lock unless somebody has it: a byte where the file has none,
// so that everybody can read it.
func tryLock(f *os.File, alone bool) (bool, error) {
	how := uintptr(lockFailImmediately)
	if alone {
		how |= lockExclusive
	}
	at := syscall.Overlapped{OffsetHigh: behindTheEnd}
	lock := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	done, _, err := lock.Call(f.Fd(), how, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case done != 0:
		return true, nil
	case errors.Is(err, errLockViolation) || errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	default:
		return false, err
	}
}
