//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// Group starts a program in a process group of its own, so that what it starts
// can be ended with it. When its time is over the whole group is asked to end.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// Kill ends whatever is left of a group.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
