package token

import (
	"iter"
	"sync"
	"unicode/utf8"
)

// engine counts in one encoding exactly as the published implementation does,
// without allocating, and is safe for concurrent use.
type engine struct {
	vocab     *vocab
	words     words
	scratches scratches
}

func newEngine(e *encoding) *engine {
	return &engine{vocab: newVocab(e.own.data()), words: e.own.words}
}

// split gives the end of the piece that starts at a place. It is no value of a
// function: the compiler would think that the text is kept.
func (e *engine) split(text string, at int) int {
	if e.words == cl100kWords {
		return splitCl100k(text, at)
	}
	return splitO200k(text, at)
}

// count is the number of tokens in a text.
func (e *engine) count(text string) int {
	text = valid(text)
	if len(text) < 2 {
		return len(text) // every byte is a token
	}
	s := e.scratches.take()
	total := 0
	for at := 0; at < len(text); {
		end := e.split(text, at)
		switch n := end - at; {
		case n == 1:
			total++
		case n <= longestShort:
			key := load(text, at, n) | uint64(n)<<56
			known := s.short(key)
			if known.key != key {
				known.key, known.count = key, uint64(e.piece(s, text, at, end))
			}
			total += int(known.count)
		case n <= longestWord:
			known, key := s.word(text[at:end])
			if known.key != key {
				known.key, known.count = key, uint64(e.piece(s, text, at, end))
			}
			total += int(known.count)
		default:
			total += e.piece(s, text, at, end)
		}
		at = end
	}
	e.scratches.give(s)
	return total
}

// countBytes is count of text that is not a string yet. It does not allocate
// when there is little.
func (e *engine) countBytes(text []byte) int { return e.count(string(text)) }

// piece counts the tokens of a piece.
func (e *engine) piece(s *scratch, text string, from, end int) int {
	if e.vocab.rank(text, from, end) != none {
		return 1
	}
	if end-from > mergeShort {
		return s.long.run(ranks{vocab: e.vocab}, text[from:end])
	}
	var m shortMerge
	m.run(e.vocab, text, from, end)
	return m.count
}

// tokens lists the tokens of a text of valid UTF-8.
func (e *engine) tokens(text string) []Token {
	var all []Token
	for at := 0; at < len(text); {
		end := e.split(text, at)
		all = e.appendPiece(all, text, at, end)
		at = end
	}
	return all
}

func (e *engine) appendPiece(all []Token, text string, from, end int) []Token {
	add := func(start, end int) {
		all = append(all, Token{ID: int(e.vocab.rank(text, start, end)), Start: start, End: end})
	}
	n := end - from
	switch {
	case e.vocab.rank(text, from, end) != none:
		add(from, end)
	case n > mergeShort:
		var m longMerge
		m.run(ranks{vocab: e.vocab}, text[from:end])
		for at := range m.starts() {
			add(from+at, from+int(m.parts[at].next))
		}
	default:
		var m shortMerge
		m.run(e.vocab, text, from, end)
		for i := range m.count {
			add(from+int(m.start[i]), from+int(m.start[i+1]))
		}
	}
	return all
}

// valid gives the text as the encodings see it: with U+FFFD for each byte that
// belongs to no rune.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// A piece that is no token is merged: its parts, at first its bytes, become
// longer parts as long as two neighbours are a token together, always the two
// that make the token of the lowest rank, of equals the leftmost.

// mergeShort is the longest piece, in bytes, whose parts are looked through for
// each merge. Above it, a heap is quicker.
const mergeShort = 40

// shortMerge holds the parts of a short piece.
type shortMerge struct {
	count int
	start [mergeShort + 1]uint8 // where the parts start; after the last, where it ends
	rank  [mergeShort]uint32    // of each part with its right neighbour
}

// run merges text[from:end].
func (m *shortMerge) run(v *vocab, text string, from, end int) {
	count := end - from
	for i := range count - 1 {
		m.start[i] = uint8(i)
		m.rank[i] = v.rank(text, from+i, from+i+2)
	}
	m.start[count-1], m.start[count] = uint8(count-1), uint8(count)
	m.rank[count-1] = none
	for {
		best, at := none, 0
		for i, rank := range m.rank[:count-1] {
			if rank < best {
				best, at = rank, i
			}
		}
		if best == none {
			m.count = count
			return
		}
		copy(m.start[at+1:count], m.start[at+2:count+1])
		copy(m.rank[at+1:count-1], m.rank[at+2:count])
		count--
		m.rank[at] = none
		if at+1 < count {
			m.rank[at] = v.rank(text, from+int(m.start[at]), from+int(m.start[at+2]))
		}
		if at > 0 {
			m.rank[at-1] = v.rank(text, from+int(m.start[at-1]), from+int(m.start[at+1]))
		}
	}
}

// ranks are those of one encoding: a vocabulary, or the library's.
type ranks struct {
	vocab   *vocab
	library map[string]int
}

func (r ranks) rank(text string, start, end int) uint32 {
	if r.vocab != nil {
		return r.vocab.rank(text, start, end)
	}
	if rank, ok := r.library[text[start:end]]; ok {
		return uint32(rank)
	}
	return none
}

// longMerge holds the parts of a long piece, a list, and the pairs that wait in
// a heap, so that merging n bytes takes O(n log n).
type longMerge struct {
	parts []part
	pairs []uint64 // a heap: the rank in the upper half, the start in the lower
}

// part stands at the number of its first byte. What is no first byte any more
// has no rank.
type part struct {
	next, prev uint32
	rank       uint32 // with the right neighbour
}

func (m *longMerge) run(r ranks, piece string) int {
	n := len(piece)
	if cap(m.parts) < n {
		m.parts = make([]part, n)
		m.pairs = make([]uint64, 0, 2*n)
	}
	m.parts, m.pairs = m.parts[:n], m.pairs[:0]
	for i := range m.parts {
		p := part{next: uint32(i + 1), prev: uint32(i - 1), rank: none}
		if i+1 < n {
			p.rank = r.rank(piece, i, i+2)
		}
		m.parts[i] = p
		if p.rank != none {
			m.pairs = append(m.pairs, uint64(p.rank)<<32|uint64(i))
		}
	}
	for i := len(m.pairs)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	count := n
	for len(m.pairs) > 0 {
		pair := m.pairs[0]
		start := uint32(pair)
		if m.parts[start].rank != uint32(pair>>32) {
			m.drop() // one of the two was merged with another meanwhile
			continue
		}
		m.join(r, piece, start)
		count--
	}
	return count
}

func (m *longMerge) starts() iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; at < len(m.parts) && yield(at); {
			at = int(m.parts[at].next)
		}
	}
}

// join merges the pair at the top of the heap, which begins at start.
func (m *longMerge) join(r ranks, piece string, start uint32) {
	left := &m.parts[start]
	right := &m.parts[left.next]
	left.next, right.rank = right.next, none
	if int(left.next) < len(piece) {
		m.parts[left.next].prev = start
	}
	// The new pair takes the place of the old one: mostly it stays near the top.
	if m.renew(r, piece, start); left.rank != none {
		m.pairs[0] = uint64(left.rank)<<32 | uint64(start)
		m.sink(0)
	} else {
		m.drop()
	}
	if start == 0 {
		return
	}
	if m.renew(r, piece, left.prev); m.parts[left.prev].rank != none {
		m.push(uint64(m.parts[left.prev].rank)<<32 | uint64(left.prev))
	}
}

// renew looks up the pair that begins at start.
func (m *longMerge) renew(r ranks, piece string, start uint32) {
	p := &m.parts[start]
	p.rank = none
	if int(p.next) < len(piece) {
		p.rank = r.rank(piece, int(start), int(m.parts[p.next].next))
	}
}

func (m *longMerge) push(pair uint64) {
	m.pairs = append(m.pairs, pair)
	at := len(m.pairs) - 1
	for at > 0 {
		up := (at - 1) / 2
		if m.pairs[up] <= pair {
			break
		}
		m.pairs[at] = m.pairs[up]
		at = up
	}
	m.pairs[at] = pair
}

// drop removes the lowest pair.
func (m *longMerge) drop() {
	last := len(m.pairs) - 1
	m.pairs[0] = m.pairs[last]
	m.pairs = m.pairs[:last]
	if last > 0 {
		m.sink(0)
	}
}

// sink moves a pair down to where it belongs.
func (m *longMerge) sink(at int) {
	pair := m.pairs[at]
	for {
		child := 2*at + 1
		if child >= len(m.pairs) {
			break
		}
		if child+1 < len(m.pairs) && m.pairs[child+1] < m.pairs[child] {
			child++
		}
		if pair <= m.pairs[child] {
			break
		}
		m.pairs[at] = m.pairs[child]
		at = child
	}
	m.pairs[at] = pair
}

// scratch is memory that merging needs, and what it remembers: the counts of
// the pieces of late, since texts repeat their words. It belongs to one call at
// a time.
type scratch struct {
	long   longMerge
	shorts [1 << shortBits]shortWord
	words  [1 << wordBits]word
}

const (
	shortBits = 11
	wordBits  = 11

	// The longest pieces that are remembered, in bytes.
	longestShort = 7
	longestWord  = 24
)

// shortWord is a piece of up to 7 bytes and its count. The key is the bytes and
// their number; that of a free place is 0.
type shortWord struct{ key, count uint64 }

// wordKey is a piece of 8 to 24 bytes: its first 8 bytes, the 8 after these
// where it has more than 16, its last 8, and its length. Together they are all.
type wordKey struct{ first, middle, last, length uint64 }

// word is such a piece and its count. The length in a free place is 0.
type word struct {
	key   wordKey
	count uint64
}

// short gives the place for a key.
func (s *scratch) short(key uint64) *shortWord { return &s.shorts[key*mixA>>(64-shortBits)] }

// word gives the place for a piece of 8 to 24 bytes, and its key.
func (s *scratch) word(piece string) (*word, wordKey) {
	key := wordKey{first: le64(piece), last: le64(piece[len(piece)-8:]), length: uint64(len(piece))}
	if len(piece) > 16 {
		key.middle = le64(piece[8:])
	}
	hash := ((key.first*mixA^key.last)*mixB ^ key.middle ^ key.length) * mixC
	return &s.words[hash>>(64-wordBits)], key
}

// scratches lends out memory. The pool may lose what it keeps at any time, so
// nothing is held for long after a long text.
type scratches struct{ pool sync.Pool }

func (s *scratches) take() *scratch {
	if got, ok := s.pool.Get().(*scratch); ok {
		return got
	}
	return new(scratch)
}

// keepParts is the length of a piece up to which the memory for it is kept.
const keepParts = 1 << 18

func (s *scratches) give(back *scratch) {
	if cap(back.long.parts) > keepParts {
		back.long = longMerge{}
	}
	s.pool.Put(back)
}
