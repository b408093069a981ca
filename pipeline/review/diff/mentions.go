package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
)

// mentions remembers which texts name a tool.
type mentions map[mention]bool

// mention is a name in a text: in that of a rendering, else in the one given.
type mention struct {
	rendering  *assembly.Rendering
	text, name string
}

// in reports whether the text of a variant names a tool.
func (m mentions) in(a *assembly.Artifact, name string) bool {
	return slices.ContainsFunc(a.Parts, func(p assembly.Part) bool {
		key := mention{p.Rendering, "", name}
		if p.Rendering == nil {
			key.text = p.Text
		}
		named, known := m[key]
		if !known {
			named = names(p.Text, name)
			m[key] = named
		}
		return named
	})
}

// names reports whether a text has a name as a word of its own, in backticks or
// not; a hyphen ties words together, so that `web-fetch` does not name `fetch`.
func names(text, name string) bool {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(text[:start], "-"))
		after, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[end:], "-"))
		if !inWord(before) && !inWord(after) {
			return true
		}
		at = start + 1
	}
	return false
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
