package report

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ofLimit stands between a use and its limit.
const ofLimit = " of "

// crossed says how much of a limit is used, by how much that is over it, and
// what it was: `378 of 375, over by 3 (budget was 500)`. What stayed is said
// once.
func crossed(e *prompt.Edit) phrase {
	was, before, _ := strings.Cut(e.From, ofLimit)
	is, now, _ := strings.Cut(e.To, ofLimit)
	out := phrase{amountsOf(is)}
	if now != "" {
		out = append(out, ours(ofLimit), amountsOf(now))
	}
	if e.Over && e.Excess[0] > 0 {
		out = append(out, ours(", over by "+amountRange(e.Excess[0], e.Excess[1])))
	}
	switch {
	case e.From == "" || e.From == e.To:
		return out
	case before == now:
		return append(out, ours(" (was "), amountsOf(was), ours(")"))
	case before == "" && was == is:
		return append(out, ours(" (no budget before)"))
	case before == "":
		return append(out, ours(" (was "), amountsOf(was), ours(", no budget before)"))
	case was == is:
		return append(out, ours(" (budget was "), amountsOf(before), ours(")"))
	default:
		return append(out, ours(" (was "), amountsOf(was), ours(ofLimit), amountsOf(before), ours(")"))
	}
}

// amountsOf writes a figure, or the least and the most of some, as people do.
func amountsOf(s string) bit {
	low, high, isRange := strings.Cut(s, "..")
	if !isRange {
		return amountOf(s)
	}
	from, err := strconv.Atoi(low)
	to, wrong := strconv.Atoi(high)
	if err != nil || wrong != nil {
		return theirs(s)
	}
	return ours(amountRange(from, to))
}

// amountRange writes the least and the most of some figures.
func amountRange(low, high int) string {
	if low == high {
		return number(low)
	}
	return number(low) + ".." + number(high)
}
