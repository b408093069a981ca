package secret

import (
	"strings"
	"unicode/utf8"
)

// Shown is how many characters of a key may be shown.
const Shown = 4

// Place is what of a key may not be shown: the bytes [Start, End) of a text.
type Place struct{ Start, End int }

// Places gives what of the keys of a text that is shown may not be, in order:
// also of those that hidden characters, the names of these, or escapes stand in,
// and of those that are cut short.
func Places(text string) []Place {
	if len(text) < shortest {
		return nil
	}
	found := both(text, seenIn(text, true))
	if cut := cutShort(text); len(cut) > 0 {
		found = apart(append(found, cut...))
	}
	var out []Place
	for _, m := range found {
		from := m.Shown
		for range Shown {
			_, size := utf8.DecodeRuneInString(text[from:m.End])
			from += size
		}
		if from < m.End {
			out = append(out, Place{from, m.End})
		}
	}
	return out
}

// Mask gives a text with a star for each byte of its keys but for their first
// characters, so that offsets stay what they are. Line breaks stay.
func Mask(text string) string {
	places := Places(text)
	if len(places) == 0 {
		return text
	}
	out := []byte(text)
	for _, p := range places {
		Star(out[p.Start:p.End])
	}
	return string(out)
}

// Star writes stars over a part of a text but for its line breaks.
func Star(part []byte) {
	for i, c := range part {
		if c != '\n' {
			part[i] = '*'
		}
	}
}

const (
	ellipsis = "…"
	// leastCut is how many bytes of a key that is cut short tell that it is one,
	// and longestCut how far its beginning may be.
	leastCut   = 8
	longestCut = 512
)

// cutShort finds the beginnings of keys before an ellipsis.
func cutShort(text string) []Match {
	if !strings.Contains(text, ellipsis) {
		return nil
	}
	// What ends there may end with the quote that it began with.
	out := Find(strings.ReplaceAll(text, ellipsis, "\"  "))
	first := byFirst()
	for at := 0; ; {
		n := strings.Index(text[at:], ellipsis)
		if n < 0 {
			return apart(out)
		}
		end := at + n
		before := text[max(at, end-longestCut):end]
		if i := strings.LastIndex(before, "-----BEGIN "); i >= 0 && strings.Contains(before[i:], "PRIVATE KEY") {
			i += end - len(before)
			if body := bodyAt(text, i+len("-----BEGIN ")+max(0, strings.Index(text[i+len("-----BEGIN "):end], "-----")+len("-----"))); body < end {
				out = append(out, Match{Start: i, End: end, Shown: body})
			}
		}
		i := len(before)
		for i > 0 && base.has(before[i-1]) || i > 0 && dotted.has(before[i-1]) {
			i--
		}
		for ; i < len(before); i++ {
			if n := begins(before[i:], &first[before[i]]); n > 0 && made(before[i+n:]) && len(before)-i-n >= leastCut && (i == 0 || !isWord(before[i-1])) {
				from := end - len(before) + i
				out = append(out, Match{Start: from, End: end, Shown: from})
				break
			}
		}
		at = end + len(ellipsis)
	}
}

// begins gives the length of the prefix that a key of a form begins with, 0 for
// none.
func begins(text string, b *bucket) int {
	if strings.HasPrefix(text, "eyJ") {
		return len("eyJ")
	}
	for _, f := range forms[b.from : b.from+b.n] {
		if strings.HasPrefix(text, f.prefix) {
			return len(f.prefix)
		}
	}
	return 0
}

// leastPart is how many bytes of a key in a row, behind those that may be shown,
// are a part of it and not by chance.
const leastPart = 8

// MaskParts masks in a text what is a part of keys that are known: what may not
// be shown of them.
func MaskParts(text string, keys []string) string {
	parts := map[string]bool{}
	for _, k := range keys {
		k = readable(k).text
		for i := 0; i+leastPart <= len(k); i++ {
			parts[k[i:i+leastPart]] = true
		}
	}
	v := readable(text)
	out := []byte(text)
	for i := 0; i+leastPart <= len(v.text); i++ {
		if parts[v.text[i:i+leastPart]] {
			Star(out[v.start(i):v.end(i+leastPart)])
		}
	}
	return string(out)
}

// readable gives what is seen of a text that is shown.
func readable(text string) *view {
	if v := seenIn(text, true); v != nil {
		return v
	}
	return &view{text: text}
}
