package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// belief says whether a sequence that stands alone is a character that was
// decoded twice.
type belief int

const (
	never    belief = iota // people write this
	inNumber               // where the text has several of the kind
	always                 // it can hardly stand there by chance
)

// seen is a sequence in its surroundings.
type seen struct {
	lead, second, last byte
	before, after, own rune // own is the second character as it stands there
}

// placed gives a sequence as it stands in a text.
func placed(text string, start, end int) seen {
	var s seen
	s.before, _ = utf8.DecodeLastRuneInString(text[:start])
	s.after, _ = utf8.DecodeRuneInString(text[end:])
	lead, size := byteAt(text, start)
	s.own, _ = utf8.DecodeRuneInString(text[start+size:])
	s.lead = lead
	s.second, _ = byteAt(text, start+size)
	_, size = utf8.DecodeLastRuneInString(text[start:end])
	s.last, _ = byteAt(text, end-size)
	return s
}

// believe judges a sequence that stands for a character.
func (s seen) believe(r rune) belief {
	weak := has(afterWords, s.second) && !unicode.IsLetter(s.after)
	switch {
	case s.lead == 0xF0 || s.lead == 0xEF:
		return always
	case s.lead > 0xF0: // little is assigned there but what is hidden
		return when(isTag(r) || isSelector(r), always)
	case s.lead == 0xE2: // punctuation, arrows, boxes
		return when(s.second != 0xA0, always)
	case s.lead >= 0xE0:
		plain := has(cased, s.second) && has(cased, s.last) || has(afterWords, s.second) && has(between, s.last)
		return when(unicode.IsLetter(s.before) && unicode.IsLetter(s.after) && !plain, inNumber)
	case s.lead == 0xC2:
		return when(s.second >= 0xA0 && !unicode.IsUpper(s.before), always)
	case s.lead == 0xC3:
		return when(!weak || !unicode.IsUpper(s.before), always)
	case s.lead == 0xD7 || s.lead == 0xD8: // × and Ø stand before signs
		return never
	case s.lead >= 0xCC: // capitals with an accent
		return when(!has(afterWords, s.second) && !has(cased, s.second), inNumber)
	default:
		return when(!weak && !s.inWords(), always)
	}
}

func when(is bool, then belief) belief {
	if is {
		return then
	}
	return never
}

// enclosed reports whether the lead is a letter between two signs that belong
// together: one that is spoken of, or one of those that are spaced out.
func (s seen) enclosed() bool {
	return s.before == s.own || strings.Contains(pairs, string([]rune{s.before, s.own}))
}

// inWords reports whether a lead that is a capital letter and the character
// behind it are a piece of a word in capitals, or join two words.
func (s seen) inWords() bool {
	if unicode.IsLower(s.before) {
		return false
	}
	return has(between, s.second) || has(capitals, s.second) && !unicode.IsLower(s.after)
}

func has(bytes string, b byte) bool { return strings.IndexByte(bytes, b) >= 0 }

// What the bytes of a sequence stand for in Windows-1252.
const (
	// afterWords may follow a word by itself: quotation marks, dashes, dots,
	// daggers, blanks, and what is raised.
	afterWords = "\x82\x84\x85\x86\x87\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b\xa0\xa9\xab\xad\xae\xb0\xb2\xb3\xb4\xb7\xb9\xbb"
	// between may stand between two words without blanks: …, ‘, ’, “, ”, •, – and —.
	between = "\x85\x91\x92\x93\x94\x95\x96\x97"
	// capitals and cased are letters: Š Œ Ž, and with them š œ ž.
	capitals = "\x8a\x8c\x8e"
	cased    = capitals + "\x9a\x9c\x9e"
)

// pairs are the quotation marks of several languages, one behind the other.
const pairs = "“”|‘’|„“|‚‘|„”|‚’|«»|‹›|»«|›‹"
