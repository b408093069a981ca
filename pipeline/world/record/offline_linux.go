package record

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
)

// Offline runs this program again where there is only the loopback address, with other
// streams and the same arguments, and gives how it ended. Where that is so already, it
// runs nothing, and again is false.
func Offline(args []string, in io.Reader, out, errs io.Writer, signals ...os.Signal) (status int, again bool, err error) {
	alone, err := onlyLoopback()
	if err != nil {
		return 0, false, err
	}
	if alone {
		return 0, false, raise()
	}
	cmd := exec.Command("/proc/self/exe", args[1:]...) //nolint:gosec,noctx // ourselves
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Pdeathsig:   syscall.SIGKILL, // however this one ends
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		AmbientCaps: []uintptr{unix.CAP_NET_ADMIN}, // to raise the loopback interface
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, signals...)
	defer signal.Stop(heard)
	if err := cmd.Start(); err != nil {
		return 0, true, &diag.Failure{Fact: diag.Say("offline-refused"), Cause: err}
	}
	ended := make(chan struct{})
	wait := func() error {
		defer close(ended)
		_ = cmd.Wait() // how it ends is in its state
		return nil
	}
	forward := func() error {
		for {
			select {
			case s := <-heard:
				_ = cmd.Process.Signal(s) // it may have ended
			case <-ended:
				return nil
			}
		}
	}
	_, err = par.TryWaiting([]func() error{wait, forward}, func(f func() error) (struct{}, error) { return struct{}{}, f() })
	return cmd.ProcessState.ExitCode(), true, err
}

func onlyLoopback() (bool, error) {
	all, err := net.Interfaces()
	return !slices.ContainsFunc(all, func(i net.Interface) bool { return i.Flags&net.FlagLoopback == 0 }), err
}

// raise brings the loopback interface up.
func raise() (err error) {
	lo, err := net.InterfaceByName("lo")
	if err != nil || lo.Flags&net.FlagUp != 0 {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}
