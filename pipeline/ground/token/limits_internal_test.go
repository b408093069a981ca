package token

import (
	"strings"
	"testing"
)

// units repeat to texts that are hard on a careless counter.
func units() []string {
	return []string{
		"a", "A", "aA", "Aa", "ab", " ", "\n", "\r\n", "\t", " \n", "\n ", "\r", ".", "-", "=", "/", "\n/", "'", "'s", "'S", "0", "01",
		"é", "ß", "Ж", "ſ", "漢", "漢A", "字a", "ก", "🙂", "👩\u200d", "\u0301", "e\u0301", "\u0301A", "\u00a0", "\u3000", "\u0085", "\u0378", "\ue000",
		"\x00", "\x7f", "\ufeff", "\ufffd", "\xff", "\xed\xa0\x80", "\xf0\x9f",
	}
}

// TestLongRunsAgree compares 20 KB with the reference, whose way with long runs
// is another implementation of merging.
func TestLongRunsAgree(t *testing.T) {
	for _, e := range ours() {
		engine := newEngine(e)
		for _, unit := range units()[:rounds(len(units()))] {
			text := strings.Repeat(unit, 20_000/len(unit)+1) + "x"
			want, ok := e.reference.tokens(text)
			if got := engine.count(text); !ok || got != len(want) {
				t.Errorf("%s: 20 KB of %+q have %d tokens, want %d", e.name, unit, got, len(want))
			}
			if strings.ToValidUTF8(text, "") != text {
				continue
			}
			got := engine.tokens(text)
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%s: token %d of 20 KB of %+q is %v, want %v", e.name, i, unit, got[i], want[i])
					break
				}
			}
		}
	}
}

// TestMegabytesEnd is about the way of growing, not about speed: what takes a
// quadratic counter minutes takes this one some tenths of a second. How merging
// grows does not depend on the vocabulary, so that one is enough for the most.
func TestMegabytesEnd(t *testing.T) {
	for i, e := range ours() {
		engine := newEngine(e)
		for j, unit := range units()[:rounds(len(units()))] {
			size := 1 << 16
			if i == 0 && j%16 == 0 && !Raced {
				size = 1 << 20
			}
			if n := engine.count(strings.Repeat(unit, size/len(unit))); n == 0 {
				t.Errorf("%s: %d bytes of %+q have no tokens", e.name, size, unit)
			}
		}
	}
}
