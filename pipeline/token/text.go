package token

// Text is a text that grows by parts. At any time it is counted exactly, and a
// copy of it can grow in another way.
type Text struct {
	counter *Counter
	join    joiner
}

// Text gives an empty one.
func (c *Counter) Text() Text { return Text{c, c.scheme.join()} }

// Add appends a part.
func (t Text) Add(part string) { t.join.add(part) }

// Copy gives a text of its own that starts with this one.
func (t Text) Copy() Text {
	out := t.counter.Text()
	settled, open := t.join.state()
	out.join.set(settled, string(open))
	return out
}

// Tokens is the number of tokens so far: Sum of all parts.
func (t Text) Tokens() int { return t.counter.scaled(t.join.sum()) }

// Tape is a list of parts that was counted once. A [Text] takes any stretch of
// it in nearly at once, however long it is.
type Tape struct {
	text  Text
	parts []string
	after []reading // by part, of the tape from its start
}

// reading is what a text has settled at a place of a tape, and what is open there.
type reading struct {
	settled int
	open    string
	long    bool // so much is open that it is not kept
}

// maxOpen bounds what a reading keeps, in bytes: mostly it is a word.
const maxOpen = 256

// Tape gives an empty one.
func (c *Counter) Tape() *Tape { return &Tape{text: c.Text()} }

// Add appends a part.
func (t *Tape) Add(part string) {
	t.text.Add(part)
	settled, open := t.text.join.state()
	m := reading{settled: settled, long: len(open) > maxOpen}
	if !m.long {
		m.open = string(open)
	}
	t.parts, t.after = append(t.parts, part), append(t.after, m)
}

// Len is the number of parts.
func (t *Tape) Len() int { return len(t.parts) }

// AddTape appends the parts of a tape from one index to before another. As soon
// as the same text is open here and on the tape, all that follows counts as it
// did there.
func (t Text) AddTape(tape *Tape, from, to int) {
	for i := from; i < to; i++ {
		t.Add(tape.parts[i])
		settled, open := t.join.state()
		here, last := tape.after[i], tape.after[to-1]
		if !here.long && !last.long && string(open) == here.open {
			t.join.set(settled+last.settled-here.settled, last.open)
			return
		}
	}
}
