package token

import (
	"crypto/sha256"
	"sync"
	"unicode/utf8"
)

// quarterName is the tokenizer that needs no table.
const quarterName = "chars/4"

// quarters counts a token for every four code points, rounded up.
type quarters struct{}

func (quarters) count(text string) int { return quarter(utf8.RuneCountInString(text)) }

func (quarters) join() joiner { return new(quarterJoin) }

// quarterJoin adds code points, not tokens: rounding comes last.
type quarterJoin struct{ runes int }

func (j *quarterJoin) add(part string) { j.runes += utf8.RuneCountInString(part) }

func (j *quarterJoin) sum() int { return quarter(j.runes) }

func (j *quarterJoin) state() (int, []byte) { return j.runes, nil }

func (j *quarterJoin) set(runes int, _ string) { j.runes = runes }

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
	parts memo[string, piece]
	runs  memo[digest, int]
}

// piece is a part seen by the joiner: what lies between its first and last safe
// cut counts the same in every text; head and tail depend on the neighbours.
type piece struct {
	head, tail int // byte offsets: where the head ends, where the tail starts
	middle     int // tokens between them
	uncut      bool
}

func newSeamed(t tally, safe cutRule, long int) *seamed {
	return &seamed{tally: t, safe: safe, long: long}
}

func (s *seamed) join() joiner {
	j := &seamJoin{seamed: s}
	j.run = j.room[:0]
	return j
}

func (s *seamed) piece(part string) piece {
	return s.parts.of(part, func() piece {
		head := s.safe.firstCut(part)
		if head < 0 {
			return piece{uncut: true}
		}
		tail := s.safe.lastCut(part)
		return piece{head: head, tail: tail, middle: s.count(part[head:tail])}
	})
}

// longSeam is the length from which a seam is remembered where counting is
// quick. Mostly one has a few bytes, and those are counted quicker than they are
// found.
const longSeam = 128

func (s *seamed) seam(run []byte) int {
	if len(run) < s.long {
		return s.countBytes(run)
	}
	return s.runs.of(sha256.Sum256(run), func() int { return s.countBytes(run) })
}

// seamJoin holds the tokens that no later part can change, and the text since
// the last safe cut, which one can. A part without a safe cut just makes that
// text longer, for as long as it takes.
type seamJoin struct {
	*seamed

	settled int
	run     []byte
	room    [64]byte // for a run as it mostly is
}

func (j *seamJoin) add(part string) {
	if part == "" {
		return
	}
	if len(j.run) > 0 && j.safe(lastSet(j.run), firstSet(part)) {
		j.settled += j.seam(j.run)
		j.run = j.run[:0]
	}
	p := j.piece(part)
	if p.uncut {
		j.run = append(j.run, part...)
		return
	}
	j.run = append(j.run, part[:p.head]...)
	j.settled += j.seam(j.run) + p.middle
	j.run = append(j.run[:0], part[p.tail:]...)
}

func (j *seamJoin) sum() int { return j.settled + j.seam(j.run) }

func (j *seamJoin) state() (int, []byte) { return j.settled, j.run }

func (j *seamJoin) set(settled int, open string) {
	j.settled, j.run = settled, append(j.run[:0], open...)
}

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

func firstSet(text string) set { return setOf(utf8.DecodeRuneInString(text)) }

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
