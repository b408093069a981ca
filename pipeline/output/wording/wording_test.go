package wording_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestFindingsHaveTheStartOfALongText(t *testing.T) {
	long := strings.Repeat("日", 300)
	d := diag.New(diag.BadName, diag.Span{}, "in-a-place", long, errors.New(long)).WithHint("names", long[:600]+long)
	most := strings.Repeat("日", 200) + "…"
	if diff := cmp.Diff([]string{most + ": " + most, most}, []string{wording.Message(d), wording.Hint(d)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := wording.Message(diag.New(diag.BadName, diag.Span{}, "names", long[:600])); got != long[:600] {
		t.Errorf("cut %q", got)
	}
	if d := d.WithDetail(diag.Verbatim(strings.Repeat("x", 1<<20))); len(wording.Detail(d)[0]) > 3000 {
		t.Errorf("a detail of %d bytes", len(wording.Detail(d)[0]))
	}
}

func TestFindingsShowHiddenCharacters(t *testing.T) {
	args := []any{"a\u200b\n", errors.New("c\u009b\x1b[31m\xff")}
	d := diag.New(diag.BadName, diag.Span{}, "name-and-fact", args...).
		WithHint("did-you-mean", "\u202e").
		WithDetail(diag.Verbatim("plain"), diag.Verbatim("in \u2066\"d\U000e0041\""))
	want := []string{
		`"a<U+200B>\n" c<U+009B><U+001B>[31m` + "\xff", `did you mean "<U+202E>"?`, "plain", `in <U+2066>"d<U+E0041>"`,
	}
	if diff := cmp.Diff(want, append([]string{wording.Message(d), wording.Hint(d)}, wording.Detail(d)...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if args[0] != "a\u200b\n" {
		t.Error("the caller's arguments were changed")
	}
}

func TestWordsMayStandInWords(t *testing.T) {
	w := diag.Say("in-a-place", "a.md:1", diag.Say("did-you-mean", "b"))
	if got := wording.Text(w); got != `a.md:1: did you mean "b"?` {
		t.Error(got)
	}
}

func TestNamesAreQuotedAndJoined(t *testing.T) {
	w := diag.Say("in-a-place", diag.Names{"a", "b\u200b"}, diag.Names(nil))
	if got := wording.Text(w); got != `"a", "b<U+200B>": ` {
		t.Error(got)
	}
}
