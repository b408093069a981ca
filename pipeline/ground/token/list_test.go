package token_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

func TestTokensShowsWhatIsCounted(t *testing.T) {
	// The ids of the published implementation.
	tests := []struct {
		name, text string
		want       []token.Token
	}{
		{"o200k_base", "Hello, world!", []token.Token{{13225, 0, 5}, {11, 5, 6}, {2375, 6, 12}, {0, 12, 13}}},
		{"o200k_harmony", "Hello, world!", []token.Token{{13225, 0, 5}, {11, 5, 6}, {2375, 6, 12}, {0, 12, 13}}},
		{"cl100k_base", "Hello, world!", []token.Token{{9906, 0, 5}, {11, 5, 6}, {1917, 6, 12}, {0, 12, 13}}},
		{"p50k_base", "Hello, world!", []token.Token{{15496, 0, 5}, {11, 5, 6}, {995, 6, 12}, {0, 12, 13}}},
		{"r50k_base", "Hello, world!", []token.Token{{15496, 0, 5}, {11, 5, 6}, {995, 6, 12}, {0, 12, 13}}},
		{"o200k_base", "", nil},
	}
	for _, tt := range tests {
		got, err := newCounter(t, tt.name).Tokens(tt.text)
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %q: %s", tt.name, tt.text, d)
		}
	}
}

func TestTokensCoverTheTextAndAreAsManyAsCounted(t *testing.T) {
	texts := append(atoms(), strings.Repeat("unbroken", 50), strings.Repeat("日本語", 300), "Don't stop.\r\n\r\n\t🙂👩\u200d👩 e\u0301")
	for _, name := range token.Names() {
		if name == "chars/4" {
			continue
		}
		c := newCounter(t, name)
		for _, text := range texts {
			tokens, err := c.Tokens(text)
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			for _, tok := range tokens {
				if tok.Start != at || tok.End <= at {
					t.Fatalf("%s: %+q: %v after byte %d", name, text, tok, at)
				}
				at = tok.End
			}
			if at != len(text) || len(tokens) != c.Count(text) {
				t.Errorf("%s: %+q: %d tokens end at %d, counted are %d", name, text, len(tokens), at, c.Count(text))
			}
		}
	}
}

func TestTokensRefusesWhatHasNone(t *testing.T) {
	estimator, err := token.Estimate("some", "o200k_base", 1.2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*token.Counter{estimator, newCounter(t, "chars/4")} {
		if _, err := c.Tokens("text"); err == nil || !strings.Contains(err.Error(), c.Name()) {
			t.Errorf("%s: error %v", c.Name(), err)
		}
	}
	for _, name := range []string{"o200k_base", "r50k_base"} {
		if _, err := newCounter(t, name).Tokens("wrong \xff"); err == nil {
			t.Errorf("%s: wrong bytes have tokens", name)
		}
	}
}

func TestRecountAgrees(t *testing.T) {
	texts := append(atoms(), "Don't stop.", strings.Repeat("ab", 5000), "wrong \xff bytes \xe6\x97")
	for _, name := range token.Names() {
		c := newCounter(t, name)
		for _, text := range texts {
			n, err := c.Recount(text)
			if name == "chars/4" {
				if err == nil {
					t.Errorf("chars/4 was recounted")
				}
				continue
			}
			if err != nil || n != c.Count(text) {
				t.Errorf("%s: %+.60q: recounted %d (%v), counted %d", name, text, n, err, c.Count(text))
			}
		}
	}
	estimator, err := token.Estimate("some", "cl100k_base", 1.5, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := estimator.Recount("Hello, world!"); err != nil || n != 6 {
		t.Errorf("the estimate is recounted as %d (%v), want 6", n, err)
	}
}
