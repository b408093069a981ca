// Package match tells texts by their form: regular expressions that are
// compiled when they are first needed, and words, which need no expression.
//
// A program compiles the regular expressions of its packages at every start,
// also to print its version: half a hundred take a millisecond, and one that
// counts up to 64 as long as twenty others.
package match

import (
	"fmt"
	"regexp"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Regexp is a regular expression. It is safe for concurrent use, and a variable:
// a copy would be compiled again.
type Regexp struct {
	// Expr is the expression in Go's syntax. One that is wrong panics when it
	// is first used; a test compiles all that there are.
	Expr string

	once     sync.Once
	compiled *regexp.Regexp
}

// Compiled gives the compiled expression.
func (r *Regexp) Compiled() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Expr) })
	return r.compiled
}

// MatchString reports whether a text holds a match.
func (r *Regexp) MatchString(s string) bool { return r.Compiled().MatchString(s) }

// Word is the form of a word of ASCII. Sets are written as in a regular
// expression, without the brackets: "A-Za-z0-9_.-", a dash at the end.
type Word struct {
	First string // of what the first byte is; the same as Rest where empty
	Rest  string // of what the other bytes are
	Max   int    // bytes at most, 0 for any number
}

// MatchString reports whether a text, the whole of it, is such a word. An empty
// text is none.
func (w Word) MatchString(s string) bool {
	if s == "" || w.Max > 0 && len(s) > w.Max || w.First != "" && !in(w.First, s[0]) {
		return false
	}
	for i := range len(s) {
		if !in(w.Rest, s[i]) && (i > 0 || w.First == "") {
			return false
		}
	}
	return true
}

// Breach says what keeps a text from being such a word, "has a '.'"; "" where
// nothing does.
func (w Word) Breach(s string) string {
	switch {
	case w.MatchString(s):
		return ""
	case s == "":
		return "is empty"
	case w.First != "" && !in(w.First, s[0]) && in(w.Rest, s[0]):
		return "begins with " + quoted(s)
	}
	for i := range len(s) {
		if !in(w.Rest, s[i]) && (i > 0 || w.First == "" || !in(w.First, s[i])) {
			return "has " + quoted(s[i:])
		}
	}
	return fmt.Sprintf("has %d characters; %d are taken", len(s), w.Max)
}

// quoted gives the first character of a text.
func quoted(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size <= 1:
		return "what is no text"
	case r == '\'':
		return "a \"'\""
	case r == ' ':
		return "a blank"
	case !unicode.IsGraphic(r):
		return fmt.Sprintf("a %U", r)
	}
	return "a '" + string(r) + "'"
}

// in reports whether a byte is in a set.
func in(set string, c byte) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return true
			}
			i += 2
		} else if set[i] == c {
			return true
		}
	}
	return false
}
