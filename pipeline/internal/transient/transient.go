// Package transient finds text that belongs to one moment, one machine or one
// run: times, identifiers drawn by chance, somebody's folders, names of hosts.
//
// A text is read once. A date alone is none: it stays what it is. With a time,
// or where words say that it is today's, it is.
package transient

import "strings"

// Kind tells what is found.
type Kind int

// The kinds.
const (
	Time    Kind = iota // a date with a time, or with its day of the week
	Today               // a date that the text calls today's
	AsOf                // the date of the text's last change, or up to which it is right
	Epoch               // seconds or milliseconds since 1970
	UUID                // an identifier drawn by chance
	Home                // somebody's folder
	Temp                // a temporary folder with a name drawn by chance
	Host                // the name of a machine
	Planned             // a date with a time, or with its day of the week, that something was set for
	Clock               // a time of day that the text calls the current one
)

// Says names the kind, with its article.
func (k Kind) Says() string {
	return [...]string{
		"a date with a time", "today's date", "a date that grows old", "a time in seconds since 1970", "an identifier drawn by chance",
		"somebody's folder", "a temporary folder", "the name of a machine", "a date with a time", "the time of day",
	}[k]
}

// Match is such text at the bytes [Start, End).
type Match struct {
	Kind       Kind
	Start, End int
}

// Find gives the matches of a text, in order, not overlapping.
func Find(text string) []Match {
	var out []Match
	behind := 0 // of what was found
	for i := 0; i < len(text); i++ {
		if !triggers(text[i]) {
			continue
		}
		m, ok := at(text, i)
		if !ok || m.Start < behind {
			continue
		}
		out = append(out, m)
		behind = m.End
		i = m.End - 1
	}
	return out
}

// triggerBytes has a bit for each byte at which something may begin, or show
// itself: digits, capitals, i, and / \ @ . -
var triggerBytes = [4]uint64{0x3ffe00000000000, 0x20017ffffff, 0x0, 0x0}

func triggers(c byte) bool { return triggerBytes[c>>6]>>(c&63)&1 != 0 }

// nameBegins are the letters with which weekdays and months begin: most words need
// no look at their names. A test holds it.
const nameBegins = "ADFJMNOSTW"

// at looks for what shows itself at a byte.
func at(text string, i int) (Match, bool) {
	switch c := text[i]; {
	case c == '/':
		return folder(text, i)
	case c == '\\':
		return windows(text, i)
	case c == '@':
		return account(text, i)
	case c == '.':
		return named(text, i)
	case c == '-':
		return uuid(text, i)
	case i > 0 && (isAlnum(text[i-1]) || text[i-1] == '_'):
		return Match{}, false
	case isDigit(c):
		if m, ok := dated(text, i); ok {
			return m, true
		}
		return epoch(text, i)
	default:
		if strings.IndexByte(nameBegins, c) >= 0 {
			if m, ok := dated(text, i); ok {
				return m, true
			}
		}
		return machine(text, i)
	}
}

// longAddress is how far before a place the address begins that it stands in, in
// bytes.
const longAddress = 200

// uuid finds 32 hexadecimal digits in the usual five groups, by the first dash.
func uuid(text string, i int) (Match, bool) {
	const groups = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"
	from := i - 8
	if from < 0 || from > 0 && (isAlnum(text[from-1]) || text[from-1] == '-') || !shape(text[from:], groups) {
		return Match{}, false
	}
	end := from + len(groups)
	if end < len(text) && (isAlnum(text[end]) || text[end] == '-') {
		return Match{}, false
	}
	// Those of RFC 9562's versions are drawn, or told by a clock; others, and
	// those that somebody typed, name what stays.
	if word := text[strings.LastIndexAny(text[max(0, from-longAddress):from], " \t\n\"'(<")+1+max(0, from-longAddress) : from]; strings.Contains(word, "://") {
		return Match{}, false // a part of an address, which stays what it is
	}
	version, kind := text[from+14], text[from+19]|0x20
	drawn := version >= '1' && version <= '8' && strings.IndexByte("89ab", kind) >= 0
	return Match{UUID, from, end}, drawn && !typed(text[from:end])
}

// typed reports whether digits follow one another as somebody types them:
// 123e4567, or 00000000.
func typed(s string) bool {
	steps := 0
	for i := 1; i < len(s); i++ {
		if d := int(s[i]) - int(s[i-1]); d >= -1 && d <= 1 {
			steps++
		}
	}
	return 3*steps > len(s) || strings.HasPrefix(strings.ToLower(s), "123e4567") || strings.HasPrefix(strings.ToLower(s), "550e8400-e29b")
}

// shape reports whether a text begins like a pattern: d is a digit, h one of
// sixteen, anything else itself.
func shape(s, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		switch c := s[i]; pattern[i] {
		case 'd':
			if !isDigit(c) {
				return false
			}
		case 'h':
			if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		default:
			if c != pattern[i] {
				return false
			}
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool { return isUpper(c) || 'a' <= c && c <= 'z' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
