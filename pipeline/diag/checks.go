package diag

import (
	"embed"
	"strings"
)

// pages holds one page for each check of the stage lint: its headline, what it
// means, and an example before and after, which a test runs.
//
//go:embed checks/*.md
var pages embed.FS

// checks gives the codes that have a page of their own.
func checks() []Entry {
	files, _ := pages.ReadDir("checks") // the folder is embedded and always there
	var out []Entry
	for _, f := range files {
		if e, ok := check(Code(strings.TrimSuffix(f.Name(), ".md"))); ok {
			out = append(out, e)
		}
	}
	return out
}

// check reads the page of a code. Its first line is
//
//	# PC6019 warning: a title
//
// and the rest the explanation.
func check(code Code) (Entry, bool) {
	text, err := pages.ReadFile("checks/" + string(code) + ".md")
	if err != nil {
		return Entry{}, false
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	name, title, _ := strings.Cut(strings.TrimPrefix(head, "# "), ": ")
	_, word, _ := strings.Cut(name, " ")
	e := Entry{Code: code, Level: Error, Title: title, Explanation: strings.TrimSpace(rest)}
	for _, level := range []Level{Error, Warning, Note} {
		if level.String() == word {
			e.Level = level
		}
	}
	return e, true
}
