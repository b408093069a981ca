package transient

import (
	"slices"
	"strings"
)

// ofTime are words that say of a number on their line that it is a time, and
// before those that say it only of a number close behind them.
var (
	ofTime = []string{"timestamp", "timestamps", "epoch", "unix", "iat", "exp", "nbf", "ts", "mtime", "ctime", "atime"}
	before = []string{
		"time", "at", "now", "since", "date", "datetime", "created", "updated", "modified", "expires", "expired", "expiry", "expiration", "started", "start", "began", "begins",
		"ended", "end", "seen", "issued", "until", "seconds",
	}
)

// closeBy is how many words before a number are close to it.
const closeBy = 3

// latest is the first second that is no time of these years, and so a number of
// another kind.
const latest = "1800000000"

// epoch finds ten or thirteen digits that stand alone and mean a time of these
// years, as a word on their line says. Round numbers are amounts.
func epoch(text string, i int) (Match, bool) {
	end := i
	for end < len(text) && end-i <= 13 && isDigit(text[end]) {
		end++
	}
	n := end - i
	if n != 10 && n != 13 || text[i:i+2] < "16" || text[i:i+10] >= latest || strings.HasSuffix(text[i:i+10], "0000") {
		return Match{}, false
	}
	if i > 0 && strings.IndexByte("+-._/#$€£,&(", text[i-1]) >= 0 || i > 1 && text[i-1] == ' ' && isDigit(text[i-2]) {
		return Match{}, false
	}
	if end < len(text) && (isAlnum(text[end]) || strings.IndexByte("-_/%&", text[end]) >= 0) || end+1 < len(text) && strings.IndexByte(".,", text[end]) >= 0 && isDigit(text[end+1]) {
		return Match{}, false
	}
	return Match{Epoch, i, end}, timed(text, i, end)
}

// timed reports whether a line says of a number in it that it is a time.
func timed(text string, start, end int) bool {
	ahead := text[max(0, start-nearby):start]
	ahead = ahead[strings.LastIndexByte(ahead, '\n')+1:]
	behind, _, _ := strings.Cut(text[end:min(len(text), end+nearby)], "\n")
	says := func(words []string) func(string) bool {
		return func(word string) bool { return slices.Contains(words, strings.ToLower(word)) }
	}
	words := wordsOf(ahead)
	return slices.ContainsFunc(words, says(ofTime)) || slices.ContainsFunc(wordsOf(behind), says(ofTime)) ||
		slices.ContainsFunc(words[max(0, len(words)-closeBy):], says(before))
}

// wordsOf gives the words of a text, those of a name like createdAt each.
func wordsOf(s string) []string {
	var out []string
	from := 0
	for i := range len(s) + 1 {
		ends := i == len(s) || !isAlpha(s[i])
		if i > from && (ends || isUpper(s[i]) && !isUpper(s[i-1])) {
			out = append(out, s[from:i])
			from = i
		}
		if ends {
			from = i + 1
		}
	}
	return out
}
