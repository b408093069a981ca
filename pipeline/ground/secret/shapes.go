package secret

import (
	"encoding/base64"
	"math"
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
// as in `Version: 1`. Its counts keep a text of many headers and no line break from
// being read from each of them to its end.
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

// stand are words that a text holds in place of a key, in small letters.
var stand = []string{
	"example", "xxxx", "your", "placeholder", "dummy", "fake", "sample", "redacted", "changeme", "change-me", "replace",
	"insert", "mytoken", "my-token", "my_token", "secretkey", "secret_key", "apikey", "api_key", "api-key", "goes-here", "_here",
	"token_", "-token", "test-key", "testkey", "qwerty", "asdfgh", "foobar", "deadbeef", "loremipsum", "abcdef", "012345", "12345",
}

// examples are keys that the issuers' documentation shows, or the standards',
// or a part of them.
var examples = []string{
	"16C7e42F292c6912E7710c838347Ae178B4a",         // GitHub's page on OAuth
	"4eC39HqLyjWDarjtT1zdp7dc",                     // Stripe's pages
	"BQokikJOvBiI2HlWgH4olfQ2",                     // Stripe's earlier pages
	"26PHem9AhJZvU623DfE1x4sd",                     // Stripe's pages on webhooks
	"tGzv3JOkF0XG5Qx2TlKWIA",                       // RFC 6749
	"2YotnFZFEjr1zCsicMWpAA",                       // RFC 6749
	"SlAV32hkKG",                                   // OpenID Connect
	"mF_9.B5f-4.1JqM",                              // RFC 6750
	"czZCaGRSa3F0MzpnWDFmQmF0M2JW",                 // RFC 6749
	"QWxhZGRpbjpvcGVuIHNlc2FtZQ",                   // RFC 2617
	"dXNlcjpwYXNz",                                 // user:pass
	"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6", // the emulator of Azure's storage
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2n", // the emulator of Cosmos DB
	"110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", // Telegram's page on bots
	"123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",    // Telegram's page on its API
	"T00000000/B00000000",                          // Slack's page on webhooks
}

// isTemplate reports whether a text stands for a key: it is one of the
// documentation's, or holds words that say so.
func isTemplate(s string) bool {
	small := strings.ToLower(s)
	for _, e := range examples {
		if strings.Contains(s, e) {
			return true
		}
	}
	for _, w := range stand {
		if strings.Contains(small, w) {
			return true
		}
	}
	return false
}

// looksRandom reports whether the part of a key behind its prefix was drawn by
// chance: no run of the alphabet or of one letter, no repetition, no words. What
// is drawn of sixteen digits hardly ever has less entropy.
func looksRandom(s string) bool {
	least := 2.9
	if len(s) < 20 {
		least = 2.6
	}
	return s != "" && steps(s) < 0.4 && !repeats(s) && entropy(s) >= least
}

// looksLikePassword reports whether a value that only its name tells was drawn
// by chance.
func looksLikePassword(s string) bool {
	if len(s) < shortValue || changes(s) < 0.2 || steps(s) >= 0.4 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	least := 3.5
	switch {
	case len(s) >= 32 && (strings.Trim(s, "0123456789abcdef") == "" || strings.Trim(s, "0123456789ABCDEF") == ""):
		least = 3.0
	case hasWord(s):
		if len(s) < 16 {
			return false
		}
	case hasAllKinds(s): // so many bytes have less than the usual entropy if one or two repeat
		least = min(least, math.Log2(float64(len(s)))-0.6)
	}
	return entropy(s) >= least && !uuid.MatchString(s) && !strings.Contains(s, "://") && !strings.Contains(s, "...") && !repeats(s) && !isTemplate(s) && !encodesWords(s)
}

// uuid is an identifier, which more often names a thing than opens one.
var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// entropy gives the bits of a byte by how often each occurs.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// steps gives the share of bytes that equal their neighbour or follow it in the
// alphabet, forwards or backwards.
func steps(s string) float64 {
	n := 0
	for i := 1; i < len(s); i++ {
		if d := int(s[i]|0x20) - int(s[i-1]|0x20); -1 <= d && d <= 1 {
			n++
		}
	}
	return float64(n) / float64(max(1, len(s)-1))
}

// repeats reports whether a text begins again before its half.
func repeats(s string) bool {
	for n := 1; n <= min(len(s)/2, 40); n++ {
		if s[n:] == s[:len(s)-n] {
			return true
		}
	}
	return false
}

// changes gives the share of neighbours of different classes: of small letters,
// capitals and digits. A capital before a small letter is how words begin.
func changes(s string) float64 {
	n := 0
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		if isAlnum(a) && isAlnum(b) && (isDigit(a) != isDigit(b) || isLower(a) && isUpper(b)) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(s)-1))
}

// hasAllKinds reports whether a value has digits, capitals and small letters.
func hasAllKinds(s string) bool {
	const small = "abcdefghijklmnopqrstuvwxyz"
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, small) && strings.ContainsAny(s, strings.ToUpper(small))
}

// hasWord reports whether a part of a value may be a word: four letters with a
// vowel, all small but perhaps the first, or all capitals.
func hasWord(s string) bool {
	for i := 0; i < len(s); {
		j := i + 1
		for isAlpha(s[i]) && j < len(s) && isAlpha(s[j]) && (isUpper(s[j]) == isUpper(s[j-1]) || j == i+1 && isUpper(s[i])) {
			j++
		}
		if j-i >= 4 && strings.ContainsAny(s[i:j], "aeiouAEIOU") {
			return true
		}
		i = j
	}
	return strings.Contains(s, "1234")
}

func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }

// encodesWords reports whether a value is base64 for words.
func encodesWords(s string) bool {
	said, err := base64.StdEncoding.DecodeString(s + "===="[:(4-len(s)%4)%4])
	if err != nil || strings.ContainsFunc(string(said), func(r rune) bool { return r < ' ' || r > '~' }) {
		return false
	}
	return changes(string(said)) < 0.2 || isTemplate(string(said))
}
