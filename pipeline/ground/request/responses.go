package request

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// The shape of OpenAI's Responses. There are no markers. The type of a message
// may be left out of a request, but OpenAI's own clients read no message without.

func responsesBody(e *encoding) object {
	var out object
	apart, list := e.parted()
	for _, m := range apart {
		out = append(out, member{"instructions", e.joined(m)})
	}
	if e.NoList {
		return out
	}
	input := array{}
	for _, m := range list {
		if e.Messages[m].Bare {
			return append(out, member{"input", e.joined(m)})
		}
		input = append(input, responsesItem(e, m))
	}
	return append(out, member{"input", input})
}

func responsesItem(e *encoding, m int) value {
	msg := &e.Messages[m]
	if msg.Item {
		return responsesBlock(msg.Blocks[0], nil)
	}
	role := string(msg.Role)
	if msg.Role == System {
		role = "developer"
	}
	out := object{{"type", text("message")}, {"role", msg.role(role)}}
	if msg.Unsaid { // its type
		out = out[1:]
	}
	switch msg.Content {
	case Plain:
		out = append(out, member{"content", e.joined(m)})
	case Listed:
		content := array{}
		for b, bl := range msg.Blocks {
			content = append(content, responsesBlock(bl, func() value {
				if bl.Kind == Picture {
					return picture(bl.Image.URL, m, b)
				}
				return e.said(m, b)
			}))
		}
		out = append(out, member{"content", content})
	case Absent:
	}
	return append(out, others(msg.Rest)...)
}

// responsesBlock writes a block, or an item that is no message. What it says is
// given where places lead to it.
func responsesBlock(b Block, said func() value) value {
	if said == nil {
		said = func() value {
			if b.Kind == Picture {
				return text(b.Image.URL)
			}
			return b.string()
		}
	}
	var out object
	switch b.Kind {
	case Text:
		kind := "input_text"
		if b.Word != "" {
			kind = b.Word
		}
		return append(object{{"type", text(kind)}, {"text", said()}}, others(b.Rest)...)
	case Picture:
		return members(object{{"type", text("input_image")}}, others(b.Rest), object{{"image_url", said()}})
	case Call:
		out = object{{"type", text("function_call")}}
		if b.Number > 0 {
			out = append(out, member{"call_id", text(callID(b.Number))})
		}
		out = append(out, member{"name", text(b.Name)}, member{"arguments", said()})
	case Result:
		out = object{{"type", text("function_call_output")}}
		if b.Number > 0 {
			out = append(out, member{"call_id", text(callID(b.Number))})
		}
		output := said()
		if b.Content == Listed {
			inner := array{}
			for _, bl := range b.Inner {
				inner = append(inner, responsesBlock(bl, nil))
			}
			output = inner
		}
		out = append(out, member{"output", output})
	case Other:
		return asIs(b.Raw)
	}
	return append(out, others(b.Rest)...)
}

// responsesTool always says whether the schema is strict: where a request does
// not, the API tries to make it so.
func responsesTool(t *Tool) value {
	out := append(object{{"type", text("function")}}, described(t)...)
	return append(out, member{"parameters", arguments(t.Input)}, member{"strict", flag(t.Strict)})
}

var responsesRoles = map[string]Role{"system": System, "developer": System, "user": User, "assistant": Assistant}

func readResponses(d *decoder, n *ground.Node) {
	d.settings(n, "instructions", "input", "tools")
	if instructions := n.Field("instructions"); !isNone(instructions) {
		d.word(instructions, "/instructions")
		d.body.Messages = append(d.body.Messages, Message{
			Role: System, Apart: true, Content: Plain, Blocks: []Block{plain(instructions)}, At: instructions.At,
		})
	}
	input := n.Field("input")
	d.body.NoList = isNone(input)
	if isOf(input, ground.String) {
		d.body.Messages = append(d.body.Messages, Message{Role: User, Bare: true, Content: Plain, Blocks: []Block{plain(input)}, At: input.At})
	} else {
		for i, item := range d.list(input, "/input") {
			d.body.Messages = append(d.body.Messages, d.responsesItem(d.mapping(item, at("/input", i)), at("/input", i)))
		}
	}
	d.tools(n.Field("tools"))
}

func (d *decoder) responsesItem(n *ground.Node, pointer string) Message {
	kind := n.Field("type")
	if isNone(kind) || kind.Scalar() == "message" {
		m := Message{At: n.At, Unsaid: isNone(kind), Rest: rest(n, Noise.Message, "type", "role", "content")}
		m.Role, m.Word = d.roleOf(n.Field("role"), pointer+"/role", responsesRoles)
		switch {
		case m.Role == System && m.Word == "developer":
			m.Word = ""
		case m.Role == System:
			m.Word = "system"
		}
		m.Content, m.Blocks = d.content(n.Field("content"), pointer+"/content", d.responsesBlock)
		return m
	}
	m := Message{Role: Assistant, Item: true, At: n.At}
	call := n.Field("call_id")
	switch {
	case kind.Scalar() == "function_call" && isOf(n.Field("name"), ground.String) && isOf(n.Field("arguments"), ground.String):
		m.Blocks = []Block{d.call(call, pointer+"/call_id", Block{
			Name: n.Field("name").Scalar(), Said: []ground.Text{n.Field("arguments").Text}, At: n.At,
			Rest: rest(n, Noise.Message, "type", "call_id", "name", "arguments"),
		})}
	case kind.Scalar() == "function_call_output" && !isNone(n.Field("output")):
		m.Role = FromTool
		b := Block{Kind: Result, Number: d.number(call, pointer+"/call_id"), At: n.At, Rest: rest(n, Noise.Message, "type", "call_id", "output")}
		b.Name = d.names[b.Number]
		b.Content, b.Inner = d.content(n.Field("output"), pointer+"/output", d.responsesBlock)
		if b.Content == Plain {
			b.Said, b.Inner = b.Inner[0].Said, nil
		}
		m.Blocks = []Block{b}
	default:
		if strings.HasSuffix(kind.Scalar(), "_output") {
			m.Role = FromTool
		}
		m.Blocks = []Block{d.other(n)}
	}
	return m
}

func (d *decoder) responsesBlock(n *ground.Node, pointer string) Block {
	n = d.mapping(n, pointer)
	switch kind := n.Field("type").Scalar(); {
	case (kind == "input_text" || kind == "output_text") && isOf(n.Field("text"), ground.String):
		b := plain(n.Field("text"))
		if b.Rest = rest(n, Noise.Message, "type", "text"); kind != "input_text" {
			b.Word = kind
		}
		return b
	case kind == "input_image" && isOf(n.Field("image_url"), ground.String):
		return Block{Kind: Picture, Image: imageAt(n.Field("image_url")), Rest: rest(n, Noise.Message, "type", "image_url"), At: n.At}
	default:
		return d.other(n)
	}
}
