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

// Best gives the candidate closest to name, when one is close: at most a
// third of its letters differ (at least one letter may), or letters changed
// places. Case does not count. Of equally close candidates one that goes on
// where name ends, or the other way round, wins: a plural, a short form. Of
// the others the first does. If more than one letter differs, the only candidate
// that goes on where name ends wins, however long it is.
func Best(name string, candidates []string) (string, bool) {
	if len(name) > 64 {
		return "", false // no id is that long, and the comparison is quadratic
	}
	lower := strings.ToLower(name)
	best, bestCost := "", 2*(1+max(1, len(name)/3))
	for _, c := range candidates {
		if c == "" || len(c) > 64 {
			continue
		}
		if cost := distance(lower, strings.ToLower(c)); cost < bestCost && cost < 2*len(c)-1 {
			best, bestCost = c, cost
		}
	}
	if best != "" {
		if longer := soleLonger(lower, candidates); longer != "" && bestCost > 2 {
			return longer, true // more than a letter of best differs
		}
		return best, true
	}
	most := similar
	for _, c := range candidates {
		if s := smetrics.JaroWinkler(lower, strings.ToLower(c), 0.7, 4); len(c) <= 64 && s > most {
			best, most = c, s
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

// soleLonger gives the only candidate that goes on where a name ends.
func soleLonger(lower string, candidates []string) string {
	only := ""
	for _, c := range candidates {
		switch {
		case !strings.HasPrefix(strings.ToLower(c), lower), c == only:
		case only != "":
			return ""
		default:
			only = c
		}
	}
	return only
}

// distance is twice the number of letters that differ. Two neighbours that
// changed places are one; and a name that starts with the other is nearer by
// one half.
func distance(a, b string) int {
	switch n := smetrics.WagnerFischer(a, b, 1, 1, 1); {
	case n == 2 && swapped(a, b):
		return 2
	case n > 0 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)):
		return 2*n - 1
	default:
		return 2 * n
	}
}

// swapped reports whether two names differ by two neighbours that changed
// places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a)-1 && a[i] == b[i] {
		i++
	}
	return i < len(a)-1 && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
