package dialect

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
)

// anthropicBody is the shape of Anthropic's Messages. Text is always a list of
// blocks, which the API takes everywhere.
func anthropicBody(a *assembly.Artifact) object {
	var out object
	system, rest := parted(a)
	for _, m := range system {
		out = append(out, member{"system", anthropicContent(a, m)})
	}
	if a.Variant.Messages == nil {
		return out
	}
	messages := array{}
	for _, m := range rest {
		messages = append(messages, object{
			{"role", text(a.Messages[m].Role)},
			{"content", anthropicContent(a, m)},
		})
	}
	return append(out, member{"messages", messages})
}

func anthropicContent(a *assembly.Artifact, m int) value {
	out := array{}
	for b, bl := range a.Messages[m].Blocks {
		part := object{{"type", text("text")}, {"text", said(a, m, b)}}
		if bl.Image != nil {
			part = object{{"type", text("image")}, {"source", object{
				{"type", text("base64")},
				{"media_type", text(bl.Image.Media)},
				{"data", picture(bl.Image.Data, m, b)},
			}}}
		}
		out = append(out, marked(part, bl))
	}
	return out
}

func anthropicTool(t *language.Tool) value {
	out := append(described(t), member{"input_schema", schema(t.Input)})
	if t.Strict {
		out = append(out, member{"strict", flag(true)})
	}
	return out
}

// chatBody is the shape of OpenAI's Chat Completions, which many others speak,
// too. The marker of a cache breakpoint is not OpenAI's: gateways pass it on to
// providers that know it.
func chatBody(a *assembly.Artifact) object {
	messages := array{}
	for m, message := range a.Messages {
		messages = append(messages, object{
			{"role", text(message.Role)},
			{"content", chatContent(a, m)},
		})
	}
	return object{{"messages", messages}}
}

// chatContent is a string where a string can say it.
func chatContent(a *assembly.Artifact, m int) value {
	blocks := a.Messages[m].Blocks
	if len(blocks) == 0 || len(blocks) == 1 && blocks[0].Image == nil && !blocks[0].Marked {
		return joined(a, m)
	}
	out := array{}
	for b, bl := range blocks {
		part := object{{"type", text("text")}, {"text", said(a, m, b)}}
		if bl.Image != nil {
			part = object{{"type", text("image_url")}, {"image_url", object{{"url", picture(bl.Image.URL, m, b)}}}}
		}
		out = append(out, marked(part, bl))
	}
	return out
}

// marked adds the marker of a cache breakpoint to a block that has one.
func marked(part object, b assembly.Block) object {
	if b.Marked {
		part = append(part, member{"cache_control", object{{"type", text("ephemeral")}}})
	}
	return part
}

func chatTool(t *language.Tool) value {
	function := described(t)
	if t.Input != nil {
		function = append(function, member{"parameters", arguments(t.Input)})
	}
	if t.Strict {
		function = append(function, member{"strict", flag(true)})
	}
	return object{{"type", text("function")}, {"function", function}}
}

// responsesBody is the shape of OpenAI's Responses. Sections alone are its
// instructions; a conversation is its input, system text included. There are
// no markers. The type of a message may be left out of a request, but OpenAI's
// own clients read no message without.
func responsesBody(a *assembly.Artifact) object {
	if a.Variant.Messages == nil {
		if len(a.Messages) == 0 {
			return nil
		}
		return object{{"instructions", joined(a, 0)}}
	}
	input := array{}
	for m, message := range a.Messages {
		role := text(message.Role)
		if message.Role == language.RoleSystem {
			role = "developer"
		}
		input = append(input, object{{"type", text("message")}, {"role", role}, {"content", responsesContent(a, m)}})
	}
	return object{{"input", input}}
}

// responsesContent is a list of parts; of the assistant it is a string, since
// what parts an answer has depends on its own type.
func responsesContent(a *assembly.Artifact, m int) value {
	if a.Messages[m].Role == language.RoleAssistant {
		return joined(a, m)
	}
	out := array{}
	for b, bl := range a.Messages[m].Blocks {
		if bl.Image == nil {
			out = append(out, object{{"type", text("input_text")}, {"text", said(a, m, b)}})
			continue
		}
		out = append(out, object{
			{"type", text("input_image")},
			{"detail", text("auto")},
			{"image_url", picture(bl.Image.URL, m, b)},
		})
	}
	return out
}

// responsesTool always says whether the schema is strict: where a request does
// not, the API tries to make it so.
func responsesTool(t *language.Tool) value {
	out := append(object{{"type", text("function")}}, described(t)...)
	return append(out, member{"parameters", arguments(t.Input)}, member{"strict", flag(t.Strict)})
}

// geminiBody is the shape of Gemini's generateContent. There are no markers.
func geminiBody(a *assembly.Artifact) object {
	var out object
	system, rest := parted(a)
	for _, m := range system {
		out = append(out, member{"systemInstruction", object{{"parts", geminiParts(a, m)}}})
	}
	if a.Variant.Messages == nil {
		return out
	}
	contents := array{}
	for _, m := range rest {
		role := text(a.Messages[m].Role)
		if a.Messages[m].Role == language.RoleAssistant {
			role = "model"
		}
		contents = append(contents, object{{"role", role}, {"parts", geminiParts(a, m)}})
	}
	return append(out, member{"contents", contents})
}

func geminiParts(a *assembly.Artifact, m int) value {
	out := array{}
	for b, bl := range a.Messages[m].Blocks {
		if bl.Image == nil {
			out = append(out, object{{"text", said(a, m, b)}})
			continue
		}
		out = append(out, object{{"inlineData", object{
			{"mimeType", text(bl.Image.Media)},
			{"data", picture(bl.Image.Data, m, b)},
		}}})
	}
	return out
}

// geminiTools puts all declarations into one tool, as the provider documents,
// and its own tools behind it.
func geminiTools(tools []*language.Tool) value {
	out, declarations := array{}, array{}
	for _, t := range tools {
		if t.Provider != "" {
			out = append(out, canonicalTool(t))
			continue
		}
		declaration := described(t)
		if t.Input != nil {
			declaration = append(declaration, member{"parametersJsonSchema", schema(t.Input)})
		}
		declarations = append(declarations, declaration)
	}
	if len(declarations) == 0 {
		return out
	}
	return append(array{object{{"functionDeclarations", declarations}}}, out...)
}
