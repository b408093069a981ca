package diag

import "strings"

// Conflict finds what an unfinished merge leaves behind in a file: an opening marker,
// then the divider, then the closing one, each starting a line. It gives the place of
// the opening one and the line of the closing one, for the first conflict. The labels
// SEARCH and REPLACE belong to an edit format that prompts teach.
func Conflict(file *File) (open Span, line int, ok bool) {
	const (
		outside = iota
		opened
		divided
	)
	state := outside
	if !strings.Contains(file.Text, "<<<<<<< ") {
		return Span{}, 0, false
	}
	for start := 0; start < len(file.Text); {
		text, _, _ := strings.Cut(file.Text[start:], "\n")
		line++
		switch {
		case state != divided && marker(text, "<<<<<<< ", "SEARCH"):
			state, open = opened, Span{File: file, Start: start, End: start + len(text)}
		case state == opened && strings.HasPrefix(text, "======="):
			state = divided
		case state == divided && marker(text, ">>>>>>> ", "REPLACE"):
			return open, line, true
		}
		start += len(text) + 1
	}
	return Span{}, 0, false
}

func marker(line, prefix, except string) bool {
	label, ok := strings.CutPrefix(line, prefix)
	return ok && strings.TrimSpace(label) != except
}
