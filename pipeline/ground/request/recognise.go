package request

import (
	"regexp"
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
	case isTalk(n.Field("messages")):
		names = byMessages(n).likely(n)
	case isRequests(n.Field("contents"), "parts") || isOf(n.Field("contents").Field("parts"), ground.Sequence):
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

// MayBe reports whether nothing in a body speaks against a dialect, as where somebody
// says that it is one: Ollama's may look like OpenAI's, and Anthropic's lack their limit.
func MayBe(d *ground.Dialect, n *ground.Node) bool {
	if slices.Contains(Recognise(n), d) {
		return true
	}
	n = spelled(n)
	return isTalk(n.Field("messages")) && slices.Contains(byMessages(n).left, d.Name)
}

// isRequests reports whether a value is a list of mappings that all have a key,
// and there are some.
func isRequests(list *ground.Node, key string) bool {
	return isOf(list, ground.Sequence) && len(list.Items) > 0 &&
		!slices.ContainsFunc(list.Items, func(n *ground.Node) bool { return !isOf(n, ground.Mapping) || n.Field(key) == nil })
}

// isTalk reports whether a value is a list of messages: each has a role that a
// provider knows, and one says or calls something.
func isTalk(list *ground.Node) bool {
	said := false
	for _, m := range list.List() {
		if _, known := chatRoles[m.Field("role").Scalar()]; !known || !isOf(m.Field("role"), ground.String) {
			return false
		}
		said = said || m.Field("content") != nil || m.Field("tool_calls") != nil
	}
	return said
}

// Items of a list of inputs that are no messages, and models that are asked for
// something else than text.
var (
	itemTypes = regexp.MustCompile(`^(?:message|reasoning|item_reference|compaction|mcp_[a-z_]+|[a-z_]+_call(?:_output)?)$`)
	notText   = regexp.MustCompile(`(?i)embed|moderation|rerank|tts|whisper|transcribe|image`)
)

// isInput reports whether a body asks for a response, and not for an embedding or
// the like, which have an input, too.
func isInput(n *ground.Node) bool {
	input, model := n.Field("input"), n.Field("model")
	if isOf(input, ground.String) {
		return isOf(model, ground.String) && !notText.MatchString(model.Scalar()) && !slices.ContainsFunc(n.Fields, func(f ground.Field) bool {
			return slices.Contains([]string{"encoding_format", "dimensions", "voice", "truncate", "input_type"}, f.Key)
		})
	}
	return isOf(input, ground.Sequence) && len(input.Items) > 0 && !slices.ContainsFunc(input.Items, func(item *ground.Node) bool {
		_, known := responsesRoles[item.Field("role").Scalar()]
		return !known && !itemTypes.MatchString(item.Field("type").Scalar())
	})
}

// byMessages gives the dialects whose bodies have a list of messages and of which
// no sign says otherwise.
func byMessages(n *ground.Node) signs {
	s := signs{left: []string{"openai-chat", "anthropic", "ollama"}, own: map[string]bool{}}
	s.keys(n, bodySigns)
	if choice := n.Field("tool_choice"); isOf(choice, ground.Mapping) && choice.Field("function") == nil {
		s.met([]string{"anthropic"})
	} else if !isNone(choice) {
		s.met(chats)
	}
	for _, t := range n.Field("tools").List() {
		s.keys(t, map[string][]string{"input_schema": {"anthropic"}, "function": chats})
	}
	for i, m := range n.Field("messages").Items {
		role := m.Field("role").Scalar()
		s.met(roleSigns[role])
		if role == "system" && i == 0 {
			s.met(chats)
		}
		s.keys(m, messageSigns)
		for _, call := range m.Field("tool_calls").List() {
			if isOf(call.Field("function").Field("arguments"), ground.Mapping) {
				s.met([]string{"ollama"})
			}
		}
		for _, b := range m.Field("content").List() {
			s.met(blockSigns[b.Field("type").Scalar()])
		}
	}
	return s
}

// likely gives the dialects of a body that nobody names. Ollama's are OpenAI's but for
// what only it has, and Anthropic's always say how many tokens the answer may have. Of
// signs that contradict one another, each is one for its dialect.
func (s signs) likely(n *ground.Node) []string {
	if len(s.left) == 0 {
		return slices.DeleteFunc([]string{"openai-chat", "anthropic", "ollama"}, func(name string) bool { return !s.own[name] && (name != "openai-chat" || len(s.own) > 1) })
	}
	return slices.DeleteFunc(slices.Clone(s.left), func(name string) bool {
		return name == "ollama" && !s.own[name] || name == "anthropic" && !s.own[name] && isNone(n.Field("max_tokens"))
	})
}

// signs are what was met of them in a body.
type signs struct {
	left []string
	own  map[string]bool // those that a sign is for, and no other
}

// met takes a sign of some dialects; nil is none.
func (s *signs) met(of []string) {
	if of == nil {
		return
	}
	s.left = slices.DeleteFunc(s.left, func(name string) bool { return !slices.Contains(of, name) })
	if len(of) == 1 {
		s.own[of[0]] = true
	}
}

// keys takes the keys of a mapping that are signs.
func (s *signs) keys(n *ground.Node, known map[string][]string) {
	for _, f := range n.Entries() {
		if !isNone(f.Value) {
			s.met(known[f.Key])
		}
	}
}
