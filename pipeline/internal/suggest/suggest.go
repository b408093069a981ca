// Package suggest finds the name that somebody probably meant.
package suggest

import (
	"path"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// similar is the Jaro-Winkler similarity from which a name counts as close
// even where too many of its letters differ: it forgives letters that changed
// places, and shared beginnings.
const similar = 0.9

// Best gives the candidate closest to name, when one is close: at most a third of
// its letters differ (at least one letter may), or letters changed places. Case
// does not count. Of candidates with as many other letters the most similar wins.
func Best(name string, candidates []string) (string, bool) {
	if len(name) > 64 {
		return "", false // no id is that long, and the comparison is quadratic
	}
	lower := strings.ToLower(name)
	best, fewest, most := "", 1+max(1, len(name)/3), similar
	for _, c := range candidates {
		if c == "" || len(c) > 64 {
			continue
		}
		letters := smetrics.WagnerFischer(lower, strings.ToLower(c), 1, 1, 1)
		similarity := smetrics.JaroWinkler(lower, strings.ToLower(c), 0.7, 4)
		switch fewer := letters < fewest && letters < len(c); {
		case fewer, letters == fewest && similarity > most:
			best, fewest, most = c, letters, similarity
		case best == "" && similarity > most:
			best, most = c, similarity
		}
	}
	return best, best != ""
}

// Path is Best for paths, and for names with slashes: a candidate that ends in
// name from a slash on, or the other way round, else the one of the closest last
// element, whatever its folder and its extension, which many have in common.
func Path(name string, candidates []string) (string, bool) {
	stem := func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
	stems := make([]string, len(candidates))
	for i, c := range candidates {
		if strings.HasSuffix(c, "/"+name) || strings.HasSuffix(name, "/"+c) || strings.HasSuffix(name, ":"+c) {
			return c, true
		}
		stems[i] = stem(c)
	}
	best, ok := Best(stem(name), stems)
	if !ok {
		return "", false
	}
	return candidates[slices.Index(stems, best)], true
}
