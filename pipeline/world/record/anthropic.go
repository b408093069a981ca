package record

import (
	"encoding/json"
	"fmt"
)

// anthropicAnswer answers a request for a message.
func anthropicAnswer(a *ask) given {
	usage := object{"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	content, why := []object{}, "end_turn"
	events := []event{}
	add := func(kind string, data object) {
		data["type"] = kind
		events = append(events, event{kind, data})
	}
	message := func(content []object, why any) object {
		return object{
			"id": fmt.Sprintf("msg_%d", a.turn), "type": "message", "role": "assistant", "model": a.model(), "content": content,
			"stop_reason": why, "stop_sequence": nil, "usage": usage,
		}
	}
	add("message_start", object{"message": message([]object{}, nil)})
	block := func(begin, delta, whole object) {
		i := len(content)
		add("content_block_start", object{"index": i, "content_block": begin})
		add("content_block_delta", object{"index": i, "delta": delta})
		add("content_block_stop", object{"index": i})
		content = append(content, whole)
	}
	if text := said(a.answer); text != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": text}, object{"type": "text", "text": text})
	}
	for i, c := range a.answer.Calls {
		id := fmt.Sprintf("toolu_%d_%d", a.turn, i+1)
		block(object{"type": "tool_use", "id": id, "name": c.Tool, "input": object{}},
			object{"type": "input_json_delta", "partial_json": string(c.Arguments)},
			object{"type": "tool_use", "id": id, "name": c.Tool, "input": c.Arguments})
		why = "tool_use"
	}
	add("message_delta", object{"delta": object{"stop_reason": why, "stop_sequence": nil}, "usage": object{"output_tokens": 1}})
	add("message_stop", object{})
	return given{whole: message(content, why), events: events}
}

// into reads a value of the body, if it is there and fits.
func (a *ask) into(key string, to any) { _ = json.Unmarshal(a.body[key], to) }
