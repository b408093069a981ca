// Package near finds the name that somebody probably meant.
package near

import (
	"strings"

	"github.com/xrash/smetrics"
)

// Best gives the candidate closest to name, when one is close: at most a
// third of its letters differ (at least one letter may). Case does not count.
// Of equally close candidates the first wins.
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
	return best, best != ""
}
