package dialect

import "github.com/promptc-build/promptc/pipeline/prompt"

// responsesBody is the shape of OpenAI's Responses. Sections alone are its
// instructions; a conversation is its input, system text included. There are
// no markers. The type of a message may be left out of a request, but OpenAI's
// own clients read no message without.
func responsesBody(a *prompt.Artifact) object {
	if a.Variant.Messages == nil {
		if len(a.Messages) == 0 {
			return nil
		}
		return object{{"instructions", joined(a, 0)}}
	}
	input := array{}
	for m, message := range a.Messages {
		role := text(message.Role)
		if message.Role == prompt.RoleSystem {
			role = "developer"
		}
		input = append(input, object{{"type", text("message")}, {"role", role}, {"content", responsesContent(a, m)}})
	}
	return object{{"input", input}}
}

// responsesContent is a list of parts; of the assistant it is a string, since
// what parts an answer has depends on its own type.
func responsesContent(a *prompt.Artifact, m int) value {
	if a.Messages[m].Role == prompt.RoleAssistant {
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
func responsesTool(t *prompt.Tool) value {
	out := append(object{{"type", text("function")}}, described(t)...)
	return append(out, member{"parameters", arguments(t.Input)}, member{"strict", flag(t.Strict)})
}
