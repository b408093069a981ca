package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// Written is a body in JSON.
type Written struct {
	// Parts are the body, one after another. Those of texts are shared by all
	// bodies that an Encoder writes.
	Parts []string
	// Places says for each block of each message where it stands.
	Places [][]Place
}

// Text joins the parts.
func (w Written) Text() string { return strings.Join(w.Parts, "") }

// Place is where a block stands in a body.
type Place struct {
	// Pointer leads to the JSON string (RFC 6901) that holds the block: its
	// text, or an image's data. "" for a body that is the string.
	Pointer string
	// Start is the offset of the block in the decoded string, in bytes.
	Start int
}

// shape is how one dialect says things.
type shape struct {
	name string
	// list is the key of the list of messages, apart that of system text beside it, and
	// content and apartContent those of what a message says in either; "" where it is
	// the value itself.
	list, apart, content, apartContent string
	// calls says that calls stand in a list of their own, images that images do.
	calls, images bool
	// body gives what stands between the settings and the tools.
	body  func(e *encoding) object
	tools func(tools []*Tool) value
	// read takes a body apart.
	read func(d *decoder, n *ground.Node)
}

// shapes are the dialects of ground.Dialects that are JSON, in their order.
var shapes = []shape{
	{
		name: "openai-chat", list: "messages", content: "content", calls: true,
		body: chatBody, tools: each(chatTool), read: readChat,
	},
	{
		name: "openai-responses", list: "input", apart: "instructions", content: "content",
		body: responsesBody, tools: each(responsesTool), read: readResponses,
	},
	{
		name: "anthropic", list: "messages", apart: "system", content: "content",
		body: anthropicBody, tools: each(anthropicTool), read: readAnthropic,
	},
	{
		name: "gemini", list: "contents", apart: "systemInstruction", content: "parts", apartContent: "parts",
		body: geminiBody, tools: geminiTools, read: readGemini,
	},
	{
		name: "ollama", list: "messages", content: "content", calls: true, images: true,
		body: ollamaBody, tools: each(chatTool), read: readOllama,
	},
}

// lookup gives the shape of a dialect, nil for one that has none.
func lookup(d *ground.Dialect) *shape {
	for i := range shapes {
		if d != nil && shapes[i].name == d.Name {
			return &shapes[i]
		}
	}
	return nil
}

// Encoder writes bodies. It remembers how it wrote the texts and the tools that
// bodies share, so that each is written and kept once. It is for one goroutine.
type Encoder struct {
	texts map[string]string // what stands between the quotes, by the text
	lists map[string]string // tools in a dialect, by toolsKey
	known map[*Tool]int
}

// NewEncoder makes an encoder that remembers nothing yet.
func NewEncoder() *Encoder {
	return &Encoder{texts: map[string]string{}, lists: map[string]string{}, known: map[*Tool]int{}}
}

// Encode writes a body in the shape of its dialect, which is one that is JSON.
func (e *Encoder) Encode(b *Body) Written {
	places := make([][]Place, len(b.Messages))
	for m, message := range b.Messages {
		places[m] = make([]Place, len(message.Blocks))
	}
	body := append(others(b.Settings), lookup(b.Dialect).body(&encoding{b})...)
	if len(b.Tools) > 0 {
		body = append(body, member{"tools", written(e.list(b.Dialect, b.Tools, 1))})
	}
	w := writer{encoder: e, places: places}
	body.write(&w)
	w.b.WriteByte('\n')
	w.flush()
	return Written{Parts: w.parts, Places: places}
}

// Tools writes a list of tools as it stands in a request; for a dialect without
// a shape, as they are sent.
func (e *Encoder) Tools(d *ground.Dialect, tools []*Tool) string { return e.list(d, tools, 0) }

// list writes tools as they stand so many levels deep in a body; on the
// outermost with the file's final line break.
func (e *Encoder) list(d *ground.Dialect, tools []*Tool, depth int) string {
	key := e.toolsKey(d, tools, depth)
	if list, ok := e.lists[key]; ok {
		return list
	}
	list := each(func(t *Tool) value { return raw(t.Sent) })
	if s := lookup(d); s != nil {
		list = s.tools
	}
	w := writer{encoder: e, path: make([]string, depth)}
	list(tools).write(&w)
	if depth == 0 {
		w.b.WriteByte('\n')
	}
	e.lists[key] = w.b.String()
	return e.lists[key]
}

// toolsKey tells apart what list writes.
func (e *Encoder) toolsKey(d *ground.Dialect, tools []*Tool, depth int) string {
	key := strconv.AppendInt(nil, int64(depth), 10)
	if d != nil {
		key = append(key, d.Name...)
	}
	for _, t := range tools {
		if _, ok := e.known[t]; !ok {
			e.known[t] = len(e.known)
		}
		key = strconv.AppendInt(append(key, ' '), int64(e.known[t]), 10)
	}
	return string(key)
}

// escaped gives a text as it stands between the quotes of a JSON string, with
// the fewest possible escapes.
func (e *Encoder) escaped(s string) string {
	if out, ok := e.texts[s]; ok {
		return out
	}
	quoted := quoted(s)
	e.texts[s] = quoted[1 : len(quoted)-1]
	return e.texts[s]
}

// encoding is a body while it is written.
type encoding struct{ *Body }

// parted gives the messages in the shape's own place for system text, and those
// of the list. They are indices.
func (e *encoding) parted() (apart, list []int) {
	for m := range e.Messages {
		if e.Messages[m].Apart {
			apart = append(apart, m)
		} else {
			list = append(list, m)
		}
	}
	return apart, list
}

// said gives the text of one block.
func (e *encoding) said(m, b int) spoken {
	out := spoken{blocks: []block{{message: m, index: b}}}
	out.texts = texts(e.Messages[m].Blocks[b])
	return out
}

// joined gives the texts of all blocks of a message that are one, as one string.
func (e *encoding) joined(m int) spoken {
	var out spoken
	start := 0
	for b := range e.Messages[m].Blocks {
		if e.Messages[m].Blocks[b].Kind != Text {
			continue
		}
		out.blocks = append(out.blocks, block{message: m, index: b, start: start})
		for _, text := range texts(e.Messages[m].Blocks[b]) {
			out.texts = append(out.texts, text)
			start += len(text)
		}
	}
	return out
}

// texts gives what a block says, in its parts.
func texts(b Block) []string {
	out := make([]string, 0, len(b.Said))
	for _, p := range b.Said {
		if p.Str != "" {
			out = append(out, p.Str)
		}
	}
	return out
}

// picture gives a string that holds the image of a block.
func picture(text string, m, b int) spoken {
	return spoken{texts: []string{text}, blocks: []block{{message: m, index: b}}}
}

// string gives a text of a block that no place leads to.
func (b Block) string() value { return text(b.Text()) }

// role gives the word of a message for its role, if it is not the usual one.
func (m *Message) role(usual string) value {
	if m.Word != "" {
		return text(m.Word)
	}
	return text(usual)
}

// callID writes the number of a call as an id.
func callID(n int) string { return "call_" + strconv.Itoa(n) }

// each makes a list with one entry for each tool.
func each(entry func(t *Tool) value) func([]*Tool) value {
	return func(tools []*Tool) value {
		out := make(array, 0, len(tools))
		for _, t := range tools {
			if t.Sent != "" {
				out = append(out, raw(t.Sent))
				continue
			}
			out = append(out, entry(t))
		}
		return out
	}
}

// described gives the fields with which every shape begins the definition of a
// tool.
func described(t *Tool) object {
	out := object{{"name", text(t.Name)}}
	if t.Description != "" {
		out = append(out, member{"description", text(t.Description)})
	}
	return out
}

// marker gives the marker of a cache breakpoint, nothing for a block without.
func marker(b Block) object {
	if !b.Marked {
		return nil
	}
	control := object{{"type", text("ephemeral")}}
	if b.Lasting != "" {
		control = append(control, member{"ttl", text(b.Lasting)})
	}
	return object{{"cache_control", control}}
}

// members puts members together.
func members(all ...object) object { return slices.Concat(all...) }
