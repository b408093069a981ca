package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// mentions knows which texts name a tool. A name is named as a word of its own,
// in backticks or not; a hyphen ties words together, so that `web-fetch` does
// not name `fetch`.
type mentions struct {
	renderings map[*prompt.Rendering]*wordSet
	texts      map[string]*wordSet // of what is no section
}

// wordSet are the words of a text.
type wordSet struct {
	text  string
	words map[string]bool
	// odd keeps what was found of names that are no words.
	odd map[string]bool
}

func newMentions() *mentions {
	return &mentions{renderings: map[*prompt.Rendering]*wordSet{}, texts: map[string]*wordSet{}}
}

// in reports whether the text of a variant names a tool.
func (m *mentions) in(a *prompt.Artifact, name string) bool {
	return slices.ContainsFunc(a.Parts, func(p prompt.Part) bool {
		switch {
		case len(p.Text) < len(name):
			return false
		case p.Rendering != nil:
			return wordsOf(m.renderings, p.Rendering, p.Text).has(name)
		default:
			return wordsOf(m.texts, p.Text, p.Text).has(name)
		}
	})
}

func wordsOf[K comparable](all map[K]*wordSet, key K, text string) *wordSet {
	s := all[key]
	if s == nil {
		s = &wordSet{text: text, words: map[string]bool{}, odd: map[string]bool{}}
		for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '-' && !inWord(r) }) {
			for word := range strings.SplitSeq(run, "--") {
				s.words[strings.Trim(word, "-")] = true
			}
		}
		all[key] = s
	}
	return s
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// has reports whether a text has a name as a word of its own.
func (s *wordSet) has(name string) bool {
	if name == "" {
		return false
	}
	odd := strings.ContainsFunc(name, func(r rune) bool { return r != '-' && !inWord(r) })
	if !odd && strings.Trim(name, "-") == name && !strings.Contains(name, "--") {
		return s.words[name]
	}
	yes, ok := s.odd[name]
	if !ok {
		yes = standsIn(s.text, name)
		s.odd[name] = yes
	}
	return yes
}

// standsIn looks for a name that is no single word.
func standsIn(text, name string) bool {
	ofWord := func(r rune, _ int) bool { return inWord(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
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
