package compose

import (
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// before gives the tokens of what comes before a run.
func before(a *prompt.Artifact, r prompt.Run) int {
	if r.From == 0 {
		return 0
	}
	return a.Parts[r.From-1].Total
}

// Texts gives the texts of an artifact that the ledger counts, each in its
// parts: the emitted text, or in a request body each text that the provider gets
// by itself. The counts of these add up to the artifact's Tokens.
func Texts(a *prompt.Artifact) [][]string {
	var out [][]string
	for _, r := range a.Runs() {
		var parts []string
		for _, p := range a.Parts[r.From:r.To] {
			parts = append(parts, p.Text)
		}
		out = append(out, parts)
	}
	return out
}

// measure fills the ledger of an artifact.
func (d *draft) measure(a *prompt.Artifact) {
	slots := 0
	a.Chars, a.Tokens = 0, 0
	for _, r := range a.Runs() {
		before := a.Tokens
		texts := make([]string, 0, r.To-r.From)
		for _, p := range a.Parts[r.From:r.To] {
			texts = append(texts, p.Text)
			a.Chars += d.characters(p)
			if p.Rendering != nil {
				slots += slotTokens(p.Rendering)
			}
		}
		for i, total := range d.count.Prefixes(texts) {
			a.Tokens = before + total
			a.Parts[r.From+i].Total = a.Tokens
		}
	}
	a.Use = a.Tokens + slots
	if len(a.Beside) > 0 {
		a.ToolTokens = d.count.Sum(d.schemaParts(a.Beside))
	}
}

// characters counts the runes of a part. Those of a rendering are known.
func (c *composer) characters(p prompt.Part) int {
	if p.Rendering != nil {
		if n, ok := c.runes[p.Rendering]; ok {
			return n
		}
	}
	return utf8.RuneCountInString(p.Text)
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
		parts = append(parts, c.schemas[t]())
	}
	return append(parts, "]")
}
