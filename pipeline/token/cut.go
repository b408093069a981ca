package token

import "unicode/utf8"

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
