package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/world/child"
)

// process is a server that is a program, which reads questions from its
// standard input and writes answers to its standard output.
type process struct {
	server Server
	limits Limits
	cmd    *exec.Cmd
	cancel context.CancelFunc
	// said is what it wrote to its standard error, wrote to its standard output.
	said, wrote *lastWords
}

func newProcess(s Server, limits Limits) *process {
	return &process{server: s, limits: limits, said: &lastWords{}, wrote: &lastWords{}}
}

// transport starts the program in a process group of its own.
func (p *process) transport(ctx context.Context) (mcp.Transport, error) {
	ctx, p.cancel = context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, p.server.Command, p.server.Args...) //nolint:gosec // the project names it, and somebody ran pull
	cmd.Env, cmd.Dir, cmd.Stderr = p.server.Env, p.server.Dir, p.said
	cmd.WaitDelay = p.limits.Grace
	child.Group(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		e := &diag.Failure{Fact: diag.Say("server-not-started", p.server.Name), Cause: err}
		if errors.Is(err, exec.ErrNotFound) {
			e.Fact = diag.Say("server-no-program", p.server.Name, p.server.Command)
		}
		return nil, e
	}
	p.cmd = cmd
	heard := &budget{from: io.TeeReader(out, p.wrote), left: p.limits.Bytes}
	return &mcp.IOTransport{Reader: io.NopCloser(heard), Writer: in, MaxLineLength: -1}, nil
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
	child.Kill(p.cmd)
	return nil
}

// because adds what the program wrote: the line that is no message, and the end of
// its standard error.
func (p *process) because(err error) error {
	e := lost(p.server, p.noMessage(err))
	if said := masked(p.server, p.said.last()); said != "" && e.Hint.None() {
		e.Hint = diag.Say("server-wrote", said)
	}
	return e
}

// noMessage tells the line that is no message of the protocol.
func (p *process) noMessage(err error) error {
	_, ok := errors.AsType[*json.SyntaxError](err)
	if _, told := errors.AsType[*diag.Failure](err); !ok || told {
		return err
	}
	const most = 60 // characters
	line := strings.ToValidUTF8(p.wrote.noMessage(), "\ufffd")
	return &diag.Failure{Fact: diag.Say("server-no-message", p.server.Name, diag.Start(masked(p.server, line), most)), Cause: err}
}

// lastWords keeps the end of what is written to it, as far as one wants to read
// it.
type lastWords struct {
	mu   sync.Mutex
	text []byte
	cut  bool // there was more in front
}

const maxKept = 4 << 10

// Write implements [io.Writer].
func (b *lastWords) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, text...)
	if over := len(b.text) - maxKept; over > 0 {
		b.text, b.cut = append(b.text[:0], b.text[over:]...), true
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

// noMessage gives the first line that does not begin as a message does, else the
// last one. A line whose beginning is cut off is left out: it may begin within a value
// that is masked.
func (b *lastWords) noMessage() (line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := strings.Split(string(b.text), "\n")
	if b.cut {
		lines = lines[1:]
	}
	for _, text := range lines {
		if text = strings.TrimSpace(text); text != "" {
			line = text
		}
		if line != "" && line[0] != '{' {
			break
		}
	}
	return line
}

// errTooMuch ends an answer that is longer than anything that is read.
var errTooMuch = errors.New("too much")

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
