package load

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The forms that are told without a regular expression, and the expression.
var forms = []struct {
	is     func(string) bool
	expr   string
	pieces []string
}{
	{isAddress, `^[A-Za-z][A-Za-z0-9+.-]+://`, []string{"https", "a", "1", "+", "-", ":", "/", "//", "://", "é", "\n"}},
	{hasDrive, `^[A-Za-z]:`, []string{"C", "z", "1", ":", "/", "é"}},
}

func TestFormsAreThoseOfTheirExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, form := range forms {
		expr, matched := regexp.MustCompile(form.expr), 0
		for range 100_000 {
			var b strings.Builder
			for range random.IntN(6) {
				b.WriteString(form.pieces[random.IntN(len(form.pieces))])
			}
			got, want := form.is(b.String()), expr.MatchString(b.String())
			if got != want {
				t.Fatalf("%q: %v, %s says otherwise", b.String(), got, form.expr)
			}
			if got {
				matched++
			}
		}
		if matched < 100 {
			t.Errorf("%s matched %d texts", form.expr, matched)
		}
	}
}
