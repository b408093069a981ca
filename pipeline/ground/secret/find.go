// Package secret finds what looks like a key, a token or a password in text, and
// masks it in what is printed.
//
// Most keys begin with letters of their issuer: see the table in forms.go.
// Private keys, JSON Web Tokens and passwords in addresses have a shape of their
// own (shapes.go), and what has neither is told by the name that it is assigned
// to (shapes.go). A text is read as it stands and as its escapes decode
// (mask.go), so that finding and masking agree. What documentation writes in
// place of a key is not reported: known examples, runs of one letter, words.
package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Match is a key at the bytes [Start, End) of a text.
type Match struct {
	Start, End int
	// Says names what it is, with its article.
	Says string
	// Shown is where its beginning may be shown: of a private key the body.
	Shown int
	// Text is the key from there on, without escapes.
	Text string
}

// shortest is less than the bytes of any key.
const shortest = 12

// generic is what only the name of a value tells.
const generic = "a secret"

// Find returns the keys of a text in order. They do not overlap.
func Find(text string) []Match {
	var out []Match
	for v, depth := whole(text), 0; v != nil && depth <= deepest; v, depth = v.decode(), depth+1 {
		for _, m := range find(v.text) {
			m.Text = v.text[m.Shown:m.End]
			m.Start, m.Shown, m.End = v.start(m.Start), v.start(m.Shown), v.end(m.End)
			out = append(out, m)
		}
	}
	return apart(out)
}

// apart sorts matches. Of two that overlap it keeps the longer, or the one that
// says more.
func apart(all []Match) []Match {
	slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	kept := all[:0]
	for _, m := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].End <= m.Start:
			kept = append(kept, m)
		case m.End-m.Start > kept[last].End-kept[last].Start, m.End == kept[last].End && kept[last].Says == generic:
			kept[last] = m
		}
	}
	return kept
}

// find returns the keys of a text as it stands, some of them perhaps twice.
func find(text string) []Match {
	if len(text) < shortest {
		return nil
	}
	var out []Match
	forms := byPrefix()
	for i := 0; i < len(text); {
		c := text[i]
		m, ok, next := Match{}, false, i+1
		switch {
		case isWord(c):
			for next < len(text) && isWord(text[next]) {
				next++
			}
			m, ok = atWord(text, i, next, forms)
		case strings.IndexByte("=:|`-.~", c) >= 0:
			m, ok = atSign(text, i)
		}
		if ok {
			out = append(out, m)
		}
		if m.Says != generic { // whose value may be told better
			next = max(next, m.End) // also where it was read in vain
		}
		i = next
	}
	return out
}

// atWord looks for a key that begins where a word does. Most words are too short
// for one and end with a blank or a comma.
func atWord(text string, i, end int, forms map[[2]byte][]prefixed) (Match, bool) {
	if end < len(text) && text[end] == ' ' {
		switch word := text[i:end]; {
		case word == "is":
			return assigned(text, i, end)
		case strings.EqualFold(word, "password"):
			return assigned(text, end, end)
		}
	}
	if end-i < shortest && (end == len(text) || strings.IndexByte("-._:/+=~%@", text[end]) < 0) || i+1 == len(text) {
		return Match{}, false
	}
	for _, f := range forms[[2]byte{text[i], text[i+1]}] {
		if strings.HasPrefix(text[i:], f.prefix) {
			if m, ok := f.match(text, i, i+len(f.prefix)); ok {
				return m, true
			}
		}
	}
	if strings.HasPrefix(text[i:], "eyJ") {
		return signed(text, i)
	}
	return Match{}, false
}

// atSign looks for a key around a sign: the mark in the middle of one, the head
// of a private key, or what separates a name from its value.
func atSign(text string, i int) (Match, bool) {
	for j := range marks {
		f := &marks[j]
		if from := i - f.sign; from >= 0 && strings.HasPrefix(text[from:], f.mark) {
			if m, ok := f.match(text, from); ok {
				return m, true
			}
		}
	}
	switch c := text[i]; {
	case c == '-' && strings.HasPrefix(text[i:], "-----BEGIN "):
		return privateKey(text, i)
	case c == ':' && strings.HasPrefix(text[i:], "://"):
		return address(text, i)
	case c == '=' || c == ':' || c == '|':
		return assigned(text, i, i+1)
	case c == '`' && i > 1 && text[i-1] == ' ' && isAlnum(text[i-2]):
		return assigned(text, i, i)
	default:
		return Match{}, false
	}
}

// prefixed is a form by one of its prefixes.
type prefixed struct {
	prefix string
	*form
}

// byPrefix sorts the table by the first two bytes of each prefix, the longest
// first.
//
//nolint:gochecknoglobals // a table in another order; nothing changes it
var byPrefix = sync.OnceValue(func() map[[2]byte][]prefixed {
	out := map[[2]byte][]prefixed{}
	for i := range forms {
		for prefix := range strings.FieldsSeq(forms[i].prefixes) {
			key := [2]byte{prefix[0], prefix[1]}
			out[key] = append(out[key], prefixed{prefix, &forms[i]})
			slices.SortStableFunc(out[key], func(a, b prefixed) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
		}
	}
	return out
})

// match looks for a key that begins at start, and whose part behind the prefix
// begins at from.
func (f *form) match(text string, start, from int) (Match, bool) {
	end := from
	for end < len(text) && end-from <= f.max && f.set.has(text[end]) {
		end++
	}
	rest := text[from:end]
	if len(rest) < f.min || len(rest) > f.max || !strings.Contains(rest, f.holds) || end < len(text) && isAlnum(text[end]) {
		return Match{}, false
	}
	ok := false
	switch f.set {
	case mixed, mixedDots:
		ok = looksRandom(rest) && hasAllKinds(rest) && changes(rest) >= 0.3
	case hook:
		ok = isDigit(rest[0]) && steps(rest) < 0.6 && entropy(rest) >= 2.6
	case upper, digits: // have few changes
		ok = looksRandom(text[start:end])
	default:
		ok = looksRandom(rest) && changes(rest) >= 0.1
	}
	if !ok || isTemplate(text[start:end]) {
		return Match{}, false
	}
	return Match{Start: start, End: end, Says: f.says, Shown: start}, true
}

// match looks for a key with a mark in its middle.
func (f *marked) match(text string, at int) (Match, bool) {
	from := at
	for from > 0 && at-from <= f.most && f.before.has(text[from-1]) {
		from--
	}
	start := from - len(f.lead)
	if n := at - from; n < f.least || n > f.most || start < 0 || text[start:from] != f.lead || start > 0 && isAlnum(text[start-1]) {
		return Match{}, false
	}
	return f.form.match(text, start, at+len(f.mark))
}

func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlnum(c byte) bool { return isDigit(c) || isLower(c) || isUpper(c) }
