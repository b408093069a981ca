package scaffold

import "regexp"

// entryHead is the line, or the part of it, with which an entry of a snapshot
// file begins.
var entryHead = regexp.MustCompile("(?m)^(?:exports\\[`(?:[^`\\\\]|\\\\.)*`\\]|# name: .*$)")

// Union gives a snapshot file with the entries of an earlier state of it that it
// no longer has, so that a proposal takes both; any other file as it is.
func Union(text, was string) string {
	known := map[string]bool{}
	for _, head := range entryHead.FindAllString(text, -1) {
		known[head] = true
	}
	if len(known) == 0 {
		return text
	}
	places := entryHead.FindAllStringIndex(was, -1)
	for i, at := range places {
		end := len(was)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		if head := was[at[0]:at[1]]; !known[head] {
			known[head] = true
			text += "\n" + was[at[0]:end]
		}
	}
	return text
}
