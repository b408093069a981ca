package snapshot

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrdersAreMergedBehindWhatTheyFollow(t *testing.T) {
	for name, c := range map[string]struct {
		sequences [][]string
		want      []string
	}{
		"none":       {nil, nil},
		"one":        {[][]string{{"a", "b"}}, []string{"a", "b"}},
		"first":      {[][]string{{"a", "b"}, {"x", "a"}}, []string{"x", "a", "b"}},
		"middle":     {[][]string{{"a", "b"}, {"a", "x", "y"}}, []string{"a", "x", "y", "b"}},
		"twice":      {[][]string{{"a", "b"}, {"a", "x"}, {"a", "y"}}, []string{"a", "y", "x", "b"}},
		"other way":  {[][]string{{"a", "b"}, {"b", "x", "a", "y"}}, []string{"a", "y", "b", "x"}},
		"repetition": {[][]string{{"a", "a", "b", "a", "c"}}, []string{"a", "c", "b"}},
	} {
		if diff := cmp.Diff(c.want, merged(c.sequences)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

func TestLongOrdersAreMergedQuickly(t *testing.T) {
	var names []string
	for i := range 100_000 {
		names = append(names, strconv.Itoa(i))
	}
	if got := merged([][]string{names, names}); len(got) != len(names) {
		t.Errorf("%d names", len(got))
	}
}
