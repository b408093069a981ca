package token_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

// TestTextsCountAsTheirPartsJoined joins texts in any order, most of them to
// several others, and counts what they say as one text.
func TestTextsCountAsTheirPartsJoined(t *testing.T) {
	atoms := append(atoms(), strings.Repeat("x", 300), "Some words, don't you know.\n\n")
	for _, name := range token.Names() {
		c := newCounter(t, name)
		r := rand.New(rand.NewPCG(7, 8))
		rounds := 2_000
		if name == "p50k_base" || name == "r50k_base" {
			rounds = 200
		}
		type said struct {
			text  token.Text
			words string
		}
		for range rounds {
			var all []said
			for range 1 + r.IntN(6) {
				part := atoms[r.IntN(len(atoms))]
				all = append(all, said{c.Text(part), part})
			}
			for range r.IntN(8) {
				first := all[r.IntN(len(all))]
				var others []token.Text
				for range r.IntN(4) {
					o := all[r.IntN(len(all))]
					others, first.words = append(others, o.text), first.words+o.words
				}
				first.text = first.text.With(others...)
				all = append(all, first)
			}
			for _, s := range all {
				if got, want := s.text.Tokens(), c.Count(s.words); got != want {
					t.Fatalf("%s: %d tokens, %d as one text: %q", name, got, want, s.words)
				}
			}
		}
	}
}
