package token

import "sync"

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
