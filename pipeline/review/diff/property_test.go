package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// mirrors are the kinds that say the same in both directions.
var mirrors = map[review.EditKind]review.EditKind{
	review.SectionAdded: review.SectionRemoved, review.ValueAdded: review.ValueRemoved,
	review.ItemAdded: review.ItemRemoved, review.SectionKept: review.SectionDropped,
}

// TestRandomEditsAreSaid holds over random edits of random projects what is
// promised of every difference (see mustHold), that it is the same each time,
// and that the way back says the opposite.
func TestRandomEditsAreSaid(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 40
	}
	compared := 0
	for seed := range uint64(rounds) {
		s := newSketch(seed)
		was, ok := attempt(t, "base", s)
		edits := []string{s.edit()}
		for s.maybe(2) {
			edits = append(edits, s.edit())
		}
		is, ok2 := attempt(t, "head", s)
		if !ok || !ok2 {
			continue
		}
		compared++
		d, _ := pipeline.Compare(was, is, was)
		mustHold(t, d)
		again, _ := pipeline.Compare(was, is, was)
		back, _ := pipeline.Compare(is, was, is)
		mustHold(t, back)
		if diff := cmp.Diff(told(d), told(again)); diff != "" {
			t.Errorf("seed %d: another time something else: %s", seed, diff)
		}
		if !slices.Equal(d.Pairs[0].Was, back.Pairs[0].Was) {
			continue // pairing is not the same both ways where axes differ
		}
		if diff := cmp.Diff(mirrored(d, false), mirrored(back, true)); diff != "" {
			t.Errorf("seed %d: the way back is another: %s", seed, diff)
		}
		if t.Failed() {
			t.Fatalf("seed %d after %v", seed, edits)
		}
	}
	if compared < rounds/3 {
		t.Errorf("only %d of %d projects compile", compared, rounds)
	}
}

func attempt(t *testing.T, name string, s *sketch) (review.Side, bool) {
	t.Helper()
	r := testproject.Compile(t, s.fsys(), pipeline.Composed)
	return review.Side{Name: name, Result: r}, !r.Stopped
}

// mirrored notes what comes and goes, for the way back with the two exchanged.
func mirrored(d *review.Difference, back bool) []string {
	var out []string
	for _, e := range d.Edits {
		if e.Kind == review.SectionDropped && e.Was != nil {
			continue // out on both sides
		}
		for came, went := range mirrors {
			kind := "comes"
			if (e.Kind == came) == back {
				kind = "goes"
			}
			if e.Kind == came || e.Kind == went {
				out = append(out, strings.Join([]string{kind, came.String(), e.Section, e.Item, e.Name}, " "))
			}
		}
	}
	slices.Sort(out)
	return out
}
