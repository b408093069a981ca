package secret

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"
)

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
