package compose

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// measure fills the ledger of an artifact.
func (d *draft) measure(a *prompt.Artifact) {
	texts := make([]string, len(a.Parts))
	slots := 0
	a.Chars = 0
	for i, p := range a.Parts {
		texts[i] = p.Text
		a.Chars += utf8.RuneCountInString(p.Text)
		if p.Rendering != nil {
			slots += slotTokens(p.Rendering)
		}
	}
	for i, total := range d.count.Prefixes(texts) {
		a.Parts[i].Total = total
		a.Tokens = total
	}
	a.Use = a.Tokens + slots
	if len(a.Beside) > 0 {
		a.ToolTokens = d.count.Sum(d.schemaParts(a.Beside))
	}
}

// slotTokens adds up what the slots of a rendering may grow to.
func slotTokens(r *prompt.Rendering) int {
	n := 0
	for _, s := range r.Slots {
		n += s.Slot.MaxTokens
	}
	return n
}

// schemaParts gives the compact JSON list of tools, in pieces.
func (c *composer) schemaParts(tools []*prompt.Tool) []string {
	parts := []string{"["}
	for i, t := range tools {
		if i > 0 {
			parts = append(parts, ",")
		}
		text, ok := c.schemas[t]
		if !ok {
			text = compact(t.Canonical)
			c.schemas[t] = text
		}
		parts = append(parts, text)
	}
	return append(parts, "]")
}

// compact removes the white space between the tokens of canonical JSON.
func compact(canonical string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(canonical)); err != nil {
		return strings.TrimSpace(canonical) // canonical JSON is valid; count what is there
	}
	return b.String()
}
