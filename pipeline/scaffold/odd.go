package scaffold

import (
	"slices"
	"strings"
)

// maxOdd is how many names may be odd ones, and minRegular how many others it
// takes for each.
const (
	maxOdd     = 5
	minRegular = 8
)

// mostly finds the shape of the names of most files, or of most entries, where a
// few stand in its way, which it gives too: entries without the others of their
// file; nil for none. A single axis is worth that only if there is no shape of
// all.
func (n *names) mostly(noShape bool) (d *derived, files, entries []Snapshot) {
	if n.mixed {
		return nil, nil, nil
	}
	for _, set := range oddSets(n.paths) {
		rest, odd := n.without(func(s Snapshot) bool { return set[s.Path] })
		if d := namesOf(rest).derive(); d != nil && d.regular && (len(d.legacy.Axes) > 1 || noShape) {
			return d, odd, nil
		}
	}
	if !n.several {
		return nil, nil, nil
	}
	for _, set := range oddSets(n.entries) {
		rest := slices.Clone(n.files)
		var odd []Snapshot
		for i, s := range rest {
			rest[i].Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e string) bool { return set[e] })
			for _, e := range s.Entries {
				if set[e] {
					odd = append(odd, Snapshot{Path: s.Path, Entries: []string{e}})
				}
			}
		}
		if d := namesOf(rest).derive(); d != nil && d.regular && d.legacy.Entry != "" && (len(d.legacy.Axes) > 1 || noShape) {
			return d, nil, odd
		}
	}
	return nil, nil, nil
}

func (n *names) without(isOdd func(Snapshot) bool) (rest, odd []Snapshot) {
	for _, s := range n.files {
		if isOdd(s) {
			odd = append(odd, s)
		} else {
			rest = append(rest, s)
		}
	}
	return rest, odd
}

// oddSets gives sets of a few names that the others may go together without.
func oddSets(names []string) []map[string]bool {
	most := min(maxOdd, len(names)/minRegular)
	var out []map[string]bool
	try := func(key func(string) string) {
		if set := rare(names, key, most); len(set) > 0 {
			out = append(out, set)
		}
	}
	try(func(s string) string { return strings.Join(part.Split(s, -1), "\x00") })
	try(func(s string) string {
		if strings.ContainsFunc(s, func(r rune) bool { return r > '~' || r < ' ' }) {
			return "other characters"
		}
		return ""
	})
	_, inner, _ := common(names)
	of := map[string]string{}
	for i, s := range names {
		of[s] = inner[i]
	}
	for sep := range strings.SplitSeq(separators, "") {
		try(func(s string) string {
			if i := strings.LastIndex(of[s], sep); i >= 0 {
				return of[s][i+1:]
			}
			return "\x00"
		})
		try(func(s string) string {
			before, _, ok := strings.Cut(of[s], sep)
			if !ok {
				return "\x00"
			}
			return before
		})
	}
	return out
}

// rare gives the names with keys that few have, at most so many; nil if more
// would be.
func rare(names []string, key func(string) string, most int) map[string]bool {
	count := map[string]int{}
	for _, s := range names {
		count[key(s)]++
	}
	usual := 0
	for _, n := range count {
		usual = max(usual, n)
	}
	out := map[string]bool{}
	for _, s := range names {
		if count[key(s)]*3 <= usual {
			out[s] = true
		}
	}
	if len(out) > most {
		return nil
	}
	return out
}
