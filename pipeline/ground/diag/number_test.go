package diag_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 50_000: "50,000", 1_234_567: "1,234,567", -100: "-100", -1000: "-1,000",
	} {
		if got := diag.Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}
