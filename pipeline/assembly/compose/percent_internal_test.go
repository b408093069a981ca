package compose

import "testing"

// TestSharesAreRoundedAsInTables holds because `list` and `explain` show the same
// share.
func TestSharesAreRoundedAsInTables(t *testing.T) {
	for _, tc := range []struct{ part, whole, want int }{
		{25, 40, 63}, {25, 30, 83}, {1, 3, 33}, {999, 1000, 99}, {1000, 1000, 100}, {1, 0, 0},
	} {
		if got := percent(tc.part, tc.whole); got != tc.want {
			t.Errorf("%d of %d is %d %%, want %d", tc.part, tc.whole, got, tc.want)
		}
	}
}
