package secret

import (
	"encoding/base64"
	"strings"
)

// telling are the ends of names whose value is a secret: small letters only.
var telling = []string{
	"apikey", "secret", "secretkey", "secretaccesskey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey", "authkey", "storagekey", "accountkey",
	"token", "password", "passwd", "pwd", "passphrase", "authorization", "bearer", "credential", "credentials", "webhooksecret",
}

// harmless are the ends of names that end like telling ones.
var harmless = []string{
	"pagetoken", "nexttoken", "continuationtoken", "synctoken", "csrftoken", "starttoken", "endtoken", "cursortoken", "publicapikey",
	"specialtoken", "eostoken", "bostoken", "padtoken", "stoptoken", "nextpagetoken", "pertoken",
}

// Bounds of names and values, in bytes.
const (
	longName   = 64
	shortValue = 12
	longValue  = 256
)

// leastEntropy is that of a value that only its name tells, in bits a byte.
const leastEntropy = 3.5

// named finds a value behind a telling name and a separator, `api_key = …`, and
// the password in an address, `scheme://user:password@host`.
func named(text string, i int) (Match, bool) {
	if text[i] == ':' && strings.HasPrefix(text[i:], "://") {
		return address(text, i)
	}
	if !tells(nameBefore(text, i)) {
		return Match{}, false
	}
	from, quote := valueAt(text, i+1)
	end := from
	for end < len(text) && end-from <= longValue && isValue(text[end]) {
		end++
	}
	value := text[from:end]
	if quote != 0 && (end == len(text) || text[end] != quote) || end < len(text) && strings.IndexByte("([{<$", text[end]) >= 0 {
		return Match{}, false // a call, a pattern, or more than one word
	}
	trimmed := strings.TrimRight(value, ".,;")
	m := Match{Start: from, End: from + len(trimmed), Says: "a secret", Shown: from}
	if j := strings.Index(trimmed, ".atlasv1."); j >= 0 {
		if known, ok := terraform(text, from+j); ok {
			return known, true
		}
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
	return len(s) >= shortValue && entropy(s) >= leastEntropy && changes(s) >= 0.2 && strings.ContainsAny(s, "0123456789") &&
		!isUUID(s) && !strings.Contains(s, "://") && !strings.Contains(s, "...") && steps(s) < 0.4 && !repeats(s) && !isExample(s) && !worded(s)
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
