package token_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

// vector is a text with the counts of the published implementation.
type vector struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	O200k  int    `json:"o200k_base"`
	Cl100k int    `json:"cl100k_base"`
}

// vectors reads the reference counts: those of this repository, and more where
// they stand beside it.
func vectors(t *testing.T) []vector {
	t.Helper()
	all := vectorsIn(t, filepath.Join("testdata", "vectors.jsonl"))
	more := filepath.FromSlash("../../../../shared/corpora/tokens/vectors.jsonl")
	if _, err := os.Stat(more); err == nil {
		all = append(all, vectorsIn(t, more)...)
	}
	return all
}

func vectorsIn(t *testing.T, name string) []vector {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("%s has %d texts", name, len(all))
	}
	return all
}

func newCounter(tb testing.TB, name string) *token.Counter {
	tb.Helper()
	c, err := token.New(name)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func TestNamesAreInDocumentedOrder(t *testing.T) {
	want := []string{"o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base", "chars/4"}
	if d := cmp.Diff(want, token.Names()); d != "" {
		t.Error(d)
	}
}

func TestEveryNamedTokenizerCounts(t *testing.T) {
	const text = "Hello, world! <|endoftext|> don't 12345\r\n\n  end"
	// The counts of the published implementation with special tokens off.
	want := map[string]int{
		"o200k_base": 18, "o200k_harmony": 18, "cl100k_base": 18,
		"p50k_base": 19, "r50k_base": 19, "chars/4": 12,
	}
	for _, name := range token.Names() {
		c := newCounter(t, name)
		if c.Name() != name {
			t.Errorf("Name() = %q, want %q", c.Name(), name)
		}
		if c.StatedError() != 0 {
			t.Errorf("%s: StatedError() = %v, want 0", name, c.StatedError())
		}
		if got := c.Count(text); got != want[name] {
			t.Errorf("%s: Count = %d, want %d", name, got, want[name])
		}
		if got := c.Count(""); got != 0 {
			t.Errorf("%s: Count of nothing = %d", name, got)
		}
	}
}

func TestUnknownTokenizerIsAnError(t *testing.T) {
	for _, name := range []string{"", "gpt-4o", "o200k", "O200K_BASE", "p50k_edit", "claude"} {
		if c, err := token.New(name); err == nil {
			t.Errorf("New(%q) = %q, want an error", name, c.Name())
		}
	}
}

func TestCountEqualsReference(t *testing.T) {
	o200k, cl100k := newCounter(t, "o200k_base"), newCounter(t, "cl100k_base")
	for i, v := range vectors(t) {
		if got := o200k.Count(v.Text); got != v.O200k {
			t.Errorf("line %d (%s): o200k_base %d, want %d", i+1, v.Kind, got, v.O200k)
		}
		if got := cl100k.Count(v.Text); got != v.Cl100k {
			t.Errorf("line %d (%s): cl100k_base %d, want %d", i+1, v.Kind, got, v.Cl100k)
		}
	}
}

func TestQuartersRoundUpOverTheWholeText(t *testing.T) {
	tests := []struct {
		parts []string
		want  []int
	}{
		{nil, []int{}},
		{[]string{""}, []int{0}},
		{[]string{"a"}, []int{1}},
		{[]string{"abcd"}, []int{1}},
		{[]string{"abcde"}, []int{2}},
		{[]string{"a", "b", "c", "d", "e"}, []int{1, 1, 1, 1, 2}},
		{[]string{"日本語", "é", "", "😀"}, []int{1, 1, 1, 2}},
	}
	c := newCounter(t, "chars/4")
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, c.Prefixes(tt.parts)); d != "" {
			t.Errorf("Prefixes(%q): %s", tt.parts, d)
		}
		want := c.Count(strings.Join(tt.parts, ""))
		if got := c.Sum(tt.parts); got != want {
			t.Errorf("Sum(%q) = %d, want %d", tt.parts, got, want)
		}
	}
}

func TestEstimateMultipliesAndRoundsUp(t *testing.T) {
	tests := []struct {
		runes  int // four times this many code points, so this many tokens
		factor float64
		want   int
	}{
		{0, 1.2, 0},
		{1, 1.2, 2},
		{5, 1.2, 6},
		{10, 1.1, 11},
		{70, 1.1, 77}, // 77.00000000000001 in binary
		{100, 1, 100},
		{100, 0.5, 50},
		{101, 0.5, 51},
		{1, 1e-300, 1},
		{1, 1e300, math.MaxInt},
	}
	for _, tt := range tests {
		c, err := token.Estimate("some", "chars/4", tt.factor, 0.15)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Repeat("abcd", tt.runes)
		if got := c.Count(text); got != tt.want {
			t.Errorf("%d tokens times %v = %d, want %d", tt.runes, tt.factor, got, tt.want)
		}
		half := len(text) / 2
		if got := c.Sum([]string{text[:half], text[half:]}); got != tt.want {
			t.Errorf("%d tokens in two parts times %v = %d, want %d", tt.runes, tt.factor, got, tt.want)
		}
	}
}

func TestEstimateScalesTheExactSum(t *testing.T) {
	c, err := token.Estimate("claude", "o200k_base", 1.2, 0.15)
	if err != nil {
		t.Fatal(err)
	}
	if c.Name() != "claude" || c.StatedError() != 0.15 {
		t.Errorf("got %q with error %v", c.Name(), c.StatedError())
	}
	parts := []string{"First.", "\n\n", "Second's end", " of it.\n"}
	base := newCounter(t, "o200k_base").Prefixes(parts)
	want := make([]int, len(base))
	for i, n := range base {
		want[i] = (n*12 + 9) / 10
	}
	if d := cmp.Diff(want, c.Prefixes(parts)); d != "" {
		t.Error(d)
	}
}

func TestEstimateRefusesWhatItCannotDo(t *testing.T) {
	tests := []struct {
		name, base     string
		factor, stated float64
	}{
		{"chars/4", "o200k_base", 1.2, 0.1},
		{"x", "y", 1.2, 0.1},
		{"x", "x", 1.2, 0.1},
		{"x", "o200k_base", math.NaN(), 0.1},
		{"x", "o200k_base", math.Inf(1), 0.1},
	}
	for _, tt := range tests {
		if _, err := token.Estimate(tt.name, tt.base, tt.factor, tt.stated); err == nil {
			t.Errorf("%+v: no error", tt)
		}
	}
}

func TestCounterIsSafeForConcurrentUse(t *testing.T) {
	parts := []string{"# Title", "\n\n", "Some text, don't", " you know.", "\n", "日本語", "!", "\n\n", "12", "34"}
	for _, name := range token.Names() {
		want := newCounter(t, name).Count(strings.Join(parts, ""))
		c := newCounter(t, name)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 50 {
					prefixes := c.Prefixes(parts)
					if got := prefixes[len(prefixes)-1]; got != want {
						t.Errorf("%s: last prefix = %d, want %d", name, got, want)
					}
					if got := c.Sum(parts); got != want {
						t.Errorf("%s: Sum = %d, want %d", name, got, want)
					}
				}
			})
		}
		group.Wait()
	}
}

func TestCountingLeavesTheGivenPartsAlone(t *testing.T) {
	parts := []string{"a", "", "b.", "\n\n"}
	kept := slices.Clone(parts)
	for _, name := range token.Names() {
		c := newCounter(t, name)
		c.Prefixes(parts)
		c.Sum(parts)
	}
	if d := cmp.Diff(kept, parts); d != "" {
		t.Error(d)
	}
}

// TestLongWordsOfManyPartsAreCountedAtTheirEnd: else a few thousand of such parts
// take minutes.
func TestLongWordsOfManyPartsAreCountedAtTheirEnd(t *testing.T) {
	c := newCounter(t, "o200k_base")
	parts := []string{strings.Repeat("qw", 200)}
	for range 20 {
		parts = append(parts, "xyz")
	}
	parts = append(parts, " and", " more")
	got, n := c.Prefixes(parts), len(parts)
	for i := range parts {
		want := c.Count(strings.Join(parts[:i+1], ""))
		if i >= 8 && i < n-2 {
			want = got[7]
		}
		if got[i] != want {
			t.Errorf("after part %d: %d tokens, want %d", i, got[i], want)
		}
	}
}
