package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

const goalManifest = `
version: 1
sources: {goal: {kind: goal, path: goal.yaml, transcript: talk.md}}
prompts: {p: {sections: [{id: s, source: goal}]}}
`

// markersOf gives the markers of a transcript; load may refuse it, which is
// none.
func markersOf(t *testing.T, text string) ([]language.Marker, diag.List) {
	t.Helper()
	tree, _, err := load.Run(testproject.Of(
		"prompts.yaml", goalManifest,
		"goal.yaml", "description: G",
		"talk.md", text,
	), "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	spec, found := validate.Run(tree)
	var out []language.Marker
	for _, doc := range tree.Matches[language.MatchKey{Path: "talk.md", Kind: language.TranscriptKind}] {
		out = append(out, spec.Markers[doc]...)
	}
	return out, found
}

func TestMarkersAreRead(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"[GOAL] Ship it", `GOAL "Ship it" ""`},
		{"[GOAL]\tShip it - LOCKED", `GOAL "Ship it - LOCKED" ""`},
		{"[CHECKPOINT] Write it - COMPLETED", `CHECKPOINT "Write it" "completed"`},
		{"[CHECKPOINT] Write it - in-progress  ", `CHECKPOINT "Write it" "in-progress"`},
		{"[CHECKPOINT] Write - it  -  Blocked", `CHECKPOINT "Write - it" "blocked"`},
		{" \t[CHECKPOINT] Write it - pending", `CHECKPOINT "Write it" "pending"`},
		{"[DECISION] Use JWT", `DECISION "Use JWT" ""`},
		{"[DECISION] Use JWT - LOCKED", `DECISION "Use JWT" "locked"`},
		{"[DECISION] Doors stay - locked out", `DECISION "Doors stay - locked out" ""`},
		{"[ARTIFACT] Created a b.txt", `ARTIFACT "a b.txt" "created"`},
		{"[ARTIFACT] DELETED\ta.txt", `ARTIFACT "a.txt" "deleted"`},
		{"[NEXT] Then - that", `NEXT "Then - that" "pending"`},
		{"[NEXT] Then - pending it", `NEXT "Then - pending it" "pending"`},
		{"[NEXT] Then - completely", `NEXT "Then - completely" "pending"`},
		{"[NEXT] New thing - COMPLETED", "refused at 20"},
		{"[NEXT] New thing - pending", "refused at 20"},
		{"[NEXT] New thing - COMPLETE", "refused at 20"},
		{"[CHECKPOINT] Write it", "refused at 1"},
		{"[CHECKPOINT] - COMPLETED", "refused at 1"},
		{"[CHECKPOINT] Write it - FINISHED", "refused at 25"},
		{"[CHECKPOINT]Write it - COMPLETED", "refused at 1"},
		{"[ARTIFACT] Created", "refused at 1"},
		{"[ARTIFACT] Touched a.txt", "refused at 12"},
		{"[DECISION] Use JWT - UNLOCKED", "refused at 22"},
		{"[NEXT]", "refused at 1"},
		{"[next] it", "refused at 1"},
		{"[ARTEFACT] Created a.txt", "refused at 1"},
		{"- [NEXT] it", `NEXT "it" "pending"`},
		{"* [NEXT] it", `NEXT "it" "pending"`},
		{"+ [NEXT] it", `NEXT "it" "pending"`},
		{"12. [NEXT] it", `NEXT "it" "pending"`},
		{"3) [NEXT] it", `NEXT "it" "pending"`},
		{"> [NEXT] it", `NEXT "it" "pending"`},
		{">[NEXT] it", `NEXT "it" "pending"`},
		{"  > - [CHECKPOINT] Write it - COMPLETED", `CHECKPOINT "Write it" "completed"`},
		{"- [x] [CHECKPOINT] Write it - COMPLETED", `CHECKPOINT "Write it" "completed"`},
		{"- [ ] [NEXT] it", `NEXT "it" "pending"`},
		{"- [CHECKPOINT] Write it", "refused at 3"},
		{"1. [ARTEFACT] Created a.txt", "refused at 4"},
		{"- [ ] it", ""},
		{"- it [NEXT] it", ""},
		{"-[NEXT] it", "refused at 1"},
		{"**[GOAL] it**", "refused at 1"},
		{"- `[GOAL]` it", "refused at 3"},
		{"## [GOAL] it", "refused at 1"},
		{"| [GOAL] text | starts a goal |", ""},
		{"user: [GOAL] it", ""},
		{"**Goal:** [link](a.md)", ""},
		{"[NOTE] it", ""},
		{"[TODO] it", ""},
		{"[goals] it", ""},
		{"[NEXT it", ""},
		{"[] it", ""},
		{"[x] done", ""},
		{"[12:30] user", ""},
	} {
		markers, found := markersOf(t, "---\nHello.\n"+c.line+"\n")
		var got []string
		for _, m := range markers {
			got = append(got, fmt.Sprintf("%s %q %q", m.Name, m.Text.Str, m.Word.Str))
		}
		for _, d := range found {
			line, column := d.Span.File.Position(d.Span.Start)
			if d.Code != diag.BadMarker || line != 3 || wording.Hint(d) == "" {
				t.Errorf("%q: line %d: %+v", c.line, line, d)
			}
			got = append(got, fmt.Sprintf("refused at %d", column))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, diff)
		}
	}
}

// FuzzTranscript: reading ends without a panic, and what it finds lies in one
// line each.
func FuzzTranscript(f *testing.F) {
	f.Add("[CHECKPOINT] a - COMPLETED\n[DECISION] b - LOCKED\n[ARTIFACT] Created c\n[NEXT] d\n[GOAL] e")
	f.Add("[GOAL]\n[GOAL] \n[CHECKPOINT]  - \n[ARTIFACT] \t\n[DECISION] - LOCKED\n[Next] x\n[NEXTT] x")
	f.Fuzz(func(t *testing.T, text string) {
		file := &diag.File{Path: "talk.txt", Text: text}
		doc := &language.Doc{File: file, Body: ground.Verbatim(diag.Span{File: file, End: len(text)})}
		// Without a manifest no schema has to be compiled.
		spec, found := validate.Run(&language.Tree{Matches: map[language.MatchKey][]*language.Doc{{Path: "talk.txt", Kind: language.TranscriptKind}: {doc}}})
		for _, m := range spec.Markers[doc] {
			if m.Text.Str == "" || strings.Trim(m.Text.Str, " \t") != m.Text.Str {
				t.Errorf("the text of %q is %q", m.Name, m.Text.Str)
			}
			if strings.Contains(m.At.File.Text[m.At.Start:m.At.End], "\n") {
				t.Errorf("a marker of several lines: %+v", m)
			}
		}
		for _, d := range found {
			if !d.Span.Known() {
				t.Errorf("no place: %+v", d)
			}
		}
	})
}
