// Package dialect writes artifacts as the request bodies of providers: exactly
// the fragment that a prompt decides, and nothing else.
package dialect

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Body is what an artifact's file holds.
type Body struct {
	Text string
	// Places says for each block of each message of the artifact where it
	// stands.
	Places [][]Place
}

// Place is where a block stands in a body.
type Place struct {
	// Pointer leads to the JSON string (RFC 6901) that holds the block: its
	// text, or an image's data. "" for the dialect `text`, where the body is
	// the string.
	Pointer string
	// Start is the offset of the block in the decoded string, in bytes.
	Start int
}

// encoder writes the shape of one dialect.
type encoder struct {
	name string
	// body gives what stands before the tools.
	body  func(a *prompt.Artifact) object
	tools func(tools []*prompt.Tool) value
}

// encoders are the dialects of prompt.Dialects that are JSON, in their order.
var encoders = []encoder{
	{name: "openai-chat", body: chatBody, tools: each(chatTool)},
	{name: "openai-responses", body: responsesBody, tools: each(responsesTool)},
	{name: "anthropic", body: anthropicBody, tools: each(anthropicTool)},
	{name: "gemini", body: geminiBody, tools: geminiTools},
}

// Encode writes an artifact in the dialect of its variant.
func Encode(a *prompt.Artifact) Body {
	places := make([][]Place, len(a.Messages))
	for m, message := range a.Messages {
		places[m] = make([]Place, len(message.Blocks))
	}
	e := lookup(a.Variant.Dialect)
	if e == nil {
		return plainText(a, places)
	}
	body := e.body(a)
	if len(a.Beside) > 0 {
		body = append(body, member{"tools", e.tools(a.Beside)})
	}
	w := writer{places: places}
	body.write(&w)
	w.b.WriteByte('\n')
	return Body{Text: w.b.String(), Places: places}
}

// Tools writes the list of tools as it stands in a request; for the dialect
// `text` the definitions in canonical form, as they stand beside the text.
func Tools(d *prompt.Dialect, tools []*prompt.Tool) string {
	list := each(canonicalTool)
	if e := lookup(d); e != nil {
		list = e.tools
	}
	w := writer{}
	list(tools).write(&w)
	w.b.WriteByte('\n')
	return w.b.String()
}

// lookup gives the encoder of a dialect, nil for `text`.
func lookup(d *prompt.Dialect) *encoder {
	for i := range encoders {
		if d != nil && encoders[i].name == d.Name {
			return &encoders[i]
		}
	}
	return nil
}

// plainText gives the text alone, as it is reviewed.
func plainText(a *prompt.Artifact, places [][]Place) Body {
	for m, message := range a.Messages {
		for b, block := range message.Blocks {
			places[m][b].Start = a.Bytes()
			if block.From < len(a.Parts) {
				places[m][b].Start = a.Parts[block.From].Start
			}
		}
	}
	return Body{Text: a.Text(), Places: places}
}

// said gives the text of one block.
func said(a *prompt.Artifact, m, b int) spoken {
	return spoken{text: a.BlockText(a.Messages[m].Blocks[b]), blocks: []block{{message: m, index: b}}}
}

// joined gives the texts of all blocks of a message as one string.
func joined(a *prompt.Artifact, m int) spoken {
	var out spoken
	var text strings.Builder
	for b, bl := range a.Messages[m].Blocks {
		out.blocks = append(out.blocks, block{message: m, index: b, start: text.Len()})
		text.WriteString(a.BlockText(bl))
	}
	out.text = text.String()
	return out
}

// picture gives a string that holds the image of a block.
func picture(text string, m, b int) spoken {
	return spoken{text: text, blocks: []block{{message: m, index: b}}}
}

// parted gives the system message, where an artifact has one, apart from the
// rest: dialects in which it stands in a place of its own. The messages are
// indices.
func parted(a *prompt.Artifact) (system, rest []int) {
	for m, message := range a.Messages {
		if m == 0 && message.Role == prompt.RoleSystem {
			system = append(system, m)
		} else {
			rest = append(rest, m)
		}
	}
	return system, rest
}

// each makes a list with one entry for each tool.
func each(entry func(t *prompt.Tool) value) func([]*prompt.Tool) value {
	return func(tools []*prompt.Tool) value {
		out := make(array, 0, len(tools))
		for _, t := range tools {
			out = append(out, entry(t))
		}
		return out
	}
}

// described gives the fields with which every dialect begins the definition of
// a tool.
func described(t *prompt.Tool) object {
	out := object{{"name", text(t.Name)}}
	if t.Description != "" {
		out = append(out, member{"description", text(t.Description)})
	}
	return out
}

// canonicalTool gives a definition in the form that snapshots have.
func canonicalTool(t *prompt.Tool) value {
	return raw(strings.TrimSuffix(t.Canonical, "\n"))
}
