package token

import (
	"crypto/sha256"
	"slices"
	"sync"
	"unicode/utf8"
)

// quarterName is the tokenizer that needs no table.
const quarterName = "chars/4"

// quarters counts a token for every four code points, rounded up.
type quarters struct{}

func (quarters) count(text string) int { return quarter(utf8.RuneCountInString(text)) }

// Code points are added, not tokens: rounding comes last.
func (quarters) part(text string) *span { return &span{middle: utf8.RuneCountInString(text)} }

func (quarters) join(to, more *span) { to.middle += more.middle }

func (quarters) sum(text *span) int { return quarter(text.middle) }

func quarter(runes int) int { return (runes + 3) / 4 }

// digest stands for a text in a memory, so that the text need not be kept.
type digest [sha256.Size]byte

// tally counts the tokens of a text.
type tally interface {
	count(text string) int
	countBytes(text []byte) int
}

// seamed counts parts by themselves and the seams between them apart.
type seamed struct {
	tally

	safe cutRule
	// long is the length from which a seam is remembered.
	long  int
	parts memo[string, *span]
	runs  memo[digest, int]
}

func newSeamed(t tally, safe cutRule, long int) *seamed {
	return &seamed{tally: t, safe: safe, long: long}
}

// part finds what counts the same in every text: what lies between the first and
// the last safe cut.
func (s *seamed) part(text string) *span {
	return s.parts.of(text, func() *span {
		head := s.safe.firstCut(text)
		if head < 0 {
			return &span{tail: []byte(text)}
		}
		tail := s.safe.lastCut(text)
		return &span{cut: true, head: []byte(text[:head]), middle: s.count(text[head:tail]), tail: []byte(text[tail:])}
	})
}

// longSeam is the length from which a seam is remembered where counting is
// quick. Mostly one has a few bytes, and those are counted quicker than they are
// found.
const longSeam = 128

func (s *seamed) seam(run []byte) int {
	switch {
	case len(run) == 0:
		return 0
	case len(run) < s.long:
		return s.countBytes(run)
	}
	return s.runs.of(sha256.Sum256(run), func() int { return s.countBytes(run) })
}

// join counts the seam. A text without a safe cut just makes the other one longer,
// for as long as it takes.
func (s *seamed) join(to, more *span) {
	first := more.head
	if !more.cut {
		first = more.tail
	}
	if len(first) == 0 {
		return
	}
	if len(to.tail) > 0 && s.safe(lastSet(to.tail), firstSet(first)) {
		s.cut(to)
	}
	if more.cut {
		to.tail = append(to.tail, more.head...)
		s.cut(to)
		to.middle += more.middle
	}
	to.tail = append(to.tail, more.tail...)
}

// cut ends a text with a safe cut.
func (s *seamed) cut(text *span) {
	if text.cut {
		text.middle += s.seam(text.tail)
	} else {
		text.cut, text.head = true, slices.Clone(text.tail)
	}
	text.tail = text.tail[:0]
}

func (s *seamed) sum(text *span) int { return s.seam(text.head) + text.middle + s.seam(text.tail) }

// A text is split into pieces by a pattern before the pieces become tokens, and
// a piece depends only on the text from its start on. So where a piece is bound
// to end whatever stands around, the text can be cut and both sides counted
// apart. These are the safe cuts. Whether a cut is safe follows from the
// categories of the runes on its two sides.

// unsure is every rune that the rules do not cover, and every byte that is no
// rune at all: no cut touches it. U+0085 is in it, since implementations disagree
// on whether it is white space.
const unsure = un | ne

// cutRule tells whether a cut between two neighbouring runes is safe for any
// text before and after them.
type cutRule func(before, after set) bool

func o200kCut(before, after set) bool {
	switch {
	case before&letters != 0:
		// A word goes on through marks and takes its contraction along.
		return after&(unsure|letters|mk|ap) == 0
	case before == nl:
		return after&(unsure|sp|nl|sl) == 0
	default:
		return commonCut(before, after)
	}
}

func cl100kCut(before, after set) bool {
	switch {
	case before&letters != 0:
		return after&(unsure|letters) == 0
	case before == nl:
		return after&(unsure|sp|nl) == 0
	default:
		return commonCut(before, after)
	}
}

// gpt2Cut is for the encodings of GPT-2's pattern: every piece that holds
// something else ends at white space, with which the next may begin.
func gpt2Cut(before, after set) bool {
	return before&(unsure|nl|sp) == 0 && after&(sp|nl) != 0
}

// commonCut holds the cases in which o200k and cl100k agree. White space looks
// ahead: behind it no cut is safe.
func commonCut(before, after set) bool {
	if before == nu {
		return after&(unsure|nu) == 0
	}
	// Not before a line end, which the piece would take in, nor before a letter,
	// whose word takes in the rune before it.
	return before&(mk|ap|sl|ot) != 0 && after&(sp|nu) != 0
}

// setOf gives the set of a rune, as decoded with its size.
func setOf(r rune, size int) set {
	if r == utf8.RuneError && size <= 1 {
		return un
	}
	return 1 << categoryOf(r)
}

func firstSet(text []byte) set { return setOf(utf8.DecodeRune(text)) }

func lastSet(text []byte) set { return setOf(utf8.DecodeLastRune(text)) }

// firstCut is the byte offset of the first safe cut inside the text, or -1.
func (safe cutRule) firstCut(text string) int {
	before, size := utf8.DecodeRuneInString(text)
	left := setOf(before, size)
	for at := size; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		right := setOf(r, size)
		if safe(left, right) {
			return at
		}
		left = right
		at += size
	}
	return -1
}

// lastCut is the byte offset of the last safe cut inside the text, or -1.
func (safe cutRule) lastCut(text string) int {
	after, size := utf8.DecodeLastRuneInString(text)
	right := setOf(after, size)
	for at := len(text) - size; at > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		left := setOf(r, size)
		if safe(left, right) {
			return at
		}
		right = left
		at -= size
	}
	return -1
}

// memo remembers what was worked out for a key. Two callers that ask for the
// same new key at once get one computation: the second waits for the first. The
// zero memo is empty and ready.
type memo[K comparable, V any] struct {
	mu    sync.RWMutex
	slots map[K]*slot[V]
}

type slot[V any] struct {
	once  sync.Once
	value V
}

// of returns the value for the key, from compute if the key is new. The lock is
// not held meanwhile, so that other keys do not wait.
func (m *memo[K, V]) of(key K, compute func() V) V {
	s := m.slot(key)
	s.once.Do(func() { s.value = compute() })
	return s.value
}

func (m *memo[K, V]) slot(key K) *slot[V] {
	m.mu.RLock()
	s, ok := m.slots[key]
	m.mu.RUnlock()
	if ok {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok = m.slots[key]; !ok {
		if m.slots == nil {
			m.slots = make(map[K]*slot[V])
		}
		s = new(slot[V])
		m.slots[key] = s
	}
	return s
}
