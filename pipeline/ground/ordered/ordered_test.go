package ordered_test

import (
	"slices"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/ordered"
)

func TestMapKeepsTheOrderOfItsKeys(t *testing.T) {
	var m ordered.Map[string, int]
	for _, key := range []string{"b", "a", "b", "c"} {
		*m.Of(key)++
	}
	var got []string
	for key, n := range m.All() {
		if key == "c" {
			break
		}
		got = append(got, key)
		if want := map[string]int{"b": 2, "a": 1}[key]; *n != want {
			t.Errorf("%s is %d, want %d", key, *n, want)
		}
	}
	if want := []string{"b", "a"}; !slices.Equal(got, want) {
		t.Errorf("keys are %v, want %v", got, want)
	}
	if m.Get("d") != nil || len(m.Keys) != 3 {
		t.Errorf("a key that was only looked up is there: %v", m.Keys)
	}
}
