//go:build unix

package main

import "syscall"

// minFiles is how many open files a run needs at least. With fewer, the runtime
// of Go ends a process by itself, with the status of a wrong command line.
const minFiles = 16

// enoughFiles refuses a limit on open files with which nothing can be done.
func enoughFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil && limit.Cur < minFiles {
		return (&status{code: exitFailed, message: "too few open files are allowed"}).withHint("run: ulimit -n 256")
	}
	return nil
}
