package secret

import (
	"math"
	"strings"
)

// stand are words that a text holds in place of a key, small.
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

// isExample reports whether a text stands for a key: it is one of the
// documentation's, or holds words that say so.
func isExample(s string) bool {
	for _, e := range examples {
		if strings.Contains(s, e) {
			return true
		}
	}
	small := strings.ToLower(s)
	for _, w := range stand {
		if strings.Contains(small, w) {
			return true
		}
	}
	return false
}

// made reports whether the part of a key behind its prefix looks as if it was
// drawn by chance, and not typed by somebody: it is no run of the alphabet or of
// one letter, repeats nothing, and is not made of words.
func made(s string) bool {
	return drawn(s) && changes(s) >= 0.1
}

// drawn is made for an alphabet that has few digits and no small letters.
func drawn(s string) bool {
	return len(s) > 0 && steps(s) < 0.4 && !repeats(s) && entropy(s) >= least(len(s))
}

// least is the entropy below which a key of so many bytes was typed. What is
// drawn of sixteen digits has hardly ever less.
func least(n int) float64 {
	switch {
	case n < 20:
		return 2.6
	default:
		return 2.9
	}
}

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
		switch int(s[i]|0x20) - int(s[i-1]|0x20) {
		case -1, 0, 1:
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
