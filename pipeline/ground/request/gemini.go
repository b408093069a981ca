package request

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
)

// The shape of Gemini's generateContent. There are no markers. Of its keys both
// spellings are read, systemInstruction and system_instruction; the first is
// written. One value stands for a list of it.

func geminiBody(e *encoding) object {
	var out object
	apart, list := e.parted()
	for _, m := range apart {
		system := geminiMessage(e, m)
		if !e.Messages[m].Unsaid {
			system = append(object{{"role", e.Messages[m].role("system")}}, system...)
		}
		out = append(out, member{"systemInstruction", system})
	}
	if e.NoList {
		return out
	}
	contents := array{}
	for _, m := range list {
		msg, content := &e.Messages[m], geminiMessage(e, m)
		if !msg.Unsaid {
			role := string(msg.Role)
			if msg.Role == Assistant {
				role = "model"
			}
			content = append(object{{"role", msg.role(role)}}, content...)
		}
		contents = append(contents, content)
	}
	return append(out, member{"contents", contents})
}

func geminiMessage(e *encoding, m int) object {
	var out object
	if msg := e.Messages[m]; msg.Content != Absent {
		parts := array{}
		for b := range msg.Blocks {
			parts = append(parts, geminiPart(e, m, b))
		}
		out = object{{"parts", parts}}
	}
	return append(out, others(e.Messages[m].Rest)...)
}

func geminiPart(e *encoding, m, b int) value {
	bl := e.Messages[m].Blocks[b]
	var out object
	switch bl.Kind {
	case Text:
		out = object{{"text", e.said(m, b)}}
	case Picture:
		out = object{{"inlineData", object{{"mimeType", text(bl.Image.Media)}, {"data", picture(bl.Image.Data, m, b)}}}}
	case Call:
		out = object{{"functionCall", geminiNamed(bl, "args")}}
	case Result:
		out = object{{"functionResponse", geminiNamed(bl, "response")}}
	case Other:
		return asIs(bl.Raw)
	}
	return append(out, others(bl.Rest)...)
}

// geminiNamed writes a call or a result with its value under a key.
func geminiNamed(b Block, key string) object {
	var out object
	if b.Number > 0 {
		out = object{{"id", text(callID(b.Number))}}
	}
	out = append(out, member{"name", text(b.Name)})
	if b.Raw != nil {
		out = append(out, member{key, asIs(b.Raw)})
	}
	return out
}

// geminiTools puts all declarations into one tool, as the provider documents,
// and its own tools behind it.
func geminiTools(tools []*Tool) value {
	out, declarations := array{}, array{}
	for _, t := range tools {
		if t.Sent != "" {
			out = append(out, raw(t.Sent))
			continue
		}
		declaration := described(t)
		if t.Input != nil {
			declaration = append(declaration, member{"parametersJsonSchema", asIs(t.Input)})
		}
		declarations = append(declarations, declaration)
	}
	if len(declarations) == 0 {
		return out
	}
	return append(array{object{{"functionDeclarations", declarations}}}, out...)
}

// geminiKeys are the keys that are read in both spellings.
var geminiKeys = [][2]string{
	{"system_instruction", "systemInstruction"},
	{"generation_config", "generationConfig"},
	{"safety_settings", "safetySettings"},
	{"tool_config", "toolConfig"},
	{"cached_content", "cachedContent"},
	{"inline_data", "inlineData"},
	{"mime_type", "mimeType"},
	{"function_call", "functionCall"},
	{"function_response", "functionResponse"},
	{"function_declarations", "functionDeclarations"},
	{"parameters_json_schema", "parametersJsonSchema"},
}

// spelled gives a mapping with the first spelling of its keys.
func spelled(n *ground.Node) *ground.Node {
	if !isOf(n, ground.Mapping) {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i, f := range out.Fields {
		for _, k := range geminiKeys {
			if f.Key == k[0] {
				out.Fields[i].Key = k[1]
			}
		}
	}
	return &out
}

var geminiRoles = map[string]Role{"user": User, "model": Assistant, "function": FromTool, "system": System}

func readGemini(d *decoder, n *ground.Node) {
	n = spelled(n)
	d.settings(n, "systemInstruction", "contents", "tools")
	if system := n.Field("systemInstruction"); !isNone(system) {
		m := d.geminiMessage(d.mapping(system, "/systemInstruction"), "/systemInstruction")
		if m.Role != System && !m.Unsaid {
			m.Word = system.Field("role").Scalar()
		}
		m.Role, m.Apart = System, true
		d.body.Messages = append(d.body.Messages, m)
	}
	d.body.NoList = isNone(n.Field("contents"))
	for i, item := range d.listOrOne(n.Field("contents"), "/contents") {
		d.body.Messages = append(d.body.Messages, d.geminiMessage(d.mapping(item, at("/contents", i)), at("/contents", i)))
	}
	for _, item := range d.listOrOne(n.Field("tools"), "/tools") {
		item = spelled(item)
		for i, f := range item.Entries() {
			if f.Key != "functionDeclarations" || f.Value.Kind != ground.Sequence {
				continue
			}
			list := *f.Value
			list.Items = nil
			for _, declaration := range f.Value.Items {
				list.Items = append(list.Items, spelled(declaration))
			}
			item.Fields[i].Value = &list
		}
		d.body.Tools = append(d.body.Tools, &Tool{Sent: canon.Indent(item), Node: item})
	}
}

func (d *decoder) geminiMessage(n *ground.Node, pointer string) Message {
	m := Message{At: n.At, Role: User, Unsaid: true, Rest: rest(n, Noise.Message, "role", "parts"), Content: Absent}
	if role := n.Field("role"); !isNone(role) {
		m.Unsaid = false
		m.Role, m.Word = d.roleOf(role, pointer+"/role", geminiRoles)
		if m.Role == Assistant {
			m.Word = ""
		}
	}
	parts := n.Field("parts")
	if !isNone(parts) {
		m.Content = Listed
	}
	for i, item := range d.listOrOne(parts, pointer+"/parts") {
		m.Blocks = append(m.Blocks, d.geminiPart(d.mapping(item, at(pointer+"/parts", i)), at(pointer+"/parts", i)))
	}
	return m
}

func (d *decoder) geminiPart(n *ground.Node, pointer string) Block {
	n = spelled(n)
	data, call, response := spelled(n.Field("inlineData")), n.Field("functionCall"), n.Field("functionResponse")
	named := func(n *ground.Node, key string) bool {
		return isOf(n.Field("name"), ground.String) && len(rest(n, nil, "id", "name", key)) == 0
	}
	var b Block
	var known string
	switch {
	case isOf(n.Field("text"), ground.String):
		b, known = plain(n.Field("text")), "text"
	case hasOnly(data, "mimeType", "data") && isOf(data.Field("mimeType"), ground.String) && isOf(data.Field("data"), ground.String):
		b, known = Block{Kind: Picture, Image: image(data.Field("mimeType").Scalar(), data.Field("data"))}, "inlineData"
	case named(call, "args"):
		b, known = Block{Name: call.Field("name").Scalar(), Raw: call.Field("args")}, "functionCall"
		b = d.call(call.Field("id"), pointer+"/functionCall/id", b)
	case named(response, "response"):
		b, known = Block{Kind: Result, Content: Plain, Name: response.Field("name").Scalar(), Raw: response.Field("response")}, "functionResponse"
		b.Number = d.number(response.Field("id"), pointer+"/functionResponse/id")
	default:
		return d.other(n)
	}
	if b.Raw != nil {
		b.Said = asJSON(b.Raw)
	}
	b.At, b.Rest = n.At, rest(n, Noise.Message, known)
	return b
}
