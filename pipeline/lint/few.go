package lint

import (
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// mostAlike is how many findings of one kind in one file stand each by itself.
const mostAlike = 20

// few keeps the first findings of a kind in a file, and counts the others in
// one more at the first of these.
func few(all diag.List, noun string) diag.List {
	if len(all) <= mostAlike {
		return all
	}
	rest := all[mostAlike]
	rest.Message = fmt.Sprintf("and %s in this file", number(len(all)-mostAlike, "more "+noun))
	rest.Detail = nil
	for _, d := range all[mostAlike+1:] {
		if rest.Level > d.Level {
			rest.Level = d.Level
		}
	}
	return append(all[:mostAlike:mostAlike], rest)
}
