package record

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Changing is what differs between two recordings of the same program.
type Changing struct {
	Line int // from 1
	// Was and Is are what differs in the line, in whole words.
	Was, Is string
	inText  bool // and not a number, or the like
}

// maxChanging is how many places of a file are named.
const maxChanging = 3

// Changes gives the first places in which two recordings differ, and their number.
func Changes(was, is string) (out []Changing, n int) {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x == y {
			continue
		}
		if n++; n <= maxChanging {
			at, from, to := between(x, y)
			out = append(out, Changing{Line: i + 1, Was: from, Is: to, inText: inText(x, at)})
		}
	}
	return out, n
}

// inText reports whether a byte of a line of JSON stands in a string.
func inText(line string, at int) (in bool) {
	for i := 0; i < min(at, len(line)); i++ {
		switch line[i] {
		case '"':
			in = !in
		case '\\':
			i++
		}
	}
	return in
}

// between gives what two lines have between what they begin and end with, in whole words,
// and where it begins in the first.
func between(a, b string) (at int, x, y string) {
	word := func(c byte) bool { return c > ' ' && c != '"' && c != '\\' && c != ',' }
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	for i > 0 && word(a[i-1]) {
		i--
	}
	m, n := len(a), len(b)
	for m > i && n > i && a[m-1] == b[n-1] {
		m, n = m-1, n-1
	}
	for m < len(a) && word(a[m]) {
		m, n = m+1, n+1
	}
	return i, strings.ToValidUTF8(a[i:m], ""), strings.ToValidUTF8(b[i:n], "")
}

// Row is a row of filters: what it matches, and what stands instead.
type Row struct{ Match, With string }

// changingForms are the forms in which texts have what changes by itself, the longer ones first.
// From what clocks of programs write: RFC 3339, JavaScript's toString, toDateString and
// toLocaleDateString, Python's strftime in manuals, and ids of the usual kinds.
var changingForms = []struct {
	row    Row
	layout string // of [time.Time.Format], for what is today's; "" for others
}{
	{Row{`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "[ID]"}, ""},
	{Row{`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`, "[NOW]"}, ""},
	{Row{`[A-Z][a-z]+, [A-Z][a-z]+ \d{1,2}, \d{4}`, "[TODAY]"}, "Monday, January 2, 2006"},
	{Row{`[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} \d{4}`, "[TODAY]"}, "Mon Jan 02 2006"},
	{Row{`[A-Z][a-z]+ \d{1,2}, \d{4}`, "[TODAY]"}, "January 2, 2006"},
	{Row{`[A-Z][a-z]{2} \d{1,2}, \d{4}`, "[TODAY]"}, "Jan 2, 2006"},
	{Row{`\d{1,2} [A-Z][a-z]+ \d{4}`, "[TODAY]"}, "2 January 2006"},
	{Row{`\d{4}-\d{2}-\d{2}`, "[TODAY]"}, "2006-01-02"},
	{Row{`\d{4}/\d{2}/\d{2}`, "[TODAY]"}, "2006/01/02"},
	{Row{`\d{1,2}/\d{1,2}/\d{4}`, "[TODAY]"}, "1/2/2006"},
	{Row{`\d{1,2}\.\d{1,2}\.\d{4}`, "[TODAY]"}, "02.01.2006"},
	{Row{`\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?`, "[TIME]"}, ""},
	{Row{`\b\d{4,}(?:\.\d+)?\b`, "[NUMBER]"}, ""},
	{Row{`\b[0-9a-f]{8,}\b`, "[ID]"}, ""},
}

// Filter gives the row that takes a difference out; false where none is known, and for
// what is no text: filters reach nothing else.
func (c Changing) Filter() (Row, bool) {
	if !c.inText {
		return Row{}, false
	}
	for _, f := range changingForms {
		is := regexp.MustCompile(f.row.Match)
		if is.MatchString(c.Was) && is.ReplaceAllString(c.Was, "") == is.ReplaceAllString(c.Is, "") {
			return f.row, true
		}
	}
	return Row{}, false
}

// Today finds the date of today in a recording, as a text that will be another one
// tomorrow, and the row for it: that of a time, where it is the date of one.
func Today(recording string, now time.Time) (text string, row Row, ok bool) {
	for _, f := range changingForms {
		if f.layout == "" {
			continue
		}
		text := now.Format(f.layout)
		at := strings.Index(recording, text)
		if at < 0 {
			continue
		}
		for _, longer := range changingForms {
			for _, m := range regexp.MustCompile(longer.row.Match).FindAllStringIndex(recording, -1) {
				if m[0] <= at && at+len(text) <= m[1] {
					return recording[m[0]:m[1]], longer.row, true
				}
			}
		}
	}
	return "", Row{}, false
}

// Ordered gives rows in the order in which they have to be applied, each once: longer
// forms before those that are parts of them.
func Ordered(rows []Row) []Row {
	var out []Row
	for _, f := range changingForms {
		if slices.Contains(rows, f.row) {
			out = append(out, f.row)
		}
	}
	for _, row := range rows {
		if !slices.Contains(out, row) {
			out = append(out, row)
		}
	}
	return out
}

// Personal finds a name of a user or a machine in a recording, as a word of its own: what
// it is for is not known, so that nothing replaces it. Short names and those that are
// words are not looked for.
func Personal(recording, name string) (Row, bool) {
	const least = 4 // characters
	if len(name) < least || slices.Contains([]string{"root", "user", "node", "localhost", "runner"}, name) {
		return Row{}, false
	}
	row := Row{`\b` + regexp.QuoteMeta(name) + `\b`, "[NAME]"}
	return row, regexp.MustCompile(row.Match).MatchString(recording)
}
