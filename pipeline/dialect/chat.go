package dialect

import "github.com/promptc-build/promptc/pipeline/prompt"

// chatBody is the shape of OpenAI's Chat Completions, which many others speak,
// too. The marker of a cache breakpoint is not OpenAI's: gateways pass it on to
// providers that know it.
func chatBody(a *prompt.Artifact) object {
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
func chatContent(a *prompt.Artifact, m int) value {
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
func marked(part object, b prompt.Block) object {
	if b.Marked {
		part = append(part, member{"cache_control", object{{"type", text("ephemeral")}}})
	}
	return part
}

func chatTool(t *prompt.Tool) value {
	function := described(t)
	if t.Input != nil {
		function = append(function, member{"parameters", arguments(t.Input)})
	}
	if t.Strict {
		function = append(function, member{"strict", flag(true)})
	}
	return object{{"type", text("function")}, {"function", function}}
}
