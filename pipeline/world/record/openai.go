package record

import (
	"fmt"
	"maps"
)

var chatUsage = object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}

// chatAnswer answers a request for a chat completion.
func chatAnswer(a *ask) given {
	base := func(kind string, choices ...object) object {
		return object{"id": fmt.Sprintf("chatcmpl-%d", a.turn), "object": kind, "created": 0, "model": a.model(), "choices": choices, "service_tier": "default", "system_fingerprint": nil}
	}
	message := object{"role": "assistant", "content": said(a.answer), "refusal": nil}
	why := "stop"
	calls := []object{}
	for i, c := range a.answer.Calls {
		calls = append(calls, object{"index": i, "id": a.callID(i), "type": "function", "function": object{"name": c.Tool, "arguments": string(c.Arguments)}})
	}
	if len(calls) > 0 {
		why, message["tool_calls"] = "tool_calls", calls
		if a.answer.Text == "" {
			message["content"] = nil
		}
	}
	whole := base("chat.completion", object{"index": 0, "message": message, "finish_reason": why, "logprobs": nil})
	whole["usage"] = chatUsage
	const chunk = "chat.completion.chunk"
	delta := object{"role": "assistant", "content": message["content"]}
	if len(calls) > 0 {
		delta["tool_calls"] = calls
	}
	last := base(chunk)
	last["choices"], last["usage"] = []object{}, chatUsage
	events := []event{
		{data: base(chunk, object{"index": 0, "delta": delta, "finish_reason": nil})},
		{data: base(chunk, object{"index": 0, "delta": object{}, "finish_reason": why})},
	}
	var options struct {
		Usage bool `json:"include_usage"`
	}
	if a.into("stream_options", &options); options.Usage {
		events = append(events, event{data: last})
	}
	return given{whole: whole, events: events, last: "[DONE]"}
}

// callID is the id of the i-th call of an answer.
func (a *ask) callID(i int) string { return fmt.Sprintf("call_%d_%d", a.turn, i+1) }

// responsesAnswer answers a request for a response.
func responsesAnswer(a *ask) given {
	items := responseItems(a)
	whole := response(a, "completed", items)
	var events []event
	add := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, len(events)
		events = append(events, event{kind, data})
	}
	started := response(a, "in_progress", []object{})
	started["usage"] = nil
	add("response.created", object{"response": started})
	for i, item := range items {
		responseItem(i, item, add)
	}
	add("response.completed", object{"response": whole})
	return given{whole: whole, events: events}
}

// responseItems are what a response says and calls.
func responseItems(a *ask) []object {
	var items []object
	if text := said(a.answer); text != "" {
		items = append(items, object{
			"type": "message", "id": fmt.Sprintf("msg_%d", a.turn), "status": "completed", "role": "assistant",
			"content": []object{{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}},
		})
	}
	for i, c := range a.answer.Calls {
		items = append(items, object{
			"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", a.turn, i+1), "call_id": a.callID(i), "status": "completed",
			"name": c.Tool, "arguments": string(c.Arguments),
		})
	}
	return items
}

func response(a *ask, status string, output []object) object {
	return object{
		"id": fmt.Sprintf("resp_%d", a.turn), "object": "response", "created_at": 0, "status": status, "model": a.model(), "output": output,
		"error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{}, "parallel_tool_calls": true,
		"temperature": 1, "top_p": 1, "tool_choice": "auto", "tools": []any{},
		"usage": object{
			"input_tokens": 1, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 1, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 2,
		},
	}
}

// responseItem adds the events by which one item arrives.
func responseItem(i int, item object, add func(kind string, data object)) {
	at := func(more object) object {
		more["output_index"], more["item_id"] = i, item["id"]
		return more
	}
	begun := maps.Clone(item)
	begun["status"] = "in_progress"
	if text, isText := item["content"].([]object); isText {
		part := text[0]
		begun["content"] = []object{}
		add("response.output_item.added", object{"output_index": i, "item": begun})
		add("response.content_part.added", at(object{"content_index": 0, "part": object{
			"type": "output_text", "text": "", "annotations": []any{}, "logprobs": []any{},
		}}))
		add("response.output_text.delta", at(object{"content_index": 0, "delta": part["text"], "logprobs": []any{}}))
		add("response.output_text.done", at(object{"content_index": 0, "text": part["text"], "logprobs": []any{}}))
		add("response.content_part.done", at(object{"content_index": 0, "part": part}))
	} else {
		begun["arguments"] = ""
		add("response.output_item.added", object{"output_index": i, "item": begun})
		add("response.function_call_arguments.delta", at(object{"delta": item["arguments"]}))
		add("response.function_call_arguments.done", at(object{"arguments": item["arguments"], "name": item["name"]}))
	}
	add("response.output_item.done", object{"output_index": i, "item": item})
}
