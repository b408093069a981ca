package token

import (
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
	return &engine{vocab: newVocab(*e.own.data), words: e.own.words}
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

// appendPiece appends the tokens of a piece.
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
