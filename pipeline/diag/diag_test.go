package diag_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
)

func TestFindingsShowHiddenCharacters(t *testing.T) {
	args := []any{"a\u200b\n", "b\x1b[31m", errors.New("c\u009b"), 7, "\xff"}
	d := diag.New(diag.BadName, diag.Span{}, "%q and %s: %v, %d, %q", args...).
		WithHint("write %q", "\u202e").
		WithDetail("plain", "in \u2066"+diag.Quote("d\U000e0041"))
	want := diag.Diagnostic{
		Code: diag.BadName, Message: `"a<U+200B>\n" and b<U+001B>[31m: c<U+009B>, 7, "\xff"`,
		Hint: `write "<U+202E>"`, Detail: []string{"plain", `in <U+2066>"d<U+E0041>"`},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if args[0] != "a\u200b\n" {
		t.Error("the caller's arguments were changed")
	}
}
