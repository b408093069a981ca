package token

import "unicode/utf8"

// A text is split into pieces by a pattern before the pieces become tokens, and
// a piece depends only on the text from its start on. So where a piece is bound
// to end whatever stands around, the text can be cut and both sides counted
// apart. These are the safe cuts. Whether a cut is safe follows from the runes
// on its two sides, by the class that the split patterns put them in.
type class uint8

const (
	// unsure is every rune that the rule does not cover, and every byte that is
	// no rune at all: no cut touches it. U+0085 is here, since implementations
	// disagree on whether it is white space.
	unsure class = iota
	letter
	number
	newline // CR and LF
	space   // all other white space
	mark
	apostrophe // starts a contraction
	slash      // in o200k, can follow a line end within a piece
	other      // all other punctuation and symbols
)

// cutRule tells whether a cut between two neighbouring runes is safe for any
// text before and after them.
type cutRule func(before, after class) bool

func o200kCut(before, after class) bool {
	switch before {
	case letter:
		// A word goes on through marks and takes its contraction along.
		return after != unsure && after != letter && after != mark && after != apostrophe
	case newline:
		return startsAfterNewline(after) && after != slash
	default:
		return commonCut(before, after)
	}
}

func cl100kCut(before, after class) bool {
	switch before {
	case letter:
		return after != unsure && after != letter
	case newline:
		return startsAfterNewline(after)
	default:
		return commonCut(before, after)
	}
}

// gpt2Cut is for the encodings of GPT-2's pattern: every piece that holds
// something else ends at white space, with which the next may begin.
func gpt2Cut(before, after class) bool {
	return before != unsure && before != newline && before != space && (after == space || after == newline)
}

// commonCut holds the cases in which o200k and cl100k agree.
func commonCut(before, after class) bool {
	switch before {
	case number:
		return after != unsure && after != number
	case mark, apostrophe, slash, other:
		// Not before a line end, which the piece would take in, nor before a
		// letter, whose word takes in the rune before it.
		return after == space || after == number
	default:
		// White space looks ahead: never.
		return false
	}
}

func startsAfterNewline(after class) bool {
	return after != unsure && after != space && after != newline
}

// classes gives the class of each category. The letters are one here, and
// U+0085 is unsure.
var classes = [...]class{
	catUnsure: unsure, catOther: other, catApostrophe: apostrophe, catSlash: slash, catMark: mark,
	catUpper: letter, catLower: letter, catCaseless: letter, catNumber: number,
	catSpace: space, catNewline: newline, catNextLine: unsure,
}

// classify puts a rune, as decoded with its size, in its class.
func classify(r rune, size int) class {
	if r == utf8.RuneError && size <= 1 {
		return unsure
	}
	return classes[categoryOf(r)]
}

func firstClass(text string) class { return classify(utf8.DecodeRuneInString(text)) }

func lastClass(text []byte) class { return classify(utf8.DecodeLastRune(text)) }

// firstCut is the byte offset of the first safe cut inside the text, or -1.
func (safe cutRule) firstCut(text string) int {
	before, size := utf8.DecodeRuneInString(text)
	left := classify(before, size)
	for at := size; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		right := classify(r, size)
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
	right := classify(after, size)
	for at := len(text) - size; at > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		left := classify(r, size)
		if safe(left, right) {
			return at
		}
		right = left
		at -= size
	}
	return -1
}
