package token

import (
	"crypto/sha256"
	"hash"
	"strings"
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

func quarter(runes int) int { return (runes + 3) / 4 }

// digest stands for a text in a memory, so that the text need not be kept.
type digest [sha256.Size]byte

// seamed counts parts by themselves and the seams between them apart.
type seamed struct {
	tokens func(string) int
	safe   cutRule
	parts  memo[string, piece]
	seams  memo[digest, int]
}

// piece is a part seen by the joiner: what lies between its first and last safe
// cut counts the same in every text; head and tail depend on the neighbours.
type piece struct {
	head, tail int // byte offsets: where the head ends, where the tail starts
	middle     int // tokens between them
	uncut      bool
}

func newSeamed(tokens func(string) int, safe cutRule) *seamed {
	return &seamed{tokens: tokens, safe: safe}
}

func (s *seamed) count(text string) int { return s.tokens(text) }

func (s *seamed) join() joiner { return &seamJoin{seamed: s} }

func (s *seamed) piece(part string) piece {
	return s.parts.of(part, func() piece {
		head := s.safe.firstCut(part)
		if head < 0 {
			return piece{uncut: true}
		}
		tail := s.safe.lastCut(part)
		return piece{head: head, tail: tail, middle: s.tokens(part[head:tail])}
	})
}

func (s *seamed) seam(run []byte) int {
	if len(run) == 0 {
		return 0
	}
	return s.seams.of(sha256.Sum256(run), func() int { return s.tokens(string(run)) })
}

// seamJoin holds the tokens that no later part can change, and the text since
// the last safe cut, which one can. A part without a safe cut just makes that
// text longer, for as long as it takes.
type seamJoin struct {
	*seamed

	settled int
	run     []byte
}

func (j *seamJoin) add(part string) {
	if part == "" {
		return
	}
	if len(j.run) > 0 && j.safe(lastClass(j.run), firstClass(part)) {
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

// whole counts joined texts in full: the way of the encodings without a rule
// for cuts.
type whole struct {
	tokens func(string) int
	texts  memo[digest, int]
}

func newWhole(tokens func(string) int) *whole { return &whole{tokens: tokens} }

func (w *whole) count(text string) int { return w.tokens(text) }

func (w *whole) join() joiner { return &wholeJoin{whole: w, hash: sha256.New()} }

// wholeJoin joins its parts only when their text is a new one.
type wholeJoin struct {
	*whole

	parts []string
	hash  hash.Hash
}

func (j *wholeJoin) add(part string) {
	j.parts = append(j.parts, part)
	j.hash.Write([]byte(part)) // a hash never fails
}

func (j *wholeJoin) sum() int {
	return j.texts.of(digest(j.hash.Sum(nil)), func() int {
		return j.tokens(strings.Join(j.parts, ""))
	})
}
