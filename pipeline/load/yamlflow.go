package load

import (
	"fmt"
	"regexp"
	"strings"
)

// blockText is the start of a block text: an indicator that the line ends in.
var blockText = regexp.MustCompile(`^[|>][-+0-9]*[ \t]*(?:\r?\n|$)`)

// flowKey is a key that a value inside braces follows.
var flowKey = regexp.MustCompile(`([A-Za-z0-9_.-]+):[ \t]+$`)

// flowHint is quoteHint for a value that stands inside brackets or braces of
// the line: false where the place is none, or the value has no character that
// YAML gives a meaning to.
func flowHint(text string, column int) (string, bool) {
	runes := []rune(text)
	if column < 1 || column > len(runes) {
		return "", false
	}
	before, value := string(runes[:column-1]), string(runes[column-1:])
	if openBrackets(before) == 0 || strings.IndexByte("*&!%@`|>", value[0]) < 0 {
		return "", false
	}
	m := flowKey.FindStringSubmatch(before)
	if m == nil {
		return "", true
	}
	word := value
	if end := strings.IndexAny(value, ",]} \t"); end > 0 {
		word = value[:end]
	}
	return fmt.Sprintf("quote %q of %q: YAML gives a meaning to %q at its start", word, m[1], value[:1]), true
}

// openBrackets counts the brackets and braces that a text leaves open, those
// in quotes aside.
func openBrackets(text string) int {
	open, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			// An apostrophe inside a word quotes nothing.
			if i == 0 || strings.IndexByte(" \t[{,:", text[i-1]) >= 0 {
				quote = c
			}
		case c == '[' || c == '{':
			open++
		case c == ']' || c == '}':
			open = max(0, open-1)
		}
	}
	return open
}
