// Package live asks MCP servers what they offer: their tools, prompts,
// templates of resources and instructions. It is the only room that opens a
// connection or starts a server, and the only one that links the SDK of the
// protocol. It takes nothing for granted: every answer is bounded in time,
// bytes, pages and items, and whatever it started is ended before it returns.
//
// The SDK carries the messages. What they say is kept as the server wrote it:
// the SDK's types drop unknown fields, tools that they cannot read, and large
// integers.
package live

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Server is a server to ask, with all variables expanded. It has a command or a
// URL.
type Server struct {
	Name    string
	Command string
	Args    []string
	// Env is the whole environment of the command, as NAME=VALUE.
	Env []string
	// Dir is the folder that the command is started in.
	Dir     string
	URL     string
	Headers []Header
	// Passed are the values that the server gets and must not repeat.
	Passed []string
	// Version is what promptc calls itself.
	Version string
}

// Header is a header of every request.
type Header struct{ Name, Value string }

// Limits bound what a server may take and give.
type Limits struct {
	Connect, Whole time.Duration // from the start
	// Grace is how long a server may take to end before it is killed.
	Grace    time.Duration
	Pages    int // of one list
	Items    int // of one list
	Messages int // that nobody asked for
	Bytes    int // of all messages together
}

// Default is what is limited unless a test asks for less.
func Default() Limits {
	return Limits{
		Connect: 30 * time.Second, Whole: 60 * time.Second, Grace: 2 * time.Second,
		Pages: 100, Items: 2000, Messages: 1000, Bytes: 32 << 20,
	}
}

// Answer is what a server says of itself, as it wrote it.
type Answer struct {
	// Hello is the result of initialize.
	Hello json.RawMessage
	// Protocol is the version of the protocol that was agreed on.
	Protocol string
	// Tools, Prompts and Resources are the items of its lists, in its order;
	// resources are templates.
	Tools, Prompts, Resources []json.RawMessage
}

// Ask connects to a server and lists what it offers. The error is an [*diag.Failure].
func Ask(ctx context.Context, s Server, limits Limits) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, limits.Whole)
	defer cancel()
	var to line
	if s.URL != "" {
		to = newRequests(s, limits)
	} else {
		to = newProcess(s, limits)
	}
	answer, err := ask(ctx, s, to, limits)
	ended := to.end()
	switch {
	case err != nil:
		return nil, to.because(err)
	case ended != nil:
		return nil, ended
	}
	if err := repeated(s, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// line is the way to a server.
type line interface {
	// transport gives what carries the messages; ctx ends whatever it starts.
	transport(ctx context.Context) (mcp.Transport, error)
	// agreed is told the version of the protocol.
	agreed(version string)
	// because says more about an error, if the line knows why.
	because(err error) error
	// end closes everything that was started and waits for it.
	end() error
}

func ask(ctx context.Context, s Server, to line, limits Limits) (*Answer, error) {
	first, cancel := context.WithTimeout(ctx, limits.Connect)
	defer cancel()
	t, err := to.transport(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := t.Connect(ctx)
	if err != nil {
		return nil, failed(diag.Say("server-not-started", s.Name), err)
	}
	// Closing says good-bye to the server; what does not listen is ended by end.
	defer func() { _ = conn.Close() }()
	c := &session{server: s, conn: conn, limits: limits}
	hello, err := c.hello(first, s.Version)
	if err != nil {
		return nil, tooSlow(first, s.Name, limits.Connect, err)
	}
	to.agreed(hello.ProtocolVersion)
	if err := c.begin(first); err != nil {
		return nil, tooSlow(first, s.Name, limits.Connect, err)
	}
	answer, err := c.lists(ctx, hello)
	if err != nil {
		return nil, tooSlow(ctx, s.Name, limits.Whole, err)
	}
	return answer, nil
}

// tooSlow says that a server did not answer in time, if that is what an error
// comes from.
func tooSlow(ctx context.Context, name string, limit time.Duration, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &diag.Failure{Fact: diag.Say("server-too-slow", name, limit.Seconds()), Cause: err}
	}
	return err
}
