//go:build unix

package live

import (
	"os/exec"
	"syscall"
)

// group starts a program in a process group of its own, so that what it starts
// can be ended with it. When its time is over the whole group is asked to end.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// kill ends whatever is left of a group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
