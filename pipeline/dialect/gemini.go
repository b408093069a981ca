package dialect

import "github.com/promptc-build/promptc/pipeline/prompt"

// geminiBody is the shape of Gemini's generateContent. There are no markers.
func geminiBody(a *prompt.Artifact) object {
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
		if a.Messages[m].Role == prompt.RoleAssistant {
			role = "model"
		}
		contents = append(contents, object{{"role", role}, {"parts", geminiParts(a, m)}})
	}
	return append(out, member{"contents", contents})
}

func geminiParts(a *prompt.Artifact, m int) value {
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

// geminiTools puts all declarations into one tool, as the provider documents.
func geminiTools(tools []*prompt.Tool) value {
	declarations := array{}
	for _, t := range tools {
		declaration := described(t)
		if t.Input != nil {
			declaration = append(declaration, member{"parametersJsonSchema", schema(t.Input)})
		}
		declarations = append(declarations, declaration)
	}
	if len(declarations) == 0 {
		return array{}
	}
	return array{object{{"functionDeclarations", declarations}}}
}
