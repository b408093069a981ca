package secret

import (
	"encoding/base64"
	"hash/crc32"
	"strings"
)

// Keys that no prefix tells.

// most is how far a private key is read.
const most = 64 << 10

// Least of a private key, in bytes: its body, since those of Ed25519 have 64
// characters, and the run of them that its header is followed by.
const (
	leastBody = 60
	leastRun  = 40
)

// privateKey finds a private key in PEM, its line breaks also written `\n`. An
// encrypted one is none that could be used, and a header that something else
// than a key follows is spoken of.
func privateKey(text string, i int) (Match, bool) {
	head := text[i+len("-----BEGIN "):]
	name, _, ok := strings.Cut(head[:min(len(head), 60)], "-----")
	if !ok || !strings.HasSuffix(name, "PRIVATE KEY") && !strings.HasSuffix(name, "PRIVATE KEY BLOCK") || strings.HasPrefix(name, "ENCRYPTED") {
		return Match{}, false
	}
	from := i + len("-----BEGIN ") + len(name) + len("-----")
	shown := bodyAt(text, from)
	end, body := shown, make([]byte, 0, leastBody)
	for end < len(text) && end-shown < most && !strings.HasPrefix(text[end:], "-----") {
		if c := text[end]; c == '\\' {
			end = escaped(text, end) - 1
		} else if base.has(c) && len(body) < leastBody {
			body = append(body, c)
		}
		end++
	}
	end = min(end, len(text))
	if tail := "-----END " + name + "-----"; strings.HasPrefix(text[end:], tail) {
		end += len(tail)
	}
	return Match{Start: i, End: end, Says: "a private key", Shown: shown}.
		sure(unbroken(text, shown) >= leastRun && !strings.Contains(text[from:shown], "ENCRYPTED") && len(body) == leastBody && made(string(body)))
}

// bodyAt passes over what may stand between the header of a private key and its
// body: blanks, line breaks, quotes, and the fields of its own, as in `Version: 1`.
func bodyAt(text string, i int) int {
	for range longestFields {
		for i < len(text) && strings.IndexByte(" \t\r\n\"'`+>|#*,\\", text[i]) >= 0 {
			if text[i] == '\\' {
				i = escaped(text, i)
				continue
			}
			i++
		}
		line, _, _ := strings.Cut(text[i:min(len(text), i+longField)], "\n")
		line, _, _ = strings.Cut(line, "\\")
		field, _, ok := strings.Cut(line, ": ")
		if !ok || strings.ContainsAny(field, " \t") {
			return i
		}
		i += len(line)
	}
	return i
}

// Bounds of the fields of a private key: how many, and the bytes of one.
const (
	longestFields = 6
	longField     = 128
)

// escaped gives the end of an escape like \n, its backslash also doubled.
func escaped(text string, i int) int {
	for i < len(text) && text[i] == '\\' {
		i++
	}
	return min(i+1, len(text))
}

// unbroken gives how many characters of base64 stand in a row, up to those that
// a private key has to have.
func unbroken(text string, i int) int {
	n := 0
	for i+n < len(text) && n < leastRun && base.has(text[i+n]) {
		n++
	}
	return n
}

// signed finds a JSON Web Token with a signature. One that says it is of John
// Doe is the example of the documentation.
func signed(text string, i int) (Match, bool) {
	if !strings.HasPrefix(text[i:], "eyJ") {
		return Match{}, false
	}
	end := i
	for end < len(text) && dotted.has(text[end]) {
		end++
	}
	parts := strings.SplitN(strings.TrimRight(text[i:end], "."), ".", 4)
	none := Match{Start: i, End: end} // read, so that a long text is read once
	if len(parts) != 3 || !strings.HasPrefix(parts[1], "eyJ") || len(parts[2]) < 27 || !made(parts[2]) {
		return none, false
	}
	said, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || strings.Contains(string(said), "John Doe") || strings.Contains(string(said), "1234567890") || strings.Contains(string(said), `"some"`) || isExample(string(said)) {
		return none, false
	}
	return Match{Start: i, End: i + len(strings.Join(parts, ".")), Says: "a JSON Web Token", Shown: i}, true
}

// telegram finds the token of a Telegram bot: its number, a colon, and 35
// characters that begin with AA.
func telegram(text string, i int) (Match, bool) {
	end := i
	for end < len(text) && end-i <= 10 && isDigit(text[end]) {
		end++
	}
	if end-i < 8 || end-i > 10 || !strings.HasPrefix(text[end:], ":AA") {
		return Match{}, false
	}
	from := end + 1
	end = run(text, from, 36)
	return Match{Start: i, End: end, Says: "a Telegram bot token", Shown: i}.sure(end-from == 35 && made(text[from:end]) && !isExample(text[i:end]))
}

// isDiscord reports whether a token of Discord may begin with a byte: the first
// digit of a number in base64.
func isDiscord(c byte) bool { return c == 'M' || c == 'N' || c == 'O' }

// discord finds the token of a Discord bot: the bot's number in base64, a time,
// a signature.
func discord(text string, i int) (Match, bool) {
	first := run(text, i, 29)
	if n := first - i; n < 23 || n > 28 || first == len(text) || text[first] != '.' {
		return Match{}, false
	}
	number, err := base64.RawStdEncoding.DecodeString(text[i:first])
	if err != nil || strings.Trim(string(number), "0123456789") != "" {
		return Match{}, false
	}
	second := run(text, first+1, 8)
	if n := second - first - 1; n < 5 || n > 7 || second == len(text) || text[second] != '.' {
		return Match{}, false
	}
	end := run(text, second+1, 60)
	return Match{Start: i, End: end, Says: "a Discord bot token", Shown: i}.sure(end-second > 27 && made(text[second+1:end]) && !isExample(text[i:end]))
}

// run gives the end of letters, digits, - and _, at most so many.
func run(text string, i, most int) int {
	end := i
	for end < len(text) && end-i < most && word.has(text[end]) {
		end++
	}
	return end
}

// checksum reports whether a token of GitHub ends as the others say: with their
// CRC-32 in base 62.
func checksum(rest string) bool {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := crc32.ChecksumIEEE([]byte(rest[:len(rest)-6]))
	var out [6]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = digits[sum%62]
		sum /= 62
	}
	return string(out[:]) == rest[len(rest)-6:]
}
