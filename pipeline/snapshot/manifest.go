package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// manifestVersion is the version of the form of manifest.json; its schema is
// schema/dist-manifest.schema.json.
const manifestVersion = 1

// manifest is what production reads beside the artifacts.
type manifest struct {
	Version  int            `json:"version"`
	Variants []variantEntry `json:"variants"`
}

// variantEntry describes one variant. Offsets count bytes of its file; an
// end is the offset behind the last byte.
type variantEntry struct {
	Name      string         `json:"name"`
	File      string         `json:"file"` // relative to the manifest, with slashes
	SHA256    string         `json:"sha256"`
	Bytes     int            `json:"bytes"`
	Tokens    int            `json:"tokens"`
	Use       int            `json:"use"` // tokens with every slot at its max_tokens
	Tokenizer string         `json:"tokenizer"`
	Sections  []sectionEntry `json:"sections"`
	Slots     []slotEntry    `json:"slots"`
	Tools     *toolsEntry    `json:"tools,omitempty"`
}

type sectionEntry struct {
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

type slotEntry struct {
	Name      string `json:"name"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Optional  bool   `json:"optional,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"`
}

type toolsEntry struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"` // of the definitions in compact JSON
}

// describe gives the entry of an artifact, without its tools.
func describe(a *prompt.Artifact, file, text string) variantEntry {
	out := variantEntry{
		Name: a.Variant.Name, File: file, SHA256: sum(text), Bytes: len(text),
		Tokens: a.Tokens, Use: a.Use, Tokenizer: a.Variant.Tokenizer,
		Sections: []sectionEntry{}, Slots: []slotEntry{},
	}
	start := 0
	for _, p := range a.Parts {
		if p.Section >= 0 && p.Text != "" {
			id := a.Build.Prompt.Sections[p.Section].ID.Str
			out.Sections = append(out.Sections, sectionEntry{ID: id, Start: start, End: start + len(p.Text)})
		}
		if p.Rendering != nil && p.Rendering.Text.Str == p.Text {
			for _, s := range p.Rendering.Slots {
				out.Slots = append(out.Slots, slotEntry{
					Name: s.Slot.Name.Str, Start: start + s.Start, End: start + s.End,
					Optional: s.Slot.Optional, MaxTokens: s.Slot.MaxTokens,
				})
			}
		}
		start += len(p.Text)
	}
	return out
}

// encode writes the manifest as JSON, two spaces deep, with a final line
// break. Its types hold nothing that JSON cannot.
func (m manifest) encode() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(m) // strings, numbers and lists always encode
	return b.String()
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}
