package record

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/world/child"
)

// Command is a program that is recorded.
type Command struct {
	Args   []string // with the program
	Dir    string
	Env    []string // that of the caller: "NAME=value"
	Own    []string // variables of the program's own
	In     io.Reader
	Out    io.Writer     // what it prints, to both of its streams
	Within time.Duration // after which it is ended
}

// Ended says how a program ended.
type Ended struct {
	Status int  // -1 for one that a signal ended
	Late   bool // its time was over
}

// reason gives what the system says, without what it was asked.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	return err.Error()
}

// grace is how long a program that is asked to end may take.
const grace = 2 * time.Second

// Run runs a command until it ends, its time is over, or the context ends. Nothing that
// it started is left, as far as the system says what that is. The error says that it
// could not be started.
func (r *Recorder) Run(ctx context.Context, c Command) (Ended, error) {
	timed, stop := context.WithTimeout(ctx, c.Within)
	defer stop()
	var args []string
	for _, a := range c.Args {
		args = append(args, r.Expand(a))
	}
	cmd := exec.CommandContext(timed, args[0], args[1:]...) //nolint:gosec // somebody asked for it to be run
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.In, c.Out, c.Out
	cmd.Env, cmd.WaitDelay = r.environment(c.Env, c.Own), grace
	child.Group(cmd)
	if err := cmd.Start(); err != nil {
		e := &diag.Failure{Fact: diag.Say("command-not-started", args[0], reason(err)), Cause: err}
		if errors.Is(err, exec.ErrNotFound) {
			e.Fact = diag.Say("command-not-found", args[0])
		}
		return Ended{}, e
	}
	_ = cmd.Wait() // how it ends is in its state
	child.Kill(cmd)
	child.EndMarked(r.secret)
	return Ended{Status: cmd.ProcessState.ExitCode(), Late: errors.Is(timed.Err(), context.DeadlineExceeded) && ctx.Err() == nil}, nil
}
