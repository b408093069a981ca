package request

import "github.com/promptc-build/promptc/pipeline/ground"

// The shape of Anthropic's Messages.

func anthropicBody(e *encoding) object {
	var out object
	apart, list := e.parted()
	for _, m := range apart {
		out = append(out, member{"system", anthropicContent(e, m)})
	}
	if e.NoList {
		return out
	}
	messages := array{}
	for _, m := range list {
		msg := &e.Messages[m]
		said := object{{"role", msg.role(string(msg.Role))}}
		if msg.Content != Absent {
			said = append(said, member{"content", anthropicContent(e, m)})
		}
		messages = append(messages, append(said, others(msg.Rest)...))
	}
	return append(out, member{"messages", messages})
}

func anthropicContent(e *encoding, m int) value {
	if e.Messages[m].Content == Plain {
		return e.joined(m)
	}
	out := array{}
	for b, bl := range e.Messages[m].Blocks {
		switch bl.Kind {
		case Text:
			out = append(out, anthropicBlock(bl, e.said(m, b), nil))
		case Picture:
			out = append(out, anthropicBlock(bl, nil, func(data string) value { return picture(data, m, b) }))
		default:
			out = append(out, anthropicBlock(bl, nil, nil))
		}
	}
	return out
}

// anthropicBlock writes a block. What its text and its picture are written as is
// given where places lead to them.
func anthropicBlock(b Block, said value, shown func(string) value) value {
	if said == nil {
		said = b.string()
	}
	if shown == nil {
		shown = func(data string) value { return text(data) }
	}
	var out object
	switch b.Kind {
	case Text:
		out = object{{"type", text("text")}, {"text", said}}
	case Picture:
		source := object{{"type", text("url")}, {"url", shown(b.Image.URL)}}
		if b.Image.Media != "" {
			source = object{{"type", text("base64")}, {"media_type", text(b.Image.Media)}, {"data", shown(b.Image.Data)}}
		}
		out = object{{"type", text("image")}, {"source", source}}
	case Call:
		out = object{{"type", text("tool_use")}}
		if b.Number > 0 {
			out = append(out, member{"id", text(callID(b.Number))})
		}
		out = append(out, member{"name", text(b.Name)}, member{"input", asIs(b.Raw)})
	case Result:
		out = object{{"type", text("tool_result")}}
		if b.Number > 0 {
			out = append(out, member{"tool_use_id", text(callID(b.Number))})
		}
		switch b.Content {
		case Plain:
			out = append(out, member{"content", said})
		case Listed:
			inner := array{}
			for _, bl := range b.Inner {
				inner = append(inner, anthropicBlock(bl, nil, nil))
			}
			out = append(out, member{"content", inner})
		case Absent:
		}
	case Other:
		for _, f := range b.Raw.Fields {
			out = append(out, member{f.Key, asIs(f.Value)})
		}
	}
	return members(out, others(b.Rest), marker(b))
}

func anthropicTool(t *Tool) value {
	out := append(described(t), member{"input_schema", asIs(t.Input)})
	if t.Strict {
		out = append(out, member{"strict", flag(true)})
	}
	return out
}

var anthropicRoles = map[string]Role{"user": User, "assistant": Assistant, "system": System}

func readAnthropic(d *decoder, n *ground.Node) {
	d.settings(n, "system", "messages", "tools")
	if system := n.Field("system"); !isNone(system) {
		m := Message{Role: System, Apart: true, At: system.At}
		m.Content, m.Blocks = d.content(system, "/system", d.anthropicBlock)
		d.body.Messages = append(d.body.Messages, m)
	}
	d.body.NoList = isNone(n.Field("messages"))
	for i, item := range d.list(n.Field("messages"), "/messages") {
		pointer := at("/messages", i)
		item = d.mapping(item, pointer)
		m := Message{At: item.At, Rest: rest(item, Noise.Message, "role", "content")}
		m.Role, m.Word = d.roleOf(item.Field("role"), pointer+"/role", anthropicRoles)
		m.Content, m.Blocks = d.content(item.Field("content"), pointer+"/content", d.anthropicBlock)
		d.body.Messages = append(d.body.Messages, m)
	}
	d.tools(n.Field("tools"))
}

func (d *decoder) anthropicBlock(n *ground.Node, pointer string) Block {
	n = d.mapping(n, pointer)
	source := n.Field("source")
	var b Block
	var known []string
	switch kind := n.Field("type").Scalar(); {
	case kind == "text" && isOf(n.Field("text"), ground.String):
		b, known = plain(n.Field("text")), []string{"text"}
	case kind == "image" && hasOnly(source, "type", "media_type", "data") && source.Field("type").Scalar() == "base64" &&
		isOf(source.Field("media_type"), ground.String) && isOf(source.Field("data"), ground.String) && source.Field("media_type").Scalar() != "":
		b, known = Block{Kind: Picture, Image: image(source.Field("media_type").Scalar(), source.Field("data"))}, []string{"source"}
	case kind == "image" && hasOnly(source, "type", "url") && source.Field("type").Scalar() == "url" && isOf(source.Field("url"), ground.String):
		b, known = Block{Kind: Picture, Image: &Image{URL: source.Field("url").Scalar(), At: source.At}}, []string{"source"}
	case kind == "tool_use" && isOf(n.Field("name"), ground.String) && !isNone(n.Field("input")):
		input := n.Field("input")
		b = d.call(n.Field("id"), pointer+"/id", Block{Name: n.Field("name").Scalar(), Raw: input, Said: asJSON(input)})
		known = []string{"name", "input"}
	case kind == "tool_result":
		b, known = d.anthropicResult(n, pointer), []string{"tool_use_id", "content"}
	default:
		return marked(d.other(n, "cache_control"), n)
	}
	b.At, b.Rest = n.At, rest(n, Noise.Message, append(known, "type", "cache_control")...)
	return marked(b, n)
}

func (d *decoder) anthropicResult(n *ground.Node, pointer string) Block {
	b := Block{Kind: Result, Number: d.number(n.Field("tool_use_id"), pointer+"/tool_use_id")}
	b.Name = d.names[b.Number]
	b.Content, b.Inner = d.content(n.Field("content"), pointer+"/content", d.anthropicBlock)
	if b.Content == Plain {
		b.Said, b.Inner = b.Inner[0].Said, nil
	}
	return b
}
