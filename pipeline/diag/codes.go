package diag

import "slices"

// Entry is what the table of codes says of one code.
type Entry struct {
	Code  Code
	Level Level
	// Title is the finding in a few words, as a headline.
	Title string
	// Explanation is one or more short paragraphs: what it means, why it is
	// one, what to do. Markdown, read by `promptc explain` and the docs.
	Explanation string
}

// Codes gives the whole table in the order of the codes.
func Codes() []Entry {
	return slices.Concat(
		loadCodes, validateCodes, resolveCodes, renderCodes, composeCodes, lintCodes, snapshotCodes,
	)
}

// Lookup gives the entry of a code.
func Lookup(code Code) (Entry, bool) {
	for _, e := range Codes() {
		if e.Code == code {
			return e, true
		}
	}
	return Entry{}, false
}

// Level gives the level of a code; a code that is not in the table is an
// Error, so that nothing unknown passes quietly.
func (c Code) Level() Level {
	e, _ := Lookup(c)
	return e.Level
}
