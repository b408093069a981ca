package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// border stands between two texts of a request body: a line of the one never goes on
// in the next.
const border = "\x1e"

// textsOf gives what a request body says, as promptc show prints it: its decoded
// strings in order of emission; false for what is no body.
func textsOf(shown string) (string, bool, error) {
	if !strings.HasPrefix(shown, "{\n") || !json.Valid([]byte(shown)) {
		return "", false, nil
	}
	decoder := json.NewDecoder(strings.NewReader(shown))
	decoder.UseNumber()
	var body map[string]any
	if err := decoder.Decode(&body); err != nil {
		return "", false, err
	}
	var r reader
	for _, key := range []string{"system", "instructions", "systemInstruction"} {
		if m, ok := body[key].(map[string]any); ok {
			r.message(m)
		} else {
			r.content(body[key])
		}
	}
	said := false
	for _, key := range []string{"messages", "input", "contents"} {
		list, ok := body[key].([]any)
		said = said || ok
		for _, item := range list {
			m, ok := item.(map[string]any)
			if !ok {
				return "", false, errors.New("a message is no object")
			}
			r.message(m)
		}
		if text, ok := body[key].(string); ok && key == "input" {
			said = true
			r.add(text)
		}
	}
	return strings.Join(r.texts, border), said || len(r.texts) > 0, r.err
}

// reader collects the texts of a body.
type reader struct {
	texts []string
	err   error
}

// add takes a text, if it says anything.
func (r *reader) add(text string) {
	if text != "" {
		r.texts = append(r.texts, text)
	}
}

// compact takes a value as JSON in one line.
func (r *reader) compact(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	r.err = errors.Join(r.err, e.Encode(v))
	r.add(strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(b.String(), "\n")))
}

func (r *reader) message(m map[string]any) {
	switch kind, _ := m["type"].(string); {
	case kind == "" || kind == "message":
		r.content(m["content"])
		r.content(m["parts"])
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			r.call(c)
		}
	default: // an item of Responses
		r.block(m)
	}
}

func (r *reader) call(c any) {
	call, _ := c.(map[string]any)
	function, _ := call["function"].(map[string]any)
	switch arguments := function["arguments"].(type) {
	case string:
		r.add(arguments)
	case nil:
		r.compact(c)
	default:
		r.compact(arguments)
	}
}

func (r *reader) content(v any) {
	switch v := v.(type) {
	case string:
		r.add(v)
	case []any:
		for _, item := range v {
			if b, ok := item.(map[string]any); ok {
				r.block(b)
			}
		}
	}
}

func (r *reader) block(b map[string]any) {
	text, isText := b["text"].(string)
	kind, _ := b["type"].(string)
	call, _ := b["functionCall"].(map[string]any)
	response, _ := b["functionResponse"].(map[string]any)
	source, _ := b["source"].(map[string]any)
	switch {
	case isText && (kind == "" || kind == "text" || kind == "input_text" || kind == "output_text"):
		r.add(text)
	case b["inlineData"] != nil, kind == "image_url", kind == "input_image" && b["image_url"] != nil,
		kind == "image" && (source["type"] == "base64" || source["type"] == "url"):
	case call != nil:
		r.value(call["args"])
	case response != nil:
		r.value(response["response"])
	case kind == "tool_use":
		r.value(b["input"])
	case kind == "tool_result":
		r.content(b["content"])
	case kind == "function_call":
		r.content(b["arguments"])
	case kind == "function_call_output":
		r.content(b["output"])
	default:
		other := map[string]any{}
		for key, value := range b {
			if key != "cache_control" {
				other[key] = value
			}
		}
		r.compact(other)
	}
}

// value takes what is no string as JSON; what is not there says nothing.
func (r *reader) value(v any) {
	if v != nil {
		r.compact(v)
	}
}

// linesOf gives the lines of a text, or of those of a body.
func linesOf(text string) []string {
	var out []string
	for one := range strings.SplitSeq(text, border) {
		for line := range strings.Lines(one) {
			out = append(out, line)
		}
	}
	return out
}

// onLines gives a text in which each text of a body begins on a line, and one without a
// line break at its end is another line than with it.
func onLines(text string) string {
	var out strings.Builder
	for _, line := range linesOf(text) {
		if out.WriteString(line); !strings.HasSuffix(line, "\n") && text != line {
			out.WriteString(border + "\n")
		}
	}
	return out.String()
}
