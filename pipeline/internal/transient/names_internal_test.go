package transient

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryNameOfADayOrMonthIsLookedFor(t *testing.T) {
	for _, name := range slices.Concat(weekdays, months) {
		if strings.IndexByte(nameBegins, name[0]) < 0 {
			t.Errorf("no date is looked for at %q", name)
		}
	}
	for _, letter := range nameBegins {
		if !slices.ContainsFunc(slices.Concat(weekdays, months), func(name string) bool { return strings.HasPrefix(name, string(letter)) }) {
			t.Errorf("nothing begins with %q", letter)
		}
	}
}
