package snapshot

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSumsAreThoseOfTheJoinedParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pool := []string{"", "a", "b", "ab", strings.Repeat("long ", 50), strings.Repeat("x", 64)}
	var sums prefixSums
	for range 2000 {
		parts := make([]string, r.IntN(6))
		for i := range parts {
			parts[i] = pool[r.IntN(len(pool))]
		}
		fresh := prefixSums{}
		whole := fresh.sum([]string{strings.Join(parts, "")})
		if got := sums.sum(parts); got != whole {
			t.Fatalf("%q: %s, want %s", parts, got, whole)
		}
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := sums.sum(nil); got != empty {
		t.Errorf("of nothing: %s", got)
	}
}
