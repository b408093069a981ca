package record

import (
	"encoding/json"
	"strconv"
)

// geminiAnswer answers a request for content.
func geminiAnswer(a *ask) given {
	var parts []object
	if text := said(a.answer); text != "" {
		parts = append(parts, object{"text": text})
	}
	for _, c := range a.answer.Calls {
		parts = append(parts, object{"functionCall": object{"name": c.Tool, "args": c.Arguments}})
	}
	whole := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  a.model(), "responseId": strconv.Itoa(a.turn),
	}
	return given{whole: whole, events: []event{{data: whole}}, list: a.query.Get("alt") != "sse"}
}

func geminiEmbeddings(a *ask) given {
	var all []json.RawMessage
	a.into("requests", &all)
	var out []object
	for range min(len(all), maxInputs) {
		out = append(out, object{"values": zeros(768)})
	}
	return given{whole: object{"embeddings": out}}
}
