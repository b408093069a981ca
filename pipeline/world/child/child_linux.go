package child

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// attributes put a program into a group of its own, and end it with this one, however
// this one ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// endMarked ends processes, and reports whether there was one.
func endMarked(mark string) (found bool) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is right
	for _, name := range all {
		environment, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(environment, []byte(mark)) {
			continue // of another user, or gone
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if group, err := syscall.Getpgid(pid); err == nil && group != syscall.Getpgrp() {
			pid = -group // with those that it starts meanwhile
		}
		found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
	}
	return found
}
