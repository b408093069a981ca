package ledger

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Talk says which message each part of a conversation belongs to; -1 for none.
type Talk []int

// Speakers gives the messages of a variant's parts, nil for a system text alone.
func Speakers(a *assembly.Artifact) Talk {
	if !a.Variant.Talks() {
		return nil
	}
	out := make(Talk, len(a.Parts))
	for i := range out {
		out[i] = -1
	}
	for i, m := range a.Messages {
		for _, b := range m.Blocks {
			for part := b.From; part < b.To; part++ {
				out[part] = i
			}
		}
	}
	return out
}

// last reports whether a part is the last of its message.
func (t Talk) last(part int) bool {
	return part+1 == len(t) || t[part+1] != t[part]
}

// said reports whether a part is something that a conversation's sources say.
func said(part assembly.Part) bool {
	return part.Section < 0 && part.Passage != nil && part.Passage.Content != nil
}

// Message gives the message that a part belongs to.
func (t Talk) Message(a *assembly.Artifact, part int) assembly.Message {
	if part >= len(t) || t[part] < 0 {
		return assembly.Message{}
	}
	return a.Messages[t[part]]
}

// word names what a part of a conversation belongs to: the message's block, or
// of a message that holds several kinds of things the kind.
func (t Talk) word(a *assembly.Artifact, part int) string {
	switch block := t.Message(a, part).Block; block {
	case "", assembly.BlockSystem, assembly.BlockTier:
		return a.Parts[part].Passage.Content.Kind.String()
	default:
		return block
	}
}

// entry gives the entry of a part that a conversation says, without what it
// costs.
func (t Talk) entry(a *assembly.Artifact, part int) Entry {
	p := a.Parts[part]
	return Entry{content: t.word(a, part), Tier: t.Message(a, part).Tier, start: p.Start, end: p.Start + len(p.Text)}
}

// goesOn reports whether a part that a conversation says belongs to the last
// entry: the files of a tier are one, and the turns of its history are.
func (t Talk) goesOn(a *assembly.Artifact, out []Entry, part int) bool {
	if len(out) == 0 {
		return false
	}
	last := out[len(out)-1]
	return last.content != "" && last.content == t.word(a, part) && last.Tier == t.Message(a, part).Tier
}

// segs gives the places of what some parts say.
func segs(parts ...assembly.Part) []ground.Seg {
	var out []ground.Seg
	for _, p := range parts {
		switch {
		case p.Rendering != nil:
			out = append(out, p.Rendering.Text.Segs...)
		case said(p):
			out = append(out, p.Passage.Text.Segs...)
		}
	}
	return out
}

// leftOut gives what the conversation of a variant shows elsewhere or not at
// all.
func leftOut(r *prompt.Result, a *assembly.Artifact) []assembly.LeftOut {
	rules := a.Variant.Messages
	if rules == nil || r.Plan == nil || rules.Unit < 0 || rules.Unit >= len(r.Plan.Units) || r.Plan.Units[rules.Unit].Dialogue == nil {
		return nil
	}
	return r.Plan.Units[rules.Unit].Dialogue.LeftOut
}

// Dialect names the shape of a request body, "" for text.
func Dialect(a *assembly.Artifact) string {
	if d := a.Variant.Shape(); d.JSON {
		return d.Name
	}
	return ""
}

// jsonMessage is one message of a request body, or of a conversation.
type jsonMessage struct {
	Role string `json:"role"`
	Tier string `json:"tier,omitempty"`
	// Turn is the request of a conversation that says it first, from 1.
	Turn  int    `json:"turn,omitempty"`
	Block string `json:"block"`
	// Tokens is the count of its texts; Total that of all up to its end.
	Tokens int         `json:"tokens"`
	Total  int         `json:"total"`
	Pieces []jsonPiece `json:"pieces"`
	// Images are not counted.
	Images []jsonImage `json:"images,omitempty"`
}

// jsonPiece is what a section says in a message, or one thing that a
// conversation says: "files/main.go". What the layout says by itself counts
// with the piece behind it, at the end of a message with the one before.
type jsonPiece struct {
	Section string `json:"section,omitempty"`
	Content string `json:"content,omitempty"`
	Tokens  int    `json:"tokens"`
	Total   int    `json:"total"`
	// Start and End are bytes of the texts of all messages, one after
	// another.
	Start int         `json:"start"`
	End   int         `json:"end"`
	From  []jsonLines `json:"from"`
}

type jsonImage struct {
	Media string `json:"media"`
	Bytes int    `json:"bytes"`
}

// messages gives the messages of a variant whose artifact has any: a text has
// none.
func messages(a *assembly.Artifact, manifest *diag.File, opt words.Options) []jsonMessage {
	if Dialect(a) == "" && !a.Variant.Talks() {
		return nil
	}
	out := []jsonMessage{}
	before := 0
	for _, m := range a.Messages {
		made := jsonMessage{Role: string(m.Role), Tier: m.Tier, Turn: m.Turn, Block: m.Block, Total: before, Pieces: []jsonPiece{}}
		counted := before // up to the last piece
		for _, b := range m.Blocks {
			if b.Image != nil {
				made.Images = append(made.Images, jsonImage{b.Image.Media, b.Image.Bytes})
			}
			for _, p := range a.Parts[b.From:b.To] {
				made.Total = p.Total
				if piece, ok := pieceOf(a, p, manifest, opt); ok {
					piece.Tokens = p.Total - counted
					counted = p.Total
					made.Pieces = append(made.Pieces, piece)
				}
			}
		}
		made.Tokens = made.Total - before
		if n := len(made.Pieces); n > 0 {
			last := &made.Pieces[n-1]
			last.Tokens, last.Total = last.Tokens+made.Total-counted, made.Total
		}
		before = made.Total
		out = append(out, made)
	}
	return out
}

// pieceOf gives the piece that a part is, without what it costs; false for
// what the layout says by itself.
func pieceOf(a *assembly.Artifact, p assembly.Part, manifest *diag.File, opt words.Options) (jsonPiece, bool) {
	piece := jsonPiece{Total: p.Total, Start: p.Start, End: p.Start + len(p.Text), From: origins(segs(p), manifest, opt)}
	switch {
	case p.Section >= 0:
		piece.Section = sectionID(a, p.Section)
	case said(p):
		piece.Content = p.Passage.Content.Name()
	default:
		return jsonPiece{}, false
	}
	return piece, true
}
