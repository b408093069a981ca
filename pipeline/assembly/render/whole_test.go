package render_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/tests/testproject"
)

// TestWholeGolden renders manifests with their files: the kinds whose inputs
// other stages make. The last two files of an archive are what is wanted, as
// in TestGolden, for every unit in order.
func TestWholeGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/whole/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var text, facts strings.Builder
			out, found := rendered(t, planOf(t, testproject.Unpacked(a), wanted(a, "prompts.yaml")))
			for i, r := range out {
				if i > 0 {
					text.WriteString("\n")
				}
				fmt.Fprintf(&text, "== %s\n%s\n", r.Unit.Section.ID.Str, r.Text.Str)
				_, more := describe(r, nil)
				facts.WriteString(more)
				if r.Progress != nil {
					fmt.Fprintf(&facts, "progress %d of %d\n", r.Progress.Completed, r.Progress.Total)
				}
			}
			_, more := describe(&assembly.Rendering{}, found)
			facts.WriteString(more)
			if *update {
				writeGolden(t, path, a, text.String(), facts.String())
				return
			}
			if diff := cmp.Diff(wanted(a, "want.txt"), text.String()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wanted(a, "want.facts"), facts.String()); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLongTranscriptsAndRegistriesEnd gives as much as load lets through.
func TestLongTranscriptsAndRegistriesEnd(t *testing.T) {
	const mebibyte = 1 << 20
	lines := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < mebibyte-100; i++ {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	var entries strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&entries, `,{"id": "e%d", "content": "x", "tags": ["t%d"]}`, i, i)
	}
	goal := "version: 1\nsources: {goal: {kind: goal, path: goal.yaml, transcript: talk.txt}}\nprompts: {p: {sections: [{id: goal, source: goal}]}}\n"
	registry := "version: 1\nsources: {r: {kind: registry, path: r.json}}\nprompts: {p: {axes: {a: [1, 2, 3, 4, 5, 6, 7, 8]}, sections: [{id: r, source: r%s}]}}\n"
	var facts strings.Builder
	for range 12000 {
		facts.WriteString(`,"a\n b\n c"`)
	}
	cases := []struct{ name, manifest, file, text string }{
		{"checkpoints", goal, "talk.txt", lines("[CHECKPOINT] step %d - COMPLETED")},
		{"one checkpoint", goal, "talk.txt", strings.Repeat("[NEXT] Step\n", mebibyte/13)},
		{"decisions", goal, "talk.txt", lines("[DECISION] it is %d - so it is")},
		{"artifacts", goal, "talk.txt", lines("[ARTIFACT] Created f%d")},
		{"goals", goal, "talk.txt", lines("[GOAL] g%d")},
		{"dashes", goal, "talk.txt", "[DECISION] " + strings.Repeat("a - ", mebibyte/5) + "b"},
		{"one line", goal, "talk.txt", "[NEXT] " + strings.Repeat("a ", mebibyte/3)},
		{"brackets", goal, "talk.txt", strings.Repeat("[", mebibyte-1)},
		{"entries", fmt.Sprintf(registry, ""), "r.json", "[" + entries.String()[1:] + "]"},
		{"tags", fmt.Sprintf(registry, ", select: {tags: [t1, t2, t5999]}"), "r.json", "[" + entries.String()[1:] + "]"},
		{"records", strings.Replace(goal, "{kind: goal, path: goal.yaml, transcript: talk.txt}", "{kind: records, path: f.json}", 1), "f.json", `{"facts": [` + facts.String()[1:] + "]}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rendered(t, planOf(t, testproject.Of("goal.yaml", "description: G", c.file, c.text), c.manifest))
		})
	}
}

// TestMarkersKeepTheirPlaces: what a marker set is traced to its line, what
// the file said to the file.
func TestMarkersKeepTheirPlaces(t *testing.T) {
	out, _ := rendered(t, planOf(t, testproject.Of(
		"goal.yaml", "description: G\ncheckpoints: [{description: One}, {description: Two, status: blocked}]\n",
		"talk.txt", "Hello.\n  [CHECKPOINT] one - COMPLETED\n[NEXT] Three\n",
	), "version: 1\nsources: {goal: {kind: goal, path: goal.yaml, transcript: talk.txt}}\nprompts: {p: {sections: [{id: goal, source: goal}]}}\n"))
	text := out[0].Text
	for _, c := range []struct{ part, file, from string }{
		{"G", "goal.yaml", "G"},
		{"1", "talk.txt", "COMPLETED"},
		{"One", "goal.yaml", "One"},
		{"2", "goal.yaml", "blocked"},
		{"3", "talk.txt", "[NEXT] Three"},
		{"Three", "talk.txt", "Three"},
	} {
		i := strings.Index(text.Str, ": "+c.part)
		switch {
		case len(c.part) == 1 && c.part != "G":
			i = strings.Index(text.Str, c.part+". ")
		case i < 0:
			i = strings.Index(text.Str, c.part)
		default:
			i += 2
		}
		at := text.Span(i, i+len(c.part))
		if !at.Known() || at.File.Path != c.file || at.File.Text[at.Start:at.End] != c.from {
			t.Errorf("%q is not from %q of %s but %+v", c.part, c.from, c.file, at)
		}
	}
}
