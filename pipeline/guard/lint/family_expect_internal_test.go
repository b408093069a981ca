package lint

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
)

// TestTextIsFoundWhereverPiecesMeet compares with a search in the whole text:
// pieces of few letters, so that everything begins and ends everywhere.
func TestTextIsFoundWhereverPiecesMeet(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 11))
	letters := func(most int) string {
		var b strings.Builder
		for range chance.IntN(most + 1) {
			b.WriteByte("ab"[chance.IntN(2)])
		}
		return b.String()
	}
	for range 3000 {
		var renderings []*assembly.Rendering
		for range 4 {
			renderings = append(renderings, &assembly.Rendering{Text: ground.Literal(letters(6))})
		}
		var artifacts []*assembly.Artifact
		for range 5 {
			a := &assembly.Artifact{Variant: &assembly.Variant{}}
			for range chance.IntN(7) {
				p := assembly.Part{Section: -1, Text: letters(2)}
				if r := renderings[chance.IntN(4)]; chance.IntN(3) > 0 {
					p = assembly.Part{Text: r.Text.Str, Rendering: r}
				}
				a.Parts = append(a.Parts, p)
			}
			artifacts = append(artifacts, a)
		}
		needle := "a" + letters(8)
		r := newSeeker(needle)
		for _, a := range artifacts {
			p, start, ok := r.find(a)
			if want := strings.Contains(a.Text(), needle); ok != want {
				t.Fatalf("%q in %q: %v", needle, a.Text(), ok)
			}
			if ok && start >= 0 && !strings.HasPrefix(p.Text[start:], needle) {
				t.Fatalf("%q is not at %d of %q", needle, start, p.Text)
			}
		}
	}
}

// TestTextOfManyBytesIsSearchedOnce holds for hostile texts, too: a beginning
// that fits everywhere.
func TestTextOfManyBytesIsSearchedOnce(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	a := &assembly.Artifact{Variant: &assembly.Variant{}}
	for range 50 {
		r := &assembly.Rendering{Text: ground.Literal(long[:1<<14])}
		a.Parts = append(a.Parts, assembly.Part{Text: r.Text.Str, Rendering: r})
	}
	if _, _, ok := newSeeker(long[:1<<19] + "b").find(a); ok {
		t.Error("found")
	}
	if _, start, ok := newSeeker(long[:1<<19]).find(a); !ok || start != -1 {
		t.Errorf("%d, %v", start, ok)
	}
}
