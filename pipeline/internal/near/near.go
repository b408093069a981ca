// Package near finds the name that somebody probably meant.
package near

import (
	"strings"

	"github.com/xrash/smetrics"
)

// similar is the Jaro-Winkler similarity from which a name counts as close
// even where too many of its letters differ: it forgives letters that changed
// places, and shared beginnings.
const similar = 0.9

// Best gives the candidate closest to name, when one is close: at most a
// third of its letters differ (at least one letter may), or letters changed
// places. Case does not count. Of equally close candidates the first wins.
func Best(name string, candidates []string) (string, bool) {
	best, bestCost := "", 1+max(1, len(name)/3)
	if len(name) > 64 {
		return "", false // no id is that long, and the comparison is quadratic
	}
	lower := strings.ToLower(name)
	for _, c := range candidates {
		if c == "" || len(c) > 64 {
			continue
		}
		cost := smetrics.WagnerFischer(lower, strings.ToLower(c), 1, 1, 1)
		if cost < bestCost && cost < len(c) {
			best, bestCost = c, cost
		}
	}
	if best != "" {
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
