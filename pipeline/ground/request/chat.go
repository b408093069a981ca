package request

import "github.com/promptc-build/promptc/pipeline/ground"

// The shape of OpenAI's Chat Completions, which many others speak, too. The
// marker of a cache breakpoint is not OpenAI's: gateways pass it on to providers
// that know it.

func chatBody(e *encoding) object {
	messages := array{}
	for m := range e.Messages {
		messages = append(messages, chatMessage(e, m))
	}
	return object{{"messages", messages}}
}

func chatMessage(e *encoding, m int) object {
	msg := &e.Messages[m]
	out := object{{"role", msg.role(string(msg.Role))}}
	calls := array{}
	content := array{}
	for b, bl := range msg.Blocks {
		switch {
		case bl.Kind == Call:
			calls = append(calls, chatCall(bl))
		case bl.Called:
			calls = append(calls, asIs(bl.Raw))
		case msg.Content == Listed:
			content = append(content, chatBlock(e, m, b))
		}
	}
	switch msg.Content {
	case Plain:
		out = append(out, member{"content", e.joined(m)})
	case Listed:
		out = append(out, member{"content", content})
	case Absent:
	}
	if len(calls) > 0 {
		out = append(out, member{"tool_calls", calls})
	}
	if msg.Answers > 0 {
		out = append(out, member{"tool_call_id", text(callID(msg.Answers))})
	}
	return append(out, others(msg.Rest)...)
}

func chatBlock(e *encoding, m, b int) value {
	bl := e.Messages[m].Blocks[b]
	switch bl.Kind {
	case Text:
		return members(object{{"type", text("text")}, {"text", e.said(m, b)}}, others(bl.Rest), marker(bl))
	case Picture:
		url := append(object{{"url", picture(bl.Image.URL, m, b)}}, others(bl.Rest)...)
		return members(object{{"type", text("image_url")}, {"image_url", url}}, marker(bl))
	default:
		return asIs(bl.Raw)
	}
}

func chatCall(b Block) value {
	out := object{}
	if b.Number > 0 {
		out = append(out, member{"id", text(callID(b.Number))})
	}
	function := object{{"name", text(b.Name)}, {"arguments", b.string()}}
	return members(out, object{{"type", text("function")}, {"function", function}}, others(b.Rest))
}

func chatTool(t *Tool) value {
	function := described(t)
	if t.Input != nil {
		function = append(function, member{"parameters", arguments(t.Input)})
	}
	if t.Strict {
		function = append(function, member{"strict", flag(true)})
	}
	return object{{"type", text("function")}, {"function", function}}
}

var chatRoles = map[string]Role{"system": System, "developer": System, "user": User, "assistant": Assistant, "tool": FromTool, "function": FromTool}

func readChat(d *decoder, n *ground.Node) {
	d.settings(n, "messages", "tools")
	if isNone(n.Field("messages")) {
		d.misfit(n, ground.Sequence, "/messages")
	}
	for i, item := range d.list(n.Field("messages"), "/messages") {
		d.body.Messages = append(d.body.Messages, d.chatMessage(d.mapping(item, at("/messages", i)), at("/messages", i)))
	}
	d.tools(n.Field("tools"))
}

func (d *decoder) chatMessage(n *ground.Node, pointer string) Message {
	m := Message{At: n.At, Answers: d.number(n.Field("tool_call_id"), pointer+"/tool_call_id"), Rest: rest(n, Noise.Message, "role", "content", "tool_calls", "tool_call_id")}
	m.Role, m.Word = d.roleOf(n.Field("role"), pointer+"/role", chatRoles)
	m.Content, m.Blocks = d.content(n.Field("content"), pointer+"/content", d.chatBlock)
	if m.Answers > 0 {
		for i := range m.Blocks {
			m.Blocks[i].Name = d.names[m.Answers]
		}
	}
	for i, item := range d.list(n.Field("tool_calls"), pointer+"/tool_calls") {
		m.Blocks = append(m.Blocks, d.chatCall(item, at(pointer+"/tool_calls", i)))
	}
	return m
}

func (d *decoder) chatBlock(n *ground.Node, pointer string) Block {
	n = d.mapping(n, pointer)
	switch kind := n.Field("type").Scalar(); {
	case kind == "text" && isOf(n.Field("text"), ground.String):
		b := plain(n.Field("text"))
		b.Rest = rest(n, Noise.Message, "type", "text", "cache_control")
		return marked(b, n)
	case kind == "image_url" && isOf(n.Field("image_url").Field("url"), ground.String) && len(rest(n, Noise.Message, "type", "image_url", "cache_control")) == 0:
		url := n.Field("image_url")
		b := Block{Kind: Picture, Image: imageAt(url.Field("url")), Rest: rest(url, nil, "url"), At: n.At}
		return marked(b, n)
	default:
		return d.other(n)
	}
}

// chatCall takes a call of a function; what else there may be stays as it is.
func (d *decoder) chatCall(n *ground.Node, pointer string) Block {
	function := n.Field("function")
	if !hasOnly(function, "name", "arguments") || !isOf(function.Field("name"), ground.String) || !isOf(function.Field("arguments"), ground.String) ||
		n.Field("type").Scalar() != "function" {
		return d.otherCall(n)
	}
	arguments := function.Field("arguments")
	return d.call(n.Field("id"), pointer+"/id", Block{
		Name: function.Field("name").Scalar(), Said: []ground.Text{arguments.Text}, At: n.At,
		Rest: rest(n, Noise.Message, "type", "function"),
	})
}
