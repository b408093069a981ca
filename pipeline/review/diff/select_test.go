package diff_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// TestSelectKeepsWhatReachesTheNamed holds which edits stay for a pattern, and
// that each keeps what it reaches in the prompts that are named.
func TestSelectKeepsWhatReachesTheNamed(t *testing.T) {
	base := small()
	head := stepped(t, base, []step{
		{"soul.md", "Ask before you act.", "Ask."},
		{"closing.md", "Good bye.", "Bye."},
		{manifest, "exclude", ""},
	}[:2])
	head = stepped(t, head, []step{{manifest, "[ask, code, plan]", "[ask, code]"}})
	d := differ(t, base, head)
	for _, tt := range []struct {
		patterns []string
		want     []string
		affected int
		gone     int
	}{
		{nil, []string{"value-removed", "text-changed soul", "text-changed closing"}, 5, 2},
		{[]string{"helper"}, []string{"text-changed soul", "text-changed closing"}, 1, 0},
		{[]string{"agent/mode=ask"}, []string{"text-changed soul"}, 2, 0},
		{[]string{"agent/tier=small,mode=code"}, []string{"text-changed soul"}, 1, 0},
		{[]string{"agent/mode=plan"}, []string{"value-removed"}, 0, 2},
		{[]string{"agent/mode=plan", "helper"}, []string{"value-removed", "text-changed soul", "text-changed closing"}, 1, 2},
		{[]string{"agent/all but mode=ask"}, []string{"value-removed", "text-changed soul"}, 2, 2},
	} {
		got, err := d.Select(tt.patterns)
		if err != nil {
			t.Errorf("%q: %v", tt.patterns, err)
			continue
		}
		var kinds []string
		affected, gone := 0, 0
		for _, e := range causes(got) {
			kinds = append(kinds, e.Kind.String())
			if e.Section != "" {
				kinds[len(kinds)-1] += " " + e.Section
			}
		}
		for _, p := range got.Pairs {
			affected, gone = affected+p.Affected.Len(), gone+p.Gone.Len()
		}
		if diff := cmp.Diff(tt.want, kinds); diff != "" {
			t.Errorf("%q: %s", tt.patterns, diff)
		}
		if affected != tt.affected || gone != tt.gone {
			t.Errorf("%q: %d affected, %d gone; want %d and %d", tt.patterns, affected, gone, tt.affected, tt.gone)
		}
		for _, e := range got.Edits {
			for _, r := range e.Reach {
				if len(got.Pairs) == 1 && r.Pair != got.Pairs[0] {
					t.Errorf("%q: an edit reaches a prompt that is not named", tt.patterns)
				}
			}
		}
	}
}

func TestSelectSaysWhatWouldHaveBeenRight(t *testing.T) {
	d := differ(t, small(), small())
	for _, tt := range []struct {
		pattern string
		want    setcover.SelectError
		message string
	}{
		{"agnet", setcover.SelectError{What: "prompt", Word: "agnet", Candidates: []string{"agent", "helper"}}, `there is no prompt "agnet"`},
		{"agent/mdoe=ask", setcover.SelectError{What: "axis", Word: "mdoe", Candidates: []string{"mode", "tier"}}, `there is no axis "mdoe"`},
		{"agent/mode=aks", setcover.SelectError{What: "value", Word: "aks", Axis: "mode", Candidates: []string{"ask", "code", "plan"}}, `axis "mode" has no value "aks"`},
		{"agent/none", setcover.SelectError{What: "variant", Word: "agent/none"}, `no variant is "agent/none"`},
	} {
		_, err := d.Select([]string{tt.pattern})
		var wrong *setcover.SelectError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: got %v", tt.pattern, err)
			continue
		}
		if diff := cmp.Diff(tt.want, *wrong); diff != "" {
			t.Errorf("%q: %s", tt.pattern, diff)
		}
		if wording.Text(wrong.Fact()) != tt.message {
			t.Errorf("%q: %s", tt.pattern, err)
		}
	}
}
