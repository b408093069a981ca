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

// word is a longer piece that was merged, and its count.
type word struct {
	bytes  [longestWord / 8]uint64
	length uint32 // 0 in a free place
	count  uint32
}

// short gives the place for a key.
func (s *scratch) short(key uint64) *shortWord { return &s.shorts[key*mixA>>(64-shortBits)] }

// word gives the place for a piece, and reports whether its count is there. If
// not, the caller has to fill it in.
func (s *scratch) word(text string, from, end int) (*word, bool) {
	w := word{length: uint32(end - from)}
	hash := uint64(w.length)
	for i := 0; from < end; i++ {
		n := min(8, end-from)
		w.bytes[i] = load(text, from, n)
		hash = fold(hash^w.bytes[i], mixA)
		from += n
	}
	found := &s.words[hash>>(64-wordBits)]
	if found.length == w.length && found.bytes == w.bytes {
		return found, true
	}
	*found = w
	return found, false
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
