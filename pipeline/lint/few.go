package lint

import (
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// mostAlike is how many findings of one kind in one file stand each by itself.
const mostAlike = 20

// few keeps the first findings of a kind in a file, of which there are so many,
// and counts the others in one more at the first of these.
func few(first diag.List, total int, noun string) diag.List {
	if len(first) <= mostAlike {
		return first
	}
	rest := first[mostAlike]
	rest.Message = fmt.Sprintf("and %s in this file", number(total-mostAlike, "more "+noun))
	rest.Detail = nil
	for _, d := range first[mostAlike+1:] {
		rest.Level = min(rest.Level, d.Level)
	}
	return append(first[:mostAlike:mostAlike], rest)
}
