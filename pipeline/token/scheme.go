package token

import (
	"crypto/sha256"
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
