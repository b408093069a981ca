package diff_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// renderedMatrix are the texts of 57 variants, 19 families in 3 contexts, with
// the tools of each beside; 24 of them have a new tool where that is asked for:
// 12 families in 2 contexts.
func renderedMatrix(keys string, newInText, newBeside bool) fstest.MapFS {
	files := map[string]string{}
	for f := range 19 {
		for c, context := range []string{"basic", "full", "mini"} {
			name := fmt.Sprintf("t/f%d-%s", f, context)
			got := f < 12 && c < 2
			text := fmt.Sprintf("You are %d.\n\n====\n\nTOOL USE\n\nOne tool a message.\n\n", f)
			tools := `[{"name": "exec", "inputSchema": {"type": "object"}}`
			if got && newInText {
				text += "## use_subagents\nRuns up to five at once.\n\n"
			}
			if got && newBeside {
				tools += `, {"name": "use_subagents", "inputSchema": {"type": "object"}}`
			}
			files[name+".md"] = text + "## exec\nRuns a command.\n\n====\n\nRULES\n\nBe " + context + ".\n"
			files[name+".json"] = tools + "]"
		}
	}
	return testproject.Rendered(keys, files)
}

// TestANewToolIsReportedWithTheRenderedVariantsThatItDidNotReach holds for
// prompts that another program assembles, whether their tools stand beside the
// texts or in them alone: of a tool that came to 24 of 57 variants, the 33 that
// it did not come to are told, each once and with a cause.
func TestANewToolIsReportedWithTheRenderedVariantsThatItDidNotReach(t *testing.T) {
	const texts = "tokenizer: chars/4\nrendered: 't/{family}-{context}.md'\naxes: {family: auto, context: auto}"
	const beside = texts + "\ntools: 't/{family}-{context}.json'"
	for _, tt := range []struct {
		name              string
		keys              string
		inText, besideToo bool
		want              []string
	}{
		{"sections alone", texts, true, false, []string{"section-added use-subagents: 24 in, 33 absent"}},
		{"tools beside", beside, false, true, []string{"tool-added use_subagents: 24 in, 33 file"}},
		{"tools beside and sections", beside, true, true, []string{
			"section-added use-subagents: 24 in, 33 absent",
			"tool-added use_subagents: 24 in, 33 file",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, head := renderedMatrix(tt.keys, false, false), renderedMatrix(tt.keys, tt.inText, tt.besideToo)
			d := differ(t, base, head)
			var got []string
			for _, e := range d.Edits {
				got = append(got, fmt.Sprintf("%s %s%s: %s", e.Kind, e.Section, e.Tool, reachedAndMissed(t, e)))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := d.Pairs[0].Affected.Len(); n != 24 {
				t.Errorf("%d variants send other bytes, want 24", n)
			}
		})
	}
}

// reachedAndMissed counts the variants that an edit reaches and those that it
// does not, by cause. Each variant of the matrix is told in one place, and those
// that are reached are the ones that have the tool.
func reachedAndMissed(t *testing.T, e *review.Edit) string {
	t.Helper()
	if len(e.Reach) != 1 {
		t.Fatalf("%s reaches %d prompts", e.Kind, len(e.Reach))
	}
	reach := e.Reach[0]
	build := reach.Pair.Head
	told := map[int]int{}
	missed := map[string]int{}
	for _, m := range reach.Missed {
		missed[m.Cause.String()] += m.Set.Len()
	}
	for i, v := range build.Variants {
		family, context, _ := strings.Cut(strings.TrimPrefix(v.Name, "legacy/family=f"), ",context=")
		var f int
		if _, err := fmt.Sscan(family, &f); err != nil {
			t.Fatal(v.Name, err)
		}
		if want := f < 12 && context != "mini"; reach.In.Has(i) != want {
			t.Errorf("%s is reached: %v, want %v", v.Name, !want, want)
		}
		if reach.In.Has(i) {
			told[i]++
		}
		for _, m := range reach.Missed {
			if m.Set.Has(i) {
				told[i]++
			}
		}
		if told[i] != 1 {
			t.Errorf("%s is told %d times", v.Name, told[i])
		}
	}
	words := []string{fmt.Sprintf("%d in", reach.In.Len())}
	for _, cause := range slices.Sorted(maps.Keys(missed)) {
		words = append(words, fmt.Sprintf("%d %s", missed[cause], cause))
	}
	return strings.Join(words, ", ")
}
