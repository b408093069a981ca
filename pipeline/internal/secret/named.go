package secret

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode"
)

// telling are the ends of names whose value is a secret: small letters only.
var telling = []string{
	"apikey", "secret", "secretkey", "secretaccesskey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey", "authkey", "storagekey", "accountkey",
	"token", "password", "passwort", "passwd", "pwd", "passphrase", "authorization", "bearer", "credential", "credentials", "webhooksecret",
}

// harmless are the ends of names that end like telling ones.
var harmless = []string{
	"pagetoken", "nexttoken", "continuationtoken", "synctoken", "csrftoken", "starttoken", "endtoken", "cursortoken", "publicapikey",
	"specialtoken", "eostoken", "bostoken", "padtoken", "stoptoken", "nextpagetoken", "pertoken",
}

// Bounds of names and values, in bytes. Behind the first mixedValue a value goes
// on in base64 only.
const (
	longName   = 64
	shortValue = 12
	// shortPassword is more than a value has that is judged by its letters too.
	shortPassword = 16
	mixedValue    = 256
	longValue     = 4096
)

// leastEntropy is that of a value that only its name tells, in bits a byte, and
// leastHex that of one of hexadecimal digits: what is drawn of sixteen hardly
// ever has less.
const (
	leastEntropy = 3.5
	leastHex     = 3.0
)

// named finds a value behind a telling name and a separator, `api_key = …`, and
// the password in an address, `scheme://user:password@host`.
func named(text string, i int) (Match, bool) {
	if text[i] == ':' && strings.HasPrefix(text[i:], "://") {
		return address(text, i)
	}
	name := nameBefore(text, i)
	if name == "sig" && text[i] == '=' {
		return signature(text, i)
	}
	if !tells(name) {
		return user(text, i)
	}
	from, quote := valueAt(text, i+1)
	end := valueEnd(text, from)
	value := text[from:end]
	if quote != 0 && (end == len(text) || text[end] != quote) || end < len(text) && strings.IndexByte("([{<$", text[end]) >= 0 {
		return Match{}, false // a call, a pattern, or more than one word
	}
	trimmed := strings.TrimRight(value, ".,;")
	m := Match{Start: from, End: from + len(trimmed), Says: "a secret", Shown: from}
	if known, ok := known(text, from, from+len(trimmed)); ok {
		return known, true
	}
	return m.sure(len(value) <= longValue && random(trimmed))
}

// nameBefore gives the letters and digits, small, of the name before a
// separator; "" for none.
func nameBefore(text string, i int) string {
	end := i
	for end > 0 && i-end < 4 && strings.IndexByte("\"'`*] ", text[end-1]) >= 0 {
		end--
	}
	from := end
	for from > 0 && end-from < longName && isName(text[from-1]) {
		from--
	}
	if from == end {
		return ""
	}
	if strings.EqualFold(text[from:end], "key") && from > 0 && text[from-1] == ' ' {
		for from--; from > 0 && end-from < longName && isName(text[from-1]); from-- {
		}
	}
	name := make([]byte, 0, longName)
	for _, c := range []byte(text[from:end]) {
		if isAlnum(c) {
			name = append(name, c|0x20)
		}
	}
	return string(name)
}

func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

func tells(name string) bool {
	if name == "" {
		return false
	}
	for _, h := range harmless {
		if strings.HasSuffix(name, h) {
			return false
		}
	}
	for _, t := range telling {
		if strings.HasSuffix(name, t) {
			return true
		}
	}
	return false
}

// valueAt gives where the value behind a separator begins, and the quote before
// it, 0 for none. Words that say how it is meant are passed over.
func valueAt(text string, i int) (int, byte) {
	var quote byte
	for range 3 {
		for i < len(text) && (text[i] == ' ' || text[i] == '=' || text[i] == '>' || text[i] == '*') {
			i++
		}
		if quote == 0 && i < len(text) && strings.IndexByte("\"'`", text[i]) >= 0 {
			quote = text[i]
			i++
		}
		for _, word := range []string{"Bearer ", "bearer ", "Basic ", "Token ", "token "} {
			if strings.HasPrefix(text[i:], word) {
				i += len(word)
				break
			}
		}
	}
	return i, quote
}

// valueEnd gives the end of a value.
func valueEnd(text string, from int) int {
	end := from
	for end < len(text) && end-from < mixedValue && isValue(text[end]) {
		end++
	}
	if end-from == mixedValue {
		for end < len(text) && end-from <= longValue && (base.has(text[end]) || word.has(text[end])) {
			end++
		}
	}
	return end
}

func isValue(c byte) bool {
	switch c {
	case '"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', '$', '\\', '|':
		return false
	default:
		return c > ' ' && c < 0x7f
	}
}

// random reports whether a value that only its name tells was drawn by chance.
func random(s string) bool {
	if len(s) < shortValue || changes(s) < 0.2 || steps(s) >= 0.4 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	bits := entropy(s)
	switch {
	case len(s) < shortPassword:
		// Too few bytes for the usual entropy, and enough for words.
		if spoken(s) || bits < leastEntropy && (bits < leastOf(len(s)) || !allKinds(s)) {
			return false
		}
	case bits < leastEntropy && !(len(s) >= 32 && bits >= leastHex && allHex(s)) && !(bits >= leastOf(len(s)) && allKinds(s) && !spoken(s)):
		return false
	}
	return !isUUID(s) && !strings.Contains(s, "://") && !strings.Contains(s, "...") && !repeats(s) && !isExample(s) && !worded(s)
}

// leastOf is the entropy that a drawn password of so many bytes has at least: it
// repeats few of them.
func leastOf(n int) float64 { return math.Log2(float64(n)) - 0.6 }

// allKinds reports whether a value has digits, capitals and small letters.
func allKinds(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsUpper) && strings.ContainsFunc(s, unicode.IsLower)
}

// spoken reports whether a part of a value may be a word: four letters in a row
// with a vowel, but for the first all small or all capitals.
func spoken(s string) bool {
	row, vowels := 0, 0
	for i := range len(s) {
		c := s[i] | 0x20
		if !isLower(c) {
			row, vowels = 0, 0
			continue
		}
		if row > 0 && isUpper(s[i]) != isUpper(s[i-1]) && !(row == 1 && isUpper(s[i-1])) {
			row, vowels = 0, 0
			if !isUpper(s[i]) {
				row, vowels = 1, vowel(s[i-1]) // the capital that begins it
			}
		}
		row, vowels = row+1, vowels+vowel(c)
		if row >= 4 && vowels > 0 {
			return true
		}
	}
	return strings.Contains(s, "1234")
}

// vowel gives 1 for a vowel.
func vowel(c byte) int {
	if strings.IndexByte("aeiou", c|0x20) >= 0 {
		return 1
	}
	return 0
}

// allHex reports whether a value is made of hexadecimal digits, the letters all
// small or all capitals.
func allHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == "" || strings.Trim(s, "0123456789ABCDEF") == ""
}

// worded reports whether a value is base64 for words.
func worded(s string) bool {
	said, err := base64.StdEncoding.DecodeString(s + "===="[:(4-len(s)%4)%4])
	if err != nil {
		return false
	}
	for _, c := range said {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return changes(string(said)) < 0.2 || isExample(string(said))
}

// isUUID reports whether a value is an identifier in its usual form, which more
// often names a thing than opens one.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if c := s[i] | 0x20; i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !hex.has(c) {
			return false
		}
	}
	return true
}

// address finds the password in an address: `scheme://user:password@host`.
func address(text string, i int) (Match, bool) {
	from := i + len("://")
	end := from
	for end < len(text) && end-from < 256 && (isValue(text[end]) && text[end] != '/') {
		end++
	}
	user, password, ok := strings.Cut(text[from:end], ":")
	at := strings.LastIndexByte(password, '@')
	if !ok || at < 8 || user == password[:at] {
		return Match{}, false
	}
	start := from + len(user) + 1
	m := Match{Start: start, End: start + at, Says: "a password in an address", Shown: start}
	return m.sure(entropy(password[:at]) >= 2.8 && changes(password[:at]) >= 0.2 && steps(password[:at]) < 0.4 && !isExample(password[:at]))
}
