package live

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// process is a server that is a program, which reads questions from its
// standard input and writes answers to its standard output.
type process struct {
	server Server
	limits Limits
	cmd    *exec.Cmd
	cancel context.CancelFunc
	said   *lastWords
}

func newProcess(s Server, limits Limits) *process {
	return &process{server: s, limits: limits, said: &lastWords{}}
}

// transport starts the program in a process group of its own.
func (p *process) transport(ctx context.Context) (mcp.Transport, error) {
	ctx, p.cancel = context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, p.server.Command, p.server.Args...) //nolint:gosec // the project names it, and somebody ran pull
	cmd.Env, cmd.Dir, cmd.Stderr = p.server.Env, p.server.Dir, p.said
	cmd.WaitDelay = p.limits.Grace
	group(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		e := &Error{Fact: diag.Say("server-not-started", p.server.Name), cause: err}
		if errors.Is(err, exec.ErrNotFound) {
			e.Fact = diag.Say("server-no-program", p.server.Name, p.server.Command)
		}
		return nil, e
	}
	p.cmd = cmd
	return &mcp.IOTransport{
		Reader: io.NopCloser(&budget{from: out, left: p.limits.Bytes}), Writer: in, MaxLineLength: -1,
	}, nil
}

// agreed has nothing to tell a program.
func (p *process) agreed(string) {}

// end ends the program and everything in its group. Its input is closed by now,
// which is how a server is asked to end.
func (p *process) end() error {
	if p.cancel == nil {
		return nil
	}
	defer p.cancel()
	if p.cmd == nil {
		return nil
	}
	timer := time.AfterFunc(p.limits.Grace, p.cancel)
	_ = p.cmd.Wait() // how it ends says nothing: it may have been killed
	timer.Stop()
	kill(p.cmd)
	return nil
}

// because adds what the program wrote to its standard error.
func (p *process) because(err error) error {
	e := lost(p.server, err)
	if said := masked(p.server, p.said.last()); said != "" && e.Hint.None() {
		e.Hint = diag.Say("server-wrote", said)
	}
	return e
}

// lastWords keeps the end of what is written to it, as far as one wants to read
// it.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

const maxKept = 4 << 10

// Write implements [io.Writer].
func (b *lastWords) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, text...)
	if over := len(b.text) - maxKept; over > 0 {
		b.text = append(b.text[:0], b.text[over:]...)
	}
	return len(text), nil
}

// last gives the last line that says something.
func (b *lastWords) last() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(b.text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// errTooMuch ends an answer that is longer than anything that is read.
var errTooMuch = errors.New("the server sent too many bytes")

// budget reads up to a number of bytes.
type budget struct {
	from io.Reader
	left int
}

// Read implements [io.Reader].
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
