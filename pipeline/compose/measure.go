package compose

import (
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/token"
)

// measured is a text while it grows: what it says, and what it counts besides
// its tokens.
type measured struct {
	text         token.Text
	chars, slots int
	begun        bool // it has a section
}

func (m measured) copy() measured {
	m.text = m.text.Copy()
	return m
}

func (m *measured) add(part string) {
	m.text.Add(part)
	m.chars += utf8.RuneCountInString(part)
}

// measuredTape is a list of parts that is measured once: any end of it is taken
// in nearly at once.
type measuredTape struct {
	tape         *token.Tape
	chars, slots []int // before each part, and in all
}

func newTape(count *token.Counter) *measuredTape {
	return &measuredTape{tape: count.Tape(), chars: []int{0}, slots: []int{0}}
}

func (t *measuredTape) add(part string, slots int) {
	n := t.tape.Len()
	t.tape.Add(part)
	t.chars = append(t.chars, t.chars[n]+utf8.RuneCountInString(part))
	t.slots = append(t.slots, t.slots[n]+slots)
}

// addFrom takes in what a tape says from a part on.
func (m *measured) addFrom(t *measuredTape, from int) {
	n := t.tape.Len()
	m.text.AddTape(t.tape, from, n)
	m.chars += t.chars[n] - t.chars[from]
	m.slots += t.slots[n] - t.slots[from]
}

// measuring measures the choices of a walk as they would be emitted if nothing
// else found a place: a notice then names all the others, and only becomes
// shorter. What is measured already is not measured again at each step, so that
// a walk takes time by its length.
type measuring struct {
	*draft
	stickyFirst bool
	before      measured // what stands before the next candidate
	// behind are the sticky ones that stand after it, each a join and a text,
	// from an index on.
	behind *measuredTape
	next   int
	// gone and open are the ids of what was left and of what is still to be
	// decided, from an index on, each with what stands before it.
	gone, open *measuredTape
	decided    int
}

func (d *draft) measuring(walk []candidate, stickyFirst bool) *measuring {
	m := &measuring{
		draft: d, stickyFirst: stickyFirst, before: measured{text: d.count.Text()},
		behind: newTape(d.count), gone: newTape(d.count), open: newTape(d.count),
	}
	for _, c := range walk {
		switch r := d.rendering(c.section); {
		case !c.sticky:
			m.open.add(noticeBetween, 0)
			m.open.add(c.id, 0)
		case stickyFirst:
			m.section(&m.before, c)
		default:
			m.behind.add(d.joinOf(c.section), 0)
			m.behind.add(r.Text.Str, slotTokens(r))
		}
	}
	return m
}

// section appends a section behind its join.
func (m *measuring) section(to *measured, c candidate) {
	r := m.rendering(c.section)
	if to.begun {
		to.add(m.joinOf(c.section))
	}
	to.text.Add(r.Text.Str)
	to.chars += m.runes[r]
	to.slots += slotTokens(r)
	to.begun = true
}

func (m *measuring) now() trial { return m.trial(m.before.copy(), m.decided) }

func (m *measuring) with(c candidate) trial {
	text := m.before.copy()
	m.section(&text, c)
	return m.trial(text, m.decided+2)
}

func (m *measuring) keep(c candidate) {
	switch {
	case !c.sticky:
		m.decided += 2
	case m.stickyFirst:
		return // it is in
	default:
		m.next += 2
	}
	m.section(&m.before, c)
}

func (m *measuring) leave(c candidate) {
	m.decided += 2
	m.gone.add(noticeBetween, 0)
	m.gone.add(c.id, 0)
}

// trial measures a text with the sticky sections behind it, and with a notice
// that names what was left and, from an index on, what is still open.
func (m *measuring) trial(text measured, open int) trial {
	if from := m.next; from < m.behind.tape.Len() {
		if !text.begun {
			from++ // the first section has no join before it
		}
		text.addFrom(m.behind, from)
		text.begun = true
	}
	noticed := m.notices && (m.gone.tape.Len() > 0 || open < m.open.tape.Len())
	with := text
	if noticed {
		with = text.copy()
		m.addNotice(&with, open)
	}
	bare := m.end(text)
	full := bare
	if noticed {
		full = m.end(with)
	}
	l := m.variant.Budget
	return trial{use: bare.use, chars: bare.chars, left: room(l.Tokens, full.use), charsLeft: room(l.Chars, full.chars)}
}

func (m *measuring) addNotice(to *measured, open int) {
	if to.begun {
		to.add(m.variant.Join.Str)
	}
	to.begun = true
	to.add(noticeStart)
	if m.gone.tape.Len() > 0 {
		to.addFrom(m.gone, 1)
	} else {
		open++
	}
	if open < m.open.tape.Len() {
		to.addFrom(m.open, open)
	}
	to.add(noticeEnd)
}

// end gives what a text uses, with its last line break.
func (m *measuring) end(text measured) trial {
	if text.begun && !inJSON(m.variant) && !m.variant.Exact {
		text.add("\n")
	}
	return trial{use: text.text.Tokens() + text.slots, chars: text.chars}
}
