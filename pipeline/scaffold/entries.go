package scaffold

import "strings"

// Entries gives the names of the entries in a snapshot file of jest or vitest,
// in the order of the file; none for any other file. An entry begins at the
// start of a line; within a text, its first backtick would have an escape.
func Entries(text string) []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		rest, ok := strings.CutPrefix(line, "exports[`")
		if !ok {
			continue
		}
		name, closed := entryName(rest)
		if closed {
			out = append(out, name)
		}
	}
	return out
}

// entryName reads up to the backtick that has no escape.
func entryName(s string) (name string, closed bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '`':
			return b.String(), true
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", false
}
