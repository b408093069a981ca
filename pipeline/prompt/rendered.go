package prompt

import "github.com/promptc-build/promptc/pipeline/diag"

// Saved is one entry of a snapshot file of vitest or jest.
type Saved struct {
	// Name is the entry's name, the number at its end included.
	Name   string
	NameAt diag.Span
	// Value is the text that was saved, without the quotes and line breaks that
	// the programs put around it. IsText is false where something else than a
	// text was saved; then Value is empty.
	Value  Text
	IsText bool
	At     diag.Span // the value, with its backticks
}

// Cutter takes the parts of a text one after another.
type Cutter struct {
	text Text
	pos  int
}

// NewCutter gives a cutter at the start of a text.
func NewCutter(t Text) *Cutter { return &Cutter{text: t} }

// Take gives the text from where the last part ended up to an offset, which is
// not before that, with its places.
func (c *Cutter) Take(to int) Text {
	out := c.text.Slice(c.pos, to)
	c.pos = to
	return out
}
