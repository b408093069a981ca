package compose

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// run is a stretch of parts whose text is counted by itself.
type run struct{ from, to int }

// before gives the tokens of what comes before the run.
func (r run) before(a *prompt.Artifact) int {
	if r.from == 0 {
		return 0
	}
	return a.Parts[r.from-1].Total
}

// runs are the texts that a provider gets: each block of a request body (or
// each message, where the dialect makes one string of its blocks), or the text
// as a whole.
func runs(a *prompt.Artifact) []run {
	if !inJSON(a.Variant) {
		return []run{{0, len(a.Parts)}}
	}
	var out []run
	for _, m := range a.Messages {
		if a.Variant.Dialect.OneText && a.Variant.Messages == nil && len(m.Blocks) > 0 {
			out = append(out, run{m.Blocks[0].From, m.Blocks[len(m.Blocks)-1].To})
			continue
		}
		for _, b := range m.Blocks {
			if b.Image == nil {
				out = append(out, run{b.From, b.To})
			}
		}
	}
	return out
}

// Texts gives the texts of an artifact that the ledger counts, each in its
// parts: the emitted text, or in a request body each text that the provider gets
// by itself. The counts of these add up to the artifact's Tokens.
func Texts(a *prompt.Artifact) [][]string {
	var out [][]string
	for _, r := range runs(a) {
		var parts []string
		for _, p := range a.Parts[r.from:r.to] {
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
	for _, r := range runs(a) {
		before := a.Tokens
		texts := make([]string, 0, r.to-r.from)
		for _, p := range a.Parts[r.from:r.to] {
			texts = append(texts, p.Text)
			a.Chars += d.characters(p)
			if p.Rendering != nil {
				slots += slotTokens(p.Rendering)
			}
		}
		for i, total := range d.count.Prefixes(texts) {
			a.Tokens = before + total
			a.Parts[r.from+i].Total = a.Tokens
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

// compact removes the white space between the tokens of canonical JSON.
func compact(canonical string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(canonical)); err != nil {
		return strings.TrimSpace(canonical) // canonical JSON is valid; count what is there
	}
	return b.String()
}
