package textdiff_test

import (
	"math/rand/v2"
	"testing"

	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// longest gives how many lines of two texts can stay, by the textbook's table.
func longest(a, b []int32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			was := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = was
		}
	}
	return row[len(b)]
}

func TestMatchKeepsTheMostLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := make([]int32, random.IntN(30)), make([]int32, random.IntN(30))
		for _, side := range [][]int32{a, b} {
			for i := range side {
				side[i] = int32(random.IntN(6))
			}
		}
		stays, approximate := textdiff.Match(a, b, func(l int32) int { return min(int(l), 1) })
		last, n := -1, 0
		for i, k := range stays {
			if k < 0 {
				continue
			}
			if a[i] != b[k] || k <= last {
				t.Fatalf("%v, %v: line %d stays as %d: %v", a, b, i, k, stays)
			}
			last, n = k, n+1
		}
		if want := longest(a, b); n != want || approximate {
			t.Fatalf("%v, %v: %d lines stay, want %d (approximate: %t)", a, b, n, want, approximate)
		}
	}
}

// TestMatchOfVeryLongTextsIsSound has a million equal lines, and texts too long
// and too different to be compared in full.
func TestMatchOfVeryLongTextsIsSound(t *testing.T) {
	const n = 1_000_000
	same, more := make([]int32, n), make([]int32, n+1)
	if stays, approximate := textdiff.Match(same, more, func(int32) int { return 0 }); approximate || stays[0] < 0 || stays[n-1] < 0 {
		t.Errorf("equal lines: approximate %t", approximate)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		same[i], more[i] = int32(random.IntN(n)), int32(random.IntN(n))
	}
	stays, approximate := textdiff.Match(same, more, func(int32) int { return 1 })
	last := -1
	for i, k := range stays {
		if k >= 0 && (k <= last || same[i] != more[k]) {
			t.Fatalf("line %d stays as %d", i, k)
		}
		last = max(last, k)
	}
	if !approximate {
		t.Error("nothing says that fewer lines may stay")
	}
}

// TestMovesLeaveNoLineBothRemovedAndAdded compares random texts of lines with
// one to five words.
func TestMovesLeaveNoLineBothRemovedAndAdded(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	words := func(l int32) int { return int(l) % 6 }
	for range 3000 {
		a, b := make([]int32, random.IntN(25)), make([]int32, random.IntN(25))
		for _, side := range [][]int32{a, b} {
			for i := range side {
				side[i] = int32(random.IntN(12))
			}
		}
		stays, _ := textdiff.Match(a, b, func(l int32) int { return min(int(l), 1) })
		removed, added := map[int]bool{}, map[int]bool{}
		for k := range b {
			added[k] = true
		}
		for i, k := range stays {
			if k < 0 {
				removed[i] = true
			}
			delete(added, k)
		}
		for _, m := range textdiff.Moves(a, b, stays, words) {
			for n := range m.Count {
				if !removed[m.Base+n] || !added[m.Head+n] || a[m.Base+n] != b[m.Head+n] {
					t.Fatalf("%v, %v: %v is no move", a, b, m)
				}
				delete(removed, m.Base+n)
				delete(added, m.Head+n)
			}
		}
		for i := range removed {
			for k := range added {
				if a[i] == b[k] && words(a[i]) >= 3 {
					t.Fatalf("%v, %v: line %d is removed and, as %d, added", a, b, i, k)
				}
			}
		}
	}
}
