package ground

import (
	"math/bits"
	"slices"
	"strconv"
)

// Set is a set of small numbers, such as the indices of a prompt's variants. Sets that
// are compared or joined have the same capacity. The zero Set is of no use: make one
// with NewSet.
type Set struct {
	words []uint64
	size  int
}

// NewSet gives the empty set of numbers below size.
func NewSet(size int) Set { return Set{words: make([]uint64, (size+63)/64), size: size} }

// Add puts a number in.
func (s Set) Add(i int) { s.words[i/64] |= 1 << (i % 64) }

// Has reports whether a number is in.
func (s Set) Has(i int) bool { return s.words[i/64]&(1<<(i%64)) != 0 }

// Len counts the numbers in the set.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Size gives the capacity.
func (s Set) Size() int { return s.size }

// First gives the lowest index in the set, or -1.
func (s Set) First() int {
	for i, w := range s.words {
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// Equal reports whether both hold the same variants.
func (s Set) Equal(t Set) bool {
	for i, w := range s.words {
		if w != t.words[i] {
			return false
		}
	}
	return true
}

// SubsetOf reports whether every variant of s is in t.
func (s Set) SubsetOf(t Set) bool {
	for i, w := range s.words {
		if w&^t.words[i] != 0 {
			return false
		}
	}
	return true
}

// Union adds the variants of t to s.
func (s Set) Union(t Set) {
	for i, w := range t.words {
		s.words[i] |= w
	}
}

// Clone gives a set of its own with the same variants.
func (s Set) Clone() Set { return Set{words: slices.Clone(s.words), size: s.size} }

// Intersect gives the variants that are in both sets. The zero Set is of no
// build and takes nothing away.
func (s Set) Intersect(t Set) Set {
	if s.Size() == 0 || t.Size() == 0 {
		return s
	}
	return s.Minus(s.Minus(t))
}

// MeetsWithin reports whether what is in both sets is something, and all of it in a
// third.
func (s Set) MeetsWithin(t, in Set) bool {
	some := false
	for i, w := range s.words {
		both := w & t.words[i]
		if both&^in.words[i] != 0 {
			return false
		}
		some = some || both != 0
	}
	return some
}

// Minus gives the variants of s that are not in t.
func (s Set) Minus(t Set) Set {
	out := NewSet(s.size)
	for i, w := range s.words {
		out.words[i] = w &^ t.words[i]
	}
	return out
}

// Key gives a string that only equal sets of one capacity have.
func (s Set) Key() string {
	b := make([]byte, 0, 17*len(s.words))
	for _, w := range s.words {
		b = append(strconv.AppendUint(b, w, 16), ' ')
	}
	return string(b)
}
