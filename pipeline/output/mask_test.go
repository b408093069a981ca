package output_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

// aKey is none that anybody has.
const aKey = "ghp_zQWBuTSOoRi4A9spHcVY5ncn" + "sDkxkJ0mLq17"

// TestAKeyIsQuotedForNoFinding: a line is quoted for any finding, a key may have
// several lines, and hidden characters or escapes may stand in it.
func TestAKeyIsQuotedForNoFinding(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "the " + aKey + " é\n-----BEGIN PRIVATE KEY-----\nMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtKyWxN4Vr\n" +
		"QgBhMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtK\n-----END PRIVATE KEY----- and\n" + aKey[:20] + "\u200b" + aKey[20:] + " five\n" + `\u0067hp_` + aKey[4:] + " six\n"}
	var found diag.List
	for _, word := range []string{"é", "MII", "QgBh", " and", "five", "six"} {
		at := strings.Index(f.Text, word)
		found = append(found, diag.Diagnostic{Code: "PC1001", Span: diag.Span{File: f, Start: at, End: at + len(word)}, What: diag.Verbatim("m")})
	}
	got := diagnostics(t, found, words.Options{})
	want := `a.md:1:46: error[PC1001]: m
    1 | the ghp_************************************ é
      |                                              ^
a.md:3:1: error[PC1001]: m
    3 | MIIE***********************************************
      | ^~~
a.md:4:1: error[PC1001]: m
    4 | ************************************************
      | ^~~~
a.md:5:26: error[PC1001]: m
    5 | ************************* and
      |                          ^~~~
a.md:6:43: error[PC1001]: m
    6 | ghp_*************************************** five
      |                                             ^~~~
a.md:7:47: error[PC1001]: m
    7 | \u00***************************************** six
      |                                               ^~~
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestNoFormatOfAFindingHasAKey(t *testing.T) {
	f := &diag.File{Path: aKey + ".md", Text: aKey + "\n"}
	d := diag.New("PC1001", diag.Whole(f), "name-and-fact", aKey, aKey[:30]+"…").WithHint("quoted", "x\u200b"+aKey).WithDetail(diag.Verbatim("d " + aKey))
	p := newPersona()
	p.result.Findings = diag.List{d}
	did := run.Outcome{Command: "check"}
	for name, write := range map[string]func(*strings.Builder) error{
		"text":     func(w *strings.Builder) error { return finding.Text(w, p.result.Findings, words.Options{}) },
		"json":     func(w *strings.Builder) error { return run.JSON(w, p.result, did, words.Options{}) },
		"github":   func(w *strings.Builder) error { return run.GitHub(w, p.result, did, words.Options{}) },
		"markdown": func(w *strings.Builder) error { return run.Markdown(w, p.result, did, words.Options{}) },
		"sarif":    func(w *strings.Builder) error { return run.SARIF(w, p.result, did, words.Options{}) },
	} {
		got := written(t, write)
		if strings.Contains(got, aKey[5:14]) || strings.Count(got, "ghp_****") < 4 {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestADifferenceHasNoKey: also where a key has several lines, and where a value
// of a tool is one.
func TestADifferenceHasNoKey(t *testing.T) {
	p := newPersona()
	change := p.soulChanged()
	pem := "-----BEGIN PRIVATE KEY-----\nMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtKyWxN4Vr\nQgBhMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtK\n-----END PRIVATE KEY-----\n"
	change.Old += "was " + aKey + "\n" + pem
	p.result.Delta.Snapshots = []store.Change{change}
	for name, got := range map[string]string{
		"text": p.check(t, words.Options{}),
		"json": written(t, func(w *strings.Builder) error {
			return run.JSON(w, p.result, run.Outcome{Command: "check"}, words.Options{})
		}),
		"markdown": written(t, func(w *strings.Builder) error {
			return run.Markdown(w, p.result, run.Outcome{Command: "check"}, words.Options{})
		}),
	} {
		if strings.Contains(got, aKey[5:14]) || strings.Contains(got, "pQ9vTz3k") {
			t.Errorf("%s:\n%s", name, got)
		}
		if name == "text" && !strings.Contains(got, "-was ghp_****") {
			t.Errorf("nothing is masked:\n%s", got)
		}
	}
}
