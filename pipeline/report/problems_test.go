package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// troubled is a run with a snapshot that drifted, an error at a place and a
// warning that has none.
func troubled() *persona {
	p := newPersona()
	p.result.Delta.Snapshots = []prompt.Change{p.soulChanged()}
	p.result.Findings = diag.List{
		diag.New("PC3002", at(p.soul, "Ask"), "quoted", "<a> & \x01").WithHint("write", "b"),
		diag.New("PC1002", diag.Span{}, "names", "w"),
	}
	p.result.Findings[1].Level = diag.Warning
	return p
}

func TestJUnitHasACaseForEachPromptAndProblem(t *testing.T) {
	p := troubled()
	for _, c := range []struct {
		strict   bool
		failures int
		out      string
	}{{false, 2, "warning: w"}, {true, 3, ""}} {
		var b bytes.Buffer
		if err := report.JUnit(&b, p.result, report.Outcome{Command: "check"}, report.Options{Base: "kit", Strict: c.strict}); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Suite struct {
				Name     string `xml:"name,attr"`
				Tests    int    `xml:"tests,attr"`
				Failures int    `xml:"failures,attr"`
				Errors   *int   `xml:"errors,attr"`
				Cases    []struct {
					Name    string `xml:"name,attr"`
					Failure *struct {
						Text string `xml:",chardata"`
					} `xml:"failure"`
					Out string `xml:"system-out"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		s := doc.Suite
		if len(s.Cases) != s.Tests || s.Failures != c.failures || s.Errors == nil || s.Name != "promptc check" {
			t.Errorf("%d cases, %d failures\n%s", len(s.Cases), s.Failures, b.String())
		}
		want := `kit/sources/persona/SOUL.md:12:1: "<a> & <U+0001>"` + "\nhint: write \"b\""
		found := 0
		for _, one := range s.Cases {
			if one.Failure != nil && one.Failure.Text == want || one.Name == "w" && one.Out == c.out {
				found++
			}
		}
		if found != 2 || s.Cases[0].Name != "persona" || s.Cases[0].Failure != nil {
			t.Errorf("got\n%s", b.String())
		}
	}
}

func TestCodeQualityPlacesEveryProblem(t *testing.T) {
	p := troubled()
	var b bytes.Buffer
	if err := report.CodeQuality(&b, p.result, report.Outcome{Command: "check"}, report.Options{Base: "kit"}); err != nil {
		t.Fatal(err)
	}
	var issues []struct {
		Description, Severity, Fingerprint string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
		t.Fatal(err)
	}
	var got [][3]string
	prints := map[string]bool{}
	for _, i := range issues {
		got = append(got, [3]string{i.Check, i.Severity, i.Location.Path})
		if prints[i.Fingerprint] || i.Location.Lines.Begin < 1 || i.Description == "" {
			t.Errorf("%+v", i)
		}
		prints[i.Fingerprint] = true
	}
	want := [][3]string{
		{"PC3002", "major", "kit/sources/persona/SOUL.md"},
		{"PC1002", "minor", "kit/prompts.yaml"},
		{"drift", "major", "kit/sources/persona/SOUL.md"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n%s", d, b.String())
	}
}
