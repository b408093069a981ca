package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// mentions knows which texts name a tool.
type mentions map[mention]bool

type mention struct{ text, name string }

// in reports whether the text of a variant names a tool.
func (m mentions) in(a *prompt.Artifact, name string) bool {
	return slices.ContainsFunc(a.Parts, func(p prompt.Part) bool {
		key := mention{p.Text, name}
		named, known := m[key]
		if !known {
			named = names(p.Text, name)
			m[key] = named
		}
		return named
	})
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// names reports whether a text names a tool: as a word of its own, in backticks or
// not. A hyphen ties words together, so that `web-fetch` does not name `fetch`.
func names(text, name string) bool {
	ofWord := func(r rune, _ int) bool { return inWord(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		start, end := at+i, at+i+len(name)
		before, after := strings.TrimSuffix(text[:start], "-"), strings.TrimPrefix(text[end:], "-")
		if !ofWord(utf8.DecodeLastRuneInString(before)) && !ofWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		at = start + 1
	}
}
