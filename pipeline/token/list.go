package token

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Token is one token of a text: its number in the encoding, and the bytes that
// it stands for. A rune can be split between tokens.
type Token struct {
	ID, Start, End int
}

// Tokens lists the tokens of a text. They cover it without a gap, and there are
// [Counter.Count] of them.
//
// It is an error when the text is no valid UTF-8, since the encodings count
// U+FFFD for a wrong byte, and when the counter has no tokens to show: an
// estimator, and "chars/4".
func (c *Counter) Tokens(text string) ([]Token, error) {
	if c.encoding == nil || c.scale != nil {
		return nil, fmt.Errorf("%q estimates: it has no tokens to list", c.name)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("the text is no valid UTF-8")
	}
	if c.encoding.own != nil {
		return newEngine(c.encoding).tokens(text), nil
	}
	tokens, ok := c.encoding.reference.tokens(text)
	if !ok {
		return nil, fmt.Errorf("the pattern of %s cannot be matched", c.name)
	}
	return tokens, nil
}

// Recount is [Counter.Count] by another way: with tiktoken-go. The two agree, or
// one of them is wrong. It takes some tenths of a second, and memory, to start,
// and is slow; p50k_base and r50k_base are counted so anyway. It is an error when
// tiktoken-go does not have what the counter counts in.
func (c *Counter) Recount(text string) (int, error) {
	if c.encoding == nil {
		return 0, fmt.Errorf("%q is no encoding of tiktoken-go", c.name)
	}
	return c.scaled(c.encoding.reference.count(text)), nil
}
