package secret

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// Bounds of a private key, in bytes: how far it is read, and the least of each
// of its lines but the last.
const (
	longestPEM = 64 << 10
	leastLine  = 40
)

// headOfPEM is the header of a private key, with the fields that may follow it,
// as in `Version: 1`.
var headOfPEM = regexp.MustCompile(`^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'+>|#*,` + "`" + `\\]*[A-Z][\w-]{1,30}: [^\n\\]{1,100}[\n\\]){0,6}`)

// between are the bytes that may stand between two lines of a private key.
const between = " \t\r\n\"'`+>|#*,\\"

// privateKey finds a private key in PEM, also an encrypted one: its lines of
// base64 up to the first that is shorter.
func privateKey(text string, i int) (Match, bool) {
	text = text[:min(len(text), i+longestPEM)]
	head := headOfPEM.FindString(text[i:])
	if head == "" {
		return Match{}, false
	}
	from := skip(text, i+len(head))
	end := line(text, from)
	if end-from < leastLine || !looksRandom(text[from:end]) {
		return Match{}, false
	}
	for full := true; full; {
		next := skip(text, end)
		last := line(text, next)
		full = last-next >= leastLine
		if last > next {
			end = last
		}
	}
	if tail := skip(text, end); strings.HasPrefix(text[tail:], "-----END ") {
		end = tail + len("-----END ")
		_, rest, _ := strings.Cut(text[end:], "-----")
		end = len(text) - len(rest)
	}
	return Match{Start: i, End: end, Says: "a private key", Shown: from}, true
}

// line returns the end of the base64 at a place.
func line(text string, i int) int {
	for i < len(text) && base.has(text[i]) {
		i++
	}
	return i
}

// skip passes over what may stand between two lines of a private key; line breaks
// are also written `\n`.
func skip(text string, i int) int {
	for i < len(text) && strings.IndexByte(between, text[i]) >= 0 {
		if i++; text[i-1] == '\\' && i < len(text) && strings.IndexByte("nrt", text[i]) >= 0 {
			i++
		}
	}
	return i
}

// signed finds a JSON Web Token with a signature. One that says it is of John
// Doe is the example of the documentation.
func signed(text string, i int) (Match, bool) {
	end := i
	for end < len(text) && dotted.has(text[end]) {
		end++
	}
	none := Match{Start: i, End: end} // read, so that a long text is read once
	parts := strings.SplitN(strings.TrimRight(text[i:end], "."), ".", 4)
	if len(parts) != 3 || !strings.HasPrefix(parts[1], "eyJ") || len(parts[2]) < 27 || !looksRandom(parts[2]) {
		return none, false
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if said := string(payload); err != nil || strings.Contains(said, "John Doe") || strings.Contains(said, "1234567890") || strings.Contains(said, `"some"`) || isTemplate(said) {
		return none, false
	}
	return Match{Start: i, End: i + len(strings.Join(parts, ".")), Says: "a JSON Web Token", Shown: i}, true
}

// address finds the password in an address: `scheme://user:password@host`.
func address(text string, i int) (Match, bool) {
	from := i + len("://")
	end := from
	for end < len(text) && end-from < 256 && isValue(text[end]) && text[end] != '/' {
		end++
	}
	user, password, ok := strings.Cut(text[from:end], ":")
	at := strings.LastIndexByte(password, '@')
	if !ok || at < 8 || user == password[:at] {
		return Match{}, false
	}
	password = password[:at]
	if entropy(password) < 2.8 || changes(password) < 0.2 || steps(password) >= 0.4 || isTemplate(password) {
		return Match{}, false
	}
	start := from + len(user) + 1
	return Match{Start: start, End: start + at, Says: "a password in an address", Shown: start}, true
}
