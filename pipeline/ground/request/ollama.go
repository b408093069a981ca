package request

import "github.com/promptc-build/promptc/pipeline/ground"

// The shape of Ollama's chat: as OpenAI's, but with content that is a string,
// images beside it, and arguments that are no string.

func ollamaBody(e *encoding) object {
	messages := array{}
	for m := range e.Messages {
		msg := &e.Messages[m]
		out := object{{"role", msg.role(string(msg.Role))}}
		if msg.Content != Absent {
			out = append(out, member{"content", e.joined(m)})
		}
		images, calls := array{}, array{}
		for b, bl := range msg.Blocks {
			switch {
			case bl.Kind == Picture:
				images = append(images, picture(bl.Image.Data, m, b))
			case bl.Kind == Call:
				calls = append(calls, ollamaCall(bl))
			case bl.Called:
				calls = append(calls, asIs(bl.Raw))
			}
		}
		if len(images) > 0 {
			out = append(out, member{"images", images})
		}
		if len(calls) > 0 {
			out = append(out, member{"tool_calls", calls})
		}
		messages = append(messages, append(out, others(msg.Rest)...))
	}
	return object{{"messages", messages}}
}

func ollamaCall(b Block) value {
	var out object
	if b.Number > 0 {
		out = object{{"id", text(callID(b.Number))}}
	}
	function := object{{"name", text(b.Name)}, {"arguments", asIs(b.Raw)}}
	return members(out, object{{"function", function}}, others(b.Rest))
}

func readOllama(d *decoder, n *ground.Node) {
	d.settings(n, "messages", "tools")
	if isNone(n.Field("messages")) {
		d.misfit(n, ground.Sequence, "/messages")
	}
	for i, item := range d.list(n.Field("messages"), "/messages") {
		d.body.Messages = append(d.body.Messages, d.ollamaMessage(d.mapping(item, at("/messages", i)), at("/messages", i)))
	}
	d.tools(n.Field("tools"))
}

func (d *decoder) ollamaMessage(n *ground.Node, pointer string) Message {
	m := Message{At: n.At, Rest: rest(n, Noise.Message, "role", "content", "images", "tool_calls")}
	m.Role, m.Word = d.roleOf(n.Field("role"), pointer+"/role", chatRoles)
	m.Content = Absent
	if content := n.Field("content"); !isNone(content) {
		d.word(content, pointer+"/content")
		m.Content, m.Blocks = Plain, []Block{plain(content)}
	}
	for i, item := range d.list(n.Field("images"), pointer+"/images") {
		d.word(item, at(pointer+"/images", i))
		picture := image("", item)
		picture.URL = picture.Data
		m.Blocks = append(m.Blocks, Block{Kind: Picture, Image: picture, At: item.At})
	}
	for i, item := range d.list(n.Field("tool_calls"), pointer+"/tool_calls") {
		m.Blocks = append(m.Blocks, d.ollamaCall(item, at(pointer+"/tool_calls", i)))
	}
	return m
}

func (d *decoder) ollamaCall(n *ground.Node, pointer string) Block {
	function := n.Field("function")
	if !hasOnly(function, "name", "arguments") || !isOf(function.Field("name"), ground.String) {
		return d.otherCall(n)
	}
	arguments := function.Field("arguments")
	return d.call(n.Field("id"), pointer+"/id", Block{
		Name: function.Field("name").Scalar(), Said: asJSON(arguments), Raw: arguments, At: n.At,
		Rest: rest(n, Noise.Message, "function"),
	})
}
