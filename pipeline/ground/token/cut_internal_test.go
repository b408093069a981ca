package token

import "testing"

// TestSafeCutsEndAPieceInAnyText tries every text of up to six runes out of one
// of each category, and the letters of contractions: where the rule says that a
// cut is safe, a piece ends.
func TestSafeCutsEndAPieceInAnyText(t *testing.T) {
	runes := []rune("!'/\u0301Aaｓs日1 \u00a0\n\u0085\u200b")
	runes = append(runes, 'r', 'e')
	for _, e := range ours() {
		engine := newEngine(e)
		found := 0
		var text []byte
		var sets []set
		var starts []int
		var try func(left int)
		try = func(left int) {
			if len(text) > 0 {
				found += checkCuts(t, engine, e.own.cuts, string(text), sets, starts)
			}
			if left == 0 {
				return
			}
			for _, r := range runes {
				size := len(text)
				starts = append(starts, size)
				sets = append(sets, setOf(r, 2))
				text = append(text, string(r)...)
				try(left - 1)
				text, sets, starts = text[:size], sets[:len(sets)-1], starts[:len(starts)-1]
			}
		}
		most := 5
		if testing.Short() || Raced {
			most = 4
		}
		try(most)
		if found == 0 {
			t.Errorf("%s: no cut is safe", e.name)
		}
	}
}

// checkCuts counts the safe cuts of a text of runes, and sees that a piece ends
// at each.
func checkCuts(t *testing.T, e *engine, safe cutRule, text string, sets []set, starts []int) int {
	t.Helper()
	found, end := 0, 0
	for i := 1; i < len(starts); i++ {
		if !safe(sets[i-1], sets[i]) {
			continue
		}
		found++
		for end < starts[i] {
			end = e.split(text, end)
		}
		if end != starts[i] {
			t.Errorf("%+q: the cut at %d is safe, but a piece ends at %d", text, starts[i], end)
		}
	}
	return found
}
