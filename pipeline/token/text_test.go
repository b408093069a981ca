package token_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/token"
)

// TestTextsCountAsTheirPartsJoined adds parts and stretches of a tape to texts
// and their copies, and counts what they say as one text.
func TestTextsCountAsTheirPartsJoined(t *testing.T) {
	atoms := append(atoms(), strings.Repeat("x", 300), "Some words, don't you know.\n\n")
	for _, name := range token.Names() {
		c := newCounter(t, name)
		r := rand.New(rand.NewPCG(7, 8))
		rounds := 2_000
		if name == "p50k_base" || name == "r50k_base" {
			rounds = 200
		}
		for range rounds {
			tape := c.Tape()
			var parts []string
			for range r.IntN(12) {
				parts = append(parts, atoms[r.IntN(len(atoms))])
				tape.Add(parts[len(parts)-1])
			}
			if tape.Len() != len(parts) {
				t.Fatalf("the tape has %d parts of %d", tape.Len(), len(parts))
			}
			type grown struct {
				text token.Text
				said string
			}
			all := []grown{{text: c.Text()}}
			for range 8 {
				g := all[r.IntN(len(all))]
				if r.IntN(2) == 0 {
					g = grown{g.text.Copy(), g.said}
					all = append(all, g)
				}
				from := r.IntN(len(parts) + 1)
				to := from + r.IntN(len(parts)+1-from)
				part := atoms[r.IntN(len(atoms))]
				g.text.Add(part)
				g.text.AddTape(tape, from, to)
				for i := range all {
					if all[i].text == g.text {
						all[i].said += part + strings.Join(parts[from:to], "")
					}
				}
			}
			for _, g := range all {
				if got, want := g.text.Tokens(), c.Count(g.said); got != want {
					t.Fatalf("%s: %d tokens, %d as one text: %q", name, got, want, g.said)
				}
			}
		}
	}
}
