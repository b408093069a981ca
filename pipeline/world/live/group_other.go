//go:build !unix

package live

import (
	"os/exec"
	"strconv"
)

// group has the system end what a program started with it.
func group(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		tree := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)) //nolint:gosec,noctx // a number
		return tree.Run()
	}
}

// kill has nothing left to do: a program that ended by itself has no tree.
func kill(*exec.Cmd) {}
