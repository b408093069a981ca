// Package dialect writes artifacts as the request bodies of providers: exactly
// the fragment that a prompt decides, and nothing else.
package dialect

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Body is what an artifact's file holds.
type Body struct {
	// Parts are the body, one after another. Those of an artifact's own parts
	// are shared by all bodies that an Encoder makes.
	Parts []string
	// Places says for each block of each message of the artifact where it
	// stands.
	Places [][]Place
}

// Text joins the parts.
func (b Body) Text() string { return strings.Join(b.Parts, "") }

// Place is where a block stands in a body.
type Place struct {
	// Pointer leads to the JSON string (RFC 6901) that holds the block: its
	// text, or an image's data. "" for the dialect `text`, where the body is
	// the string.
	Pointer string
	// Start is the offset of the block in the decoded string, in bytes.
	Start int
}

// shape is how one dialect says things.
type shape struct {
	name string
	// body gives what stands before the tools.
	body  func(a *assembly.Artifact) object
	tools func(tools []*language.Tool) value
}

// shapes are the dialects of ground.Dialects that are JSON, in their order.
var shapes = []shape{
	{name: "openai-chat", body: chatBody, tools: each(chatTool)},
	{name: "openai-responses", body: responsesBody, tools: each(responsesTool)},
	{name: "anthropic", body: anthropicBody, tools: each(anthropicTool)},
	{name: "gemini", body: geminiBody, tools: geminiTools},
}

// Encode writes an artifact in the dialect of its variant.
func Encode(a *assembly.Artifact) Body { return NewEncoder().Encode(a) }

// Tools writes the list of tools as it stands in a request; for the dialect
// `text` the definitions in canonical form, as they stand beside the text.
func Tools(d *ground.Dialect, tools []*language.Tool) string { return NewEncoder().Tools(d, tools) }

// lookup gives the shape of a dialect, nil for `text`.
func lookup(d *ground.Dialect) *shape {
	for i := range shapes {
		if d != nil && shapes[i].name == d.Name {
			return &shapes[i]
		}
	}
	return nil
}

// plainText gives the text alone, as it is reviewed.
func plainText(a *assembly.Artifact, places [][]Place) Body {
	for m, message := range a.Messages {
		for b, block := range message.Blocks {
			places[m][b].Start = a.Bytes()
			if block.From < len(a.Parts) {
				places[m][b].Start = a.Parts[block.From].Start
			}
		}
	}
	return Body{Parts: texts(a.Parts), Places: places}
}

// texts gives what parts say.
func texts(parts []assembly.Part) []string {
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return out
}

// said gives the text of one block.
func said(a *assembly.Artifact, m, b int) spoken {
	at := a.Messages[m].Blocks[b]
	return spoken{texts: texts(a.Parts[at.From:at.To]), blocks: []block{{message: m, index: b}}}
}

// joined gives the texts of all blocks of a message as one string.
func joined(a *assembly.Artifact, m int) spoken {
	var out spoken
	start := 0
	for b, at := range a.Messages[m].Blocks {
		out.blocks = append(out.blocks, block{message: m, index: b, start: start})
		for _, text := range texts(a.Parts[at.From:at.To]) {
			out.texts = append(out.texts, text)
			start += len(text)
		}
	}
	return out
}

// picture gives a string that holds the image of a block.
func picture(text string, m, b int) spoken {
	return spoken{texts: []string{text}, blocks: []block{{message: m, index: b}}}
}

// parted gives the system message, where an artifact has one, apart from the
// rest: dialects in which it stands in a place of its own. The messages are
// indices.
func parted(a *assembly.Artifact) (system, rest []int) {
	for m, message := range a.Messages {
		if m == 0 && message.Role == language.RoleSystem {
			system = append(system, m)
		} else {
			rest = append(rest, m)
		}
	}
	return system, rest
}

// each makes a list with one entry for each tool.
func each(entry func(t *language.Tool) value) func([]*language.Tool) value {
	return func(tools []*language.Tool) value {
		out := make(array, 0, len(tools))
		for _, t := range tools {
			if t.Provider != "" {
				out = append(out, canonicalTool(t))
				continue
			}
			out = append(out, entry(t))
		}
		return out
	}
}

// described gives the fields with which every dialect begins the definition of
// a tool.
func described(t *language.Tool) object {
	out := object{{"name", text(t.Name)}}
	if t.Description != "" {
		out = append(out, member{"description", text(t.Description)})
	}
	return out
}

// canonicalTool gives a definition in the form that snapshots have.
func canonicalTool(t *language.Tool) value {
	return raw(strings.TrimSuffix(t.Canonical, "\n"))
}
