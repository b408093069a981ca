// Package transient finds text that belongs to one moment or one run: a date
// with a time, the date that a text calls today's, a time in seconds since 1970,
// an identifier drawn by chance. A date alone is none: it stays what it is.
package transient

import (
	"regexp"
	"strings"
)

// Kind tells what is found.
type Kind int

// The kinds.
const (
	Time  Kind = iota // a date with a time, or with its day of the week
	Today             // a date or time of day that the text calls the current one
	Epoch             // seconds or milliseconds since 1970
	UUID              // an identifier drawn by chance
)

// Match is such text at the bytes [Start, End).
type Match struct {
	Kind       Kind
	Start, End int
}

// Parts of the expressions: dates in ISO form and in English, times of day.
const (
	day     = `(?:[12][0-9]|3[01]|0?[1-9])`
	month   = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	year    = `(?:19|20)[0-9]{2}`
	iso     = year + `(?:-(?:0[1-9]|1[0-2])-|/(?:0[1-9]|1[0-2])/)(?:[12][0-9]|3[01]|0[1-9])`
	words   = month + ` ` + day + `(?:st|nd|rd|th)?,? ` + year + `|` + day + `(?:st|nd|rd|th)? ` + month + `,? ` + year
	date    = `(?:` + iso + `|` + words + `)`
	weekday = `(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? `
	clock   = `(?:2[0-3]|[01]?[0-9]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?(?: ?[AaPp][Mm])?(?: ?Z| UTC| GMT)?(?:[+-][0-9]{2}:?[0-9]{2})?`
)

// Words that say of what follows that it is of this moment, or a time.
var (
	current = regexp.MustCompile(`(?i)\b(?:today(?:['’]s date)?|current (?:date|time|datetime)|date and time|(?:it is|it's|time is) now)(?: is)?[ :*_"“(]*$`)
	moment  = regexp.MustCompile(`(?:(?i:\b|_)(?i:timestamp|epoch|unix|iat|exp|nbf|ts|[acm]?time|at|now|since|date|created|updated|modified|expires|expiry|started|ended|issued)|[a-z]At)["' :=]+$`)
)

// forms are what is found, each at the beginning of a word, and where before is
// not nil behind such words.
var forms = []struct {
	kind   Kind
	before *regexp.Regexp
	expr   *regexp.Regexp
}{
	{Time, nil, regexp.MustCompile(`^(?:(?:` + weekday + `)?` + date + `(?:T|,? at |,? )` + clock + `|` + weekday + date + `)`)},
	{Time, nil, regexp.MustCompile(`^` + weekday + month + ` {1,2}` + day + ` ` + clock + ` (?:[A-Z]{3,4} )?` + year)}, // as programs write it
	{Today, current, regexp.MustCompile(`^(?:` + date + `|` + clock + `)`)},
	{Epoch, moment, regexp.MustCompile(`^(?:1[6-9]|2[01])[0-9]{8}(?:[0-9]{3})?`)},
	{UUID, nil, regexp.MustCompile(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}`)},
}

// What is looked at behind and before the beginning of a word, in bytes.
const (
	longest = 80
	nearby  = 40
)

// Find gives the matches of a text, in order, not overlapping.
func Find(text string) []Match {
	var out []Match
	for from := 0; from < len(text); {
		line, _, _ := strings.Cut(text[from:], "\n")
		for i := 0; i < len(line); i++ {
			if !begins(line, i) {
				continue
			}
			if kind, end, ok := at(line, i); ok {
				out = append(out, Match{kind, from + i, from + end})
				i = end - 1
			}
		}
		from += len(line) + 1
	}
	return out
}

// names are how the names of days and months begin.
const names = "Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"

// begins reports whether one of the forms may begin at a byte: a word that
// begins with a digit, with such a name, or with eight characters and a hyphen.
func begins(line string, i int) bool {
	if i > 0 && (isWord(line[i-1]) || line[i-1] == '-' || line[i-1] == '.' || line[i-1] == '/') {
		return false
	}
	c := line[i]
	return c >= '0' && c <= '9' || i+8 < len(line) && line[i+8] == '-' ||
		c >= 'A' && c <= 'W' && i+3 <= len(line) && strings.Contains(names, line[i:i+3])
}

// at gives what begins at a byte of a line.
func at(line string, i int) (kind Kind, end int, ok bool) {
	for _, f := range forms {
		n := f.expr.FindStringIndex(line[i:min(len(line), i+longest)])
		if n == nil || f.before != nil && !f.before.MatchString(line[max(0, i-nearby):i]) {
			continue
		}
		if end := i + n[1]; ends(line[end:]) {
			return f.kind, end, true
		}
	}
	return 0, 0, false
}

// ends reports whether what follows is no part of the same word or number.
func ends(rest string) bool {
	if rest == "" {
		return true
	}
	if rest[0] == '.' || rest[0] == ',' { // which may end a sentence
		return len(rest) == 1 || rest[1] < '0' || rest[1] > '9'
	}
	return !isWord(rest[0]) && strings.IndexByte("-/%&", rest[0]) < 0
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}
