package diag

import (
	"strconv"
	"strings"
)

// Number writes an amount as messages do: with a comma at every third digit.
// Lines, columns and offsets are no amounts.
func Number(n int) string {
	digits, sign := strconv.Itoa(n), ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Count is an amount in a message, written with a comma at every third digit.
// Unlike a text it does not tell findings apart that are otherwise equal.
type Count int

func (c Count) String() string { return Number(int(c)) }

// Counted gives words that depend on whether an amount is one. Either row has a
// gap for it.
func Counted(n int, one, many string) Words {
	if n == 1 {
		return Say(one, Count(n))
	}
	return Say(many, Count(n))
}
