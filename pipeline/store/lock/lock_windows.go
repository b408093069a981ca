package lock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// open opens what the lock is on: the manifest.
func open(dir, manifest string) (*os.File, error) {
	return os.Open(filepath.Join(dir, manifest))
}

// As in Microsoft's documentation of LockFileEx and of system error codes.
const (
	failImmediately = 1
	exclusive       = 2
	errViolation    = syscall.Errno(33)
	behindTheEnd    = 0x7fffffff // of any file, as the upper half of an offset
)

// try takes the lock unless somebody has it: a byte where the file has none,
// so that everybody can read it.
func try(f *os.File, alone bool) (bool, error) {
	how := uintptr(failImmediately)
	if alone {
		how |= exclusive
	}
	at := syscall.Overlapped{OffsetHigh: behindTheEnd}
	lock := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	done, _, err := lock.Call(f.Fd(), how, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case done != 0:
		return true, nil
	case errors.Is(err, errViolation) || errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	default:
		return false, err
	}
}
