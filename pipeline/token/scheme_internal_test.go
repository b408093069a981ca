package token

import (
	"strings"
	"sync"
	"testing"
)

// These tests stand inside the package because how often a text was counted
// does not show from outside.

// recorder counts bytes and remembers how often it was asked for each text.
type recorder struct {
	mu    sync.Mutex
	asked map[string]int
}

func (r *recorder) countBytes(text []byte) int { return r.count(string(text)) }

func (r *recorder) count(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil {
		r.asked = make(map[string]int)
	}
	r.asked[text]++
	return len(text)
}

// Seams are not remembered unless they are long: counting a few bytes is quicker
// than looking for them.
func TestEachDistinctTextIsCountedOnce(t *testing.T) {
	long := "head " + strings.Repeat("some words, ", 100) + "tail"
	unbroken := strings.Repeat("a", longSeam)
	parts := []string{long, "\n\n", long, "", long, ".", unbroken, " "}
	for name, remembered := range map[string]int{"quick": longSeam, "slow": 1} {
		var rec recorder
		s := newSeamed(&rec, o200kCut, remembered)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 10 {
					j := s.join()
					for _, part := range parts {
						j.add(part)
					}
					if got, want := j.sum(), len(strings.Join(parts, "")); got != want {
						t.Errorf("%s: sum = %d, want %d", name, got, want)
					}
				}
			})
		}
		group.Wait()
		for text, n := range rec.asked {
			if n != 1 && (name == "slow" || len(text) > 20) {
				t.Errorf("%s: %.20q of %d bytes was counted %d times", name, text, len(text), n)
			}
			if text != long[len("head"):len(long)-len(" tail")] && len(text) > 20 && !strings.Contains(text, unbroken) {
				t.Errorf("a seam has %d bytes: %.40q", len(text), text)
			}
		}
	}
}

func TestSumAfterEachPartDoesNotDisturbTheRest(t *testing.T) {
	parts := []string{"a", "b c", "d1", "", " x\n", "y"}
	for _, s := range []scheme{
		newSeamed(new(recorder), cl100kCut, longSeam), newSeamed(new(recorder), gpt2Cut, 1), quarters{},
	} {
		j, last := s.join(), s.join()
		for _, part := range parts {
			j.add(part)
			j.sum()
			last.add(part)
		}
		if a, b := j.sum(), last.sum(); a != b {
			t.Errorf("%T: %d with sums between, %d without", s, a, b)
		}
	}
}

func TestCutRuleFollowsItsTable(t *testing.T) {
	// Cells: y for safe, n for not, c for safe in cl100k alone.
	const yes, no = 'y', 'n'
	// Columns: unsure letter number newline space mark apostrophe slash other.
	table := []struct {
		before class
		after  string
	}{
		{unsure, "nnnnnnnnn"},
		{letter, "nnyyyccyy"},
		{number, "nynyyyyyy"},
		{newline, "nyynnyycy"},
		{space, "nnnnnnnnn"},
		{mark, "nnynynnnn"},
		{apostrophe, "nnynynnnn"},
		{slash, "nnynynnnn"},
		{other, "nnynynnnn"},
	}
	for _, row := range table {
		for after, cell := range row.after {
			after := class(after)
			if got, want := cl100kCut(row.before, after), cell != no; got != want {
				t.Errorf("cl100k: class %d before %d: safe is %v", row.before, after, got)
			}
			if got, want := o200kCut(row.before, after), cell == yes; got != want {
				t.Errorf("o200k: class %d before %d: safe is %v", row.before, after, got)
			}
		}
	}
}

func TestRunesAreInTheClassOfTheSplitPatterns(t *testing.T) {
	tests := []struct {
		class class
		runes string
	}{
		{letter, "aZßǅʰ日Жไ"},
		{number, "09½٣ⅷ"},
		{newline, "\r\n"},
		{space, " \t\v\f\u00a0\u2028\u3000"},
		{mark, "\u0301\ufe0f\u20e3\u0903"},
		{apostrophe, "'"},
		{slash, "/"},
		{other, ".-_’€🙂\ufffd"},
		{unsure, "\u0085\x00\x1c\u200b\u200d\ufeff\ue000\u0378"},
	}
	for _, tt := range tests {
		for _, r := range tt.runes {
			if got := firstClass(string(r)); got != tt.class {
				t.Errorf("%q is in class %d, want %d", r, got, tt.class)
			}
			if got := lastClass([]byte("a" + string(r))); got != tt.class {
				t.Errorf("%q at the end is in class %d, want %d", r, got, tt.class)
			}
		}
	}
	if got := firstClass("\xff"); got != unsure {
		t.Errorf("a wrong byte is in class %d", got)
	}
}
