package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// number writes an amount with a comma at every third digit.
func number(n int) string { return diag.Number(n) }

// difference writes an amount with its sign.
func difference(n int) string {
	switch {
	case n > 0:
		return "+" + number(n)
	case n == 0:
		return "±0"
	default:
		return number(n)
	}
}

// count writes an amount with its noun, which takes an s for all but one.
func count(n int, noun string) string { return number(n) + " " + plural(n, noun) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// percent writes a share in whole percent. What is not quite all never reads
// as 100 %, so that a budget shows as full only when it is.
func percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	p := int((int64(part)*200 + int64(whole)) / (2 * int64(whole)))
	switch {
	case p >= 100 && part < whole:
		p = 99
	case p <= 100 && part > whole:
		p = 101
	}
	return strconv.Itoa(p) + " %"
}

// fraction writes a share in percent with one digit behind the point.
func fraction(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// list joins names with commas; of more than limit it names the first few and
// counts the rest.
func list(names []string, limit int) string {
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:limit], ", ") + " and " + number(len(names)-limit) + " more"
}
