package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/promptc-build/promptc/pipeline/dialect"
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

// variantEntry describes one variant. Offsets count bytes of its file, or
// where there is a pointer bytes of the decoded string there; an end is the
// offset behind the last byte.
type variantEntry struct {
	Name    string `json:"name"`
	File    string `json:"file"`              // relative to the manifest, with slashes
	Dialect string `json:"dialect,omitempty"` // of a request body; "" for text
	SHA256  string `json:"sha256"`
	Bytes   int    `json:"bytes"`
	Tokens  int    `json:"tokens"`
	Use     int    `json:"use"` // tokens with every slot at its max_tokens
	// ToolTokens count the definitions in a request body in compact JSON; nil
	// where there are none, and for text, whose Tools say it.
	ToolTokens *int           `json:"tool_tokens,omitempty"`
	Tokenizer  string         `json:"tokenizer"`
	Sections   []sectionEntry `json:"sections"`
	Slots      []slotEntry    `json:"slots"`
	Tools      *toolsEntry    `json:"tools,omitempty"`
}

type sectionEntry struct {
	ID      string `json:"id"`
	Pointer string `json:"pointer,omitempty"` // RFC 6901, to a JSON string
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

type slotEntry struct {
	Name      string `json:"name"`
	Pointer   string `json:"pointer,omitempty"` // as of a section
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

// located is a part of an artifact and where it stands in its file.
type located struct {
	prompt.Part
	dialect.Place
}

// locate finds the parts of an artifact in its file. Text needs no places: it
// is the parts, one after another.
func locate(a *prompt.Artifact, places [][]dialect.Place) []located {
	var out []located
	add := func(parts []prompt.Part, at dialect.Place) {
		for _, p := range parts {
			out = append(out, located{p, at})
			at.Start += len(p.Text)
		}
	}
	if places == nil {
		add(a.Parts, dialect.Place{})
		return out
	}
	for m, message := range a.Messages {
		for b, block := range message.Blocks {
			add(a.Parts[block.From:block.To], places[m][b])
		}
	}
	return out
}

// describe gives the entry of an artifact, without the tools beside its text.
func describe(a *prompt.Artifact, file, text string, places [][]dialect.Place) variantEntry {
	out := variantEntry{
		Name: a.Variant.Name, File: file, SHA256: sum(text), Bytes: len(text),
		Tokens: a.Tokens, Use: a.Use, Tokenizer: a.Variant.Tokenizer,
		Sections: []sectionEntry{}, Slots: []slotEntry{},
	}
	if isJSON(a) {
		out.Dialect = a.Variant.Dialect.Name
		if len(a.Beside) > 0 {
			out.ToolTokens = &a.ToolTokens
		}
	}
	for _, p := range locate(a, places) {
		if p.Section >= 0 && p.Text != "" {
			id := a.Build.Prompt.Sections[p.Section].ID.Str
			out.Sections = append(out.Sections, sectionEntry{
				ID: id, Pointer: p.Pointer, Start: p.Place.Start, End: p.Place.Start + len(p.Text),
			})
		}
		if p.Rendering != nil && p.Rendering.Text.Str == p.Text {
			for _, s := range p.Rendering.Slots {
				out.Slots = append(out.Slots, slotEntry{
					Name: s.Slot.Name.Str, Pointer: p.Pointer, Start: p.Place.Start + s.Start, End: p.Place.Start + s.End,
					Optional: s.Slot.Optional, MaxTokens: s.Slot.MaxTokens,
				})
			}
		}
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
