//go:build !unix

package child

import (
	"os/exec"
	"strconv"
)

// Group has the system end what a program started with it.
func Group(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		tree := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)) //nolint:gosec,noctx // a number
		return tree.Run()
	}
}

// Kill has nothing left to do: a program that ended by itself has no tree.
func Kill(*exec.Cmd) {}
