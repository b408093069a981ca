package scaffold

import (
	"regexp"
	"strings"
)

// entryHeads are what an entry begins with in the snapshot files of jest and
// vitest, and in those of syrupy. No line of a text in such a file looks so: it
// has an escape, or is indented.
var entryHeads = []*regexp.Regexp{
	regexp.MustCompile("(?m)^exports\\[`(?:[^`\\\\]|\\\\.)*`\\]"),
	regexp.MustCompile(`(?m)^# name: .*$`),
}

// Union gives a snapshot file with the entries of an earlier state of it that it
// no longer has, so that a proposal takes both; any other file as it is.
func Union(text, was string) string {
	for _, head := range entryHeads {
		if heads := head.FindAllString(text, -1); len(heads) > 0 {
			return text + missing(was, head, heads)
		}
	}
	return text
}

// missing gives the entries of a file that are not among those with some heads.
func missing(file string, head *regexp.Regexp, heads []string) string {
	known := map[string]bool{}
	for _, h := range heads {
		known[h] = true
	}
	var out strings.Builder
	places := head.FindAllStringIndex(file, -1)
	for i, at := range places {
		end := len(file)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		if !known[file[at[0]:at[1]]] {
			out.WriteString("\n" + file[at[0]:end])
		}
	}
	return out.String()
}
