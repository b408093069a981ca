package request

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// What tells the shapes apart: a key, a type or a role that only some of them
// have. From the references of the providers' APIs, 2026-11. Keys that gateways
// take in more than one shape, such as top_k, tell nothing.
var (
	chats = []string{"openai-chat", "ollama"}

	bodySigns = map[string][]string{
		"system": {"anthropic"}, "stop_sequences": {"anthropic"}, "thinking": {"anthropic"}, "anthropic_version": {"anthropic"},
		"anthropic_beta": {"anthropic"}, "context_management": {"anthropic"}, "mcp_servers": {"anthropic"}, "container": {"anthropic"},
		"response_format": {"openai-chat"}, "max_completion_tokens": {"openai-chat"}, "frequency_penalty": {"openai-chat"},
		"presence_penalty": {"openai-chat"}, "logprobs": {"openai-chat"}, "top_logprobs": {"openai-chat"}, "logit_bias": {"openai-chat"},
		"n": {"openai-chat"}, "seed": {"openai-chat"}, "stop": {"openai-chat"}, "stream_options": {"openai-chat"},
		"reasoning_effort": {"openai-chat"}, "modalities": {"openai-chat"}, "prediction": {"openai-chat"}, "functions": {"openai-chat"},
		"parallel_tool_calls": {"openai-chat", "openai-responses"}, "store": {"openai-chat", "openai-responses"},
		"options": {"ollama"}, "keep_alive": {"ollama"}, "format": {"ollama"}, "think": {"ollama"},
	}
	roleSigns    = map[string][]string{"developer": chats, "tool": chats, "function": chats}
	messageSigns = map[string][]string{"tool_calls": chats, "tool_call_id": {"openai-chat"}, "images": {"ollama"}, "tool_name": {"ollama"}}
	blockSigns   = map[string][]string{
		"image": {"anthropic"}, "document": {"anthropic"}, "tool_use": {"anthropic"}, "tool_result": {"anthropic"}, "thinking": {"anthropic"},
		"image_url": {"openai-chat"}, "input_audio": {"openai-chat"}, "file": {"openai-chat"},
	}
)

// Recognise gives the dialects of which a value may be a body, by its shape
// alone; none for any other value.
func Recognise(n *ground.Node) []*ground.Dialect {
	if !isOf(n, ground.Mapping) {
		return nil
	}
	n = spelled(n)
	var names []string
	switch {
	case isRequests(n.Field("messages"), "role"):
		names = byMessages(n)
	case isRequests(n.Field("contents"), "parts"):
		names = []string{"gemini"}
	case isInput(n):
		names = []string{"openai-responses"}
	}
	var out []*ground.Dialect
	for _, d := range ground.BodyDialects() {
		if _, bad := Decode(d, n); slices.Contains(names, d.Name) && bad == nil {
			out = append(out, d)
		}
	}
	return out
}

// isRequests reports whether a value is a list of mappings that all have a key,
// and there are some.
func isRequests(list *ground.Node, key string) bool {
	return isOf(list, ground.Sequence) && len(list.Items) > 0 &&
		!slices.ContainsFunc(list.Items, func(n *ground.Node) bool { return !isOf(n, ground.Mapping) || n.Field(key) == nil })
}

// isInput reports whether a body asks for a response, and not for an embedding or
// the like, which have an input, too.
func isInput(n *ground.Node) bool {
	input := n.Field("input")
	if isOf(input, ground.String) {
		return isOf(n.Field("model"), ground.String) && !slices.ContainsFunc(n.Fields, func(f ground.Field) bool {
			return slices.Contains([]string{"encoding_format", "dimensions", "voice", "truncate", "input_type"}, f.Key)
		})
	}
	return isOf(input, ground.Sequence) && len(input.Items) > 0 && !slices.ContainsFunc(input.Items, func(item *ground.Node) bool {
		return item.Field("role") == nil && !isOf(item.Field("type"), ground.String)
	})
}

// byMessages gives the dialects whose bodies have a list of messages and of which
// no sign says otherwise. Ollama's are OpenAI's but for what only it has, and
// Anthropic's always say how many tokens the answer may have.
func byMessages(n *ground.Node) []string {
	left := []string{"openai-chat", "anthropic", "ollama"}
	own := map[string]bool{} // those that a sign is for
	sign := func(of []string) {
		if of == nil {
			return
		}
		left = slices.DeleteFunc(left, func(name string) bool { return !slices.Contains(of, name) })
		for _, name := range of {
			own[name] = own[name] || len(of) == 1
		}
	}
	for _, f := range n.Fields {
		if !isNone(f.Value) {
			sign(bodySigns[f.Key])
		}
	}
	if choice := n.Field("tool_choice"); isOf(choice, ground.Mapping) && choice.Field("function") == nil {
		sign([]string{"anthropic"})
	} else if !isNone(choice) {
		sign(chats)
	}
	for _, t := range n.Field("tools").List() {
		switch {
		case t.Field("input_schema") != nil:
			sign([]string{"anthropic"})
		case t.Field("function") != nil:
			sign(chats)
		}
	}
	for i, m := range n.Field("messages").Items {
		role := m.Field("role").Scalar()
		sign(roleSigns[role])
		if role == "system" && i == 0 {
			sign(chats)
		}
		for _, f := range m.Fields {
			if !isNone(f.Value) {
				sign(messageSigns[f.Key])
			}
		}
		for _, call := range m.Field("tool_calls").List() {
			if arguments := call.Field("function").Field("arguments"); isOf(arguments, ground.Mapping) {
				sign([]string{"ollama"})
			}
		}
		for _, b := range m.Field("content").List() {
			sign(blockSigns[b.Field("type").Scalar()])
		}
	}
	return slices.DeleteFunc(left, func(name string) bool {
		return name == "ollama" && !own[name] || name == "anthropic" && !own[name] && isNone(n.Field("max_tokens"))
	})
}
