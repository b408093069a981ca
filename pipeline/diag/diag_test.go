package diag_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
)

func TestFindingsHaveTheStartOfALongText(t *testing.T) {
	long := strings.Repeat("日", 300)
	d := diag.New(diag.BadName, diag.Span{}, "%q: %v", long, errors.New(long)).WithHint("%s", long[:600]+long)
	most := strings.Repeat("日", 200) + "…"
	if diff := cmp.Diff(diag.Diagnostic{Code: diag.BadName, Message: `"` + most + `": ` + most, Hint: most}, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := diag.New(diag.BadName, diag.Span{}, "%s", long[:600]); d.Message != long[:600] {
		t.Errorf("cut %q", d.Message)
	}
	if d := d.WithDetail(strings.Repeat("x", 1<<20)); len(d.Detail[0]) > 3000 {
		t.Errorf("a detail of %d bytes", len(d.Detail[0]))
	}
}

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
