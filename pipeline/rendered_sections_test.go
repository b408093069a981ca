package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// documented is the part of a text that tells of one tool, with headings that
// every tool has.
func documented(tool string) string {
	return fmt.Sprintf("## %s\n\nIt does %[1]s.\n\n### Parameters\n\n- p of %[1]s\n\n### Usage\n\n<%[1]s>\n<p>x</p>\n</%[1]s>\n\n", tool)
}

// editsOf compares two states of a rendered prompt and gives an edit a line.
func editsOf(t *testing.T, keys string, base, head map[string]string) []string {
	t.Helper()
	d, _ := pipeline.Compare(
		review.Side{Name: "HEAD", Result: assembledRendered(t, keys, base)},
		review.Side{Name: "the working tree", Result: assembledRendered(t, keys, head)},
		review.Side{},
	)
	var out []string
	for _, e := range d.Edits {
		reached := 0
		for _, r := range e.Reach {
			reached += r.In.Len()
		}
		out = append(out, fmt.Sprintf("%s %s: %d", e.Kind, e.Section, reached))
	}
	return out
}

// TestAPartPutInIsNoEditOfItsNeighbours holds for parts whose headings all have,
// and for those between rules.
func TestAPartPutInIsNoEditOfItsNeighbours(t *testing.T) {
	const keys = "tokenizer: chars/4\nrendered: 't/{f}.md'\naxes: auto"
	base := map[string]string{}
	for _, f := range []string{"a", "b", "c"} {
		text := "You are " + f + ".\n\n====\n\nTOOLS\n\n"
		for _, tool := range []string{"exec", "read", "write", "grep", "list", "ask"} {
			text += documented(tool)
		}
		base["t/"+f+".md"] = text + "====\n\nRULES\n\n- stop\n"
	}
	added := []string{"section-added sub: 2"} // with the parts below it
	for name, c := range map[string]struct {
		before, put string
		want        []string
	}{
		"in the middle":   {"## grep\n", documented("sub"), added},
		"in front":        {"## exec\n", documented("sub"), added},
		"last in a block": {"====\n\nRULES", documented("sub"), added},
		"a block":         {"====\n\nRULES", "====\n\nSKILLS\n\n- s\n\n", []string{"section-added skills: 2"}},
		"at the end":      {"", "\n====\n\nEND\n\n- e\n", []string{"section-added end: 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			head := maps.Clone(base)
			for _, f := range []string{"t/a.md", "t/c.md"} {
				at := strings.LastIndex(base[f], c.before)
				head[f] = base[f][:at] + c.put + base[f][at:]
			}
			if d := cmp.Diff(c.want, editsOf(t, keys, base, head)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestSectionsOfWhichTextsHaveOneOrTheOtherStandInTheOrderOfTheTexts(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("t/%d.md", i)] = fmt.Sprintf("# A\n# B %d\n# C\n# D %d\n", i, i)
	}
	result := assembledRendered(t, "rendered: 't/{f}.md'\naxes: auto", files)
	want := []string{"a"}
	for i := range 12 {
		want = append(want, fmt.Sprintf("b-%d", i))
	}
	want = append(want, "c")
	for i := range 12 {
		want = append(want, fmt.Sprintf("d-%d", i))
	}
	if d := cmp.Diff(want, sectionIDs(result.Plan.Builds[0].Prompt)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestASectionThatRepeatsInOneTextHasItsIDInAll holds because it is the same
// section where nothing else repeats it.
func TestASectionThatRepeatsInOneTextHasItsIDInAll(t *testing.T) {
	result := assembledRendered(t, "rendered: '{f}.md'\naxes: auto", map[string]string{
		"a.md": "## A\n### Use\n## B\n### Use\n", "b.md": "## B\n### Use\n", "c.md": "### Use\n",
	})
	if d := cmp.Diff([]string{"a", "a-use", "b", "b-use", "use"}, sectionIDs(result.Plan.Builds[0].Prompt)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestAPromptOfWhichNothingIsRenderedYetIsNotBuilt holds for a state of the
// project that is compared with a later one, where it is no error that load
// found no file.
func TestAPromptOfWhichNothingIsRenderedYetIsNotBuilt(t *testing.T) {
	fsys := testproject.Rendered("rendered: 't/{f}.md'\naxes: auto", nil)
	fsys["prompts.yaml"].Data = append(fsys["prompts.yaml"].Data, "  agent: {sections: [{id: a, text: A.}]}\n"...)
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil || len(found) != 1 || found[0].Code != diag.RenderedNothing {
		t.Fatal(err, found)
	}
	spec, found := validate.Run(tree)
	plan, more := resolve.Run(spec, resolve.Limits{})
	if len(found)+len(more) > 0 || len(plan.Builds) != 1 || plan.Builds[0].Prompt.ID.Str != "agent" {
		t.Errorf("%v, %v, %d builds", found, more, len(plan.Builds))
	}
}

// TestEntriesOfManyWordsAreReadAtOnce holds for names made to be split in very
// many ways.
func TestEntriesOfManyWordsAreReadAtOnce(t *testing.T) {
	skipIfShort(t)
	for name, c := range map[string]struct {
		entry, axes, word string
		want              diag.Code
	}{
		"every way":        {"{a} {b} {c} 1", "auto", "word ", diag.RenderedAmbiguous},
		"values that fit":  {"{a} {b} {c} 1", "{a: auto, b: [x-y], c: [z]}", "x y ", diag.RenderedMissing},
		"any text between": {"*{a}*{b}* 1", "auto", "word ", diag.RenderedAmbiguous},
		"other letters":    {"{a} 2", "auto", "語", diag.RenderedMissing},
	} {
		var b strings.Builder
		b.WriteString("// Jest Snapshot v1\n")
		for i := range 200 {
			fmt.Fprintf(&b, "exports[`%s%d 1`] = `\"x\"`;\n", strings.Repeat(c.word, 40), i)
		}
		fsys := testproject.Rendered(fmt.Sprintf("rendered: {path: a.snap, entry: %q}\naxes: %s", c.entry, c.axes), map[string]string{"a.snap": b.String()})
		r := testproject.Compile(t, fsys, pipeline.Composed)
		if !slices.ContainsFunc(r.Findings, func(f diag.Diagnostic) bool { return f.Code == c.want || f.Code == diag.RenderedPattern }) {
			t.Errorf("%s: %.300v, want %s", name, r.Findings, c.want)
		}
	}
}
