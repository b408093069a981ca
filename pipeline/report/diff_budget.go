package report

import "github.com/promptc-build/promptc/pipeline/prompt"

// crossed says how much of a limit is used, by how much that is over it, and
// what it was: `378 of 375, over by 3 (budget was 500)`. What stayed is said
// once.
func crossed(e *prompt.Edit) phrase {
	was, is := e.Used[0], e.Used[1]
	before, now := e.Limit[0], e.Limit[1]
	text := amountRange(is)
	if now.Known {
		text += " of " + amountRange(now)
	}
	if e.Over && e.Excess.Low > 0 {
		text += ", over by " + amountRange(e.Excess)
	}
	switch {
	case !was.Known || was == is && before == now:
	case before == now:
		text += " (was " + amountRange(was) + ")"
	case !before.Known && was == is:
		text += " (no budget before)"
	case !before.Known:
		text += " (was " + amountRange(was) + ", no budget before)"
	case was == is:
		text += " (budget was " + amountRange(before) + ")"
	default:
		text += " (was " + amountRange(was) + " of " + amountRange(before) + ")"
	}
	return phrase{ours(text)}
}

// amountRange writes the least and the most of some amounts, as people do.
func amountRange(a prompt.Amounts) string { return figureRange(a.Low, a.High) }

func figureRange(low, high int) string {
	if low == high {
		return number(low)
	}
	return number(low) + ".." + number(high)
}

// usedOf writes what is used of a limit for programs: `86..90 of 80`.
func usedOf(used, limit prompt.Amounts) string {
	if !used.Known {
		return ""
	}
	text := used.String()
	if limit.Known {
		text += " of " + limit.String()
	}
	return text
}
