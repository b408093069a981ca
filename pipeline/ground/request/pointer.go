package request

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// At is a block of a body: the indices of its message and of itself.
type At struct{ Message, Block int }

func step(key string) ground.PathStep { return ground.PathStep{Key: key} }

func element(i int) ground.PathStep {
	return ground.PathStep{Key: strconv.Itoa(i), Element: true}
}

// message gives the steps that lead to a message, as the body is written.
func (b *Body) message(m int) []ground.PathStep {
	s := lookup(b.Dialect)
	if b.Messages[m].Apart {
		return []ground.PathStep{step(s.apart)}
	}
	if b.Messages[m].Bare {
		return []ground.PathStep{step(s.list)}
	}
	n := 0
	for i := range m {
		if !b.Messages[i].Apart {
			n++
		}
	}
	return []ground.PathStep{step(s.list), element(n)}
}

// Pointer gives the steps that lead to a block, as the body is written; to its
// message where the block is the message, or a string in it.
func (b *Body) Pointer(at At) []ground.PathStep {
	out, m := b.message(at.Message), &b.Messages[at.Message]
	s := lookup(b.Dialect)
	list := func(bl Block) string {
		switch {
		case s.calls && (bl.Kind == Call || bl.Called):
			return "tool_calls"
		case s.images && bl.Kind == Picture:
			return "images"
		default:
			return s.content
		}
	}
	key, n := list(m.Blocks[at.Block]), 0
	for _, bl := range m.Blocks[:at.Block] {
		if list(bl) == key {
			n++
		}
	}
	switch {
	case m.Item, m.Bare:
		return out
	case m.Apart && s.apartContent == "" || key == "":
		if m.Content == Listed {
			out = append(out, element(n))
		}
		return out
	case key == s.content && m.Content != Listed:
		return append(out, step(key))
	default:
		return append(out, step(key), element(n))
	}
}

// Find gives the block, or with -1 for its index the message, that steps lead to or
// into, and the steps that are left; false where they lead to neither.
func (b *Body) Find(steps []ground.PathStep) (at At, rest []ground.PathStep, ok bool) {
	leads := func(to []ground.PathStep) bool {
		if len(to) > len(steps) {
			return false
		}
		for i := range to {
			if to[i].Key != steps[i].Key {
				return false
			}
		}
		return true
	}
	for m := range b.Messages {
		message := b.message(m)
		if !leads(message) {
			continue
		}
		at, rest, ok = At{m, -1}, steps[len(message):], true
		for k := range b.Messages[m].Blocks {
			if p := b.Pointer(At{m, k}); len(p) > len(message) && leads(p) {
				return At{m, k}, steps[len(p):], true
			}
		}
	}
	return at, rest, ok
}

// Place gives the place in the file of what steps lead to, or of the nearest that
// has one.
func (b *Body) Place(steps []ground.PathStep) diag.Span {
	at, _, ok := b.Find(steps)
	switch {
	case !ok:
		return diag.Span{}
	case at.Block >= 0:
		return b.Messages[at.Message].Blocks[at.Block].At
	default:
		return b.Messages[at.Message].At
	}
}

// Original turns steps in a body with Only some blocks of this one into steps of this
// one.
func (b *Body) Original(some *Body, kept []At, steps []ground.PathStep) []ground.PathStep {
	at, rest, ok := some.Find(steps)
	if !ok {
		return steps
	}
	n := 0 // the blocks before the message
	for i := range at.Message {
		n += len(some.Messages[i].Blocks)
	}
	if at.Block < 0 {
		return append(b.message(kept[n].Message), rest...)
	}
	return append(b.Pointer(kept[n+at.Block]), rest...)
}

// Only gives the body with these blocks alone, in their order, and without messages
// that have none of them.
func (b *Body) Only(kept []At) *Body {
	out := *b
	out.Messages = nil
	last := -1
	for _, at := range kept {
		if at.Message != last {
			m := b.Messages[at.Message]
			m.Blocks = nil
			out.Messages, last = append(out.Messages, m), at.Message
		}
		m := &out.Messages[len(out.Messages)-1]
		m.Blocks = append(m.Blocks, b.Messages[at.Message].Blocks[at.Block])
	}
	return &out
}

// Listed gives the body with lists of blocks in place of plain strings.
func (b *Body) Listed() *Body {
	out := *b
	out.Messages = slices.Clone(b.Messages)
	for i := range out.Messages {
		if m := &out.Messages[i]; m.Content == Plain && !m.Item && !m.Bare {
			m.Content = Listed
		}
	}
	return &out
}

// Shown gives a picture as JSON: its address, or of one that is sent along its type,
// size and sum; "" for any other block.
func (b Block) Shown() string {
	if b.Image == nil {
		return ""
	}
	return quoted(b.Image.summed().URL)
}
