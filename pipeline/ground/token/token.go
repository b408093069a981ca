// Package token counts the tokens of a text.
//
// A [Counter] counts whole texts exactly, and counts texts joined from parts
// just as exactly while it counts each distinct part only once. That is what a
// build needs: hundreds of variants assembled from the same few sections.
//
// Counting never touches the network: the vocabularies are part of the program,
// and are used where they lie in it, so that nothing has to be made ready. The
// o200k encodings and cl100k_base are counted here, without allocating, and no
// text takes more than O(n log n). p50k_base and r50k_base are counted with
// tiktoken-go, which is also what the counting here is held against; it is slow,
// and makes its tables when it is first asked.
//
// Texts are expected to be valid UTF-8. Other texts do not panic: the encodings
// count each wrong byte as U+FFFD.
package token

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Counter counts in one tokenizer. It is safe for concurrent use.
//
// A Counter remembers the parts it was given by [Counter.Sum] and
// [Counter.Prefixes], and keeps them alive; it is meant to live as long as one
// build. Assembled texts are not kept.
type Counter struct {
	name string
	// scheme is made when it is first asked: a run makes a counter of every
	// name, and counts with one or two.
	scheme func() scheme
	// encoding is nil for a tokenizer without one.
	encoding *encoding
	// scale is nil for a tokenizer that counts as it is.
	scale  *big.Rat
	stated float64
}

// scheme is how one tokenizer counts a text, whole or in parts.
type scheme interface {
	count(text string) int
	// part gives what is known of a part, which others share.
	part(text string) *span
	// join puts a text behind another, which changes.
	join(to, more *span)
	sum(text *span) int
}

// span is a text that was counted, whatever stands around it: that only changes
// how its ends count.
type span struct {
	head, tail []byte
	middle     int  // what is between them counts
	cut        bool // there is a head; else the tail is all that is open
}

// start gives a text that nothing can be put before, with room for a tail as it mostly is.
func start() *span {
	out := new(struct {
		span
		room [64]byte
	})
	out.cut, out.tail = true, out.room[:0]
	return &out.span
}

// Names lists the tokenizers that [New] knows, in the order in which they are
// documented. The caller owns the slice.
func Names() []string {
	names := make([]string, 0, len(encodings)+1)
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return append(names, quarterName)
}

// New returns a counter for a tokenizer of [Names]. An unknown name is an error.
func New(name string) (*Counter, error) {
	if name == quarterName {
		return &Counter{name: name, scheme: func() scheme { return quarters{} }}, nil
	}
	for i := range encodings {
		if e := &encodings[i]; e.name == name {
			return &Counter{name: name, scheme: sync.OnceValue(e.scheme), encoding: e}, nil
		}
	}
	return nil, fmt.Errorf("unknown tokenizer %q", name)
}

// Estimate returns a counter called name for a family without a public
// tokenizer: the tokens counted by base, which is one of [Names], times factor,
// rounded up. The factor is taken as the decimal number it prints as, so that 70
// tokens times 1.1 are 77 and not, by binary rounding, 78. The stated error is a
// share, 0.15 for 15 %, and only carried along.
//
// The schema of the manifest holds their bounds. It is an error when base is unknown,
// or when name is one of [Names].
func Estimate(name, base string, factor, stated float64) (*Counter, error) {
	if slices.Contains(Names(), name) {
		return nil, fmt.Errorf("estimator %q has the name of a tokenizer", name)
	}
	c, err := New(base)
	if err != nil {
		return nil, fmt.Errorf("estimator %q: %w", name, err)
	}
	scale, ok := new(big.Rat).SetString(strconv.FormatFloat(factor, 'g', -1, 64))
	if !ok {
		return nil, fmt.Errorf("estimator %q: factor %v is not a number", name, factor)
	}
	c.name, c.scale, c.stated = name, scale, stated
	return c, nil
}

// Name is the name that the counter was made with.
func (c *Counter) Name() string { return c.name }

// StatedError is the error that an estimator was declared with, as a share of
// the count (0.15 for 15 %), and 0 for every other counter.
func (c *Counter) StatedError() float64 { return c.stated }

// Count is the number of tokens in the whole text. It remembers nothing: for a
// text that is counted again and again, [Counter.Sum] of that one part does.
func (c *Counter) Count(text string) int {
	return c.scaled(c.scheme().count(text))
}

// Sum is the number of tokens in the text that the parts make when joined:
// exactly Count(strings.Join(parts, "")), which is not the sum of the counts of
// the parts. Each distinct part is counted once in the life of the counter, and
// after that only the few bytes around each joint are.
//
// For "chars/4", each part must be valid UTF-8 by itself for this to be exact.
func (c *Counter) Sum(parts []string) int {
	s, text := c.scheme(), start()
	for _, part := range parts {
		s.join(text, s.part(part))
	}
	return c.scaled(s.sum(text))
}

// Prefixes gives for each i the number of tokens in parts[0] to parts[i] joined,
// so that the last is Sum(parts). Differences of neighbours are what each part
// contributes: they add up to the total, and one of them can be 0 or negative,
// because a part can complete a longer token. A long word that goes on over many
// parts is not counted again at each of them: from the ninth on they contribute
// nothing, and what ends the word contributes the rest.
func (c *Counter) Prefixes(parts []string) []int {
	counts := make([]int, len(parts))
	s, text, counted := c.scheme(), start(), 0
	for i, part := range parts {
		s.join(text, s.part(part))
		if len(text.tail)-len(part) <= maxOpen {
			counted = 0
		}
		if counted++; counted > maxRecounts && i < len(parts)-1 {
			counts[i] = counts[i-1]
			continue
		}
		counts[i] = c.scaled(s.sum(text))
	}
	return counts
}

// maxRecounts is how often a word is counted that goes on from part to part, if
// it has more than maxOpen bytes.
const maxRecounts, maxOpen = 8, 256

// scaled turns a count of the base into one of this counter: times the factor,
// rounded up, in exact arithmetic and with the largest int as the ceiling.
func (c *Counter) scaled(n int) int {
	if c.scale == nil {
		return n
	}
	num, den := c.scale.Num(), c.scale.Denom()
	v := new(big.Int).Mul(big.NewInt(int64(n)), num)
	v.Add(v, den).Sub(v, big.NewInt(1)).Quo(v, den)
	if v.Cmp(big.NewInt(math.MaxInt)) > 0 {
		return math.MaxInt
	}
	return int(v.Int64())
}

// Token is one token of a text: its number in the encoding, and the bytes that
// it stands for. A rune can be split between tokens.
type Token struct {
	ID, Start, End int
}

// Tokens lists the tokens of a text. They cover it without a gap, and there are
// [Counter.Count] of them.
//
// It is an error when the text is not valid UTF-8, since the encodings count
// U+FFFD for a wrong byte, and when the counter has no tokens to show: an
// estimator, and "chars/4".
func (c *Counter) Tokens(text string) ([]Token, error) {
	if c.encoding == nil || c.scale != nil {
		return nil, diag.Fail("tokenizer-estimates", c.name)
	}
	if !utf8.ValidString(text) {
		return nil, diag.Fail("text-not-utf-8")
	}
	if c.encoding.own != nil {
		return newEngine(c.encoding).tokens(text), nil
	}
	tokens, ok := c.encoding.reference.tokens(text)
	if !ok {
		return nil, diag.Fail("tokenizer-cannot-match", c.name)
	}
	return tokens, nil
}

// Recount is [Counter.Count] by another way: with tiktoken-go. The two agree, or
// one of them is wrong. It takes some tenths of a second, and memory, to start,
// and is slow; p50k_base and r50k_base are counted so anyway. It is an error when
// tiktoken-go does not have what the counter counts in.
func (c *Counter) Recount(text string) (int, error) {
	if c.encoding == nil {
		return 0, diag.Fail("tokenizer-not-tiktoken", c.name)
	}
	return c.scaled(c.encoding.reference.count(text)), nil
}
