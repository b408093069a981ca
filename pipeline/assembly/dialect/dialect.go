// Package dialect writes artifacts as the request bodies of providers: exactly
// the fragment that a prompt decides, and nothing else.
package dialect

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Encoder writes artifacts. It remembers how it wrote the texts and the tools
// that artifacts share, so that each is written and kept once. It is for one
// goroutine.
type Encoder struct {
	bodies *request.Encoder
	tools  map[sentTool]*request.Tool
}

// sentTool is a tool as it stands in a request, or beside a text.
type sentTool struct {
	tool   *language.Tool
	beside bool
}

// NewEncoder makes an encoder that remembers nothing yet.
func NewEncoder() *Encoder {
	return &Encoder{bodies: request.NewEncoder(), tools: map[sentTool]*request.Tool{}}
}

// Encode writes an artifact in the dialect of its variant.
func Encode(a *assembly.Artifact) request.Written { return NewEncoder().Encode(a) }

// Tools writes the list of tools as it stands in a request; for the dialect
// `text` the definitions in canonical form, as they stand beside the text.
func Tools(d *ground.Dialect, tools []*language.Tool) string { return NewEncoder().Tools(d, tools) }

// Encode writes an artifact in the dialect of its variant. What the places of
// the result say is about the blocks of the artifact; of a request that a program
// sent, about those of its body.
func (e *Encoder) Encode(a *assembly.Artifact) request.Written {
	switch sent := a.Variant.Sent; {
	case sent != nil:
		return e.bodies.Encode(sent.Entry.Sent.Body)
	case !a.Variant.Shape().JSON:
		return plainText(a)
	default:
		return e.bodies.Encode(e.body(a))
	}
}

// Tools is the function of that name.
func (e *Encoder) Tools(d *ground.Dialect, tools []*language.Tool) string {
	return e.bodies.Tools(d, e.sent(d, tools))
}

// plainText gives the text alone, as it is reviewed.
func plainText(a *assembly.Artifact) request.Written {
	out := request.Written{Places: make([][]request.Place, len(a.Messages))}
	for m, message := range a.Messages {
		for _, block := range message.Blocks {
			start := a.Bytes()
			if block.From < len(a.Parts) {
				start = a.Parts[block.From].Start
			}
			out.Places[m] = append(out.Places[m], request.Place{Start: start})
		}
	}
	for _, p := range a.Parts {
		if p.Text != "" {
			out.Parts = append(out.Parts, p.Text)
		}
	}
	return out
}

// sent gives the tools as a dialect sends them: a provider's own as it is
// written, and all of them where there is no request.
func (e *Encoder) sent(d *ground.Dialect, tools []*language.Tool) []*request.Tool {
	out := make([]*request.Tool, len(tools))
	for i, t := range tools {
		key := sentTool{t, d == nil || !d.JSON}
		if e.tools[key] == nil {
			known := &request.Tool{Name: t.Name, Description: t.Description, Input: t.Input, Strict: t.Strict}
			if t.Provider != "" || key.beside {
				known.Sent = strings.TrimSuffix(t.Canonical, "\n")
			}
			e.tools[key] = known
		}
		out[i] = e.tools[key]
	}
	return out
}

// body gives an artifact as a request. Where a system text has a place of its own,
// a first message that is one stands there.
func (e *Encoder) body(a *assembly.Artifact) *request.Body {
	d := a.Variant.Dialect
	alone := a.Variant.Messages == nil // sections, whose text alone is decided here
	out := &request.Body{Dialect: d, NoList: alone, Tools: e.sent(d, a.Beside)}
	for i, said := range a.Messages {
		m := request.Message{Role: said.Role}
		for _, b := range said.Blocks {
			block := request.Block{Image: b.Image, Marked: b.Marked}
			if b.Image != nil {
				block.Kind = request.Picture
			}
			for _, p := range a.Parts[b.From:b.To] {
				block.Said = append(block.Said, ground.Literal(p.Text))
			}
			m.Blocks = append(m.Blocks, block)
		}
		conventions[d.Name](&m, i == 0 && said.Role == language.RoleSystem, alone)
		out.Messages = append(out.Messages, m)
	}
	return out
}

// conventions are how each dialect writes a message where its provider leaves a
// choice. first says that it is a system message and the first of all, alone that
// there is no other.
var conventions = map[string]func(m *request.Message, first, alone bool){
	// A string, where a string can say it.
	"openai-chat": func(m *request.Message, _, _ bool) {
		if len(m.Blocks) == 0 || len(m.Blocks) == 1 && m.Blocks[0].Image == nil && !m.Blocks[0].Marked {
			m.Content = request.Plain
		}
	},
	// Sections alone are its instructions; a conversation is its input, system text
	// included. What parts an answer has depends on its own type, so it is a string.
	"openai-responses": func(m *request.Message, _, alone bool) {
		m.Apart = alone
		if alone || m.Role == language.RoleAssistant {
			m.Content = request.Plain
		}
		for i := range m.Blocks {
			if m.Blocks[i].Image != nil {
				m.Blocks[i].Rest = []ground.Field{{Key: "detail", Value: &ground.Node{Kind: ground.String, Text: ground.Literal("auto")}}}
			}
		}
	},
	// A list of blocks, which the API takes everywhere.
	"anthropic": func(m *request.Message, first, _ bool) { m.Apart = first },
	"gemini":    func(m *request.Message, first, _ bool) { m.Apart, m.Unsaid = first, first },
}
