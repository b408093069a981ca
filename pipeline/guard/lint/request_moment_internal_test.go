package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// fleetingIn gives what is found in a text of a section.
func fleetingIn(text string) []string {
	f := &diag.File{Path: "a.md", Text: text}
	var out []string
	for _, found := range fleetings(&assembly.Rendering{Text: ground.Verbatim(diag.Span{File: f, Start: 0, End: len(text)})}) {
		out = append(out, found.text)
	}
	return out
}

func TestWhatIsOnlyShownIsNotFleeting(t *testing.T) {
	const at = "2026-03-26 14:47"
	for _, tc := range []struct {
		text string
		want int
	}{
		{"It is " + at, 1},
		{"Say `" + at + "`", 0},
		{"In `code` it is " + at, 1},
		{"```\n" + at + "\n```\nand " + at, 1},
		{"For example:\n" + at, 1},
		{"# Examples\n\n" + at, 1},
		{"    " + at + "\n\nand " + at, 1},
		{"<example>\n" + at + "\n</example>\n" + at, 1},
		{"<example>" + at + "</example>", 0},
		{"<!-- written " + at + " -->\n" + at, 1},
		{"<!-- " + at + "\n" + at + "\n-->\n" + at + "\n<!-- " + at, 1},
		{`I see "` + at + `" there`, 0},
		{`{"at": "` + at + `", "by": '` + at + `'}`, 0},
		{`Today's date: "2026-03-26"`, 1},
		{`He said "it is ` + at + `"`, 1},
	} {
		if got := fleetingIn(tc.text); len(got) != tc.want {
			t.Errorf("%q: %q", tc.text, got)
		}
	}
}

func TestWhatPromptcWritesIsNotFleeting(t *testing.T) {
	if got := fleetings(&assembly.Rendering{Text: ground.Literal("It is 2026-03-26 14:47")}); got != nil {
		t.Error(cmp.Diff(nil, got))
	}
}
