package diag

import (
	"cmp"
	"slices"
)

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

// tables gives the parts of the table, in the order of the codes; the checks of
// the stage lint have a page each (see checks).
func tables() [][]Entry {
	return [][]Entry{loadCodes, validateCodes, resolveCodes, renderCodes, composeCodes, snapshotCodes, diffCodes}
}

// Codes gives the whole table in the order of the codes.
func Codes() []Entry {
	all := append(slices.Concat(tables()...), checks()...)
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// Lookup gives the entry of a code.
func Lookup(code Code) (Entry, bool) {
	for _, table := range tables() {
		for i := range table {
			if table[i].Code == code {
				return table[i], true
			}
		}
	}
	return check(code)
}

// Level gives the level of a code; a code that is not in the table is an
// Error, so that nothing unknown passes quietly.
func (c Code) Level() Level {
	e, _ := Lookup(c)
	return e.Level
}
