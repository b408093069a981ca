package token

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReferenceListsTheTokensOfTheLibrary holds the way of long runs against the
// library, on texts that the library is quick enough for.
func TestReferenceListsTheTokensOfTheLibrary(t *testing.T) {
	texts := append(longTexts(), referenceTexts(t)...)
	texts = texts[:rounds(len(texts)/5)]
	for _, r := range []*reference{&o200kReference, &cl100kReference, &p50kReference, &r50kReference} {
		r.load()
		for _, text := range texts {
			tokens, ok := r.tokens(text)
			ids := make([]int, 0, len(tokens))
			for _, token := range tokens {
				ids = append(ids, token.ID)
			}
			if want := r.library.EncodeOrdinary(text); !ok || !slices.Equal(ids, want) {
				t.Errorf("%s: %d tokens, the library says %d: %.60q (%d bytes)", r.name, len(ids), len(want), text, len(text))
			}
		}
	}
}

// longTexts are runs of a few kilobytes: of one character, of a few, and of
// random ones from alphabets without a break.
func longTexts() []string {
	random := rand.New(rand.NewPCG(1, 9))
	var out []string
	for _, unit := range []string{"a", " ", "\n", "-", "漢", "字", "é", "🙂", "ab", "1", "=-", "\t ", "A", "aA", "'s"} {
		out = append(out, strings.Repeat(unit, 3000/len(unit)), "x"+strings.Repeat(unit, 2500/len(unit))+".")
	}
	for range 40 {
		alphabet := []rune([]string{"abc", "abcdefghijklmnopqrstuvwxyz", "漢字仮名交文", "-=_+*", "ÄÖÜäöüß", "aAbB"}[random.IntN(6)])
		var b strings.Builder
		for range 800 + random.IntN(1500) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		out = append(out, b.String())
	}
	return out
}

// referenceTexts are those of the reference counts, where they are.
func referenceTexts(t *testing.T) []string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "corpora", "tokens", "vectors.jsonl"))
	if err != nil {
		t.Log("without the reference texts: ", err)
		return nil
	}
	defer file.Close()
	var out []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row.Text)
	}
	return out
}

// TestLongRunsEnd is about the way of growing: a quadratic counter would not end.
func TestLongRunsEnd(t *testing.T) {
	counter, err := New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"a", " ", "\n", "-", "漢"} {
		if n := counter.Count(strings.Repeat(unit, 1<<18/len(unit))); n == 0 {
			t.Errorf("256 KiB of %q has no tokens", unit)
		}
	}
}
