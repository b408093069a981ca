// Package secret finds what looks like a key, a token or a password in text.
//
// A text is read once. Most keys begin with letters of their issuer (see forms);
// others are told by their shape, and what has neither only by the name that
// stands before it. What is written in place of a key is not reported: the
// examples of documentation, runs of one letter, words.
package secret

import "strings"

// Match is a key at the bytes [Start, End) of a text.
type Match struct {
	Start, End int
	// Says names what it is, with its article.
	Says string
	// Shown is where its beginning may be shown: of a private key the body.
	Shown int
	// Doubt is a fact that speaks against it, "" for none.
	Doubt string
}

// sure gives the match where that is what it is.
func (m Match) sure(ok bool) (Match, bool) {
	if !ok {
		return Match{}, false
	}
	return m, true
}

// shortest is less than the bytes of any key.
const shortest = 12

// Find gives the keys of a text, in order, not overlapping.
func Find(text string) []Match {
	if len(text) < shortest {
		return nil
	}
	var out []Match
	first := byFirst()
	for i := 0; i < len(text); {
		c := text[i]
		m, ok, next := Match{}, false, i+1
		switch {
		case c == '=' || c == ':':
			m, ok = named(text, i)
			if known, is := at(text, m.Start, &first[text[m.Start]]); ok && is {
				m = known // which says more
			}
		case c == '-' || c == '.' || c == '~':
			m, ok = inner(text, i)
		case c == '`':
			m, ok = quoted(text, i)
		case c == '|':
			m, ok = cell(text, i)
		case isWord(c):
			for next < len(text) && isWord(text[next]) {
				next++
			}
			if next > i+1 && first[c].has(text[i+1]) && (c == 'p' || next-i >= shortest || goesOn(text, next)) {
				m, ok = at(text, i, &first[c])
			}
			if !ok && isEscape(text, i) {
				m, ok = at(text, i+1, &first[text[i+1]])
			}
		}
		if ok {
			// A middle may tell of a key that began further left.
			for len(out) > 0 && out[len(out)-1].End > m.Start {
				out = out[:len(out)-1]
			}
			out = append(out, m)
		}
		i = max(next, m.End) // also where it was read in vain: nothing else begins there
	}
	return out
}

// wordBytes has a bit for each letter and digit, and for _.
var wordBytes = [4]uint64{0x3ff000000000000, 0x7fffffe87fffffe, 0x0, 0x0}

func isWord(c byte) bool { return wordBytes[c>>6]>>(c&63)&1 != 0 }

// goesOn reports whether what ends a word may stand in a key: most words are too
// short for one, and end with a blank or a comma.
func goesOn(text string, end int) bool {
	return end < len(text) && strings.IndexByte("-._:/+=~%@", text[end]) >= 0
}

// isEscape reports whether a byte is the letter of an escape like \n, behind
// which a word may begin.
func isEscape(text string, i int) bool {
	return i > 0 && text[i-1] == '\\' && strings.IndexByte("nrt", text[i]) >= 0 && i+1 < len(text)
}

// at looks for a key that begins at a byte.
func at(text string, i int, b *bucket) (Match, bool) {
	for _, f := range forms[b.from : b.from+b.n] {
		if !strings.HasPrefix(text[i:], f.prefix) {
			continue
		}
		if m, ok := f.match(text, i); ok {
			return m, true
		}
	}
	return shaped(text, i)
}

// shaped looks for a key that its shape tells.
func shaped(text string, i int) (Match, bool) {
	switch {
	case text[i] == 'e':
		return signed(text, i)
	case text[i] == 'p':
		return password(text, i)
	case isDigit(text[i]):
		return telegram(text, i)
	case isDiscord(text[i]):
		return discord(text, i)
	default:
		return Match{}, false
	}
}

// inner looks for a key by what stands inside it, or at its head.
func inner(text string, i int) (Match, bool) {
	switch {
	case strings.HasPrefix(text[i:], "-----BEGIN "):
		return privateKey(text, i)
	case strings.HasPrefix(text[i:], ".atlasv1."):
		return terraform(text, i)
	case strings.HasPrefix(text[i:], teamsHost):
		return teams(text, i)
	case strings.HasPrefix(text[i:], "-us"):
		return mailchimp(text, i)
	case text[i] == '~':
		return entra(text, i)
	default:
		return Match{}, false
	}
}

// bucket are the forms whose prefixes begin with one byte. Second are the bytes
// that follow it in one of them, since most words go on otherwise.
type bucket struct {
	from, n int
	second  [4]uint64
}

func (b *bucket) add(c byte) { b.second[c>>6] |= 1 << (c & 63) }

func (b *bucket) has(c byte) bool { return b.second[c>>6]&(1<<(c&63)) != 0 }

// byFirst gives the forms by the first byte of their prefix, and with them what
// a key begins with that its shape tells.
func byFirst() *[256]bucket {
	var out [256]bucket
	for i, f := range forms {
		b := &out[f.prefix[0]]
		if b.n == 0 {
			b.from = i
		}
		b.n++
		b.add(f.prefix[1])
	}
	out['e'].add('y')
	for c := range 256 {
		switch {
		case isDigit(byte(c)):
			for second := byte('0'); second <= '9'; second++ {
				out[c].add(second)
			}
		case isDiscord(byte(c)):
			out[c].second = wordBytes
		}
	}
	return &out
}

// match looks for a key of one form.
func (f form) match(text string, i int) (Match, bool) {
	from := i + len(f.prefix)
	end := from
	for end < len(text) && end-from <= f.max && f.set.has(text[end]) {
		end++
	}
	rest := text[from:end]
	if len(rest) < f.min || len(rest) > f.max || f.holds != "" && !strings.Contains(rest, f.holds) {
		return Match{}, false
	}
	if end < len(text) && isAlnum(text[end]) {
		return Match{}, false
	}
	m := Match{Start: i, End: end, Says: f.says, Shown: i}
	if f.max == githubLength && strings.HasPrefix(f.prefix, "gh") && !checksum(rest) {
		m.Doubt = "its checksum does not fit, so it may be made up"
	} else if f.max == githubLength && strings.HasPrefix(f.prefix, "gh") {
		return m, true
	}
	return m.sure(f.drawn(rest) && !isExample(text[i:end]))
}

// drawn reports whether the part behind the prefix was drawn by chance.
func (f form) drawn(rest string) bool {
	switch f.set {
	case upper:
		return drawn(rest)
	case mixed:
		return made(rest) && allKinds(rest) && changes(rest) >= 0.3
	case hook:
		return isDigit(rest[0]) && entropy(rest) >= least(len(rest)) && steps(rest) < 0.6
	default:
		return made(rest)
	}
}
