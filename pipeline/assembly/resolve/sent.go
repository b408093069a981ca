package resolve

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// sentBlock is a block of a request, with those cuts that it says: from one to before
// another.
type sentBlock struct {
	message  int
	from, to int
	block    request.Block
}

// sent gives the request that a text is, nil for any other.
func (t *renderedText) sent() *language.Sent {
	if t.entry == nil {
		return nil
	}
	return t.entry.Sent
}

// takeApart cuts what a request says into sections: system text as any other, and
// each block of the other messages for one that is called after who says it, or after
// the tool. The tags of a template are blank in text.
func (t *renderedText) takeApart(text string, at []language.Split) {
	start := 0
	messages := t.sent().Body.Messages
	for m := range messages {
		for _, b := range messages[m].Leaves() {
			end := start
			for _, said := range b.Said {
				end += len(said.Str)
			}
			block := sentBlock{message: m, from: len(t.cuts), block: b}
			switch {
			case start == end:
			case messages[m].Role == request.System:
				for _, c := range split(text[start:end], at) {
					if c.start, c.end = c.start+start, c.end+start; c.parent >= 0 {
						c.parent += block.from
					}
					t.cuts = append(t.cuts, c)
				}
			default:
				t.cuts = append(t.cuts, cut{slug: calledAfter(&messages[m], b), parent: -1, start: start, end: end})
			}
			start, block.to = end, len(t.cuts)
			t.blocks = append(t.blocks, block)
		}
	}
}

// calledAfter gives the name of a block that is no system text.
func calledAfter(m *request.Message, b request.Block) string {
	name := string(m.Role)
	switch {
	case b.Kind == request.Call:
		name = "call " + b.Name
	case b.Kind == request.Result && b.Name != "", m.Role == request.FromTool && b.Name != "":
		name = "result " + b.Name
	case b.Kind == request.Result:
		name = "result"
	case b.Kind == request.Other && b.Raw.Field("type").Scalar() != "":
		name = b.Raw.Field("type").Scalar()
	}
	return slug(name)
}

// layOut says who says which sections; nil for a text. place has the index of each
// section by its id.
func (t *renderedText) layOut(place map[string]int) *assembly.Sent {
	sent := t.sent()
	if sent == nil {
		return nil
	}
	out := &assembly.Sent{Entry: t.entry}
	turn, blocks := 0, t.blocks
	for i, m := range sent.Body.Messages {
		for turn < len(sent.Turns)-1 && i >= sent.Turns[turn] {
			turn++
		}
		said := assembly.SentMessage{Role: m.Role, At: m.At}
		if len(sent.Turns) > 1 {
			said.Turn = turn + 1
		}
		for ; len(blocks) > 0 && blocks[0].message == i; blocks = blocks[1:] {
			b := assembly.SentBlock{Image: blocks[0].block.Image, Marked: blocks[0].block.Marked}
			for _, c := range t.cuts[blocks[0].from:blocks[0].to] {
				b.Sections = append(b.Sections, place[c.id])
			}
			said.Blocks = append(said.Blocks, b)
		}
		out.Messages = append(out.Messages, said)
	}
	return out
}
