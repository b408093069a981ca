package resolve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJoinedSourcesAreNamedByTheFirstThatChanges: of sources that read as one
// listing, a cache has to know the one that is volatile.
func TestJoinedSourcesAreNamedByTheFirstThatChanges(t *testing.T) {
	for names, want := range map[string]string{
		"[still]":                 "still",
		"[still, other]":          "still",
		"[still, clock]":          "clock",
		"[clock, still]":          "clock",
		"[still, clock, weather]": "clock",
		"[weather, still, clock]": "weather",
	} {
		p, found := plan(t, `version: 1
sources:
  still: {kind: skills, path: still.md}
  other: {kind: skills, path: other.md}
  clock: {kind: skills, path: clock.md, volatile: true}
  weather: {kind: skills, path: weather.md, volatile: true}
prompts:
  agent: {sections: [{id: all, source: `+names+`}]}
  rest: {sections: [{id: a, source: still}, {id: b, source: other}, {id: c, source: clock}, {id: d, source: weather}]}
`, "still.md", skill("still"), "other.md", skill("other"), "clock.md", skill("clock"), "weather.md", skill("weather"))
		if len(found) > 0 {
			t.Fatal(told(found))
		}
		inputs := p.Units[0].Inputs
		if len(inputs) != 1 {
			t.Fatalf("%s: %d inputs", names, len(inputs))
		}
		in := inputs[0]
		// It is named where the section names it.
		if diff := cmp.Diff([]string{want, want}, []string{in.Source.ID.Str, in.At.File.Text[in.At.Start:in.At.End]}); diff != "" {
			t.Errorf("%s: %s", names, diff)
		}
	}
}

func skill(name string) string {
	return "---\nname: " + name + "\ndescription: What it does.\n---\nHow.\n"
}
