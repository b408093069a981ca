package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// The file is named where the finding does not, also if another name holds its own.
func TestWhatIsLeftOutHasItsFile(t *testing.T) {
	at := diag.Span{File: &diag.File{Path: "a.md", Text: "x"}, Start: 0, End: 1}
	got := leftOut(diag.List{
		diag.New(diag.SavedSyntax, at, "matches-no-file", "data.md"),
		diag.New(diag.NoFile, at, "matches-no-file", "a.md"),
	})
	want := []string{`left out "a.md": "data.md" matches no file`, `left out: "a.md" matches no file`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
