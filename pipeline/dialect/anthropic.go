package dialect

import "github.com/promptc-build/promptc/pipeline/prompt"

// anthropicBody is the shape of Anthropic's Messages. Text is always a list of
// blocks, which the API takes everywhere.
func anthropicBody(a *prompt.Artifact) object {
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

func anthropicContent(a *prompt.Artifact, m int) value {
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

func anthropicTool(t *prompt.Tool) value {
	out := append(described(t), member{"input_schema", schema(t.Input)})
	if t.Strict {
		out = append(out, member{"strict", flag(true)})
	}
	return out
}
