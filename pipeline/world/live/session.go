package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// versions are those of the protocol that lists are known of, the newest first.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// session asks one question after another.
type session struct {
	server Server
	conn   mcp.Connection
	limits Limits
	asked  int
	// unasked counts the messages that answer nothing.
	unasked int
}

// hello is the result of initialize.
type hello struct {
	raw             json.RawMessage
	ProtocolVersion string                     `json:"protocolVersion"`
	Capabilities    map[string]json.RawMessage `json:"capabilities"`
}

// hello agrees on a version of the protocol. We offer no capabilities, so that
// the server has nothing to ask us for.
func (c *session) hello(ctx context.Context, version string) (hello, error) {
	var out hello
	raw, err := c.call(ctx, "initialize", map[string]any{
		"protocolVersion": versions[0],
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "promptc", "version": version},
	})
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, failed(diag.Say("server-no-protocol", c.server.Name), err)
	}
	if !slices.Contains(versions, out.ProtocolVersion) {
		return out, failed(diag.Say("server-protocol-unknown", c.server.Name, masked(c.server, out.ProtocolVersion)), nil)
	}
	out.raw = raw
	return out, nil
}

// begin tells the server that the questions come now.
func (c *session) begin(ctx context.Context) error {
	return c.write(ctx, &jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage("{}")})
}

// lists asks for everything that the server says it has.
func (c *session) lists(ctx context.Context, h hello) (*Answer, error) {
	out := &Answer{Hello: h.raw, Protocol: h.ProtocolVersion}
	for _, one := range []struct {
		capability, method, key string
		to                      *[]json.RawMessage
	}{
		{"tools", "tools/list", "tools", &out.Tools},
		{"prompts", "prompts/list", "prompts", &out.Prompts},
		{"resources", "resources/templates/list", "resourceTemplates", &out.Resources},
	} {
		if _, ok := h.Capabilities[one.capability]; !ok {
			continue
		}
		items, err := c.list(ctx, one.method, one.key)
		if err != nil {
			return nil, err
		}
		*one.to = items
	}
	return out, nil
}

// list reads all pages of a list. Servers that have resources, but no templates
// of them, often do not know the question: then there are none.
func (c *session) list(ctx context.Context, method, key string) ([]json.RawMessage, error) {
	var out []json.RawMessage
	params, met := map[string]any{}, map[string]bool{}
	for range c.limits.Pages {
		raw, err := c.call(ctx, method, params)
		if unknown, ok := errors.AsType[*jsonrpc.Error](err); ok && unknown.Code == jsonrpc.CodeMethodNotFound {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		var page map[string]json.RawMessage
		var items []json.RawMessage
		var cursor string
		if err := errors.Join(json.Unmarshal(raw, &page), optional(page[key], &items), optional(page["nextCursor"], &cursor)); err != nil {
			return nil, failed(diag.Say("server-list-unreadable", c.server.Name, method), err)
		}
		if out = append(out, items...); len(out) > c.limits.Items {
			return nil, failed(diag.Say("server-list-long", c.server.Name, method, diag.Count(c.limits.Items)), nil)
		}
		switch {
		case cursor == "":
			return out, nil
		case met[cursor]:
			return nil, failed(diag.Say("server-cursor-repeats", c.server.Name, method), nil)
		}
		met[cursor] = true
		params["cursor"] = cursor
	}
	return nil, failed(diag.Say("server-list-pages", c.server.Name, method, diag.Count(c.limits.Pages)), nil)
}

// optional reads a value that may be missing.
func optional(raw json.RawMessage, to any) error {
	if raw == nil {
		return nil
	}
	return json.Unmarshal(raw, to)
}

// call asks a question and waits for its answer.
func (c *session) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.asked++
	id, err := jsonrpc.MakeID(float64(c.asked))
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if err := c.write(ctx, &jsonrpc.Request{ID: id, Method: method, Params: body}); err != nil {
		return nil, err
	}
	for {
		msg, err := c.conn.Read(ctx)
		if err != nil {
			return nil, c.lost(err)
		}
		switch m := msg.(type) {
		case *jsonrpc.Response:
			if m.ID != id {
				return nil, failed(diag.Say("server-answers-other", c.server.Name), nil)
			}
			return c.result(method, m)
		case *jsonrpc.Request:
			if err := c.unaskedFor(ctx, m); err != nil {
				return nil, err
			}
		}
	}
}

// result is what an answer says.
func (c *session) result(method string, m *jsonrpc.Response) (json.RawMessage, error) {
	if m.Error != nil {
		if said, ok := errors.AsType[*jsonrpc.Error](m.Error); ok {
			return nil, failed(diag.Say("server-answers-error", c.server.Name, method, masked(c.server, said.Message)), said)
		}
		return nil, failed(diag.Say("server-no-answer", c.server.Name, method), m.Error)
	}
	if !utf8.Valid(m.Result) {
		return nil, failed(diag.Say("server-not-utf8", c.server.Name, method), nil)
	}
	return bytes.Clone(m.Result), nil
}

// maxAnswers is how many questions of a server are answered. It may ping; what
// it does not read must not fill its pipe, or we would wait for ever.
const maxAnswers = 16

// unaskedFor takes a message that answers nothing.
func (c *session) unaskedFor(ctx context.Context, m *jsonrpc.Request) error {
	c.unasked++
	if c.unasked > c.limits.Messages {
		return failed(diag.Say("server-talks", c.server.Name, diag.Count(c.limits.Messages)), nil)
	}
	if !m.IsCall() || c.unasked > maxAnswers {
		return nil
	}
	answer := &jsonrpc.Response{ID: m.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "promptc offers nothing"}}
	if m.Method == "ping" {
		answer = &jsonrpc.Response{ID: m.ID, Result: json.RawMessage("{}")}
	}
	return c.write(ctx, answer)
}

func (c *session) write(ctx context.Context, msg jsonrpc.Message) error {
	if err := c.conn.Write(ctx, msg); err != nil {
		return c.lost(err)
	}
	return nil
}

// lost says that the connection ended.
func (c *session) lost(err error) error {
	if errors.Is(err, errTooMuch) {
		return failed(diag.Say("server-too-much", c.server.Name, diag.Count(c.limits.Bytes)), err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, io.ErrUnexpectedEOF) {
		return failed(diag.Say("server-ended", c.server.Name), err)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return err // because tells the line
	}
	return lost(c.server, err)
}
