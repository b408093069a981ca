package canon

import (
	"bytes"
	"encoding/json"
	"strings"
)

// sentKeys are the keys of a definition that every request can carry.
var sentKeys = []string{"name", "description", "inputSchema"}

// isProviders tells a provider's own tool, which is sent as it is written: it has
// a type, or is a key alone.
func isProviders(fields map[string]json.RawMessage) bool {
	if kind, ok := fields["type"]; ok {
		return string(kind) != `"function"` && string(kind) != `"custom"` && fields["inputSchema"] == nil
	}
	return len(fields) == 1 && fields["name"] == nil && fields["inputSchema"] == nil
}

// Sent gives a tool's canonical definition as it is counted: what every request
// can carry of it, on one line, the same in every dialect. What only its
// snapshot holds costs no tokens. What is no JSON is counted as it is.
func Sent(definition string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(definition), &fields) != nil {
		return strings.TrimSpace(definition)
	}
	b := bytes.NewBufferString("{")
	if isProviders(fields) {
		if b.Reset(); json.Compact(b, []byte(definition)) != nil {
			return strings.TrimSpace(definition)
		}
		return b.String()
	}
	for _, key := range sentKeys {
		value, ok := fields[key]
		if !ok {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + key + `":`)
		if json.Compact(b, value) != nil {
			return strings.TrimSpace(definition)
		}
	}
	b.WriteByte('}')
	return b.String()
}
