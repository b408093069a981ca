package prompt

import (
	"path"
	"strings"
	"unicode"
)

// InRepository reports whether a path leads into the folder that Git keeps for
// itself, as file systems of all sorts find it. What is in it differs from
// checkout to checkout, and Git refuses to keep a snapshot of that name.
func InRepository(p string) bool {
	for e := range strings.SplitSeq(path.Clean(p), "/") {
		if strings.EqualFold(e, ".git") || strings.EqualFold(e, "git~1") {
			return true
		}
	}
	return false
}

// BreaksLines reports whether a character cannot stand in a list of one path a
// line.
func BreaksLines(c rune) bool {
	return unicode.IsControl(c) || c == '\u2028' || c == '\u2029'
}
