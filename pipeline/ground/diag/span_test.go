package diag_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

func TestPositionCountsLinesAndRunes(t *testing.T) {
	f := &diag.File{Path: "a", Text: "one\n\tтри 日本\n\n🙂x"}
	for _, tc := range []struct {
		offset, line, column int
	}{
		{0, 1, 1},
		{3, 1, 4},
		{4, 2, 1},
		{5, 2, 2},
		{7, 2, 3},
		{12, 2, 6},
		{len("one\n\tтри 日本"), 2, 8},
		{len("one\n\tтри 日本\n"), 3, 1},
		{len(f.Text) - 1, 4, 2},
		{len(f.Text), 4, 3},
		{1000, 4, 3},
		{-1, 1, 1},
	} {
		line, column := f.Position(tc.offset)
		if line != tc.line || column != tc.column {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tc.offset, line, column, tc.line, tc.column)
		}
		if got := f.LineAt(tc.offset); got != tc.line {
			t.Errorf("LineAt(%d) = %d, want %d", tc.offset, got, tc.line)
		}
	}
	for line, want := range map[int]string{0: "", 1: "one", 2: "\tтри 日本", 3: "", 4: "🙂x", 5: ""} {
		if got := f.Line(line); got != want {
			t.Errorf("Line(%d) = %q, want %q", line, got, want)
		}
	}
}

func TestColumnsOfALongLineCountRunes(t *testing.T) {
	line := strings.Repeat("aé日🙂\xff", 2000)
	f := &diag.File{Path: "a", Text: line + "\n" + line}
	for offset := 0; offset <= len(f.Text); offset += 7 {
		line, column := f.Position(offset)
		start := strings.LastIndexByte(f.Text[:offset], '\n') + 1
		if want := utf8.RuneCountInString(f.Text[start:offset]) + 1; column != want || line != 1+min(start, 1) {
			t.Fatalf("Position(%d) = %d:%d, want column %d", offset, line, column, want)
		}
	}
}

func TestTheFirstLineOfASpanEndsAtItsBreak(t *testing.T) {
	f := &diag.File{Path: "a", Text: "one\ntwo\n\nend"}
	for _, tc := range []struct{ start, end, want int }{
		{0, 2, 2},
		{0, 3, 3},
		{0, 4, 3},
		{1, 12, 3},
		{3, 8, 3},
		{4, 12, 7},
		{8, 12, 8},
		{9, 12, 12},
		{12, 12, 12},
	} {
		want := diag.Span{File: f, Start: tc.start, End: tc.want}
		if got := (diag.Span{File: f, Start: tc.start, End: tc.end}).FirstLine(); got != want {
			t.Errorf("of %d to %d: %d to %d, want the end %d", tc.start, tc.end, got.Start, got.End, tc.want)
		}
	}
}

func TestSortedOrdersByPlaceAndDropsRepetitions(t *testing.T) {
	a, b := &diag.File{Path: "a", Text: "xxxx"}, &diag.File{Path: "b", Text: "xxxx"}
	at := func(f *diag.File, start int) diag.Span { return diag.Span{File: f, Start: start, End: start + 1} }
	var list diag.List
	list.Add(diag.NoCase, diag.Span{}, "nowhere")
	list.Add(diag.NoCase, at(b, 0), "b")
	list.Add(diag.FallbackUsed, at(a, 2), "note")
	list.Add(diag.NoCase, at(a, 2), "error")
	list.Add(diag.NoCase, at(a, 1), "early")
	list.Add(diag.NoCase, at(a, 1), "early")
	var got []string
	for _, d := range list.Sorted() {
		got = append(got, d.What.Key)
	}
	if diff := cmp.Diff([]string{"early", "error", "note", "b", "nowhere"}, got); diff != "" {
		t.Error(diff)
	}
	if list.Count(diag.Note) != 1 || !list.HasErrors() {
		t.Errorf("Count(Note) = %d, HasErrors = %v", list.Count(diag.Note), list.HasErrors())
	}
}

func TestCodesAreOrderedAndDistinct(t *testing.T) {
	last := diag.Code("")
	for _, e := range diag.Codes() {
		if e.Code <= last {
			t.Errorf("%s stands after %s", e.Code, last)
		}
		last = e.Code
		if got, ok := diag.Lookup(e.Code); !ok || got.Title != e.Title {
			t.Errorf("Lookup(%s) = %v, %v", e.Code, got, ok)
		}
	}
	source, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := regexp.MustCompile(` Code = "(PC[0-9]{4})"`).FindAllStringSubmatch(string(source), -1)
	if len(constants) != len(diag.Codes()) {
		t.Errorf("%d constants and %d pages", len(constants), len(diag.Codes()))
	}
	for _, m := range constants {
		if _, ok := diag.Lookup(diag.Code(m[1])); !ok {
			t.Errorf("%s has no page", m[1])
		}
	}
	if diag.Code("PC0000").Level() != diag.Error {
		t.Error("an unknown code must not pass quietly")
	}
}

func TestFindingsThatSayTheSameAreAboutThePromptsOfAll(t *testing.T) {
	of := func(prompts ...string) diag.Diagnostic {
		return diag.Diagnostic{Code: diag.DeadAxis, What: diag.Verbatim("m"), Prompts: prompts}
	}
	for _, tc := range []struct{ in, want []diag.Diagnostic }{
		{[]diag.Diagnostic{of("a"), of("b"), of("a")}, []diag.Diagnostic{of("a", "b")}},
		{[]diag.Diagnostic{of("a"), of()}, []diag.Diagnostic{of()}},
		{[]diag.Diagnostic{of("b")}, []diag.Diagnostic{of("b")}},
	} {
		if diff := cmp.Diff(diag.List(tc.want), diag.List(tc.in).Sorted()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
