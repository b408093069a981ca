package run

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The elements of a JUnit report, as Jenkins and GitLab read them: the schema
// junit-10.xsd of Jenkins' xUnit plugin names them.
type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"` // none: what fails is a failure
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a run of build or check as a JUnit report: a test case that passes
// for each prompt, and one for each problem, which fails where the problem fails
// the run. It holds no times.
func JUnit(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	opt = opt.Masking(r)
	f := FactsOf(r, did, opt)
	suite := junitSuite{Name: "promptc " + did.Command}
	for _, b := range builds(r) {
		suite.Cases = append(suite.Cases, junitCase{Name: words.Clean(b.id), Class: "prompts"})
	}
	for _, x := range f.Problems() {
		lines := x.Lines()
		one := junitCase{Name: lines[0], Class: x.Rule}
		if x.Position != "" {
			one.Name = words.Clean(x.Position) + ": " + one.Name
		}
		text := strings.Join(append([]string{one.Name}, lines[1:]...), "\n")
		if x.Level == diag.Error || opt.Strict {
			one.Failure = &junitFailure{Message: lines[0], Type: x.Level.String(), Text: text}
			suite.Failures++
		} else {
			one.Out = x.Level.String() + ": " + text
		}
		suite.Cases = append(suite.Cases, one)
	}
	suite.Tests = len(suite.Cases)
	text, err := xml.MarshalIndent(junitSuites{Name: "promptc", Tests: suite.Tests, Failures: suite.Failures, Suite: suite}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode as XML: %w", err)
	}
	p := words.NewPrinter(opt)
	p.WriteString(xml.Header + string(text) + "\n")
	return p.Print(w)
}
