package secret

import "strings"

// telling are the ends of names whose value is a secret, small letters only, and
// public those of names that end likewise.
var (
	telling = []string{
		"apikey", "secret", "secretkey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey", "authkey", "storagekey", "accountkey",
		"token", "password", "passwort", "passwd", "pwd", "passphrase", "authorization", "bearer", "credential", "credentials",
	}
	public = []string{
		"pagetoken", "nexttoken", "continuationtoken", "synctoken", "csrftoken", "starttoken", "endtoken", "cursortoken", "publicapikey",
		"specialtoken", "eostoken", "bostoken", "padtoken", "stoptoken", "pertoken",
	}
)

// Bounds of names and values, in bytes. What a value has beyond mixedValue is
// base64.
const (
	longName   = 64
	shortValue = 12
	mixedValue = 128
	longValue  = 4096
)

// assigned finds a value that looks random behind a name that says it is a
// secret: `api_key = …`, `"password": "…"`, "the password is `…`", `| token | … |`.
// The name ends before the byte nameEnd, the value begins behind from. Without a
// sign or quotes the value must have no part that may be a word.
func assigned(text string, nameEnd, from int) (Match, bool) {
	name := nameBefore(text, nameEnd)
	if !endsWith(name, telling) || endsWith(name, public) {
		return Match{}, false
	}
	from, quote := valueAt(text, from)
	end := valueEnd(text, from)
	if quote != 0 && (end == len(text) || text[end] != quote) || end < len(text) && strings.IndexByte("([{<$", text[end]) >= 0 {
		return Match{}, false // a call, a placeholder, or more than one word
	}
	value := strings.TrimRight(text[from:end], ".,;:!?")
	if len(value) > longValue || !looksLikePassword(value) {
		return Match{}, false
	}
	clear := quote != 0 || strings.IndexByte("=:", text[nameEnd]) >= 0
	return Match{Start: from, End: from + len(value), Says: generic, Shown: from}, clear || hasAllKinds(value) && !hasWord(value)
}

func endsWith(name string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// nameBefore returns the letters and digits, in small letters, of the name before
// a separator.
func nameBefore(text string, i int) string {
	end := i
	for end > 0 && i-end < 16 && strings.IndexByte("\"'`*] ", text[end-1]) >= 0 {
		end--
	}
	if strings.HasSuffix(text[:end], " is") {
		end -= len(" is")
	}
	from := end
	for from > 0 && end-from < longName && (dotted.has(text[from-1]) || text[from-1] == ' ' && strings.EqualFold(text[from:end], "key")) {
		from--
	}
	name := make([]byte, 0, longName)
	for _, c := range []byte(text[from:end]) {
		if isAlnum(c) {
			name = append(name, c|0x20)
		}
	}
	return string(name)
}

// valueAt returns where the value behind a separator begins, and the quote before
// it, 0 for none. The schemes of HTTP are passed over.
func valueAt(text string, i int) (int, byte) {
	var quote byte
	for range 3 {
		for i < len(text) && strings.IndexByte(" =>*", text[i]) >= 0 {
			i++
		}
		for n := 0; n < 2 && i < len(text) && strings.IndexByte("\"'`", text[i]) >= 0 && (quote == 0 || quote == text[i]); n++ {
			quote = text[i]
			i++
		}
		for _, scheme := range []string{"Bearer ", "bearer ", "Basic ", "Token ", "token "} {
			if strings.HasPrefix(text[i:], scheme) {
				i += len(scheme)
				break
			}
		}
	}
	return i, quote
}

// valueEnd returns the end of a value.
func valueEnd(text string, from int) int {
	end := from
	for end < len(text) && end-from < mixedValue && isValue(text[end]) {
		end++
	}
	if end-from == mixedValue && looksLikePassword(text[from:end]) {
		for end < len(text) && end-from <= longValue && padded.has(text[end]) {
			end++
		}
	}
	return end
}

func isValue(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("\"'`()[]{}<>$\\|", c) < 0
}
