package ground_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// places spells out where each byte of a text came from: the source's byte
// for an exact segment, `~` for one that was changed, `.` for our own.
func places(t ground.Text) string {
	out := []byte(strings.Repeat(".", len(t.Str)))
	for _, s := range t.Segs {
		for i := s.Start; i < s.End; i++ {
			out[i] = '~'
			if s.Exact() {
				out[i] = s.At.File.Text[s.At.Start+i-s.Start]
			}
		}
	}
	return string(out)
}

func TestTextKeepsItsPlaces(t *testing.T) {
	f := &diag.File{Path: "f", Text: "0123456789"}
	var b ground.Builder
	b.WriteString("<")
	b.WriteText(ground.Verbatim(diag.Span{File: f, Start: 2, End: 6}))
	b.WriteText(ground.Derived("&amp;", diag.Span{File: f, Start: 6, End: 7}))
	b.WriteString(">")
	text := b.Text()
	if diff := cmp.Diff("<2345&amp;>", text.Str); diff != "" {
		t.Fatal(diff)
	}
	for _, tc := range []struct {
		start, end   int
		str, from    string
		first, after int // the span in f, -1 for none
	}{
		{0, 11, "<2345&amp;>", ".2345~~~~~.", 2, 7},
		{2, 4, "34", "34", 3, 5},
		{0, 1, "<", ".", -1, -1},
		{4, 6, "5&", "5~", 5, 7},
		{3, 3, "", "", 4, 4},
	} {
		part := text.Slice(tc.start, tc.end)
		if part.Str != tc.str || places(part) != tc.from {
			t.Errorf("Slice(%d, %d) = %q from %q, want %q from %q", tc.start, tc.end, part.Str, places(part), tc.str, tc.from)
		}
		at := text.Span(tc.start, tc.end)
		if !at.Known() {
			at.Start, at.End = -1, -1
		}
		if at.Start != tc.first || at.End != tc.after {
			t.Errorf("Span(%d, %d) = %d..%d, want %d..%d", tc.start, tc.end, at.Start, at.End, tc.first, tc.after)
		}
	}
	if got := ground.Verbatim(diag.Span{File: &diag.File{Text: "\n\nab\n"}, Start: 0, End: 5}).Trim("\n"); got.Str != "ab" || places(got) != "ab" {
		t.Errorf("Trim gives %q from %q", got.Str, places(got))
	}
}

func TestPlaceholders(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []ground.Placeholder
	}{
		{"no {braces} here {{", nil},
		{"a {{clock}} b", []ground.Placeholder{{Start: 2, End: 11, Name: "clock"}}},
		{"{{ clock }}", []ground.Placeholder{{Start: 0, End: 11, Name: "clock", Spaced: true}}},
		{"{{{{x.y-z}}}}", []ground.Placeholder{{Start: 0, End: 13, Name: "x.y-z", Literal: true}}},
		{"{{a}}{{b}}", []ground.Placeholder{{Start: 0, End: 5, Name: "a"}, {Start: 5, End: 10, Name: "b"}}},
		{"map[string]struct{}{{}} {{#if x}}", nil},
		{"{{{a}}}", []ground.Placeholder{{Start: 1, End: 6, Name: "a"}}},
	} {
		if diff := cmp.Diff(tc.want, ground.Placeholders(tc.text)); diff != "" {
			t.Errorf("%q: %s", tc.text, diff)
		}
	}
}

func TestManyPartsOfATextOfManySegmentsTakeNoLonger(t *testing.T) {
	const parts = 200_000
	f := &diag.File{Path: "f", Text: strings.Repeat("ab", parts)}
	var b ground.Builder
	for i := range parts {
		b.WriteText(ground.Verbatim(diag.Span{File: f, Start: 2 * i, End: 2*i + 1}))
	}
	text := b.Text()
	for i := range parts {
		if part := text.Slice(i, i+1); part.Segs[0].At.Start != 2*i {
			t.Fatalf("part %d is from %d", i, part.Segs[0].At.Start)
		}
	}
}
