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
					all := start()
					for _, part := range parts {
						s.join(all, s.part(part))
					}
					if got, want := s.sum(all), len(strings.Join(parts, "")); got != want {
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
		each, last := start(), start()
		for _, part := range parts {
			s.join(each, s.part(part))
			s.sum(each)
			s.join(last, s.part(part))
		}
		if a, b := s.sum(each), s.sum(last); a != b {
			t.Errorf("%T: %d with sums between, %d without", s, a, b)
		}
	}
}

func TestCutRuleFollowsItsTable(t *testing.T) {
	// Cells: y for safe, n for not, c for safe in cl100k alone.
	const yes, no = 'y', 'n'
	columns := []set{un, lo, nu, nl, sp, mk, ap, sl, ot}
	// Columns: unsure letter number newline space mark apostrophe slash other.
	table := []struct {
		before set
		after  string
	}{
		{un, "nnnnnnnnn"},
		{lo, "nnyyyccyy"},
		{nu, "nynyyyyyy"},
		{nl, "nyynnyycy"},
		{sp, "nnnnnnnnn"},
		{mk, "nnynynnnn"},
		{ap, "nnynynnnn"},
		{sl, "nnynynnnn"},
		{ot, "nnynynnnn"},
	}
	for _, row := range table {
		for after, cell := range row.after {
			after := columns[after]
			if got, want := cl100kCut(row.before, after), cell != no; got != want {
				t.Errorf("cl100k: set %b before %b: safe is %v", row.before, after, got)
			}
			if got, want := o200kCut(row.before, after), cell == yes; got != want {
				t.Errorf("o200k: set %b before %b: safe is %v", row.before, after, got)
			}
		}
	}
}

func TestRunesAreInTheClassOfTheSplitPatterns(t *testing.T) {
	tests := []struct {
		set   set
		runes string
	}{
		{letters, "aZßǅʰ日Жไ"},
		{nu, "09½٣ⅷ"},
		{nl, "\r\n"},
		{sp, " \t\v\f\u00a0\u2028\u3000"},
		{mk, "\u0301\ufe0f\u20e3\u0903"},
		{ap, "'"},
		{sl, "/"},
		{ot, ".-_’€🙂\ufffd"},
		{unsure, "\u0085\x00\x1c\u200b\u200d\ufeff\ue000\u0378"},
	}
	for _, tt := range tests {
		for _, r := range tt.runes {
			if got := firstSet([]byte(string(r))); got&tt.set == 0 {
				t.Errorf("%q is in set %b, want %b", r, got, tt.set)
			}
			if got := lastSet([]byte("a" + string(r))); got&tt.set == 0 {
				t.Errorf("%q at the end is in set %b, want %b", r, got, tt.set)
			}
		}
	}
	if got := firstSet([]byte("\xff")); got != un {
		t.Errorf("a wrong byte is in set %b", got)
	}
}
