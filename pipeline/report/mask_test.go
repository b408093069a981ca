package report_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/report"
)

// TestWhatIsHiddenIsQuotedForNoFinding: a line is quoted for another finding
// too, and a key may have several lines.
func TestWhatIsHiddenIsQuotedForNoFinding(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "the keyé one-two-é\nthree and four\n"}
	start, end := strings.Index(f.Text, "one"), strings.Index(f.Text, " and")
	got := diagnostics(t, diag.List{
		{Code: "PC6036", Span: diag.Span{File: f, Start: start, End: start + 10}, Message: "m", Hides: diag.Span{File: f, Start: start, End: end}},
		{Code: "PC1001", Span: diag.Span{File: f, Start: end + 5, End: end + 9}, Message: "n"},
	}, report.Options{})
	want := `a.md:1:10: error[PC6036]: m
    1 | the keyé one-******
      |          ^~~~~~~~~~
a.md:2:11: error[PC1001]: n
    2 | ***** and four
      |           ^~~~
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}
