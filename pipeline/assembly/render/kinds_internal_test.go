package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language"
)

// TestKindsHaveARow: every kind that renders text has a row, in the order of
// the language; kinds of messages have none.
func TestKindsHaveARow(t *testing.T) {
	var want, got []string
	for _, k := range language.Kinds {
		if !k.Messages {
			want = append(want, k.Name)
		}
	}
	for _, k := range kinds {
		got = append(got, k.name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-prompt.Kinds +kinds):\n%s", diff)
	}
}
